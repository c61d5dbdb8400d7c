// Base64, in which etcd expects keys and values, made of the iterators of Boost.Serialization.
#pragma once

#include <boost/archive/iterators/base64_from_binary.hpp>
#include <boost/archive/iterators/binary_from_base64.hpp>
#include <boost/archive/iterators/transform_width.hpp>
#include <string>

namespace example {

inline std::string to_base64(const std::string& bytes) {
  using namespace boost::archive::iterators;
  using Encode = base64_from_binary<transform_width<std::string::const_iterator, 6, 8>>;
  std::string text(Encode(bytes.begin()), Encode(bytes.end()));
  text.append((3 - bytes.size() % 3) % 3, '=');
  return text;
}

inline std::string from_base64(std::string text) {
  using namespace boost::archive::iterators;
  using Decode = transform_width<binary_from_base64<std::string::const_iterator>, 8, 6>;
  while (!text.empty() && text.back() == '=') text.pop_back();
  return std::string(Decode(text.begin()), Decode(text.end()));
}

}  // namespace example
