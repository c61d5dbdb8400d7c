// Values as JSON, for traces and reports.
#include <string>

#include "value/walk.h"

namespace heddle::detail {
namespace {

constexpr std::uint16_t nobody = 0xFFFF;

void put_id(const RoleTag& role, std::uint16_t index, std::string& out) {
  if (index == nobody) return put_json_string(out, "nobody");
  std::string text(role.name);
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] - 'A' + 'a');
  put_json_string(out, text + " " + std::to_string(index + 1));
}

void put_enumerator(const Shape& shape, std::int64_t number, std::string& out) {
  const bool named = number >= 0 && static_cast<std::uint64_t>(number) < shape.names.size();
  const std::string_view name = named ? shape.names[static_cast<std::size_t>(number)] : std::string_view();
  put_json_string(out, name.empty() ? std::to_string(number) : std::string(name));
}

void put(const Shape& shape, std::string_view& in, std::string& out) {
  // Puts the parts between brackets, each after what `before` puts.
  const auto put_list = [&](char open, char close, auto&& before) {
    out.push_back(open);
    each_part(shape, in, [&](const Shape& part, std::size_t, std::size_t i) {
      if (i > 0) out.push_back(',');
      before(i);
      put(part, in, out);
    });
    out.push_back(close);
  };
  switch (shape.kind) {
    case Kind::Bool:
      out += take_number(shape, in) != 0 ? "true" : "false";
      break;
    case Kind::Integer: {
      const std::int64_t number = take_number(shape, in);
      out += shape.large ? std::to_string(static_cast<std::uint64_t>(number)) : std::to_string(number);
      break;
    }
    case Kind::Enum:
      put_enumerator(shape, take_number(shape, in), out);
      break;
    case Kind::Text:
      put_json_string(out, take_text(in));
      break;
    case Kind::Id:
      put_id(*shape.role, take_id(in), out);
      break;
    case Kind::IdSet: {
      const std::uint64_t members = get_varint(in);
      out.push_back('[');
      bool first = true;
      for (std::uint16_t i = 0; i < 64; ++i) {
        if ((members >> i & 1) == 0) continue;
        if (!std::exchange(first, false)) out.push_back(',');
        put_id(*shape.role, i, out);
      }
      out.push_back(']');
      break;
    }
    case Kind::Per:
      put_list('{', '}', [&](std::size_t i) {
        put_id(*shape.role, static_cast<std::uint16_t>(i), out);
        out.push_back(':');
      });
      break;
    case Kind::Auxiliary:
    case Kind::Optional:
      if (take_presence(in)) {
        put(shape.part(), in, out);
      } else {
        out += "null";
      }
      break;
    case Kind::Variant: {
      const Shape& part = shape.part(get_varint(in));
      out.push_back('{');
      put_json_string(out, part.name);
      out.push_back(':');
      put(part, in, out);
      out.push_back('}');
      break;
    }
    case Kind::Struct:
      put_list('{', '}', [&](std::size_t i) {
        put_json_string(out, shape.names[i]);
        out.push_back(':');
      });
      break;
    case Kind::Pair:
    case Kind::Array:
    case Kind::Vector:
    case Kind::Set:
    case Kind::Map:
      put_list('[', ']', [](std::size_t) {});
      break;
  }
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0u) != 0x80u) return 0;
  }
  const bool too_long = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  const bool no_character =
      (first == 0xED && byte(1) > 0x9F) || (first == 0xF4 && byte(1) > 0x8F);  // surrogates; beyond the last
  return too_long || no_character ? 0 : length;
}

void put_json_string(std::string& out, std::string_view text) {
  constexpr char hex[] = "0123456789abcdef";
  out.push_back('"');
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) >= 0x80) {
      const std::size_t length = utf8_length(text.substr(i));
      out += length == 0 ? std::string_view("\\ufffd") : text.substr(i, length);
      i += length == 0 ? 0 : length - 1;
    } else if (c == '"' || c == '\\') {
      out.push_back('\\');
      out.push_back(c);
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += "\\u00";
      out.push_back(hex[(c >> 4) & 15]);
      out.push_back(hex[c & 15]);
    } else {
      out.push_back(c);
    }
  }
  out.push_back('"');
}

void put_json(const Shape& shape, std::string_view bytes, std::string& out) { put(shape, bytes, out); }

}  // namespace heddle::detail
