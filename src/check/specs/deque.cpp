// A double-ended queue: values go in and come out at either end; nil comes out if there is nothing.
#include "check/specs/library.h"
#include "check/specs/persistent_map.h"

namespace heddle::specs {
namespace {

// A state is the number, plus one, of a map from positions to values plus one.
class Deque final : public LibraryObject {
 public:
  enum Kind : std::uint8_t { PushFront, PushBack, PopFront, PopBack, PeekFront, PeekBack };
  static constexpr Word words[] = {
      {"push_front", PushFront},  {"add_first", PushFront},  {"offer_first", PushFront}, {"push_back", PushBack},
      {"add_last", PushBack},     {"offer_last", PushBack},  {"pop_front", PopFront},    {"poll_first", PopFront},
      {"remove_first", PopFront}, {"pop_back", PopBack},     {"poll_last", PopBack},     {"remove_last", PopBack},
      {"front", PeekFront},       {"peek_first", PeekFront}, {"back", PeekBack},         {"peek_last", PeekBack}};
  static constexpr std::string_view name = "deque";
  static constexpr std::string_view usage =
      "push_front (add_first, offer_first) and push_back (add_last, offer_last) have a value; pop_front "
      "(poll_first, remove_first) and pop_back (poll_last, remove_last) remove and return one, or return nil if "
      "the deque is empty; front (peek_first) and back (peek_last) return it: push_back 1, push_front 2, "
      "pop_back -> 1.";

  using LibraryObject::LibraryObject;

  State initial() override { return PersistentMaps::empty + 1; }
  State apply(State state, const RecordedOperation& operation) override {
    // Positions start far from both ends of the numbers. An empty deque is the same state wherever it was.
    constexpr std::uint32_t middle = std::uint32_t{1} << 31;
    const PersistentMaps::Map deque = state - 1;
    const std::uint8_t what = kind(operation);
    const bool empty = deque == PersistentMaps::empty;
    if (what == PushFront) {
      return maps_.with(deque, empty ? middle : maps_.first(deque).first - 1, operation.argument + 1) + 1;
    }
    if (what == PushBack) {
      return maps_.with(deque, empty ? middle : maps_.last(deque).first + 1, operation.argument + 1) + 1;
    }
    if (empty) return !known(operation) || operation.result == nil ? state : impossible;
    const bool at_front = what == PopFront || what == PeekFront;
    const auto [position, value] = at_front ? maps_.first(deque) : maps_.last(deque);
    if (known(operation) && operation.result + 1 != value) return impossible;
    return what == PeekFront || what == PeekBack ? state : maps_.without(deque, position) + 1;
  }
  bool reads_only(const RecordedOperation& operation) const override {
    const std::uint8_t what = kind(operation);
    if (what == PushFront || what == PushBack) return false;
    return what == PeekFront || what == PeekBack || (known(operation) && operation.result == nil);
  }
  StateText describe(State state) const override {
    std::vector<Value> members;
    for (const auto& [position, value] : maps_.entries(state - 1)) members.push_back(value - 1);
    return {list_json(values(), members)};
  }
  std::size_t bytes() const override { return maps_.bytes(); }

  static std::optional<std::string> check(const RecordedHistory& history, const RecordedOperation& operation,
                                          std::uint8_t kind) {
    if (kind != PushFront && kind != PushBack) return std::nullopt;
    if (operation.argument == nil) return bad_argument(history, operation, "a value: nil means empty");
    return reject_false(history, operation);
  }

 private:
  PersistentMaps maps_;
};

}  // namespace

const Specification& deque_specification() {
  static const SpecificationOf<Deque> specification;
  return specification;
}

}  // namespace heddle::specs
