// Keeps a stack of the arrays and objects that are open.
#include "history/json_values.h"

#include "history/edn_scanner.h"

namespace heddle::history {

Value json_text(std::string_view text, ValueTable& values) {
  if (text.starts_with("::")) return values.text(text.substr(1));
  if (text.starts_with(':') && is_keyword_name(text.substr(1))) return values.keyword(text.substr(1));
  return values.text(text);
}

bool JsonValueBuilder::add(Value value) {
  if (starts_.empty()) {
    complete_ = value;
    return true;
  }
  members_.push_back(value);
  return false;
}

std::vector<Value> JsonValueBuilder::take() {
  std::vector<Value> out(members_.begin() + static_cast<std::ptrdiff_t>(starts_.back()), members_.end());
  members_.resize(starts_.back());
  starts_.pop_back();
  return out;
}

bool JsonValueBuilder::end_array() { return add(values_.list(take())); }
bool JsonValueBuilder::end_object() { return add(map_value(take(), values_)); }

}  // namespace heddle::history
