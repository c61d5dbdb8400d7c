// A hand-written scanner over bytes, which skips forms without looking into them.
#include "history/edn_scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

#include "report/utf8.h"

namespace heddle::history {
namespace {

enum class Class : std::uint8_t { Token, Space, Delimiter };

constexpr std::array<Class, 256> make_classes() {
  std::array<Class, 256> classes = {};
  for (const char c : {' ', '\t', '\n', '\r', '\f', '\v', ','}) classes[static_cast<unsigned char>(c)] = Class::Space;
  for (const char c : {'(', ')', '[', ']', '{', '}', '"', ';'})
    classes[static_cast<unsigned char>(c)] = Class::Delimiter;
  return classes;
}
constexpr std::array<Class, 256> classes = make_classes();

Class class_of(char c) { return classes[static_cast<unsigned char>(c)]; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

char closer_of(char opener) { return opener == '(' ? ')' : opener == '[' ? ']' : '}'; }

void append_utf8(char32_t c, std::string& out) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xc0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xe0 | (c >> 12));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (c & 0x3f));
  } else {
    out += static_cast<char>(0xf0 | (c >> 18));
    out += static_cast<char>(0x80 | ((c >> 12) & 0x3f));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (c & 0x3f));
  }
}

// Reads four hexadecimal digits; 2^32 - 1 if they are not four.
char32_t hex4(const char* at, const char* end) {
  std::uint32_t out = 0;
  if (end - at < 4) return ~char32_t{0};
  const auto [stop, error] = std::from_chars(at, at + 4, out, 16);
  return error == std::errc{} && stop == at + 4 ? static_cast<char32_t>(out) : ~char32_t{0};
}

bool is_before(Value a, Value b, const ValueTable& table) {
  using Kind = ValueTable::Kind;
  const Kind kind_a = table.kind(a), kind_b = table.kind(b);
  if (kind_a != kind_b) return kind_a < kind_b;
  if (kind_a == Kind::Integer) return table.as_integer(a) < table.as_integer(b);
  if (kind_a == Kind::Text || kind_a == Kind::Keyword) return table.as_text(a) < table.as_text(b);
  return a < b;
}

constexpr std::string_view odd_map = "a map with a key that has no value; add the value";

}  // namespace

bool is_keyword_name(std::string_view name) {
  const auto is_token = [](char c) {
    return class_of(c) == Class::Token && c != '\\' && static_cast<unsigned char>(c) > 0x20 && c != 0x7f;
  };
  return !name.empty() && name[0] != ':' && name[0] != '#' && std::ranges::all_of(name, is_token);
}

// Skips white space and comments only.
bool EdnScanner::skip_blank() {
  while (at_ < end_) {
    if (class_of(*at_) == Class::Space) {
      ++at_;
    } else if (*at_ == ';') {
      const void* newline = std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_));
      at_ = newline == nullptr ? end_ : static_cast<const char*>(newline);
    } else {
      return true;
    }
  }
  return false;
}

// `#_ #_ a b` discards both a and b, so discards are counted rather than nested.
bool EdnScanner::skip_space() {
  std::size_t discards = 0;
  const char* first = at_;
  while (skip_blank()) {
    if (*at_ == '#' && end_ - at_ > 1 && at_[1] == '_') {
      if (discards++ == 0) first = at_;
      at_ += 2;
    } else if (discards > 0 && *at_ != ')' && *at_ != ']' && *at_ != '}') {
      skip_form();
      --discards;
    } else {
      if (discards > 0) fail(first, "#_ without a form to discard; remove it");
      return true;
    }
  }
  if (discards > 0) fail(first, "#_ without a form to discard; remove it");
  return false;
}

std::string_view EdnScanner::skip_form() {
  const char* form = at_;
  char closers[depth_limit];
  std::size_t depth = 0, discards = 0;
  for (;;) {
    if (!skip_blank()) fail_unclosed(form);
    bool complete = true;  // a form ends here
    switch (*at_) {
      case '"':
        skip_string(form);
        break;
      case '(':
      case '[':
      case '{':
        if (depth == depth_limit) fail(at_, fmt::format("nested deeper than {} levels", depth_limit));
        closers[depth++] = closer_of(*at_++);
        complete = false;
        break;
      case ')':
      case ']':
      case '}':
        if (depth == 0) fail(at_, fmt::format("'{}' closes nothing; remove it", *at_));
        if (*at_ != closers[depth - 1]) {
          fail(at_, fmt::format("'{}' where '{}' is expected; brackets do not match", *at_, closers[depth - 1]));
        }
        --depth;
        ++at_;
        break;
      case '\\':
        skip_character();
        break;
      case '#':
        if (end_ - at_ > 1 && at_[1] == '_') {
          at_ += 2;
          if (depth == 0) ++discards;
          complete = false;
        } else if (end_ - at_ > 1 && at_[1] == '{') {
          ++at_;
          complete = false;
        } else {
          complete = token().starts_with("##");  // ##NaN is a form; a tag belongs to the form after it
        }
        break;
      default:
        token();
    }
    if (!complete || depth > 0) continue;
    if (discards == 0) return {form, static_cast<std::size_t>(at_ - form)};
    --discards;
  }
}

std::string_view EdnScanner::token() {
  const char* begin = at_;
  while (at_ < end_ && class_of(*at_) == Class::Token) ++at_;
  return {begin, static_cast<std::size_t>(at_ - begin)};
}

void EdnScanner::skip_string(const char* form) {
  for (++at_; at_ < end_; ++at_) {
    if (*at_ == '"') {
      ++at_;
      return;
    }
    if (*at_ == '\\' && end_ - at_ > 1) ++at_;
  }
  fail_unclosed(form);
}

// \a, \newline, \u0041, \(
void EdnScanner::skip_character() {
  const char* begin = at_++;
  if (at_ == end_) fail(begin, "a backslash without a character; add the character");
  const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
  at_ += report::decode(rest, 0).bytes.size();
  token();
}

void EdnScanner::fail_unclosed(const char* form) const {
  fail(form,
       "what begins here is not closed before the end of the file, which seems to be cut off; complete it, or remove "
       "its unfinished end");
}

std::string EdnScanner::string() {
  const char* form = at_;
  std::string out;
  for (++at_; at_ < end_ && *at_ != '"';) {
    if (*at_ != '\\') {
      const char* begin = at_;
      while (at_ < end_ && *at_ != '"' && *at_ != '\\') ++at_;
      out.append(begin, at_);
      continue;
    }
    const char* escape = at_++;
    if (at_ == end_) break;
    switch (*at_++) {
      case 'n':
        out += '\n';
        break;
      case 't':
        out += '\t';
        break;
      case 'r':
        out += '\r';
        break;
      case 'b':
        out += '\b';
        break;
      case 'f':
        out += '\f';
        break;
      case '\\':
        out += '\\';
        break;
      case '"':
        out += '"';
        break;
      case 'u': {
        char32_t c = hex4(at_, end_);
        at_ += std::min<std::ptrdiff_t>(4, end_ - at_);
        if (c >= 0xd800 && c < 0xdc00 && end_ - at_ >= 6 && at_[0] == '\\' && at_[1] == 'u') {
          const char32_t low = hex4(at_ + 2, end_);
          if (low >= 0xdc00 && low < 0xe000) {
            c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
            at_ += 6;
          }
        }
        if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
          fail(escape, "\\u needs four hexadecimal digits of a character");
        append_utf8(c, out);
        break;
      }
      default:
        fail(escape, "an unknown escape in a string; known are \\\" \\\\ \\n \\t \\r \\b \\f \\uXXXX");
    }
  }
  if (at_ == end_) fail_unclosed(form);
  ++at_;
  return out;
}

Value EdnScanner::value(ValueTable& values, std::size_t depth) {
  const char* form = at_;
  // A map becomes a list of pairs.
  const bool map = *at_ == '{';
  const bool list = *at_ == '(' || *at_ == '[' || (*at_ == '#' && end_ - at_ > 1 && at_[1] == '{');
  if (depth + (map ? 2 : list ? 1 : 0) > value_depth_limit)
    fail(form, fmt::format("nested deeper than {} levels", value_depth_limit));
  std::vector<Value> members;
  switch (*at_) {
    case '"':
      return values.text(string());
    case '(':
    case '[':
      read_members(closer_of(*at_++), form, values, depth, members);
      return values.list(members);
    case '{':
      ++at_;
      read_members('}', form, values, depth + 1, members);
      if (members.size() % 2 != 0) fail(form, odd_map);
      return map_value(members, values);
    case '\\':
      return character(values);
    case '#':
      if (end_ - at_ > 1 && at_[1] == '{') {
        at_ += 2;
        read_members('}', form, values, depth, members);
        sort_values(members, values);
        return values.list(members);
      }
      if (const std::string_view tag = token(); tag.starts_with("##")) {
        if (tag != "##Inf" && tag != "##-Inf" && tag != "##NaN") fail(form, "## begins ##Inf, ##-Inf and ##NaN only");
        return values.text(tag);
      }
      if (!skip_space()) fail_unclosed(form);
      return value(values, depth + 1);
    case ')':
    case ']':
    case '}':
      fail(form, fmt::format("'{}' where a value is expected", *form));
    default:
      break;
  }
  const std::string_view word = token();
  if (word == "nil") return nil;
  if (word == "true" || word == "false") return values.boolean(word == "true");
  if (word[0] == ':') {
    if (!is_keyword_name(word.substr(1))) fail(form, "a keyword without a name; write it as in :name");
    return values.keyword(word.substr(1));
  }
  const bool has_sign = word.size() > 1 && (word[0] == '-' || word[0] == '+');
  if (is_digit(word[has_sign ? 1 : 0])) return number(word, values);
  if (word[0] == '^') fail(form, "metadata is not part of EDN; write the history with *print-meta* false");
  return values.text(word);
}

void EdnScanner::read_members(char closer, const char* form, ValueTable& values, std::size_t depth,
                              std::vector<Value>& out) {
  for (;;) {
    if (!skip_space()) fail_unclosed(form);
    if (*at_ == closer) {
      ++at_;
      return;
    }
    out.push_back(value(values, depth + 1));
  }
}

Value EdnScanner::number(std::string_view token, ValueTable& values) const {
  std::string_view digits = token;
  if (digits[0] == '+') digits.remove_prefix(1);
  const char* end = digits.data() + digits.size();
  std::int64_t integer = 0;
  const auto [stop, error] = std::from_chars(digits.data(), end, integer);
  const bool is_integer = stop == end || (stop + 1 == end && *stop == 'N');
  if (is_integer && error == std::errc::result_out_of_range) {
    fail(token.data(), "the number does not fit into 64 bits; write it as a string");
  }
  if (is_integer) return values.integer(integer);
  double real = 0;
  const auto [real_stop, real_error] = std::from_chars(digits.data(), end, real);
  if (real_error == std::errc{} && (real_stop == end || (real_stop + 1 == end && *real_stop == 'M'))) {
    return real_number(real, values);
  }
  if (real_error == std::errc::result_out_of_range) {
    fail(token.data(), "the number does not fit into a double; write it as a string");
  }
  // A ratio or another spelling of Clojure: values are equal if spelled alike.
  return values.text(token);
}

Value EdnScanner::character(ValueTable& values) {
  const char* begin = at_;
  skip_character();
  const std::string_view name(begin + 1, static_cast<std::size_t>(at_ - begin - 1));
  constexpr std::pair<std::string_view, std::string_view> names[] = {
      {"newline", "\n"}, {"space", " "}, {"tab", "\t"}, {"return", "\r"}, {"backspace", "\b"}, {"formfeed", "\f"}};
  for (const auto& [known, text] : names) {
    if (known == name) return values.text(text);
  }
  return values.text(name);
}

Value real_number(double number, ValueTable& values) {
  constexpr double exact = 9007199254740992;  // 2^53: up to here every integer is a double
  if (std::trunc(number) == number && std::abs(number) <= exact)
    return values.integer(static_cast<std::int64_t>(number));
  return values.text(fmt::format("{}", number));
}

void sort_values(std::vector<Value>& values, const ValueTable& table) {
  std::ranges::sort(values, [&](Value a, Value b) { return is_before(a, b, table); });
}

Value map_value(const std::vector<Value>& members, ValueTable& table) {
  std::vector<std::pair<Value, Value>> entries;
  for (std::size_t i = 0; i < members.size(); i += 2) entries.emplace_back(members[i], members[i + 1]);
  std::ranges::stable_sort(entries, [&](const auto& a, const auto& b) { return is_before(a.first, b.first, table); });
  std::vector<Value> pairs;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i + 1 < entries.size() && entries[i + 1].first == entries[i].first) continue;  // the last one counts
    pairs.push_back(table.list(std::array{entries[i].first, entries[i].second}));
  }
  return table.list(pairs);
}

}  // namespace heddle::history
