// What the library must know of a type of messages or operations.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/detail/shape.h"

namespace heddle::detail {

// Compared by address.
struct TypeInfo {
  explicit TypeInfo(const Shape& type);
  ~TypeInfo();
  TypeInfo(const TypeInfo&) = delete;
  TypeInfo& operator=(const TypeInfo&) = delete;

  std::string_view name;
  const Shape* shape;
  Forget forget;
  bool only_auxiliary;
  PartsInfo parts;

  void json(std::string_view bytes, std::string& out) const { put_json(*shape, bytes, out); }
  Bytes rename(std::string_view bytes, const Renaming& renaming) const { return renamed(*shape, bytes, renaming); }
  bool domain(const Run& run, std::vector<Bytes>& out) const { return all_values(*shape, run, out); }
  std::uint64_t fingerprint(std::string_view bytes, const Colouring& colour) const {
    return detail::fingerprint(*shape, bytes, colour);
  }
};

template <class M>
const TypeInfo& type_info();  // transition_info.h

}  // namespace heddle::detail
