#include "history_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return heddle::history::fuzz(data, size, heddle::history::Format::Edn);
}
