// How much a test does: the usual amount, or a larger one under `./test --long`.
//
//   for (std::size_t i = 0; i < count_of(200, 100'000); ++i) ...
//
// The usual amount keeps the whole suite short; the large one is for a night. The environment variable HEDDLE_LONG
// decides; unset, empty and 0 mean the usual amount.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <string_view>

namespace testing {}  // namespace testing

namespace heddle::testing {

using namespace ::testing;  // NOLINT: inside heddle, `testing::Test` still means GoogleTest's

inline bool long_run() {
  const char* value = std::getenv("HEDDLE_LONG");
  return value != nullptr && *value != '\0' && std::string_view(value) != "0";
}

inline std::size_t count_of(std::size_t usual, std::size_t when_long) { return long_run() ? when_long : usual; }

}  // namespace heddle::testing
