// A priority queue: the least value comes out, or nil if there is nothing. Equal values are interchangeable.
#include <algorithm>

#include <boost/unordered/unordered_flat_map.hpp>

#include "check/specs/library.h"
#include "check/specs/persistent_map.h"

namespace heddle::specs {
namespace {

// A state is the number, plus one, of a map: from the rank of a value among all values of the history to how often the
// value is in the queue.
class PriorityQueue final : public LibraryObject {
 public:
  enum Kind : std::uint8_t { Insert, ExtractMin, Peek };
  static constexpr Word words[] = {{"insert", Insert},
                                   {"add", Insert},
                                   {"offer", Insert},
                                   {"push", Insert},
                                   {"enqueue", Insert},
                                   {"extract_min", ExtractMin},
                                   {"delete_min", ExtractMin},
                                   {"remove_min", ExtractMin},
                                   {"poll", ExtractMin},
                                   {"pop", ExtractMin},
                                   {"dequeue", ExtractMin},
                                   {"peek", Peek},
                                   {"min", Peek}};
  static constexpr std::string_view name = "priority_queue";
  static constexpr std::string_view usage =
      "insert (add, offer, push, enqueue) has an integer or a text; extract_min (delete_min, remove_min, poll, "
      "pop, dequeue) removes and returns the least one, integers before texts, or returns nil if there is none; "
      "peek (min) returns it: insert 2, insert 1, extract_min -> 1.";

  PriorityQueue(const RecordedHistory& history, const Vocabulary& vocabulary, std::span<const std::uint32_t> part)
      : LibraryObject(history, vocabulary, part) {
    for (const std::uint32_t index : part) {
      if (kind(history.operations[index]) == Insert) ordered_.push_back(history.operations[index].argument);
    }
    std::ranges::sort(ordered_, [&](Value a, Value b) { return before(a, b); });
    ordered_.erase(std::unique(ordered_.begin(), ordered_.end()), ordered_.end());
    for (std::uint32_t i = 0; i < ordered_.size(); ++i) positions_.emplace(ordered_[i], i);
  }

  State initial() override { return PersistentMaps::empty + 1; }
  State apply(State state, const RecordedOperation& operation) override {
    const PersistentMaps::Map queue = state - 1;
    const std::uint8_t what = kind(operation);
    if (what == Insert) {
      const std::uint32_t position = positions_.find(operation.argument)->second;
      return maps_.with(queue, position, maps_.get(queue, position) + 1) + 1;
    }
    if (queue == PersistentMaps::empty) return !known(operation) || operation.result == nil ? state : impossible;
    const auto [position, count] = maps_.first(queue);
    if (known(operation) && operation.result != ordered_[position]) return impossible;
    if (what == Peek) return state;
    return (count == 1 ? maps_.without(queue, position) : maps_.with(queue, position, count - 1)) + 1;
  }
  bool reads_only(const RecordedOperation& operation) const override {
    return kind(operation) == Peek || (kind(operation) != Insert && known(operation) && operation.result == nil);
  }
  StateText describe(State state) const override {
    std::vector<Value> members;
    for (const auto& [position, count] : maps_.entries(state - 1)) {
      members.insert(members.end(), count, ordered_[position]);
    }
    return {list_json(values(), members)};
  }
  std::size_t bytes() const override {
    return maps_.bytes() + ordered_.capacity() * sizeof(Value) + positions_.bucket_count() * 9;
  }

  static std::optional<std::string> check(const RecordedHistory& history, const RecordedOperation& operation,
                                          std::uint8_t kind) {
    const ValueTable::Kind of = history.values.kind(operation.argument);
    if (kind != Insert) return std::nullopt;
    if (of != ValueTable::Kind::Integer && of != ValueTable::Kind::Text) {
      return bad_argument(history, operation, "an integer or a text");
    }
    return reject_false(history, operation);
  }

 private:
  // Integers come before texts.
  bool before(Value a, Value b) const {
    if (values().kind(a) != values().kind(b)) return values().kind(a) == ValueTable::Kind::Integer;
    if (values().kind(a) == ValueTable::Kind::Integer) return values().as_integer(a) < values().as_integer(b);
    return values().as_text(a) < values().as_text(b);
  }

  std::vector<Value> ordered_;
  boost::unordered_flat_map<Value, std::uint32_t> positions_;
  PersistentMaps maps_;
};

}  // namespace

const Specification& priority_queue_specification() {
  static const SpecificationOf<PriorityQueue> specification;
  return specification;
}

}  // namespace heddle::specs
