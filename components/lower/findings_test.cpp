// Programs of tests/native/findings: each case of a file is run once, and what is found must be of the kind, at the
// line and in the words that the comment there says:
//
//   static void freed_twice(void) {
//     free(p);
//     free(p);  // finds memory: free of a heap object that was already freed
//   }
//
// Where the line is not in the case itself, "finds memory in freed_twice: ..." says which it is. A case without such a
// comment must end well. The list of cases, `cases[] = {...}`, says which numbers they have. With
// variables kept in memory the same is found, though perhaps in other words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "native/run_alone.h"

namespace heddle::lower::findings_test {
namespace {

namespace fs = std::filesystem;
using native::AloneResult;
using native::Failure;
using ::testing::StartsWith;

const fs::path folder = fs::path(HEDDLE_SOURCE_DIR) / "tests/native/findings";

struct Case {
  std::string name;
  std::uint32_t line = 0;  // 0: nothing is found
  std::string kind = {}, text = {};
};

// In the order of the list in the file.
std::vector<Case> cases_of(const fs::path& file) {
  static const std::regex begins(R"(^(?:static )?void (\w+)\((?:void)?\) \{.*)"),
      finds(R"(.*// finds (\w+)(?: in (\w+))?: (.*))");
  std::map<std::string, Case> known;
  std::vector<Case> out;
  std::ifstream in(file);
  std::string text, current;
  std::smatch match;
  bool listing = false;
  for (std::uint32_t line = 1; std::getline(in, text); ++line) {
    if (std::regex_match(text, match, begins)) current = match[1];
    if (listing) {
      std::string name;
      for (const char c : text + ' ') {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
          name += c;
          continue;
        }
        if (!name.empty()) out.push_back(known.contains(name) ? known[name] : Case{name});
        name.clear();
      }
      if (text.find('}') != std::string::npos) return out;
    }
    listing = listing || text.find("cases[])") != std::string::npos;
    if (!listing && std::regex_match(text, match, finds)) {
      const std::string name = match[2].matched ? match[2].str() : current;
      known[name] = {name, line, match[1], match[3]};
    }
  }
  ADD_FAILURE() << file << " has no list of cases";
  return out;
}

native::Image lower(const fs::path& file, const std::string& options) {
  const fs::path output = fs::path(::testing::TempDir()) / ("heddle-findings-" + std::to_string(getpid()) + ".image");
  const std::string command = "cd " + folder.string() + " && " HEDDLE_COMPONENT_EXECUTABLE " " + options +
                              " --output " + output.string() + " " + file.filename().string() + " -- -w";
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::ifstream in(output, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  fs::remove(output);
  return native::read_image(bytes);
}

std::string_view word_of(Failure failure) {
  switch (failure) {
    case Failure::Assertion:
      return "assertion";
    case Failure::Memory:
      return "memory";
    case Failure::Uninitialised:
      return "uninitialised";
    case Failure::Arithmetic:
      return "arithmetic";
    case Failure::Terminate:
      return "terminate";
    case Failure::Unsupported:
      return "unsupported";
    case Failure::Endless:
      return "endless";
    case Failure::Leak:
      break;
  }
  return "leak";
}

class Findings : public ::testing::TestWithParam<std::string> {
 protected:
  void expect_findings(const std::string& options, bool same_words) {
    const fs::path file = folder / GetParam();
    const native::Image image = lower(file, options);
    const std::vector<Case> cases = cases_of(file);
    ASSERT_FALSE(cases.empty());
    for (std::uint32_t number = 0; number < cases.size(); ++number) {
      const Case& expected = cases[number];
      SCOPED_TRACE(expected.name);
      native::AloneSettings settings;
      settings.pick = [&](std::uint32_t count) { return count == cases.size() ? number : 0; };
      const AloneResult result = native::run_alone(image, settings);
      if (expected.line == 0) {
        EXPECT_EQ(result.end, AloneResult::End::Exited) << text(result);
        continue;
      }
      ASSERT_EQ(result.end, AloneResult::End::Failed) << text(result);
      EXPECT_EQ(word_of(result.failure), expected.kind) << text(result);
      EXPECT_EQ(native::user_line(result.stack).line, expected.line) << text(result);
      if (same_words) {
        EXPECT_THAT(result.text, StartsWith(expected.text));
      }
    }
  }
};

TEST_P(Findings, AreFound) { expect_findings("", true); }
TEST_P(Findings, AreFoundInMemory) { expect_findings("--in-memory", false); }

std::vector<std::string> files() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, Findings, ::testing::ValuesIn(files()), [](const auto& test) {
  std::string name = test.param;
  std::ranges::replace(name, '.', '_');
  return name;
});

}  // namespace
}  // namespace heddle::lower::findings_test
