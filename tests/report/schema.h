// The part of JSON Schema that docs/*.schema.json use: type, enum, required, properties, additionalProperties, items,
// anyOf, minimum and $ref into $defs. An unknown keyword is a failure, so that a schema cannot say more than is
// checked.
#pragma once

#include <algorithm>
#include <boost/json.hpp>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::report {

class Schema {
 public:
  explicit Schema(const std::string& path) {
    std::ifstream in(path);
    std::stringstream text;
    text << in.rdbuf();
    root_ = boost::json::parse(text.str());
  }

  // What is wrong with `text`, one complaint each; empty if it fits.
  std::vector<std::string> complaints(std::string_view text) const {
    std::vector<std::string> out;
    boost::json::parse_options options;
    options.max_depth = 128;
    check(boost::json::parse({text.data(), text.size()}, {}, options), root_.as_object(), "", out);
    return out;
  }

 private:
  using Value = boost::json::value;
  using Object = boost::json::object;
  using Complaints = std::vector<std::string>;

  static bool has_type(const Value& value, std::string_view type) {
    if (type == "null") return value.is_null();
    if (type == "boolean") return value.is_bool();
    if (type == "string") return value.is_string();
    if (type == "array") return value.is_array();
    if (type == "object") return value.is_object();
    if (type == "integer") return value.is_int64() || value.is_uint64();
    if (type == "number") return value.is_number();
    throw std::logic_error("unknown type in the schema: " + std::string(type));
  }

  void check(const Value& value, const Object& schema, const std::string& path, Complaints& out) const {
    for (const auto& [key_view, rule] : schema) {
      const std::string key(key_view);
      const auto complain = [&](const std::string& what) { out.push_back(path + ": " + what); };
      if (key == "type") {
        const auto fits = [&](const Value& type) { return has_type(value, std::string(type.as_string())); };
        const bool any =
            rule.is_array() ? std::any_of(rule.as_array().begin(), rule.as_array().end(), fits) : fits(rule);
        if (!any) complain("wrong type");
      } else if (key == "enum") {
        const auto& allowed = rule.as_array();
        if (std::find(allowed.begin(), allowed.end(), value) == allowed.end())
          complain("not one of the allowed values");
      } else if (key == "minimum") {
        if (value.is_number() && value.to_number<double>() < rule.to_number<double>()) complain("too small");
      } else if (key == "required") {
        for (const Value& name : rule.as_array()) {
          if (value.is_object() && !value.as_object().contains(name.as_string())) {
            complain("missing " + std::string(name.as_string()));
          }
        }
      } else if (key == "properties") {
        check_members(value, schema, path, out);
      } else if (key == "additionalProperties") {
        if (!schema.contains("properties")) check_members(value, schema, path, out);
      } else if (key == "items") {
        if (!value.is_array()) continue;
        std::size_t index = 0;
        for (const Value& item : value.as_array()) {
          check(item, rule.as_object(), path + "/" + std::to_string(index++), out);
        }
      } else if (key == "anyOf") {
        const auto fits = [&](const Value& option) {
          Complaints inner;
          check(value, option.as_object(), path, inner);
          return inner.empty();
        };
        if (std::none_of(rule.as_array().begin(), rule.as_array().end(), fits)) complain("fits no alternative");
      } else if (key == "$ref") {
        const std::string name(rule.as_string().subview(std::string_view("#/$defs/").size()));
        check(value, root_.at("$defs").at(name).as_object(), path, out);
      } else if (key != "$schema" && key != "$defs" && key != "title" && key != "description") {
        throw std::logic_error("unknown keyword in the schema: " + key);
      }
    }
  }

  void check_members(const Value& value, const Object& schema, const std::string& path, Complaints& out) const {
    if (!value.is_object()) return;
    const Value* named = schema.if_contains("properties");
    const Value* others = schema.if_contains("additionalProperties");
    for (const auto& [name, member] : value.as_object()) {
      const std::string inner = path + "/" + std::string(name);
      const Value* rule = named != nullptr ? named->as_object().if_contains(name) : nullptr;
      if (rule == nullptr) rule = others;
      if (rule == nullptr) continue;
      if (rule->is_bool()) {
        if (!rule->as_bool()) out.push_back(inner + ": not allowed");
      } else {
        check(member, rule->as_object(), inner, out);
      }
    }
  }

  Value root_;
};

}  // namespace heddle::report
