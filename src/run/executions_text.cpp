// Writes one event for each call, access and return of an execution.
#include "run/executions_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "report/json_text.h"

namespace heddle::run {
namespace {

// Writes the events of one execution.
class EventWriter {
 public:
  EventWriter(const explain::StatementTree& tree, const std::vector<std::string>& files,
              const explain::RecordedExecution& execution, const CallText& call_text, std::string& out)
      : tree_(tree),
        files_(files),
        execution_(execution),
        call_text_(call_text),
        out_(out),
        current_(execution.threads, explain::nothing) {}

  void write() {
    std::map<std::uint32_t, std::string> functions;  // by invocation
    for (const explain::Action& action : execution_.actions) {
      if (action.kind != explain::Action::Kind::Data) continue;
      functions.try_emplace(action.invocation, statement_of(action).function);
    }
    for (const explain::Action& action : execution_.actions) {
      switch (action.kind) {
        case explain::Action::Kind::Call: {
          const std::string text = call_text_(action.invocation);
          const auto function = functions.find(action.invocation);
          event(
              "call", action,
              fmt::format(R"("function": {}, "text": {})",
                          report::quoted(function == functions.end() ? text : function->second), report::quoted(text)));
          current_[action.thread] = explain::nothing;
          break;
        }
        case explain::Action::Kind::Return:
          event("return", action);
          break;
        case explain::Action::Kind::Data:
          enter(action);
          for (const explain::DataAccess& x : action.accesses) {
            event(x.write ? "write" : "read", action,
                  fmt::format(R"("address": "0x{:x}", "size": {}, "file": {}, "line": {}{})",
                              std::uint64_t{x.object} << 32 | x.begin, x.end - x.begin, report::quoted(file_of(action)),
                              line_of(action), &x == action.accesses.data() ? "" : R"(, "together": true)"));
          }
          break;
      }
    }
  }

 private:
  void event(std::string_view kind, const explain::Action& action, const std::string& more = "") {
    out_ += fmt::format(R"({{"event": "{}", "thread": {}, "invocation": {}{}{}}})", kind, action.thread,
                        action.invocation, more.empty() ? "" : ", ", more);
    out_ += '\n';
  }

  const explain::CodeStatement& statement_of(const explain::Action& action) const {
    return tree_[execution_.instances[action.instance].statement];
  }
  // Where the line of the access is not known, that of its statement is written.
  static bool has_place(const explain::Action& action) { return action.file != explain::nothing && action.line != 0; }
  const std::string& file_of(const explain::Action& action) const {
    return has_place(action) ? files_[action.file] : statement_of(action).file;
  }
  std::uint32_t line_of(const explain::Action& action) const {
    return has_place(action) ? action.line : statement_of(action).first_line;
  }

  std::vector<std::uint32_t> way_to(std::uint32_t instance) const {  // from the body down
    std::vector<std::uint32_t> way;
    for (; instance != explain::nothing; instance = execution_.instances[instance].parent) way.push_back(instance);
    std::ranges::reverse(way);
    return way;
  }

  // Says which statements the thread enters on its way to the action. Where it begins another iteration of the
  // statement around, it enters that one first.
  void enter(const explain::Action& action) {
    std::uint32_t& current = current_[action.thread];
    if (current == action.instance) return;
    const std::vector<std::uint32_t> from = way_to(current), to = way_to(action.instance);
    const auto statement_of = [&](std::uint32_t instance) { return execution_.instances[instance].statement; };
    std::size_t same = 0;
    while (same < from.size() && same < to.size() && from[same] == to[same]) ++same;
    const auto say = [&](std::uint32_t instance) {
      event("enter", action, fmt::format(R"("statement": {})", statement_of(instance)));
    };
    const bool again = same > 0 && same < from.size() && same < to.size() &&
                       execution_.instances[from[same]].iteration != execution_.instances[to[same]].iteration;
    if (again) say(to[same - 1]);
    say(action.instance);
    current = action.instance;
  }

  const explain::StatementTree& tree_;
  const std::vector<std::string>& files_;
  const explain::RecordedExecution& execution_;
  const CallText& call_text_;
  std::string& out_;
  std::vector<std::uint32_t> current_;  // by thread: the instance it is in
};

}  // namespace

std::string executions_text(const explain::StatementTree& tree, const std::vector<std::string>& files,
                            const std::vector<explain::RecordedExecution>& executions, const CallText& call_text) {
  std::string out;
  for (std::size_t s = 0; s < tree.size(); ++s) {
    const explain::CodeStatement& x = tree[s];
    out += fmt::format(R"({{"statement": {}, "parent": {}, "function": {}, "file": {}, )"
                       R"("first_line": {}, "last_line": {}, "loop": {}}})",
                       s, x.parent == explain::nothing ? "null" : std::to_string(x.parent), report::quoted(x.function),
                       report::quoted(x.file), x.first_line, x.last_line, x.loop);
    out += '\n';
  }
  std::size_t number = 0;
  for (const explain::RecordedExecution& execution : executions) {
    out += fmt::format("{{\"execution\": {}}}\n", ++number);
    EventWriter(tree, files, execution, call_text, out).write();
  }
  return out;
}

}  // namespace heddle::run
