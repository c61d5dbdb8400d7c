// Turns a value into the operations that put it there.
#include "history/initial_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "history/edn_scanner.h"
#include "history/source_text.h"

namespace heddle::history {
namespace {

struct Filling {
  std::string_view specification, function;
  bool many;  // one operation for each member of a list
};
constexpr Filling fillings[] = {{"register", "write", false}, {"cas_register", "write", false},
                                {"map", "put", false},        {"counter", "add", false},
                                {"set", "add", true},         {"queue", "enqueue", true},
                                {"stack", "push", true},      {"priority_queue", "insert", true},
                                {"deque", "push_back", true}, {"log", "append", true}};

Value parse(const std::string& text, ValueTable& values) {
  const SourceText source(text, "--initial");
  EdnScanner scanner(source, source.text());
  if (!scanner.skip_space()) source.fail(source.text().data(), "a value is expected, such as 0 or [1 2]");
  const Value value = scanner.value(values);
  if (scanner.skip_space()) source.fail(scanner.at(), "one value is expected; put several in a list: [1 2]");
  return value;
}

}  // namespace

std::string begin_with(const std::string& text, std::string_view specification, RecordedHistory& history) {
  const auto filling = std::ranges::find(fillings, specification, &Filling::specification);
  if (filling == std::end(fillings)) {
    return fmt::format("--initial: a {} has no initial value that can be given; one of your own has it in its file",
                       specification);
  }
  std::vector<Value> values{parse(text, history.values)};
  if (filling->many) {
    if (history.values.kind(values[0]) != ValueTable::Kind::List) {
      return fmt::format("--initial: a {} holds many values; give a list, such as [1 2]", specification);
    }
    values = history.values.members(values[0]);
  }
  std::set<Value> keys;
  for (const RecordedOperation& operation : history.operations) keys.insert(operation.key);
  std::vector<RecordedOperation> before;
  const std::uint32_t process = history.process(initial_process), function = history.name(filling->function);
  std::uint32_t event = 0;
  for (const Value key : keys) {
    for (const Value value : values) {
      RecordedOperation& operation = before.emplace_back();
      operation.process = process;
      operation.function = function;
      operation.key = key;
      operation.argument = value;
      operation.outcome = Outcome::Ok;
      operation.invoked = event++;
      operation.returned = event++;
    }
  }
  for (RecordedOperation& operation : history.operations) {
    operation.invoked += event;
    if (operation.returned != never) operation.returned += event;
  }
  history.events += event;
  history.operations.insert(history.operations.begin(), before.begin(), before.end());
  return "";
}

}  // namespace heddle::history
