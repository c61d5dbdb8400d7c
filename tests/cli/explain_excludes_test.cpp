// Every repair that `heddle explain` names rules out every bad execution that it writes, and as many good ones as it
// says. The oracle reads the files itself and looks for a cycle by the definition (Cirisci 2022, Theorem 3): an action
// is alone or part of a run of a block, and what comes first in program order, touches the same bytes, or returned
// before a call, comes first. It shares no code with the library.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>

#include "cli/program.h"

namespace heddle::cli::explain_excludes_test {
namespace {

namespace json = boost::json;

const fs::path folder = fs::path(HEDDLE_SOURCE_DIR) / "examples" / "native";

struct Statement {
  std::int64_t parent = -1;
  std::string function, file;
  std::int64_t first = 0, last = 0;
};
using Statements = std::map<std::int64_t, Statement>;

struct Access {
  std::uint64_t begin, end;
  bool write;
};
struct Event {
  enum class Kind : std::uint8_t { Call, Return, Enter, Action } kind;
  std::int64_t thread, statement = -1;
  std::vector<Access> accesses = {};
};
using Execution = std::vector<Event>;

std::vector<Execution> read_executions(const fs::path& file, Statements& statements) {
  std::vector<Execution> out;
  std::ifstream in(file);
  bool joins = false;  // the event before is an access, too: both are one action if they are of one thread
  for (std::string line; std::getline(in, line);) {
    const json::object o = json::parse(line).as_object();
    const auto number = [&](const char* name) { return o.at(name).to_number<std::int64_t>(); };
    const auto text = [&](const char* name) { return std::string(o.at(name).as_string()); };
    if (o.contains("execution")) {
      out.emplace_back();
      joins = false;
    } else if (!o.contains("event")) {
      statements[number("statement")] = {o.at("parent").is_null() ? -1 : number("parent"), text("function"),
                                         text("file"), number("first_line"), number("last_line")};
    } else if (const std::string kind = text("event"); kind == "read" || kind == "write") {
      const std::uint64_t begin = std::stoull(text("address"), nullptr, 16);
      Execution& all = out.back();
      if (!joins || all.back().thread != number("thread")) all.push_back({Event::Kind::Action, number("thread")});
      all.back().accesses.push_back({begin, begin + static_cast<std::uint64_t>(number("size")), kind == "write"});
      joins = true;
    } else {
      const auto is = kind == "call" ? Event::Kind::Call : kind == "return" ? Event::Kind::Return : Event::Kind::Enter;
      out.back().push_back({is, number("thread"), is == Event::Kind::Enter ? number("statement") : -1});
      joins = false;
    }
  }
  return out;
}

// The block of the repair in which the statement stands, or -1.
int block_with(const json::value& repair, const Statements& statements, std::int64_t statement) {
  const auto& blocks = repair.at("blocks").as_array();
  for (; statement >= 0; statement = statements.at(statement).parent) {
    const Statement& s = statements.at(statement);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      if (blocks[b].at("function").as_string() == s.function && blocks[b].at("file").as_string() == s.file &&
          blocks[b].at("first_line").to_number<std::int64_t>() <= s.first &&
          s.last <= blocks[b].at("last_line").to_number<std::int64_t>()) {
        return static_cast<int>(b);
      }
    }
  }
  return -1;
}

bool follows(const Event& a, const Event& b, bool histories) {
  if (a.thread == b.thread) return true;
  if (histories && a.kind == Event::Kind::Return && b.kind == Event::Kind::Call) return true;
  for (const Access& x : a.accesses) {
    for (const Access& y : b.accesses) {
      if (x.begin < y.end && y.begin < x.end && (x.write || y.write)) return true;
    }
  }
  return false;
}

bool rules_out(const json::value& repair, const Statements& statements, const Execution& execution, bool histories) {
  struct Thread {
    int block = -1;
    std::size_t interval = 0;
  };
  std::map<std::int64_t, Thread> threads;
  std::vector<const Event*> actions;
  std::vector<std::size_t> intervals;
  std::size_t count = 0;
  for (const Event& event : execution) {
    Thread& self = threads[event.thread];
    if (event.kind != Event::Kind::Action) {
      const int block = event.kind == Event::Kind::Enter ? block_with(repair, statements, event.statement) : -1;
      if (block != self.block && block >= 0) self.interval = count++;
      self.block = block;
      if (event.kind == Event::Kind::Enter) continue;
    }
    actions.push_back(&event);
    intervals.push_back(self.block >= 0 ? self.interval : count++);
  }
  std::vector<std::vector<std::size_t>> next(count);
  for (std::size_t i = 0; i < actions.size(); ++i) {
    for (std::size_t j = i + 1; j < actions.size(); ++j) {
      if (intervals[i] != intervals[j] && follows(*actions[i], *actions[j], histories)) {
        next[intervals[i]].push_back(intervals[j]);
      }
    }
  }
  std::vector<int> colour(count, 0);  // 1: on the way, 2: done
  const std::function<bool(std::size_t)> leads_back = [&](std::size_t at) {
    if (colour[at] != 0) return colour[at] == 1;
    colour[at] = 1;
    const bool found = std::ranges::any_of(next[at], leads_back);
    colour[at] = 2;
    return found;
  };
  for (std::size_t i = 0; i < count; ++i) {
    if (leads_back(i)) return true;
  }
  return false;
}

struct Subject {
  const char *name, *file, *client;
  std::vector<std::string> options, flags;
};
void PrintTo(const Subject& x, std::ostream* out) { *out << x.name; }

const Subject subjects[] = {
    {"AfekStack", "afek_stack.cpp", "push(1) | push(2); pop() | pop()", {}, {"-DBUG_READ_THEN_CLEAR"}},
    {"CoarseList",
     "coarse_list.cpp",
     "add(1); remove(1); add(1) | add(1); remove(1); add(1)",
     {"--races", "allow"},
     {"-DBUG_LATE_LOCK_ADD", "-DBUG_LATE_LOCK_REMOVE"}},
    {"CoarseListHistories",
     "coarse_list.cpp",
     "add(1); remove(1) | remove(1)",
     {"--races", "allow", "--history"},
     {"-DBUG_LATE_LOCK_REMOVE"}},
    {"OptimisticList",
     "optimistic_list.cpp",
     "remove(1); remove(1); add(0) | add(1); remove(0); remove(1)",
     {},
     {"-DBUG_LATE_LOCK_ADD", "-DBUG_LATE_LOCK_REMOVE"}},
    {"Elimination", "elimination_stack.cpp", "push(1) | push(2) | push(3); pop()", {}, {"-DBUG_VALUE_LATE"}},
    {"MapOfNodes",
     "logical_ordering_avl_map.cpp",
     "put(1, 1); put(1, 0) | put(1, 0); remove(1, 0)",
     {},
     {"-DBUG_SPLIT_PUT", "-DBUG_SPLIT_REMOVE_READ"}},
};

class ExplainExcludes : public ProgramTest, public testing::WithParamInterface<Subject> {};

TEST_P(ExplainExcludes, WhatItSays) {
  const Subject& x = GetParam();
  std::vector<std::string> arguments = {"explain",      (folder / x.file).string(),
                                        "--client",     x.client,
                                        "--json",       "--no-verify",
                                        "--write-bad",  "bad.jsonl",
                                        "--write-good", "good.jsonl"};
  arguments.insert(arguments.end(), x.options.begin(), x.options.end());
  arguments.emplace_back("--");
  arguments.insert(arguments.end(), x.flags.begin(), x.flags.end());
  const Outcome outcome = heddle(arguments);
  ASSERT_EQ(outcome.code, 1) << outcome.err;
  const json::value answer = outcome.json();
  const bool histories = std::ranges::find(x.options, "--history") != x.options.end();
  Statements statements;
  const std::vector<Execution> bad = read_executions(home / "bad.jsonl", statements);
  const std::vector<Execution> good = read_executions(home / "good.jsonl", statements);
  ASSERT_EQ(answer.at("bad_executions").as_string(), std::to_string(bad.size()));
  const json::value nothing = json::object{{"blocks", json::array{}}};
  for (const Execution& one : bad) ASSERT_FALSE(rules_out(nothing, statements, one, histories)) << "it happened";
  for (const auto& repair : answer.at("repairs").as_array()) {
    SCOPED_TRACE(json::serialize(repair.at("blocks")));
    for (const Execution& one : bad) ASSERT_TRUE(rules_out(repair, statements, one, histories));
    const auto excluded = std::ranges::count_if(
        good, [&](const Execution& one) { return rules_out(repair, statements, one, histories); });
    EXPECT_EQ(excluded, repair.at("excluded_good").to_number<std::int64_t>());
  }
}
INSTANTIATE_TEST_SUITE_P(Slow, ExplainExcludes, testing::ValuesIn(subjects),
                         [](const testing::TestParamInfo<Subject>& test) { return test.param.name; });

}  // namespace
}  // namespace heddle::cli::explain_excludes_test
