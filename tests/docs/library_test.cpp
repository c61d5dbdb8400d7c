// docs/library.md shows the test of examples/project, which the test install_and_use builds and runs.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace heddle::docs::library_test {
namespace {

std::string read(const std::string& file) {
  std::ifstream stream(std::string(HEDDLE_SOURCE_DIR) + "/" + file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// The first block of code after `fence`.
std::string block(const std::string& page, const std::string& fence) {
  const std::size_t begin = page.find("```" + fence + "\n");
  if (begin == page.npos) return "no block";
  const std::size_t from = page.find('\n', begin) + 1;
  return page.substr(from, page.find("```", from) - from);
}

TEST(LibraryPage, ShowsWhatIsRun) {
  const std::string page = read("docs/library.md");
  const std::string test = read("examples/project/lock_test.cpp");
  EXPECT_EQ(block(page, "cpp"), test.substr(test.find("#include")));
  const std::string project = read("examples/project/CMakeLists.txt");
  const std::string shown = block(page, "cmake");
  for (std::size_t at = 0; at < shown.size();) {
    const std::string line = shown.substr(at, shown.find('\n', at) + 1 - at);
    EXPECT_NE(project.find(line), project.npos) << line;
    at += line.size();
  }
}

}  // namespace
}  // namespace heddle::docs::library_test
