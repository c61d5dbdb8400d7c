// What a method of an abstract object (refinement.h) may return where true and false do not say enough.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace heddle {

// An abstract object's answer to a call.
struct Answer {
  enum class Kind : std::uint8_t { accepted, stutter, rejected };
  Kind kind = Kind::accepted;
  std::string clause = {};    // which condition failed, such as "link"
  std::string property = {};  // the property of the object that the condition stands for, such as "P3"
  std::string witness = {};   // a sentence: what is in the way
  bool missing = false;       // it failed because an earlier call is missing: the annotation may be wrong
  unsigned affected = 0;      // how many other parts of the object it changed, for the counts

  static Answer stutters() { return {.kind = Kind::stutter}; }
  static Answer rejects(std::string clause, std::string property, std::string witness, bool missing = false) {
    return {Kind::rejected, std::move(clause), std::move(property), std::move(witness), missing, 0};
  }
};

}  // namespace heddle
