// Writes down what handlers do through their parameters (heddle/handler.h).
#include "heddle/detail/handler_call.h"

#include <utility>

namespace heddle::detail {

void reject(std::source_location where) { throw Rejected{where}; }

std::uint32_t HandlerCall::choose(std::uint32_t options, std::source_location where, bool by_name) {
  if (options == 0) reject(where);
  if (next_choice == choices.size()) choices.push_back({0, options, by_name});
  return choices[next_choice++].taken;
}

void HandlerCall::explain_choice(const Shape& shape, std::string_view bytes) {
  std::string& json = choices[next_choice - 1].json;
  json.clear();
  put_json(shape, bytes, json);
}

void HandlerCall::send(const TypeInfo& type, Target target, const RoleTag* role, std::uint16_t index, Bytes body) {
  sent.push_back({&type, target, role, index, std::move(body)});
}

void HandlerCall::note(bool is_return, const TypeInfo& type, Bytes value) {
  events.push_back({is_return, &type, std::move(value)});
}

}  // namespace heddle::detail
