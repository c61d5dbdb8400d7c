// `heddle explain` of what was recorded: traces of `heddle check`, and executions of other tools.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <sys/stat.h>

#include <functional>
#include <string>
#include <vector>

#include "cli/explain_program.h"

namespace heddle::cli::explain_recorded_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using ExplainRecorded = ExplainTest;

// What heddle writes, and reads as if another tool had recorded it, has the same repairs.
TEST_F(ExplainRecorded, ExecutionsFromElsewhereAreRankedAlike) {
  write("queue.cpp", failing_queue);
  const std::vector<std::vector<std::string>> subjects = {
      {"queue.cpp", "--client", "push(0) | push(0); push(0)"},
      {(native_examples / "afek_stack.cpp").string(), "--client", "push(1) | push(2); pop() | pop()", "--",
       "-DBUG_READ_THEN_CLEAR"},
      {(native_examples / "optimistic_list.cpp").string(), "--client",
       "remove(1); remove(1); add(0) | add(1); remove(0); remove(1)", "--", "-DBUG_LATE_LOCK_ADD",
       "-DBUG_LATE_LOCK_REMOVE"},
      {(native_examples / "coarse_list.cpp").string(), "--races", "allow", "--client",
       "add(1); remove(1); add(1) | add(1); remove(1); add(1)", "--", "-DBUG_LATE_LOCK_ADD", "-DBUG_LATE_LOCK_REMOVE"}};
  for (std::vector<std::string> arguments : subjects) {
    SCOPED_TRACE(arguments[0]);
    arguments.insert(arguments.begin(),
                     {"--json", "--no-verify", "--write-bad", "bad.jsonl", "--write-good", "good.jsonl"});
    const auto direct = explain(arguments).json();
    const auto read = explain({"--bad", "bad.jsonl", "--good", "good.jsonl", "--json"}).json();
    for (const char* field : {"bad_executions", "good_executions", "repairs"})
      EXPECT_EQ(direct.at(field), read.at(field));
  }
}

// A lost update as another tool might have recorded it, with lines only.
TEST_F(ExplainRecorded, ExecutionsOfAnotherTool) {
  write("bad.jsonl", R"json(
{"event": "call", "thread": 11, "invocation": 1, "function": "Counter::add", "text": "add(1)"}
{"event": "call", "thread": 12, "invocation": 2, "function": "Counter::add", "text": "add(2)"}
{"event": "read", "thread": 11, "invocation": 1, "address": "0x7f10", "size": 8, "file": "counter.cc", "line": 7}
{"event": "read", "thread": 12, "invocation": 2, "address": "0x7f10", "size": 8, "file": "counter.cc", "line": 7}
{"event": "write", "thread": 11, "invocation": 1, "address": 32528, "size": 8, "file": "counter.cc", "line": 9}
{"event": "write", "thread": 12, "invocation": 2, "address": 32532, "size": 1, "file": "counter.cc", "line": 9}
{"event": "return", "thread": 11, "invocation": 1}
{"event": "return", "thread": 12, "invocation": 2}
)json");
  const Outcome outcome = explain({"--bad", "bad.jsonl", "--json"});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_EQ(blocks_of(outcome.json().at("repairs").at(0)), "add:7-9");
  EXPECT_THAT(explain({"--bad", "bad.jsonl"}).out, HasSubstr("cannot be verified"));
  write("none.jsonl", "\n");
  EXPECT_EQ(explain({"--bad", "none.jsonl"}).code, 0);
}

TEST_F(ExplainRecorded, AnExecutionOfAnotherToolInWhichNobodyOvertakes) {
  write("fine.jsonl", R"json({"event": "call", "thread": 1, "invocation": 1, "function": "f"}
{"event": "write", "thread": 1, "invocation": 1, "address": 1, "file": "f.cc", "line": 1}
)json");
  const Outcome fine = explain({"--bad", "fine.jsonl"});
  EXPECT_EQ(fine.code, 1);
  EXPECT_THAT(fine.out, AllOf(HasSubstr("fine.jsonl:1"), HasSubstr("serializable by whole calls")));
}

TEST_F(ExplainRecorded, HostileNamesInExecutionsStayInert) {
  write("hostile.jsonl", R"json({"event": "call", "thread": 1, "invocation": 1, "function": "f\u001b[31m"}
{"event": "call", "thread": 2, "invocation": 2, "function": "f\u001b[31m"}
{"event": "read", "thread": 1, "invocation": 1, "address": 1, "file": "/etc/passwd\u0007", "line": 1}
{"event": "write", "thread": 2, "invocation": 2, "address": 1, "file": "/etc/passwd\u0007", "line": 1}
{"event": "write", "thread": 1, "invocation": 1, "address": 1, "file": "/etc/passwd\u0007", "line": 2}
)json");
  const Outcome hostile = explain({"--bad", "hostile.jsonl"});
  EXPECT_EQ(hostile.code, 1) << hostile.err;
  EXPECT_THAT(hostile.out, AllOf(Not(HasSubstr("\x1b")), Not(HasSubstr("\x07"))));
}

TEST_F(ExplainRecorded, ATraceAlone) {
  write("queue.cpp", failing_queue);
  ASSERT_EQ(heddle({"check", "queue.cpp"}).code, 1);
  const Outcome outcome = explain({"heddle-trace.json"});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("not ranked"), HasSubstr("not verified"), HasSubstr("Queue::push")));
  const auto json = explain({"heddle-trace.json", "--json"}).json();
  EXPECT_GE(json.at("repairs").as_array().size(), 1u);
  for (const auto& repair : json.at("repairs").as_array()) EXPECT_EQ(json_text(repair.at("standing")), "not tried");
}

TEST_F(ExplainRecorded, ATraceWhoseSourceHasChanged) {
  write("queue.cpp", failing_queue);
  ASSERT_EQ(heddle({"check", "queue.cpp"}).code, 1);
  write("queue.cpp", "// One more line.\n" + std::string(failing_queue));
  Outcome outcome = explain({"heddle-trace.json"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("queue.cpp: the source has changed since the trace was made, or the trace has"),
                    HasSubstr("heddle check")));
  // The steps are at the same places and do something else.
  std::string other = failing_queue;
  other.replace(other.find("items_[tail % 2].store(value);"), 5, "item2");
  other.replace(other.find("std::atomic<int> items_[2];"), 27, "std::atomic<int> items_[2], item2_[2];");
  write("queue.cpp", other);
  outcome = explain({"heddle-trace.json"});
  EXPECT_EQ(outcome.code, 3) << outcome.out;
  fs::remove(home / "queue.cpp");
  EXPECT_THAT(explain({"heddle-trace.json"}).out, HasSubstr("queue.cpp, which is not there"));
}

TEST_F(ExplainRecorded, TracesWithoutPlaces) {
  ASSERT_EQ(heddle({"check", "paxos", "--bug", "last_accepted"}).code, 1);
  Outcome outcome = explain({"heddle-trace.json"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("`place`"), HasSubstr("`accesses`"), HasSubstr("heddle check FILE.cpp")));
  // An older trace.
  write("queue.cpp", failing_queue);
  ASSERT_EQ(heddle({"check", "queue.cpp"}).code, 1);
  boost::json::value trace = boost::json::parse(read(home / "heddle-trace.json"));
  for (auto& step : trace.at("steps").as_array()) step.as_object().erase("accesses");
  write("older.json", boost::json::serialize(trace));
  outcome = explain({"older.json"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("`accesses`"), HasSubstr("make one with heddle check queue.cpp")));
  // One of a program that lacks places only, in all steps or in one.
  const boost::json::value whole = boost::json::parse(read(home / "heddle-trace.json"));
  const std::size_t steps = whole.at("steps").as_array().size();
  for (const std::size_t kept : {std::size_t{0}, steps - 1}) {
    trace = whole;
    for (std::size_t i = kept; i < steps; ++i) trace.at("steps").at(i).as_object().erase("place");
    write("placeless.json", boost::json::serialize(trace));
    outcome = explain({"placeless.json"});
    EXPECT_EQ(outcome.code, 3);
    EXPECT_THAT(outcome.out, AllOf(HasSubstr(kept == 0 ? "no step has the field `place`" : "has no field `place`"),
                                   HasSubstr("make one with heddle check queue.cpp"), Not(HasSubstr("has changed"))));
  }
}

TEST_F(ExplainRecorded, HostileNamesInTracesStayInert) {
  write("queue.cpp", failing_queue);
  ASSERT_EQ(heddle({"check", "queue.cpp"}).code, 1);
  const std::string evil = "x\x1b[31m\x07/../../etc/passwd";
  const auto change = [&](const std::function<void(boost::json::object&)>& how) {
    boost::json::value trace = boost::json::parse(read(home / "heddle-trace.json"));
    how(trace.as_object());
    write("evil.json", boost::json::serialize(trace));
    const Outcome outcome = explain({"evil.json"});
    EXPECT_THAT(outcome.code, testing::AnyOf(1, 3)) << outcome.out;
    EXPECT_THAT(outcome.out + outcome.err,
                AllOf(Not(HasSubstr("\x1b")), Not(HasSubstr("\x07")), Not(HasSubstr("root:"))));
  };
  change([&](auto& trace) { trace["model"] = evil; });
  change([&](auto& trace) { trace["options"].as_object()["file"] = evil; });
  change([&](auto& trace) { trace["options"].as_object()["file"] = "/etc/passwd"; });
  change([&](auto& trace) { trace["options"].as_object()["client"] = evil; });
  change([&](auto& trace) { trace["property"] = evil; });
  change([&](auto& trace) { trace["lanes"].at(1).as_object()["name"] = evil; });
  for (const char* field : {"name", "file"}) {
    change([&](auto& trace) {
      for (auto& step : trace["steps"].as_array()) {
        if (field == std::string("name")) step.as_object()["name"] = evil;
        if (field == std::string("file") && step.as_object().contains("place")) {
          step.at("place").as_object()["file"] = evil;
        }
      }
    });
  }
}

// Whoever edits a trace is told what does not fit, and where. The source is as it was, so the words must not say that it
// has changed for sure.
TEST_F(ExplainRecorded, ATraceThatWasEdited) {
  write("queue.cpp", failing_queue);
  ASSERT_EQ(heddle({"check", "queue.cpp"}).code, 1);
  const boost::json::value whole = boost::json::parse(read(home / "heddle-trace.json"));
  using Trace = boost::json::value;
  const auto step = [](Trace& trace, std::size_t i) -> boost::json::object& {
    return trace.at("steps").at(i).as_object();
  };
  const auto place = [&](Trace& trace) -> boost::json::object& { return step(trace, 2).at("place").as_object(); };
  const auto access = [&](Trace& trace) -> boost::json::object& {
    return step(trace, 2).at("accesses").at(0).as_object();
  };
  const auto call = [&](Trace& trace) -> boost::json::object& {
    return step(trace, 1).at("operations").at(0).as_object();
  };
  const std::string or_the_trace = "queue.cpp: the source has changed since the trace was made, or the trace has: ";
  const std::string number = "must be a whole number that is not negative";
  struct Edit {
    const char* what;
    std::function<void(Trace&)> how;
    std::string says;
  };
  const std::vector<Edit> edits = {
      {"a line", [&](Trace& t) { place(t)["line"] = 11; },
       or_the_trace + "step 3 was at queue.cpp:11:28 in Queue::push(int) and is at queue.cpp:9:28"},
      {"a column", [&](Trace& t) { place(t)["column"] = 5; }, or_the_trace + "step 3 was at queue.cpp:9:5"},
      {"a file", [&](Trace& t) { place(t)["file"] = "stack.cpp"; }, or_the_trace + "step 3 was at stack.cpp:9:28"},
      {"a function", [&](Trace& t) { place(t)["function"] = "Queue::pop()"; },
       or_the_trace + "step 3 was at queue.cpp:9:28 in Queue::pop() and is at queue.cpp:9:28 in Queue::push(int)"},
      {"the line of an access", [&](Trace& t) { access(t)["place"].as_object()["line"] = 10; },
       or_the_trace + "step 3, at queue.cpp:9:28 in Queue::push(int), does not access what it did"},
      {"an access dropped", [&](Trace& t) { step(t, 2)["accesses"].as_array().clear(); },
       "does not access what it did"},
      {"what is accessed", [&](Trace& t) { access(t)["part"] = ".head_"; }, "does not access what it did"},
      {"how it is accessed", [&](Trace& t) { access(t)["kind"] = "atomic write"; }, "does not access what it did"},
      {"a thread", [&](Trace& t) { step(t, 2)["lane"] = 1; },
       or_the_trace + "step 3 was thread 1: queue.cpp:9, which "
                      "is not possible now"},
      {"the name of a thread", [&](Trace& t) { t.at("lanes").at(1).as_object()["name"] = "thread 77"; },
       "the trace has a lane 'thread 77'"},
      {"a call", [&](Trace& t) { call(t)["value"].as_object()["op"] = "pop"; },
       or_the_trace + "step 2, at queue.cpp:8 in Queue::push(int), does not begin or end the call that it did"},
      {"the argument of a call", [&](Trace& t) { call(t)["value"].as_object()["value"] = 7; }, "the call that it did"},
      {"the thread of a call", [&](Trace& t) { call(t)["lane"] = 1; }, "the call that it did"},
      {"no call", [&](Trace& t) { step(t, 1).erase("operations"); }, "the call that it did"},
      {"a step dropped",
       [&](Trace& t) {
         auto& all = t.at("steps").as_array();
         all.erase(all.begin() + 5);
       },
       "which is not possible now"},
      {"a step twice",
       [&](Trace& t) {
         auto& all = t.at("steps").as_array();
         all.insert(all.begin() + 5, all[5]);
       },
       "which is not possible now"},
      {"the end cut off", [&](Trace& t) { t.at("steps").as_array().pop_back(); },
       or_the_trace + "its run no longer ends in a violation of linearizability"},
      {"the end cut off and no verdict",
       [&](Trace& t) {
         t.at("steps").as_array().pop_back();
         t.at("verdict") = "unknown";
       },
       "edited.json: the run stops before all its calls have returned"},
      {"another violation", [&](Trace& t) { t.at("property") = "race"; },
       or_the_trace + "its run no longer ends in a violation of race"},
      {"no violation that there is", [&](Trace& t) { t.at("property") = "beauty"; }, "the property 'beauty'"},
      {"another client", [&](Trace& t) { t.at("options").as_object()["client"] = "push(1) | pop()"; },
       "memory's client is"},
      {"a negative line", [&](Trace& t) { place(t)["line"] = -9; }, "\"line\" " + number},
      {"a huge line", [&](Trace& t) { place(t)["line"] = std::int64_t{1} << 40; }, "\"line\" " + number},
      {"a line of 32 bits", [&](Trace& t) { place(t)["line"] = 4'000'000'000; }, "step 3 was at queue.cpp:4000000000"},
      {"a line that is a fraction", [&](Trace& t) { place(t)["line"] = 9.5; }, "\"line\" " + number},
      {"a negative lane", [&](Trace& t) { step(t, 2)["lane"] = -1; }, "\"lane\" " + number},
      {"a lane that is not there", [&](Trace& t) { step(t, 2)["lane"] = 1'000; }, "lane 1000 does not exist"},
      {"a huge argument", [&](Trace& t) { t.at("options").as_object()["client"] = "push(99999999999) | pop()"; },
       "is not a number of 32 bits"},
      {"no place", [&](Trace& t) { step(t, 2).erase("place"); }, "step 3 has no field `place`"},
      {"no line", [&](Trace& t) { place(t).erase("line"); }, "step 3 has no field `place`, or no file and line in it"},
      {"no lane", [&](Trace& t) { step(t, 2).erase("lane"); }, "a step needs the field \"lane\""},
      {"no steps", [&](Trace& t) { t.as_object().erase("steps"); }, "a trace needs the field \"steps\""},
      {"no lanes", [&](Trace& t) { t.as_object().erase("lanes"); }, "a trace needs the field \"lanes\""},
      {"no verdict", [&](Trace& t) { t.as_object().erase("verdict"); }, "a trace needs the field \"verdict\""},
      {"no options", [&](Trace& t) { t.as_object().erase("options"); }, "traces of programs"},
  };
  for (const Edit& edit : edits) {
    SCOPED_TRACE(edit.what);
    Trace trace = whole;
    edit.how(trace);
    write("edited.json", boost::json::serialize(trace));
    const Outcome outcome = explain({"edited.json"});
    EXPECT_EQ(outcome.code, 3) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.last_line(), testing::StartsWith("error: "));
    EXPECT_THAT(outcome.out, HasSubstr(edit.says));
  }
  // What a person may well change or leave out.
  for (const auto& how : std::vector<std::function<void(Trace&)>>{
           [](Trace& t) { t.as_object().erase("property"); },
           [](Trace& t) { t.as_object().erase("explanation"); },
           [](Trace& t) { t.at("model") = "my queue"; },
           [](Trace& t) { t.as_object()["remark"] = "for the meeting on Monday"; },
       }) {
    Trace trace = whole;
    how(trace);
    write("edited.json", boost::json::serialize(trace));
    EXPECT_EQ(explain({"edited.json"}).code, 1);
  }
}

// A ring of n threads with k conflicts from each to the next has k^n repairs.
TEST_F(ExplainRecorded, AListThatWouldBeHugeIsCut) {
  std::string bad;
  const int n = 3, k = 4;
  const auto event = [&](int thread, const char* kind, int address, int line) {
    bad += fmt::format(
        R"({{"event": "{}", "thread": {}, "invocation": {}, "address": {}, "file": "ring.cpp", "line": {}}})"
        "\n",
        kind, thread, thread, address, line);
  };
  for (int t = 0; t < n; ++t) {
    bad += fmt::format(R"({{"event": "call", "thread": {}, "invocation": {}, "function": "f{}"}})"
                       "\n",
                       t, t, t);
  }
  for (int i = 0; i < k; ++i) {
    for (int t = 0; t < n; ++t) event(t, "write", 1000 * t + i, 100 * t + 10 + i);
  }
  for (int i = 0; i < k; ++i) {
    for (int t = 0; t < n; ++t) event(t, "read", 1000 * ((t + n - 1) % n) + i, 100 * t + 50 + i);
  }
  write("ring.jsonl", bad);
  const auto all = explain({"--bad", "ring.jsonl", "--json", "--most-repairs", "100000"}).json();
  EXPECT_TRUE(all.at("all_repairs").as_bool());
  EXPECT_EQ(all.at("repairs").as_array().size(), 64u);
  const Outcome cut = explain({"--bad", "ring.jsonl", "--most-repairs", "5"});
  EXPECT_EQ(cut.code, 1) << cut.out;
  EXPECT_THAT(cut.out, HasSubstr("There may be others: the list was cut at --most-repairs."));
}

std::string call_of(int thread, int invocation, const std::string& function) {
  return fmt::format(R"({{"event": "call", "thread": {}, "invocation": {}, "function": "{}"}})", thread, invocation,
                     function) +
         "\n";
}
std::string return_of(int thread, int invocation) {
  return fmt::format(R"({{"event": "return", "thread": {}, "invocation": {}}})", thread, invocation) + "\n";
}
std::string access_of(const char* kind, int thread, int invocation, int address, const std::string& file, int line) {
  return fmt::format(R"({{"event": "{}", "thread": {}, "invocation": {}, "address": {}, "file": "{}", "line": {}}})",
                     kind, thread, invocation, address, file, line) +
         "\n";
}

// A lost update, of two methods in two files.
TEST_F(ExplainRecorded, TheCircleOfTwoFilesShowsTheLinesOfEach) {
  write("a.cpp", "first of a\nsecond of a\n");
  write("b.cpp", "first of b\nsecond of b\n");
  write("two.jsonl", call_of(1, 1, "A::f") + call_of(2, 2, "B::g") + access_of("read", 1, 1, 8, "a.cpp", 1) +
                         access_of("read", 2, 2, 8, "b.cpp", 1) + access_of("write", 1, 1, 8, "a.cpp", 2) +
                         access_of("write", 2, 2, 8, "b.cpp", 2));
  const Outcome outcome = explain({"--bad", "two.jsonl", "--width", "100"});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  expect_golden("explain_two_files", outcome.out);
  const auto json = explain({"--bad", "two.jsonl", "--json"}).json();
  std::vector<std::string> places;
  for (const auto& edge : json.at("cycle").as_array()) {
    for (const char* end : {"from", "to"}) {
      const auto& event = edge.at(end);
      places.push_back(fmt::format("{} {}:{}", json_text(event.at("event")), json_text(event.at("file")),
                                   event.at("line").to_number<int>()));
    }
  }
  EXPECT_THAT(places, testing::UnorderedElementsAre("write a.cpp:2", "write b.cpp:2", "read b.cpp:1", "write a.cpp:2"));
}

// What is left out of the order of results, a call that returns before another one begins, is not an access.
TEST_F(ExplainRecorded, AReturnBeforeACallIsSaidInWords) {
  write("w.cpp", "x = 1\ny = 1\n");
  write("real_time.jsonl", call_of(0, 0, "write_both") + access_of("write", 0, 0, 1, "w.cpp", 1) +
                               call_of(1, 1, "read_x") + access_of("read", 1, 1, 1, "r.cpp", 5) + return_of(1, 1) +
                               call_of(2, 2, "read_y") + access_of("read", 2, 2, 2, "r.cpp", 9) + return_of(2, 2) +
                               access_of("write", 0, 0, 2, "w.cpp", 2) + return_of(0, 0));
  EXPECT_THAT(explain({"--bad", "real_time.jsonl"}).out, HasSubstr("serializable by whole calls"));
  const Outcome outcome = explain({"--bad", "real_time.jsonl", "--history", "--width", "120"});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  expect_golden("explain_real_time", outcome.out);
  const auto json = explain({"--bad", "real_time.jsonl", "--history", "--json"}).json();
  EXPECT_EQ(blocks_of(json.at("repairs").at(0)), "write_both:1-2");
  std::size_t of_time = 0;
  for (const auto& edge : json.at("cycle").as_array()) {
    if (json_text(edge.at("from").at("event")) != "return") continue;
    ++of_time;
    EXPECT_EQ(json_text(edge.at("from").at("call")), "read_x");
    EXPECT_EQ(json_text(edge.at("to").at("event")), "call");
    EXPECT_EQ(json_text(edge.at("to").at("call")), "read_y");
    EXPECT_TRUE(edge.at("to").at("line").is_null() && edge.at("to").at("file").is_null());
  }
  EXPECT_EQ(of_time, 1u);
}

TEST_F(ExplainRecorded, ThreadsThatAreAlikeAreNoMoreWork) {
  std::string bad;
  for (int t = 0; t < 60; ++t) bad += call_of(t, t, "add");
  for (int t = 0; t < 60; ++t) bad += access_of("read", t, t, 1, "x.cpp", 5);
  for (int t = 0; t < 60; ++t) bad += access_of("write", t, t, 1, "x.cpp", 6);
  write("alike.jsonl", bad);
  const auto json = explain({"--bad", "alike.jsonl", "--json", "--time", "60"}).json();
  EXPECT_EQ(json_text(json.at("verdict")), "violated");
  EXPECT_EQ(blocks_of(json.at("repairs").at(0)), "add:5-6");
}

TEST_F(ExplainRecorded, APipeThatNobodyWritesTo) {
  ASSERT_EQ(::mkfifo((home / "pipe").c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo((home / "pipe.json").c_str(), 0600), 0);
  for (const int signal : {SIGTERM, SIGINT}) {
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"--bad", "pipe"}, std::vector<std::string>{"pipe.json"}}) {
      std::vector<std::string> all = {"explain"};
      all.insert(all.end(), arguments.begin(), arguments.end());
      const Outcome outcome = heddle(all, 0.3, signal);
      EXPECT_EQ(outcome.code, 2) << outcome.out << outcome.err;
      EXPECT_THAT(outcome.last_line(), testing::StartsWith("unknown: interrupted"));
    }
  }
}

TEST_F(ExplainRecorded, Words) {
  write("fine.jsonl", call_of(1, 1, "f") + access_of("write", 1, 1, 1, "f.cc", 1));
  const Outcome fine = explain({"--bad", "fine.jsonl"});
  EXPECT_THAT(fine.last_line(), testing::StartsWith("violated: linearizability: no atomic section explains it; "));
  EXPECT_THAT(fine.last_line(), Not(HasSubstr("states")));
  EXPECT_THAT(explain({"--bad", "fine.jsonl", "--linearizable", "queue"}).out,
              HasSubstr("--linearizable is for programs; what is wrong with recorded executions was decided already"));
  write("queue.cpp", failing_queue);
  ASSERT_EQ(heddle({"check", "queue.cpp"}).code, 1);
  const Outcome trace = explain({"--bad", "heddle-trace.json"});
  EXPECT_EQ(trace.code, 3);
  EXPECT_THAT(trace.out, AllOf(HasSubstr("heddle-trace.json:1:1"), HasSubstr("heddle explain heddle-trace.json")));
  fs::remove(home / "queue.cpp");
  const Outcome gone = explain({"heddle-trace.json"});
  EXPECT_EQ(gone.code, 3);
  EXPECT_THAT(gone.out, AllOf(HasSubstr("queue.cpp, which is not there"), Not(HasSubstr("--model"))));
}

}  // namespace
}  // namespace heddle::cli::explain_recorded_test
