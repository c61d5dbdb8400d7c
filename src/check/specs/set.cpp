// A set: elements are added, removed and asked for, or all are read at once.
#include <boost/unordered/unordered_flat_map.hpp>

#include "check/specs/library.h"
#include "check/specs/persistent_map.h"

namespace heddle::specs {
namespace {

// A state is the number, plus one, of a map from elements to 1.
class Set final : public LibraryObject {
 public:
  enum Kind : std::uint8_t { Add, Remove, Contains, Read };
  static constexpr Word words[] = {{"add", Add},         {"insert", Add},        {"remove", Remove},
                                   {"delete", Remove},   {"contains", Contains}, {"has", Contains},
                                   {"member", Contains}, {"read", Read},         {"elements", Read}};
  static constexpr std::string_view name = "set";
  static constexpr std::string_view usage =
      "add (insert) and remove (delete) have an element and return whether they changed the set, or something "
      "that is no boolean and does not count; contains (has, member) has an element and returns a boolean; read "
      "(elements) returns a list of all, in any order and each once, or nil if there are none: add 1 -> true, add 1 -> "
      "false, "
      "contains 1 -> true, read -> [1].";

  using LibraryObject::LibraryObject;

  State initial() override { return PersistentMaps::empty + 1; }
  State apply(State state, const RecordedOperation& operation) override {
    const PersistentMaps::Map set = state - 1;
    const std::uint8_t what = kind(operation);
    if (what == Read) return !known(operation) || read_set(operation.result) == set ? state : impossible;
    const bool is_in = maps_.get(set, operation.argument) != 0;
    if (known(operation) && values().kind(operation.result) == ValueTable::Kind::Boolean) {
      // add and remove return whether they changed something.
      if (values().as_boolean(operation.result) != (what == Add ? !is_in : is_in)) return impossible;
    }
    if (what == Add && !is_in) return maps_.with(set, operation.argument, 1) + 1;
    if (what == Remove && is_in) return maps_.without(set, operation.argument) + 1;
    return state;
  }
  bool reads_only(const RecordedOperation& operation) const override {
    return kind(operation) == Contains || kind(operation) == Read ||
           (known(operation) && values().kind(operation.result) == ValueTable::Kind::Boolean &&
            !values().as_boolean(operation.result));
  }
  StateText describe(State state) const override {
    std::vector<Value> members;
    for (const auto& [element, one] : maps_.entries(state - 1)) members.push_back(element);
    return {list_json(values(), members)};
  }
  std::size_t bytes() const override { return maps_.bytes() + read_.bucket_count() * 9; }

  static std::optional<std::string> check(const RecordedHistory& history, const RecordedOperation& operation,
                                          std::uint8_t kind) {
    if (operation.outcome != Outcome::Ok) return std::nullopt;
    const ValueTable::Kind result = history.values.kind(operation.result);
    if (kind == Contains && result != ValueTable::Kind::Boolean) {
      return bad_result(history, operation, "true or false");
    }
    if (kind == Read && result != ValueTable::Kind::List && result != ValueTable::Kind::Nil) {
      return bad_result(history, operation, "a list");
    }
    return std::nullopt;
  }

 private:
  static constexpr PersistentMaps::Map no_set = ~PersistentMaps::Map{0};  // of a list with an element twice

  PersistentMaps::Map read_set(Value value) {
    const auto [it, is_new] = read_.try_emplace(value, PersistentMaps::empty);
    if (!is_new || value == nil) return it->second;
    for (const Value member : values().members(value)) {
      if (maps_.get(it->second, member) != 0) return it->second = no_set;
      it->second = maps_.with(it->second, member, 1);
    }
    return it->second;
  }

  PersistentMaps maps_;
  boost::unordered_flat_map<Value, PersistentMaps::Map> read_;
};

class SetSpecification final : public SpecificationOf<Set> {
 public:
  // Elements do not depend on each other unless some operation reads all of a set.
  std::vector<std::vector<std::uint32_t>> partition(const RecordedHistory& history) const override {
    const std::vector<std::uint8_t> kinds = vocabulary().kinds(history);
    boost::unordered_flat_map<Value, bool> read_as_a_whole;
    for (const RecordedOperation& op : history.operations) {
      if (op.outcome == Outcome::Ok && kinds[op.function] == Set::Read) read_as_a_whole[op.key] = true;
    }
    std::vector<std::vector<std::uint32_t>> parts;
    boost::unordered_flat_map<std::pair<Value, Value>, std::size_t> part_of;
    for (std::uint32_t i = 0; i < history.operations.size(); ++i) {
      const RecordedOperation& op = history.operations[i];
      if (op.outcome == Outcome::Failed) continue;
      const Value element = read_as_a_whole.contains(op.key) || kinds[op.function] == Set::Read ? no_key : op.argument;
      const auto [it, is_new] = part_of.try_emplace({op.key, element}, parts.size());
      if (is_new) parts.emplace_back();
      parts[it->second].push_back(i);
    }
    return parts;
  }
};

}  // namespace

const Specification& set_specification() {
  static const SetSpecification specification;
  return specification;
}

}  // namespace heddle::specs
