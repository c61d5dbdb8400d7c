// On arbitrary bytes the reader of images returns an image or throws ImageError. An image that it returns can be
// printed, analysed and written back. The checksum is put right first, or the fuzzer would never come behind it.
#include <xxhash.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "native/image.h"
#include "native/liveness.h"
#include "native/statements.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heddle::native;
  std::string bytes = write_image({}).substr(0, 12);
  const std::uint64_t checksum = XXH3_64bits(data, size);
  bytes.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
  bytes.append(reinterpret_cast<const char*>(data), size);
  Image image;
  try {
    image = read_image(bytes);
  } catch (const ImageError&) {
    return 0;
  }
  if (write_image(image) != bytes) std::abort();
  dump(image);
  dump_statements(image);
  for (const Function& function : image.functions) statements_of(function);
  const Liveness liveness(image);
  return 0;
}
