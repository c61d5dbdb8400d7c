// Who opens a file of src/ or include/ reads first what it is for: in a comment at its top, or in that of its header,
// which it includes first.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace heddle::docs::first_lines_test {
namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& file) {
  std::string line;
  std::ifstream stream(file);
  std::getline(stream, line);
  return line;
}

bool opens_with_a_comment(const std::string& line) { return line.starts_with("// ") || line.starts_with("/* "); }

// "check/wgl.h" of src/check/wgl.cpp.
std::string own_header(const fs::path& file, const fs::path& root) {
  return "#include \"" + fs::relative(file, root).replace_extension(".h").generic_string() + "\"";
}

bool says_what_it_is_for(const fs::path& file, const fs::path& root) {
  const std::string line = first_line(file);
  if (opens_with_a_comment(line)) return true;
  const fs::path header = fs::path(file).replace_extension(".h");
  return file.extension() == ".cpp" && line == own_header(file, root) && opens_with_a_comment(first_line(header));
}

TEST(FirstLines, SayWhatAFileIsFor) {
  std::size_t files = 0;
  for (const char* folder : {"src", "include"}) {
    const fs::path root = fs::path(HEDDLE_SOURCE_DIR) / folder;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
      if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
      ++files;
      EXPECT_TRUE(says_what_it_is_for(entry.path(), root))
          << entry.path() << " begins with: " << first_line(entry.path())
          << "\nLet it open with the problem and the idea (CONTRIBUTING.md).";
    }
  }
  EXPECT_GT(files, 500u);
}

}  // namespace
}  // namespace heddle::docs::first_lines_test
