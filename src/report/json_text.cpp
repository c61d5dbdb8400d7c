// Lists and maps as JSON, on top of the one function that escapes.
#include "report/json_text.h"

#include <fmt/format.h>

#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>
#include <boost/json/value.hpp>
#include <charconv>
#include <cstdint>

#include "report/utf8.h"

namespace heddle::report {

std::string quoted(std::string_view text) { return boost::json::serialize(boost::json::string(repair_utf8(text))); }

std::string quoted_or_null(std::string_view text) { return text.empty() ? "null" : quoted(text); }

std::string quoted_list(const std::vector<std::string>& all) {
  std::string out = "[";
  for (const std::string& one : all) out += (out.size() > 1 ? ", " : "") + quoted(one);
  return out + "]";
}

bool is_plain_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && fmt::format("{}", value) == text;
}

std::string settings_text(const std::map<std::string, std::string>& settings) {
  std::string out = "{";
  for (const auto& [name, value] : settings) {
    out += fmt::format("{}{}: {}", out.size() > 1 ? ", " : "", quoted(name),
                       is_plain_integer(value) ? value : quoted(value));
  }
  return out + "}";
}

}  // namespace heddle::report
