// The list of the library's specifications, and how a history is partitioned by its keys.
#include "check/specs/library.h"

#include <algorithm>
#include <array>

#include <boost/unordered/unordered_flat_map.hpp>

#include "heddle/detail/shape.h"

namespace heddle {

std::optional<std::string> specs::LibrarySpecification::reject(const RecordedHistory& history,
                                                               const RecordedOperation& operation) const {
  const std::string& function = history.functions[operation.function];
  const std::uint8_t kind = vocabulary_.kind(function);
  if (kind == no_kind) return vocabulary_.no_such_operation(name(), function);
  return check(history, operation, kind);
}

std::string StateText::json() const {
  if (form == Form::Json || text.empty()) return text;
  std::string quoted;
  detail::put_json_string(quoted, text);
  return quoted;
}

std::vector<std::vector<std::uint32_t>> Specification::partition(const RecordedHistory& history) const {
  std::vector<std::vector<std::uint32_t>> parts;
  boost::unordered_flat_map<Value, std::size_t> part_of;
  for (std::uint32_t i = 0; i < history.operations.size(); ++i) {
    if (history.operations[i].outcome == Outcome::Failed) continue;
    const auto [it, is_new] = part_of.try_emplace(history.operations[i].key, parts.size());
    if (is_new) parts.emplace_back();
    parts[it->second].push_back(i);
  }
  return parts;
}

std::span<const Specification* const> specifications() {
  using namespace specs;
  static const std::array<const Specification*, 12> all = {
      &register_specification(), &cas_register_specification(), &map_specification(),   &set_specification(),
      &counter_specification(),  &queue_specification(),        &stack_specification(), &priority_queue_specification(),
      &deque_specification(),    &lock_specification(),         &mutex_specification(), &log_specification(),
  };
  return all;
}

const Specification* find_specification(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> other_names[] = {
      {"kv", "map"},           {"key_value", "map"},       {"dictionary", "map"},      {"fifo", "queue"},
      {"fifo_queue", "queue"}, {"lifo", "stack"},          {"heap", "priority_queue"}, {"pqueue", "priority_queue"},
      {"cas", "cas_register"}, {"append_only_log", "log"}, {"list_append", "log"},     {"grow_only_set", "set"},
  };
  std::string wanted(name);
  std::ranges::replace(wanted, '-', '_');
  for (const auto& [other, known] : other_names) {
    if (wanted == other) wanted = known;
  }
  const auto all = specifications();
  const auto it = std::ranges::find_if(all, [&](const Specification* s) { return s->name() == wanted; });
  return it == all.end() ? nullptr : *it;
}

}  // namespace heddle
