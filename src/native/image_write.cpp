// Writes the bytes of an image in the order in which image_fields.h lists the fields, behind a header with their hash.
#include <xxhash.h>

#include "native/image_codec.h"

namespace heddle::native {

std::string write_image(const Image& image) {
  Image copy = image;  // one list of fields serves reading, too, and therefore takes them as mutable
  ImageWriter body;
  body(copy);
  std::uint32_t version = image_version;
  std::uint64_t checksum = XXH3_64bits(body.bytes().data(), body.bytes().size());
  ImageWriter file;
  file.bytes() = image_magic;
  file(version);
  file(checksum);
  return std::move(file.bytes()) + body.bytes();
}

}  // namespace heddle::native
