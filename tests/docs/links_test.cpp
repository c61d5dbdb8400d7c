// Links in README and manuals lead somewhere: the file exists, and the page has the heading that a link names.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace heddle::docs::links_test {
namespace {

namespace fs = std::filesystem;

// The lines of a page outside fenced blocks.
std::vector<std::string> prose(const fs::path& page) {
  std::vector<std::string> lines;
  std::ifstream stream(page);
  bool fenced = false;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("```")) {
      fenced = !fenced;
    } else if (!fenced) {
      lines.push_back(line);
    }
  }
  return lines;
}

// As the common hosts make them: lower case, spaces become dashes, other punctuation goes.
std::string anchor(const std::string& heading) {
  std::string out;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == ' ' || c == '-') {
      out += '-';
    } else if (std::isalnum(byte) != 0 || c == '_' || byte >= 0x80) {
      out += static_cast<char>(std::tolower(byte));
    }
  }
  return out;
}

std::set<std::string> anchors(const fs::path& page) {
  std::set<std::string> out;
  for (const std::string& line : prose(page)) {
    const std::size_t text = line.find_first_not_of('#');
    if (text != 0 && text != line.npos && line[text] == ' ') out.insert(anchor(line.substr(text + 1)));
  }
  return out;
}

// What is wrong with the links of a page.
std::vector<std::string> broken_links(const fs::path& page) {
  static const std::regex link(R"(\]\(([^)\s#]*)(#([^)\s]*))?\))");
  std::vector<std::string> out;
  for (const std::string& line : prose(page)) {
    for (std::sregex_iterator it(line.begin(), line.end(), link), end; it != end; ++it) {
      const std::string file = (*it)[1], wanted = (*it)[3];
      if (file.find("://") != file.npos) continue;
      const fs::path target = file.empty() ? page : page.parent_path() / file;
      if (!fs::exists(target)) {
        out.push_back(file + " does not exist");
      } else if (!wanted.empty() && !anchors(target).contains(wanted)) {
        out.push_back(target.filename().string() + " has no heading #" + wanted);
      }
    }
  }
  return out;
}

TEST(Links, LeadSomewhere) {
  const fs::path root = HEDDLE_SOURCE_DIR;
  std::vector<fs::path> pages = {root / "README.md", root / "CONTRIBUTING.md", root / "src" / "README.md"};
  for (const auto& entry : fs::directory_iterator(root / "docs")) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  for (const fs::path& page : pages) {
    EXPECT_EQ(broken_links(page), std::vector<std::string>()) << page;
  }
}

TEST(Links, BrokenOnesAreFound) {
  const fs::path page = fs::path(testing::TempDir()) / "heddle-links-test.md";
  std::ofstream(page) << R"(# Order: `--network`

[a](#order---network) [b](#nowhere) [c](nobody.md) [d](https://example.org/x.md) [e](heddle-links-test.md#two-words)

```
[f](in-a-block.md)
```

## Two words
)";
  const std::vector<std::string> expected = {"heddle-links-test.md has no heading #nowhere",
                                             "nobody.md does not exist"};
  EXPECT_EQ(broken_links(page), expected);
  fs::remove(page);
}

}  // namespace
}  // namespace heddle::docs::links_test
