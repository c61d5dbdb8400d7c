// Reads events line by line, checks that each can follow, and makes executions of them.
#include "run/executions_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

#include "explain/statement_instances.h"
#include "explain/trace_hash.h"
#include "explain/written_data.h"
#include "history/source_text.h"
#include "report/json_text.h"
#include "run/words.h"

namespace heddle::run {
namespace {

namespace json = boost::json;

constexpr std::uint64_t most_threads = 64;               // RecordedExecution::threads
constexpr std::uint64_t longest_access = 1 << 20;        // bytes
constexpr std::uint64_t last_line_number = 100'000'000;  // of a source file
constexpr std::uint64_t most_statements = 1 << 20;       // declared ones
constexpr std::uint32_t deepest = 256;                   // statement in a statement
// Memory is seen as objects of this size, since an object's bytes are numbered with 32 bits.
constexpr std::uint64_t chunk = std::uint64_t{1} << 20;

}  // namespace

// Reads one file.
class ExecutionFiles::Reader {
 public:
  Reader(ExecutionFiles& files, history::LineReader& lines) : files_(files), lines_(lines) {}

  std::vector<Execution> read() {
    for (std::string_view line; lines_.next(line);) {
      if (line.find_first_not_of(" \t") == line.npos) continue;
      line_ = line;
      boost::system::error_code error;
      const json::value value = json::parse(json::string_view(line.data(), line.size()), error);
      if (error) {
        if (looks_like_a_trace(line)) fail_as_a_trace();
        fail(fmt::format("this is not JSON: {}; write one object a line", error.message()));
      }
      if (!value.is_object()) fail("write one object a line, as {\"event\": \"call\", ...}");
      object_ = &value.get_object();
      if (find("event") != nullptr) {
        event();
      } else if (find("execution") != nullptr) {
        number("execution");
        finish();
        begun_ = true;
        current_.line = lines_.number();
      } else if (find("statement") != nullptr) {
        statement();
      } else {
        if (find("format") != nullptr && find("steps") != nullptr) fail_as_a_trace();
        fail("a line has one of the fields \"event\", \"execution\" and \"statement\"");
      }
    }
    finish();
    return std::move(out_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { lines_.fail(line_.data(), message); }
  // Its first line is one brace alone, since it is written for people.
  bool looks_like_a_trace(std::string_view line) const {
    return lines_.number() == 1 && line.substr(0, line.find_last_not_of(" \t") + 1) == "{";
  }
  [[noreturn]] void fail_as_a_trace() const {
    fail(fmt::format(
        "this is no list of executions, which has one JSON object a line; if it is a trace of heddle check: heddle "
        "explain {}",
        shell_quoted(lines_.name())));
  }

  const json::value* find(std::string_view name) const {
    return object_->if_contains(json::string_view(name.data(), name.size()));
  }
  const json::value& need(std::string_view name) const {
    const json::value* found = find(name);
    if (found == nullptr) fail(fmt::format("the field \"{}\" is missing", name));
    return *found;
  }
  static constexpr std::uint64_t any_number = std::numeric_limits<std::uint64_t>::max();

  std::uint64_t number(std::string_view name, std::uint64_t most = any_number) const {
    const json::value& value = need(name);
    std::uint64_t out = 0;
    if (value.is_uint64()) {
      out = value.get_uint64();
    } else if (value.is_int64() && value.get_int64() >= 0) {
      out = static_cast<std::uint64_t>(value.get_int64());
    } else {
      fail(fmt::format("\"{}\" is not a number from 0 on{}", name,
                       value.is_string() ? "; write it without quotes" : ""));
    }
    if (out > most) fail(fmt::format("\"{}\" is more than {}", name, most));
    return out;
  }
  // A number, or a text with one: "0x7f08", "12".
  std::uint64_t address() const {
    const json::value& value = need("address");
    if (!value.is_string()) return number("address");
    std::string_view text(value.get_string().data(), value.get_string().size());
    const int base = text.starts_with("0x") ? 16 : 10;
    if (base == 16) text.remove_prefix(2);
    std::uint64_t out = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out, base);
    if (error != std::errc{} || end != text.data() + text.size()) {
      fail("\"address\" is not a number from 0 on, such as 32520 or \"0x7f08\"");
    }
    return out;
  }
  std::uint32_t line_number(std::string_view name) const {
    const auto out = static_cast<std::uint32_t>(number(name, last_line_number));
    if (out == 0) fail(fmt::format("\"{}\" is 0; lines are numbered from 1", name));
    return out;
  }
  std::string text(std::string_view name) const {
    const json::value& value = need(name);
    if (!value.is_string()) fail(fmt::format("\"{}\" is not a text", name));
    return {value.get_string().data(), value.get_string().size()};
  }
  std::string name(std::string_view field) const {
    std::string out = text(field);
    if (out.empty()) fail(fmt::format("\"{}\" is empty; write the name of the {}", field, field));
    return out;
  }
  std::string text_or(std::string_view name, const std::string& otherwise) const {
    return find(name) == nullptr ? otherwise : text(name);
  }

  void statement() {
    const std::uint64_t number_in_file = number("statement");
    if (files_.lines_only_) fail("a statement is declared before the first access, also of the files read before");
    explain::CodeStatement one;
    if (find("parent") != nullptr && !need("parent").is_null()) {
      const auto parent = files_.declared_.find(number("parent"));
      if (parent == files_.declared_.end()) fail("the statement's parent was not declared before it");
      one.parent = parent->second;
    }
    one.function = name("function");
    one.file = name("file");
    one.first_line = line_number("first_line");
    one.last_line = line_number("last_line");
    if (one.first_line > one.last_line) fail("\"first_line\" is greater than \"last_line\"");
    if (one.parent != explain::nothing) {
      const explain::CodeStatement& parent = files_.tree_[one.parent];
      need_same("function", one.function, parent.function);
      need_same("file", one.file, parent.file);
    }
    if (const json::value* loop = find("loop"); loop != nullptr) {
      if (!loop->is_bool()) fail("\"loop\" is true or false");
      one.loop = loop->get_bool();
    }
    const auto [known, is_new] =
        files_.declared_.try_emplace(number_in_file, static_cast<std::uint32_t>(files_.tree_.size()));
    if (!is_new) {
      const explain::CodeStatement& before = files_.tree_[known->second];
      const bool same = before.parent == one.parent && before.loop == one.loop && before.function == one.function &&
                        before.file == one.file && before.first_line == one.first_line &&
                        before.last_line == one.last_line;
      if (!same) fail(fmt::format("statement {} was declared before, and differently", number_in_file));
      return;
    }
    if (files_.tree_.size() >= most_statements) fail("there are too many statements");
    Declared about{.body = known->second};
    if (one.parent != explain::nothing) {
      Declared& parent = files_.about_[one.parent];
      one.order = parent.children++;
      about = {.body = parent.body, .depth = parent.depth + 1};
      if (about.depth > deepest) fail(fmt::format("statements are more than {} deep", deepest));
    }
    files_.about_.push_back(about);
    files_.tree_.push_back(std::move(one));
  }

  void need_same(std::string_view field, const std::string& own, const std::string& of_parent) const {
    if (own == of_parent) return;
    fail(fmt::format("\"{}\" is {} and that of the statement's parent {}; they are the same", field,
                     report::quoted(own), report::quoted(of_parent)));
  }

  void event() {
    const std::string kind = text("event");
    const std::uint64_t thread_number = number("thread"), invocation_number = number("invocation");
    begun_ = true;
    if (current_.line == 0) current_.line = lines_.number();
    const auto thread = threads_.try_emplace(thread_number, static_cast<std::uint32_t>(threads_.size())).first->second;
    if (threads_.size() > most_threads) fail(fmt::format("an execution has at most {} threads", most_threads));
    current_.threads = static_cast<std::uint32_t>(threads_.size());
    if (running_.size() <= thread) running_.resize(thread + 1, no_call);
    Event out{.thread = thread};
    if (kind == "call") {
      if (running_[thread] != no_call) fail("the thread is in a call already; its return is missing");
      const auto [invocation, is_new] =
          invocations_.try_emplace(invocation_number, static_cast<std::uint32_t>(invocations_.size()));
      if (!is_new) fail("the invocation was called before in this execution; give each call a number of its own");
      out.invocation = running_[thread] = invocation->second;
      bodies_.push_back(explain::nothing);
      home_.push_back(explain::nothing);
      current_.functions.push_back(name("function"));
      current_.texts.push_back(text_or("text", current_.functions.back()));
      current_.events.push_back(out);
      return;
    }
    const auto invocation = invocations_.find(invocation_number);
    if (running_[thread] == no_call || invocation == invocations_.end() || invocation->second != running_[thread]) {
      fail(fmt::format("thread {} is not in the invocation {}; its call is missing", thread_number, invocation_number));
    }
    out.invocation = invocation->second;
    if (kind == "return") {
      out.kind = Event::Kind::Return;
      running_[thread] = no_call;
    } else if (kind == "enter") {
      const auto declared = files_.declared_.find(number("statement"));
      if (declared == files_.declared_.end())
        fail("the statement was not declared: {\"statement\": ...} before its use");
      out.kind = Event::Kind::Enter;
      out.statement = declared->second;
      std::uint32_t& body = bodies_[out.invocation];
      if (body == explain::nothing) body = files_.about_[out.statement].body;
      if (body != files_.about_[out.statement].body) {
        fail("the statement is in another body than those that this invocation entered before");
      }
    } else if (kind == "read" || kind == "write") {
      out.kind = kind == "read" ? Event::Kind::Read : Event::Kind::Write;
      out.address = address();
      out.size = find("size") == nullptr ? 1 : static_cast<std::uint32_t>(number("size", longest_access));
      if (out.size == 0) fail("\"size\" is 0");
      if (out.address > std::numeric_limits<std::uint64_t>::max() - out.size) fail("\"address\" is too high");
      out.place = place();
      if (const json::value* together = find("together"); together != nullptr) {
        if (!together->is_bool()) fail("\"together\" is true or false");
        out.together = together->get_bool();
        const Event* const before = current_.events.empty() ? nullptr : &current_.events.back();
        if (out.together && (before == nullptr || before->kind < Event::Kind::Read || before->thread != thread ||
                             before->place != out.place)) {
          fail("\"together\": the event before is not an access of this thread at the same place");
        }
      }
      if (files_.declared_.empty()) {
        files_.lines_only_ = true;
        need_one_file(out);
      } else if (bodies_[out.invocation] == explain::nothing) {
        fail(
            "the invocation has entered none of the declared statements: {\"event\": \"enter\", ...} before its "
            "accesses");
      }
    } else {
      fail(fmt::format("the event {} is not call, return, read, write or enter", report::quoted(kind)));
    }
    current_.events.push_back(out);
  }

  // A block lies in one file. Which line of a method it was that led to another file is not known from lines alone.
  void need_one_file(const Event& access) {
    std::uint32_t& home = home_[access.invocation];
    if (home == explain::nothing) home = access.place;
    const std::string &first = files_.places_[home].file, &now = files_.places_[access.place].file;
    if (first == now) return;
    fail(
        fmt::format("the call of {} has an access in {} after one in {}, and a block lies in one file; give what a "
                    "method calls the "
                    "line of the call, or declare statements",
                    report::quoted(current_.functions[access.invocation]), report::quoted(now), report::quoted(first)));
  }

  std::uint32_t place() {
    explain::SourceLine at{name("file"), line_number("line")};
    const auto [known, is_new] =
        files_.place_numbers_.try_emplace(at, static_cast<std::uint32_t>(files_.places_.size()));
    if (is_new) {
      const auto number = static_cast<std::uint32_t>(files_.source_files_.size());
      if (files_.source_file_numbers_.try_emplace(at.file, number).second) files_.source_files_.push_back(at.file);
      files_.places_.push_back(std::move(at));
    }
    return known->second;
  }

  void finish() {
    if (begun_) {
      if (current_.events.empty()) {
        throw history::HistoryError(
            fmt::format("{}:{}:1: no events follow this execution; write them before the next one begins",
                        lines_.name(), current_.line));
      }
      out_.push_back(std::move(current_));
    }
    current_ = {};
    begun_ = false;
    threads_.clear();
    invocations_.clear();
    running_.clear();
    bodies_.clear();
    home_.clear();
  }

  static constexpr std::uint32_t no_call = explain::nothing;

  ExecutionFiles& files_;
  history::LineReader& lines_;
  std::string_view line_;
  const json::object* object_ = nullptr;
  std::vector<Execution> out_;
  Execution current_;
  bool begun_ = false;                                            // current_ has
  std::map<std::uint64_t, std::uint32_t> threads_, invocations_;  // of current_, by the numbers in the file
  std::vector<std::uint32_t> running_;                            // by thread: the invocation it is in
  std::vector<std::uint32_t> bodies_;                             // by invocation: of the statements entered
  std::vector<std::uint32_t> home_;                               // by invocation: place of its first access
};

void ExecutionFiles::read(history::LineReader& lines) {
  const bool had_statements = !declared_.empty(), had_files = !files_.empty();
  files_.push_back(Reader(*this, lines).read());
  if (had_files && !had_statements && !declared_.empty()) {
    throw history::HistoryError(fmt::format(
        "{}: this file declares statements and the one before does not; let both do it, or none", lines.name()));
  }
}

const explain::StatementTree& ExecutionFiles::tree() {
  if (std::exchange(finished_, true) || !declared_.empty()) return tree_;
  for (const auto& file : files_) {
    for (const Execution& execution : file) {
      std::vector<std::vector<explain::SourceLine>> visits(execution.functions.size());
      for (const Event& event : execution.events) {
        if (event.kind >= Event::Kind::Read) visits[event.invocation].push_back(places_[event.place]);
      }
      for (std::size_t i = 0; i < visits.size(); ++i) by_line_.add(execution.functions[i], visits[i]);
    }
  }
  tree_ = by_line_.tree();
  return tree_;
}

explain::RecordedExecution ExecutionFiles::recorded(const Execution& execution) const {
  explain::RecordedExecution out;
  out.threads = execution.threads;
  explain::StatementInstances instances(tree_, out.instances);
  std::map<std::uint64_t, std::uint32_t> objects;  // by chunk of memory
  for (const Event& event : execution.events) {
    if (event.kind < Event::Kind::Read) continue;
    for (std::uint64_t c = event.address / chunk; c <= (event.address + event.size - 1) / chunk; ++c) objects[c] = 0;
  }
  std::uint32_t next = 0;
  for (auto& [c, number] : objects) number = next++;
  for (const Event& event : execution.events) {
    switch (event.kind) {
      case Event::Kind::Call:
        instances.begin(event.thread);
        [[fallthrough]];
      case Event::Kind::Return:
        out.actions.push_back(
            {.kind = event.kind == Event::Kind::Call ? explain::Action::Kind::Call : explain::Action::Kind::Return,
             .thread = event.thread,
             .invocation = event.invocation});
        break;
      case Event::Kind::Enter:
        instances.enter(event.thread, event.statement);
        break;
      case Event::Kind::Read:
      case Event::Kind::Write: {
        if (declared_.empty()) {
          instances.enter(event.thread,
                          by_line_.statement(execution.functions[event.invocation], places_[event.place]));
        }
        explain::Action action{.thread = event.thread,
                               .invocation = event.invocation,
                               .instance = instances.current(event.thread),
                               .file = source_file_numbers_.at(places_[event.place].file),
                               .line = places_[event.place].line};
        const std::uint64_t end = event.address + event.size;
        for (std::uint64_t at = event.address; at < end;) {
          const std::uint64_t stop = std::min(end, (at / chunk + 1) * chunk);
          action.accesses.push_back({.object = objects.at(at / chunk),
                                     .begin = static_cast<std::uint32_t>(at % chunk),
                                     .end = static_cast<std::uint32_t>((stop - 1) % chunk + 1),
                                     .write = event.kind == Event::Kind::Write});
          at = stop;
        }
        if (event.together) {
          auto& accesses = out.actions.back().accesses;
          accesses.insert(accesses.end(), action.accesses.begin(), action.accesses.end());
        } else {
          out.actions.push_back(std::move(action));
        }
        break;
      }
    }
  }
  explain::drop_unwritten(out);
  return out;
}

ReadExecutions ExecutionFiles::executions(std::size_t n) {
  tree();
  ReadExecutions out;
  std::set<explain::TraceHash> known;
  for (const Execution& one : files_.at(n)) {
    ++out.read;
    explain::RecordedExecution execution = recorded(one);
    if (!known.insert(explain::trace_hash(explain::ConflictGraph(execution, real_time_))).second) continue;
    out.list.push_back(std::move(execution));
    out.calls.push_back(one.texts);
    out.lines.push_back(one.line);
  }
  return out;
}

}  // namespace heddle::run
