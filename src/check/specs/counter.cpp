// A counter that is 0 at first.
#include <boost/unordered/unordered_flat_map.hpp>

#include "check/specs/library.h"

namespace heddle::specs {
namespace {

// Arithmetic wraps around.
std::int64_t sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

class Counter final : public LibraryObject {
 public:
  enum Kind : std::uint8_t { Read, Add, Increment, Decrement, AddAndGet, GetAndAdd };
  static constexpr Word words[] = {{"read", Read},
                                   {"get", Read},
                                   {"add", Add},
                                   {"increment", Increment},
                                   {"inc", Increment},
                                   {"incr", Increment},
                                   {"decrement", Decrement},
                                   {"dec", Decrement},
                                   {"decr", Decrement},
                                   {"add_and_get", AddAndGet},
                                   {"get_and_add", GetAndAdd},
                                   {"fetch_and_add", GetAndAdd}};
  static constexpr std::string_view name = "counter";
  static constexpr std::string_view usage =
      "read (get) returns the count, 0 at first; add has an integer, increment (inc, incr) and "
      "decrement (dec, decr) have one or nothing for 1, and their results do not count, but false is an error; "
      "add_and_get returns the new count, get_and_add (fetch_and_add) the old one: add 5, "
      "decrement, get_and_add 2 -> 4, read -> 6.";

  Counter(const RecordedHistory& history, const Vocabulary& vocabulary, std::span<const std::uint32_t> part)
      : LibraryObject(history, vocabulary, part), counts_(1, 0) {}

  State initial() override { return number(0); }
  State apply(State state, const RecordedOperation& operation) override {
    const std::int64_t before = counts_[state];
    const std::uint8_t what = kind(operation);
    const std::int64_t after = what == Read ? before : sum(before, amount(operation, what));
    if (known(operation)) {
      if (what == Read && values().as_integer(operation.result) != before) return impossible;
      if (what == AddAndGet && values().as_integer(operation.result) != after) return impossible;
      if (what == GetAndAdd && values().as_integer(operation.result) != before) return impossible;
    }
    return number(after);
  }
  bool reads_only(const RecordedOperation& operation) const override { return kind(operation) == Read; }
  StateText describe(State state) const override { return {std::to_string(counts_[state])}; }
  std::size_t bytes() const override { return counts_.capacity() * 8 + numbers_.bucket_count() * 17; }

  static std::optional<std::string> check(const RecordedHistory& history, const RecordedOperation& operation,
                                          std::uint8_t kind) {
    const auto is_integer = [&](Value value) { return history.values.kind(value) == ValueTable::Kind::Integer; };
    const bool may_be_nil = kind == Increment || kind == Decrement;
    if (kind != Read && !is_integer(operation.argument) && !(may_be_nil && operation.argument == nil)) {
      return bad_argument(history, operation, "an integer");
    }
    const bool answers = kind == Read || kind == AddAndGet || kind == GetAndAdd;
    if (answers && operation.outcome == Outcome::Ok && !is_integer(operation.result)) {
      return bad_result(history, operation, "an integer");
    }
    return answers ? std::nullopt : reject_false(history, operation);
  }

 private:
  std::int64_t amount(const RecordedOperation& operation, std::uint8_t what) const {
    std::int64_t by = operation.argument == nil ? 1 : values().as_integer(operation.argument);
    return what == Decrement ? static_cast<std::int64_t>(-static_cast<std::uint64_t>(by)) : by;
  }
  State number(std::int64_t count) {
    const auto [it, is_new] = numbers_.try_emplace(count, static_cast<State>(counts_.size()));
    if (is_new) counts_.push_back(count);
    return it->second;
  }

  std::vector<std::int64_t> counts_;  // of states
  boost::unordered_flat_map<std::int64_t, State> numbers_;
};

}  // namespace

const Specification& counter_specification() {
  static const SpecificationOf<Counter> specification;
  return specification;
}

}  // namespace heddle::specs
