// Names of types, enumerators and functions, read from the compiler's spelling of a template argument.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace heddle::detail {

// There is one address per role type; pointers to it identify the role.
struct RoleTag {
  std::string_view name;
};

// Returns what stands for `parameter` in "... [with T = ns::Name; ...]" (g++) or "... [T = ns::Name]" (clang).
constexpr std::string_view argument_in(std::string_view function, std::string_view parameter) {
  const std::size_t begin = function.find(parameter) + parameter.size();
  return function.substr(begin, function.find_first_of(";]", begin) - begin);
}

// "ns::Map<int, int>" -> "Map".
constexpr std::string_view last_part(std::string_view spelling) {
  if (const auto angle = spelling.find('<'); angle != spelling.npos) spelling = spelling.substr(0, angle);
  if (const auto colon = spelling.rfind("::"); colon != spelling.npos) spelling = spelling.substr(colon + 2);
  return spelling;
}
template <class T>
constexpr std::string_view spelled_type_name() {
  return last_part(argument_in(__PRETTY_FUNCTION__, "T = "));
}
template <class T>
constexpr std::string_view type_name() {
  constexpr std::string_view name = spelled_type_name<T>();
  return name;
}

template <class Role>
inline const RoleTag role_tag{type_name<Role>()};

// "ns::Phase::idle" -> "idle"; the spelling of a value without a name, such as "(Phase)7", -> "".
constexpr std::string_view unqualified(std::string_view spelling) {
  spelling = spelling.substr(spelling.find_last_of(":)") + 1);
  return spelling.empty() || spelling[0] == '-' || (spelling[0] >= '0' && spelling[0] <= '9') ? "" : spelling;
}

// For pointers to member functions.
template <auto V>
constexpr std::string_view value_spelling() {
  return argument_in(__PRETTY_FUNCTION__, "V = ");
}

// --- Enumerators: so many values from 0 on are looked at.

inline constexpr std::size_t named_enumerators = 24;

template <class E, E... V>
constexpr std::array<std::string_view, sizeof...(V)> spelled_enumerators() {
  // One list of all the values: "... V = {a::Phase::idle, (Phase)7, ...}" (g++) or "... V = <a::idle, ...>" (clang).
  std::string_view text = __PRETTY_FUNCTION__;
  text = text.substr(text.find("V = ") + 5);
  std::array<std::string_view, sizeof...(V)> names;
  for (std::string_view& name : names) {
    std::size_t end = 0;  // a comma or the end of the list, outside of inner brackets
    for (int depth = 0; end < text.size(); ++end) {
      const char c = text[end];
      if (depth == 0 && (c == ',' || c == '}' || c == '>')) break;
      depth += c == '<' || c == '(' || c == '{' ? 1 : c == '>' || c == ')' || c == '}' ? -1 : 0;
    }
    name = unqualified(text.substr(0, end));
    text = text.substr(end == text.size() ? end : end + 1);
  }
  return names;
}
template <class E, std::size_t... I>
constexpr auto enumerators(std::index_sequence<I...>) {
  return spelled_enumerators<E, static_cast<E>(I)...>();
}
// Empty where a value has no name.
template <class E>
inline constexpr auto enumerator_names = enumerators<E>(std::make_index_sequence<named_enumerators>{});

// Returns the enumerator's name without qualification, or its number if it has no name.
template <class E>
std::string enum_name(E value) {
  const auto number = static_cast<long long>(value);
  if (number >= 0 && number < static_cast<long long>(named_enumerators)) {
    const std::string_view name = enumerator_names<E>[static_cast<std::size_t>(number)];
    if (!name.empty()) return std::string(name);
  }
  return std::to_string(number);
}

}  // namespace heddle::detail
