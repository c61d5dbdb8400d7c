// The table of methods, one row for each specification, and what all of them ask of a history.
#include "check/monitors/monitor.h"

#include <algorithm>

#include "check/monitors/monitors.h"
#include "check/specs/library.h"

namespace heddle {
namespace {

using monitors::Role;

struct Entry {
  // Compared by identity, not by name: a user's specification of the same name may mean something else.
  const Specification& (*specification)();
  std::optional<MonitorResult> (*check)(const monitors::Input&);
  std::string_view insert, remove, look;  // one of each function's names
};

constexpr Entry entries[] = {
    {specs::register_specification, monitors::check_register, "write", "", "read"},
    // These two can do more than read and write; the monitor applies while nobody uses that. A map's parts have one key
    // each.
    {specs::cas_register_specification, monitors::check_register, "write", "", "read"},
    {specs::map_specification, monitors::check_register, "put", "", "get"},
    {specs::set_specification, monitors::check_set, "add", "remove", "contains"},
    {specs::mutex_specification, monitors::check_mutex, "acquire", "release", ""},
    {specs::queue_specification, monitors::check_queue, "enqueue", "dequeue", ""},
    {specs::stack_specification, monitors::check_stack, "push", "pop", ""},
    {specs::priority_queue_specification, monitors::check_priority_queue, "insert", "extract_min", ""},
};

// Maps may answer with an empty text where there is nothing.
bool has_empty_text(const RecordedHistory& history, std::span<const std::uint32_t> part) {
  const auto is_empty_text = [&](Value value) {
    return history.values.kind(value) == ValueTable::Kind::Text && history.values.as_text(value).empty();
  };
  return std::ranges::any_of(part, [&](std::uint32_t index) {
    const RecordedOperation& op = history.operations[index];
    return is_empty_text(op.argument) || is_empty_text(op.result);
  });
}

}  // namespace

std::optional<MonitorResult> monitor(const Specification& specification, const RecordedHistory& history,
                                     std::span<const std::uint32_t> part, Budget& budget) {
  const auto* const entry =
      std::ranges::find_if(entries, [&](const Entry& each) { return &each.specification() == &specification; });
  if (entry == std::end(entries)) return std::nullopt;
  if (entry->specification == specs::map_specification && has_empty_text(history, part)) return std::nullopt;

  const specs::Vocabulary& vocabulary = static_cast<const specs::LibrarySpecification&>(specification).vocabulary();
  std::vector<Role> roles;
  roles.reserve(history.functions.size());
  for (const std::string& function : history.functions) {
    const std::uint8_t kind = vocabulary.kind(function);
    roles.push_back(kind == specs::no_kind                   ? Role::Other
                    : kind == vocabulary.kind(entry->insert) ? Role::Insert
                    : kind == vocabulary.kind(entry->remove) ? Role::Remove
                    : kind == vocabulary.kind(entry->look)   ? Role::Look
                                                             : Role::Other);
  }
  return entry->check({history, roles, part, budget});
}

}  // namespace heddle
