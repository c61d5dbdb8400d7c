// How numbers are written as bytes. kinds.h says how other values are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::detail {

using Bytes = std::string;

inline void put_varint(Bytes& out, std::uint64_t v) {
  while (v >= 0x80) {
    out.push_back(static_cast<char>(v | 0x80));
    v >>= 7;
  }
  out.push_back(static_cast<char>(v));
}
inline std::uint64_t get_varint(std::string_view& in) {
  std::uint64_t v = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(in.front());
    in.remove_prefix(1);
    v |= std::uint64_t{byte & 0x7Fu} << shift;
    if (byte < 0x80) return v;
  }
}

// Numbers near 0 are short, negative ones as well.
inline void put_integer(Bytes& out, std::int64_t v) {
  put_varint(out, (static_cast<std::uint64_t>(v) << 1) ^ static_cast<std::uint64_t>(v >> 63));
}
inline std::int64_t get_integer(std::string_view& in) {
  const std::uint64_t z = get_varint(in);
  return static_cast<std::int64_t>((z >> 1) ^ (~(z & 1) + 1));
}

}  // namespace heddle::detail
