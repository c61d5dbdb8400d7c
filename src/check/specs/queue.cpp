// A first-in first-out queue: dequeue returns the oldest value, nil if there is nothing.
#include "check/specs/library.h"
#include "check/specs/persistent_map.h"

namespace heddle::specs {
namespace {

// A state is the number, plus one, of a map from positions to values plus one. The oldest value has the least position.
class Queue final : public LibraryObject {
 public:
  enum Kind : std::uint8_t { Enqueue, Dequeue, Peek };
  static constexpr Word words[] = {{"enqueue", Enqueue}, {"enq", Enqueue},  {"offer", Enqueue},   {"put", Enqueue},
                                   {"push", Enqueue},    {"add", Enqueue},  {"send", Enqueue},    {"dequeue", Dequeue},
                                   {"deq", Dequeue},     {"poll", Dequeue}, {"take", Dequeue},    {"pop", Dequeue},
                                   {"remove", Dequeue},  {"recv", Dequeue}, {"receive", Dequeue}, {"peek", Peek},
                                   {"front", Peek}};
  static constexpr std::string_view name = "queue";
  static constexpr std::string_view usage =
      "enqueue (enq, offer, put, push, add, send) has a value; dequeue (deq, poll, take, pop, remove, recv, "
      "receive) removes and returns the oldest value, or returns nil if the queue is empty; peek (front) "
      "returns it: enqueue 1, enqueue 2, dequeue -> 1.";

  using LibraryObject::LibraryObject;

  State initial() override { return PersistentMaps::empty + 1; }
  State apply(State state, const RecordedOperation& operation) override {
    const PersistentMaps::Map queue = state - 1;
    const std::uint8_t what = kind(operation);
    const bool empty = queue == PersistentMaps::empty;
    if (what == Enqueue) {
      return maps_.with(queue, empty ? 0 : maps_.last(queue).first + 1, operation.argument + 1) + 1;
    }
    if (empty) return !known(operation) || operation.result == nil ? state : impossible;
    const auto [position, value] = maps_.first(queue);
    if (known(operation) && operation.result + 1 != value) return impossible;
    return what == Peek ? state : maps_.without(queue, position) + 1;
  }
  bool reads_only(const RecordedOperation& operation) const override {
    return kind(operation) == Peek || (kind(operation) != Enqueue && known(operation) && operation.result == nil);
  }
  StateText describe(State state) const override {
    std::vector<Value> members;
    for (const auto& [position, value] : maps_.entries(state - 1)) members.push_back(value - 1);
    return {list_json(values(), members)};
  }
  std::size_t bytes() const override { return maps_.bytes(); }

  static std::optional<std::string> check(const RecordedHistory& history, const RecordedOperation& operation,
                                          std::uint8_t kind) {
    if (kind != Enqueue) return std::nullopt;
    if (operation.argument == nil) return bad_argument(history, operation, "a value: nil means empty");
    return reject_false(history, operation);
  }

 private:
  PersistentMaps maps_;
};

}  // namespace

const Specification& queue_specification() {
  static const SpecificationOf<Queue> specification;
  return specification;
}

}  // namespace heddle::specs
