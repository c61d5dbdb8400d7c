// Golden files of rendered text.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace heddle::report {

// Compares with tests/report/golden/<name>.txt; HEDDLE_REFRESH_GOLDEN=1 writes that file instead.
inline void expect_golden(const std::string& name, const std::string& text) {
  const std::filesystem::path path =
      std::filesystem::path(HEDDLE_SOURCE_DIR) / "tests" / "report" / "golden" / (name + ".txt");
  if (const char* refresh = std::getenv("HEDDLE_REFRESH_GOLDEN"); refresh != nullptr && *refresh == '1') {
    std::ofstream(path) << text;
    return;
  }
  std::ifstream in(path);
  ASSERT_TRUE(in) << path << " is missing; run the tests with HEDDLE_REFRESH_GOLDEN=1 and look at the result";
  std::stringstream golden;
  golden << in.rdbuf();
  EXPECT_EQ(text, golden.str()) << "if the change is wanted, run the tests with HEDDLE_REFRESH_GOLDEN=1";
}

}  // namespace heddle::report
