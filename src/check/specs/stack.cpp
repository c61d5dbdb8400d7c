// A stack: pop returns what was pushed last and not popped, nil if there is nothing.
#include "check/specs/library.h"
#include "check/specs/persistent_list.h"

namespace heddle::specs {
namespace {

// A state is the number of the list, plus one.
class Stack final : public LibraryObject {
 public:
  enum Kind : std::uint8_t { Push, Pop, Peek };
  static constexpr Word words[] = {{"push", Push},  {"add", Push},  {"pop", Pop},
                                   {"remove", Pop}, {"peek", Peek}, {"top", Peek}};
  static constexpr std::string_view name = "stack";
  static constexpr std::string_view usage =
      "push (add) has a value; pop (remove) removes and returns the value pushed last, or "
      "returns nil if the stack is empty; peek (top) returns it: push 1, push 2, pop -> 2.";

  using LibraryObject::LibraryObject;

  State initial() override { return PersistentLists::empty + 1; }
  State apply(State state, const RecordedOperation& operation) override {
    const PersistentLists::List list = state - 1;
    const std::uint8_t what = kind(operation);
    if (what == Push) return lists_.with(list, operation.argument) + 1;
    const bool empty = list == PersistentLists::empty;
    if (known(operation) && operation.result != (empty ? nil : lists_.last(list))) return impossible;
    return empty || what == Peek ? state : lists_.without_last(list) + 1;
  }
  bool reads_only(const RecordedOperation& operation) const override {
    return kind(operation) == Peek || (kind(operation) != Push && known(operation) && operation.result == nil);
  }
  StateText describe(State state) const override { return {list_json(values(), lists_.values(state - 1))}; }
  std::size_t bytes() const override { return lists_.bytes(); }

  static std::optional<std::string> check(const RecordedHistory& history, const RecordedOperation& operation,
                                          std::uint8_t kind) {
    if (kind != Push) return std::nullopt;
    if (operation.argument == nil) return bad_argument(history, operation, "a value: nil means empty");
    return reject_false(history, operation);
  }

 private:
  PersistentLists lists_;
};

}  // namespace

const Specification& stack_specification() {
  static const SpecificationOf<Stack> specification;
  return specification;
}

}  // namespace heddle::specs
