// What a page of a report holds, taken out of it again: base64 and gzip by zlib's own decoder.
#pragma once

#include <zlib.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace heddle::support {

inline std::string bytes_of_base64(std::string_view text) {
  std::string out;
  unsigned bits = 0, have = 0;
  for (const char c : text) {
    if (c == '=') break;
    unsigned digit = 64;
    if (c >= 'A' && c <= 'Z') digit = static_cast<unsigned>(c - 'A');
    if (c >= 'a' && c <= 'z') digit = static_cast<unsigned>(c - 'a') + 26;
    if (c >= '0' && c <= '9') digit = static_cast<unsigned>(c - '0') + 52;
    if (c == '+') digit = 62;
    if (c == '/') digit = 63;
    if (digit > 63) throw std::runtime_error("not base64");
    bits = bits << 6U | digit;
    have += 6;
    if (have < 8) continue;
    have -= 8;
    out += static_cast<char>(bits >> have & 255U);
  }
  return out;
}

inline std::string inflated(const std::string& bytes) {
  z_stream stream = {};
  constexpr int gzip_only = 16 + 15;
  if (inflateInit2(&stream, gzip_only) != Z_OK) throw std::runtime_error("zlib");
  std::string input = bytes, out, piece(1U << 16U, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  int state = Z_OK;
  while (state == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    state = inflate(&stream, Z_NO_FLUSH);
    out.append(piece, 0, piece.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (state != Z_STREAM_END) throw std::runtime_error("not gzip");
  return out;
}

// The document of a page, as JSON text.
inline std::string unpacked_page(std::string_view page) {
  constexpr std::string_view begin = "<script id=\"finding\" type=\"application/octet-stream\">";
  const std::size_t from = page.find(begin);
  if (from == std::string_view::npos) throw std::runtime_error("the page holds nothing");
  const std::size_t at = from + begin.size();
  return inflated(bytes_of_base64(page.substr(at, page.find('<', at) - at)));
}

}  // namespace heddle::support
