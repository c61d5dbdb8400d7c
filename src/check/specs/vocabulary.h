// The names that a specification's operations have in recorded histories, and the messages for all other names.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "check/recorded_history.h"

namespace heddle::specs {

struct Word {
  std::string_view name;
  std::uint8_t kind;  // the specification's own numbering
};

inline constexpr std::uint8_t no_kind = 255;

class Vocabulary {
 public:
  constexpr explicit Vocabulary(std::span<const Word> words) : words_(words) {}

  // Returns no_kind if there is no such operation.
  std::uint8_t kind(std::string_view function) const;
  // Returns the kinds of the history's functions, indexed by the numbers of the functions.
  std::vector<std::uint8_t> kinds(const RecordedHistory& history) const;
  // Returns "a queue has no operation 'write'; it has enqueue, dequeue", with the first name of each kind.
  std::string no_such_operation(std::string_view specification, std::string_view function) const;

 private:
  std::span<const Word> words_;
};

// Returns the pair of an argument [old new], or nothing if the argument is not such a list.
std::optional<std::pair<Value, Value>> pair_of(const ValueTable& values, Value argument);

// The answer of an operation that may succeed or not: nil and the argument again (as Jepsen records it) mean success.
enum class Answer : std::uint8_t { Yes, No, Invalid };
Answer success(const ValueTable& values, const RecordedOperation& operation);

// Rejects `false` as the result of an operation that can only succeed. Other results do not count.
std::optional<std::string> reject_false(const RecordedHistory& history, const RecordedOperation& operation);

// Returns the members as a JSON list.
std::string list_json(const ValueTable& values, std::span<const Value> members);

// Returns "cas has the argument 3; expected [old new]".
std::string bad_argument(const RecordedHistory& history, const RecordedOperation& operation, std::string_view expected);
std::string bad_result(const RecordedHistory& history, const RecordedOperation& operation, std::string_view expected);

}  // namespace heddle::specs
