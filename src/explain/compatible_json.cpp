// Compares two JSON values member by member, down to where both have one.
#include "explain/compatible_json.h"

#include <boost/json.hpp>

namespace heddle::explain {
namespace {

namespace json = boost::json;

bool compatible(const json::value& recorded, const json::value& now) {
  if (recorded.is_object() && now.is_object()) {
    for (const auto& [key, value] : recorded.get_object()) {
      if (const json::value* other = now.get_object().if_contains(key); other && !compatible(value, *other))
        return false;
    }
    return true;
  }
  if (recorded.is_array() && now.is_array()) {
    const json::array& a = recorded.get_array();
    const json::array& b = now.get_array();
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!compatible(a[i], b[i])) return false;
    }
    return true;
  }
  return recorded == now;  // numbers by value, whatever their representation
}

}  // namespace

bool compatible_json(std::string_view recorded, std::string_view now) {
  if (recorded == now) return true;
  json::error_code recorded_error, now_error;
  const json::value a = json::parse({recorded.data(), recorded.size()}, recorded_error);
  const json::value b = json::parse({now.data(), now.size()}, now_error);
  return !recorded_error && !now_error && compatible(a, b);
}

}  // namespace heddle::explain
