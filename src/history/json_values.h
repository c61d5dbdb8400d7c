// Makes a Value from the events of Boost.JSON's parser: an array is a list, an object a list of pairs in the order of
// the keys.
// Not thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "check/recorded_history.h"

namespace heddle::history {

// ":name" is a keyword, "::x" the text ":x", everything else a text.
Value json_text(std::string_view text, ValueTable& values);

class JsonValueBuilder {
 public:
  explicit JsonValueBuilder(ValueTable& values) : values_(values) {}

  ValueTable& values() { return values_; }
  // Returns true when a value is complete; value() then returns it.
  bool add(Value value);
  void begin() { starts_.push_back(members_.size()); }
  bool end_array();
  bool end_object();
  Value value() const { return complete_; }

 private:
  std::vector<Value> take();

  ValueTable& values_;
  std::vector<Value> members_;       // of all open arrays and objects
  std::vector<std::size_t> starts_;  // of each of them
  Value complete_ = nil;
};

}  // namespace heddle::history
