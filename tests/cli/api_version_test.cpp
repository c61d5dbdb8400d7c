// HEDDLE_API_VERSION stands for what is in include/heddle: whoever changes that has to raise it.
//
// tests/cli/golden/api_version.txt keeps the version and a hash of the headers it was given to. Comments, blanks and
// empty lines do not count. The recorder (record.h, record_c.h) does not either: no model includes it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "heddle/version.h"
#include "run/model_cache.h"
#include "support/golden.h"

namespace heddle::cli::api_version_test {
namespace {

namespace fs = std::filesystem;

// The text without comments and blanks, but those within literals.
std::string essence(const std::string& text) {
  std::string out;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      out += c;
      if (c == '\\' && i + 1 < text.size()) out += text[++i];
      if (c == quote) quote = 0;
    } else if (text.compare(i, 2, "//") == 0) {
      i = std::min(text.find('\n', i), text.size());
    } else if (text.compare(i, 2, "/*") == 0) {
      i = std::min(text.find("*/", i), text.size() - 2) + 1;
    } else if (c != ' ' && c != '\n' && c != '\t') {
      out += c;
      const bool separates_digits = i > 0 && std::isalnum(static_cast<unsigned char>(text[i - 1])) != 0;
      if (c == '"' || (c == '\'' && !separates_digits)) quote = c;
    }
  }
  return out;
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string hash_of_headers() {
  const fs::path folder = fs::path(HEDDLE_SOURCE_DIR) / "include";
  std::vector<std::string> names;
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(folder)) {
    const std::string name = fs::relative(file.path(), folder).generic_string();
    if (file.path().extension() == ".h" && name != "heddle/record.h" && name != "heddle/record_c.h" &&
        name != "heddle/version.h") {
      names.push_back(name);
    }
  }
  std::ranges::sort(names);
  std::string all;
  for (const std::string& name : names) all += name + "\n" + essence(read(folder / name)) + "\n";
  return run::hash_text(all);
}

TEST(ApiVersion, CommentsAndBlanksDoNotCount) {
  EXPECT_EQ(essence("int a;  // one\n/* two */ int b;"), "inta;intb;");
  EXPECT_EQ(essence("f(\" // \", '\"', 1'000);  // x"), "f(\" // \",'\"',1'000);");
}

TEST(ApiVersion, IsRaisedWhenPublicHeadersChange) {
  const fs::path golden = fs::path(HEDDLE_SOURCE_DIR) / "tests/cli/golden/api_version.txt";
  int version = 0;
  std::string hash;
  std::istringstream(read(golden)) >> version >> hash;
  const std::string now = hash_of_headers();
  if (now == hash && version == HEDDLE_API_VERSION) return;
  if (HEDDLE_API_VERSION > version) {
    if (support::refreshes_golden()) {
      std::ofstream(golden) << HEDDLE_API_VERSION << " " << now << "\n";
      return;
    }
    FAIL() << "HEDDLE_API_VERSION is " << HEDDLE_API_VERSION << " now; write it down with the headers it stands for:\n"
           << "  HEDDLE_REFRESH_GOLDEN=1 build/release/bin/test_cli --gtest_filter='ApiVersion.*'";
  }
  FAIL() << "include/heddle has changed since version " << version
         << " of it was written down. Models that were compiled "
         << "before must not be loaded by this program:\n"
         << "  1. raise HEDDLE_API_VERSION in include/heddle/version.h to " << version + 1 << "\n"
         << "  2. HEDDLE_REFRESH_GOLDEN=1 build/release/bin/test_cli --gtest_filter='ApiVersion.*'";
}

}  // namespace
}  // namespace heddle::cli::api_version_test
