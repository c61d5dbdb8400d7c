// Compares a text with a golden file, which was rendered once, looked at and kept.
//
//   expect_golden("report/golden/paxos.txt", text);      // below tests/
//
// With HEDDLE_REFRESH_GOLDEN=1 in the environment the files are written instead of compared; git then shows what has
// changed.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace heddle::support {

inline bool refreshes_golden() {
  const char* refresh = std::getenv("HEDDLE_REFRESH_GOLDEN");
  return refresh != nullptr && std::string_view(refresh) == "1";
}

inline void expect_golden(const std::string& file, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(HEDDLE_SOURCE_DIR) / "tests" / file;
  if (refreshes_golden()) {
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  std::ifstream in(path, std::ios::binary);
  ASSERT_TRUE(in) << path << " is missing; run the tests with HEDDLE_REFRESH_GOLDEN=1 and look at the result";
  const std::string golden{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  EXPECT_EQ(text, golden) << "if the change is wanted, run the tests with HEDDLE_REFRESH_GOLDEN=1";
}

}  // namespace heddle::support
