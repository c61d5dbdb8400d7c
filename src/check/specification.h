// A sequential specification: the object a history is compared with, one operation at a time.
//
// A Specification is the kind of object ("register"); an Object is that kind for the operations of one partition of one history.
// Object states are numbers, handed out by the object as they are reached, so that checkers can remember where they have
// been in two words. A new specification is one file under check/specs/ and one line in the table there.
// Thread-safe: a Specification is immutable; an Object belongs to one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "check/recorded_history.h"
#include "core/user_code.h"

namespace heddle {

// Thrown by Object::apply where an assertion in a user's specification failed. check_history makes a violation of it.
struct SpecificationAssertion {
  UserFailure failure;
};

class Object {
 public:
  using State = std::uint32_t;
  static constexpr State impossible = 0;  // never a state

  virtual ~Object() = default;
  virtual State initial() = 0;
  // The state after `operation` happened in `state` with its recorded result, or `impossible` if the object would have answered
  // otherwise. An operation of unknown outcome may have had any result. `operation` is one of the history's, not a copy.
  virtual State apply(State state, const RecordedOperation& operation) = 0;
  // True only if the operation changes no state in which it is possible, as a read or a compare-and-set that failed. One that
  // returned can then be placed as soon as it fits, and one of unknown outcome can be left out.
  virtual bool reads_only(const RecordedOperation&) const { return false; }
  // True only if it does not matter which process an operation is of: those of unknown outcome are then interchangeable.
  virtual bool same_for_every_process() const { return false; }
  // For people: {"x": 3}.
  virtual std::string describe(State state) const = 0;
  virtual std::size_t bytes() const { return 0; }
};

class Specification {
 public:
  virtual ~Specification() = default;
  virtual std::string_view name() const = 0;
  // One sentence, with an example of each operation, for --help and for errors.
  virtual std::string_view usage() const = 0;
  // What is wrong with an operation ("a queue has no operation 'write'; it has enqueue and dequeue"), or nothing.
  virtual std::optional<std::string> reject(const RecordedHistory& history,
                                            const RecordedOperation& operation) const = 0;
  // Splits a history into parts that are linearizable on their own iff the whole is (P-compositionality; Horn and Kroening,
  // FORTE 2015), as indices of operations in ascending order. By key unless the specification knows better. Operations that
  // failed belong to no part.
  virtual std::vector<std::vector<std::uint32_t>> partition(const RecordedHistory& history) const;
  virtual std::unique_ptr<Object> object(const RecordedHistory& history, std::span<const std::uint32_t> part) const = 0;
};

// All of the library, by name; find_specification also knows common other names ("cas-register" for "cas_register").
std::span<const Specification* const> specifications();
const Specification* find_specification(std::string_view name);

}  // namespace heddle
