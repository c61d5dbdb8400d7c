// An append-only log: append puts a value at the end, read returns all of it.
#include <boost/unordered/unordered_flat_map.hpp>

#include "check/specs/library.h"
#include "check/specs/persistent_list.h"

namespace heddle::specs {
namespace {

// A state is the number of the list, plus one.
class Log final : public LibraryObject {
 public:
  enum Kind : std::uint8_t { Append, Read };
  static constexpr Word words[] = {
      {"append", Append}, {"add", Append}, {"write", Append}, {"read", Read}, {"get", Read}};
  static constexpr std::string_view name = "log";
  static constexpr std::string_view usage =
      "append (add, write) has a value and returns its position, 0 for the first; a result that "
      "is no integer, or the value again, does not count, but false is an error; read (get) returns the list of all "
      "values, which "
      "may be nil if there is none: append 7 -> 0, append 8, read -> [7 8].";

  using LibraryObject::LibraryObject;

  State initial() override { return PersistentLists::empty + 1; }
  State apply(State state, const RecordedOperation& operation) override {
    const PersistentLists::List log = state - 1;
    if (kind(operation) == Read) return !known(operation) || read_list(operation.result) == log ? state : impossible;
    if (known(operation) && values().kind(operation.result) == ValueTable::Kind::Integer &&
        operation.result != operation.argument && values().as_integer(operation.result) != lists_.size(log)) {
      return impossible;
    }
    return lists_.with(log, operation.argument) + 1;
  }
  bool reads_only(const RecordedOperation& operation) const override { return kind(operation) == Read; }
  StateText describe(State state) const override { return {list_json(values(), lists_.values(state - 1))}; }
  std::size_t bytes() const override { return lists_.bytes() + read_.bucket_count() * 9; }

  static std::optional<std::string> check(const RecordedHistory& history, const RecordedOperation& operation,
                                          std::uint8_t kind) {
    if (kind == Append) return reject_false(history, operation);
    if (operation.outcome == Outcome::Ok && operation.result != nil &&
        history.values.kind(operation.result) != ValueTable::Kind::List) {
      return bad_result(history, operation, "a list");
    }
    return std::nullopt;
  }

 private:
  PersistentLists::List read_list(Value value) {
    const auto [it, is_new] = read_.try_emplace(value, PersistentLists::empty);
    if (is_new && value != nil) {
      for (const Value member : values().members(value)) it->second = lists_.with(it->second, member);
    }
    return it->second;
  }

  PersistentLists lists_;
  boost::unordered_flat_map<Value, PersistentLists::List> read_;
};

}  // namespace

const Specification& log_specification() {
  static const SpecificationOf<Log> specification;
  return specification;
}

}  // namespace heddle::specs
