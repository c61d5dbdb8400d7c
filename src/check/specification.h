// A sequential specification: the object a history is compared with, one operation at a time.
//
// A Specification is the kind of object ("register"); an Object is an object of that kind for the operations of one
// partition of one history. Object states are numbers, which the object hands out as states are reached, so that
// checkers can remember in two words where they have been. A new specification is one file under check/specs/ and one
// line in the table there.
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

// Thrown by Object::apply if an assertion in a user's specification fails. check_history turns it into a violation.
struct SpecificationAssertion {
  UserFailure failure;
};

// A state of an object as it is shown: a value in JSON, or words where no value says it ("held by process 0").
struct StateText {
  enum class Form : std::uint8_t { Json, Words };
  std::string text;  // empty: there is nothing to tell
  Form form = Form::Json;

  // Returns JSON in either form, words as a string; empty if there is nothing to tell.
  std::string json() const;
};

class Object {
 public:
  using State = std::uint32_t;
  static constexpr State impossible = 0;  // never a state

  virtual ~Object() = default;
  virtual State initial() = 0;
  // Returns the state after `operation` happened in `state` with its recorded result, or `impossible` if the object
  // would have answered otherwise. An operation of unknown outcome may have had any result.
  // REQUIRES: `operation` is an element of the history's operations, not a copy.
  virtual State apply(State state, const RecordedOperation& operation) = 0;
  // True only if the operation changes no state in which it is possible, like a read or a compare-and-set that failed.
  // Such an operation can be placed as soon as it fits if it returned, and can be left out if its outcome is unknown.
  virtual bool reads_only(const RecordedOperation&) const { return false; }
  // True only if it does not matter which process calls an operation: alike operations of unknown outcome are then
  // interchangeable.
  virtual bool same_for_every_process() const { return false; }
  virtual StateText describe(State state) const = 0;
  virtual std::size_t bytes() const { return 0; }
};

class Specification {
 public:
  virtual ~Specification() = default;
  virtual std::string_view name() const = 0;
  // One sentence with an example of each operation, for --help and for errors.
  virtual std::string_view usage() const = 0;
  // Says what is wrong with an operation ("a queue has no operation 'write'; it has enqueue and dequeue"), or nothing.
  virtual std::optional<std::string> reject(const RecordedHistory& history,
                                            const RecordedOperation& operation) const = 0;
  // Splits a history into parts: the history is linearizable iff each part is (P-compositionality; Horn and Kroening,
  // FORTE 2015). A part is a list of indices of operations, ascending. The default is to split by key. Operations that
  // failed belong to no part.
  virtual std::vector<std::vector<std::uint32_t>> partition(const RecordedHistory& history) const;
  virtual std::unique_ptr<Object> object(const RecordedHistory& history, std::span<const std::uint32_t> part) const = 0;
};

// All specifications of the library, by name. find_specification also knows other common names ("cas-register" for
// "cas_register") and returns null for an unknown one.
std::span<const Specification* const> specifications();
const Specification* find_specification(std::string_view name);

}  // namespace heddle
