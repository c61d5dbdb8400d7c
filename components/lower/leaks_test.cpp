// Programs of tests/native/leaks, searched with `leaks`, with and without reduction: "leaks in NAME" stands where the
// object is made that the case NAME must lose.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "native/system.h"
#include "reduce/reduced_search.h"

namespace heddle::lower::leaks_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const fs::path folder = fs::path(HEDDLE_SOURCE_DIR) / "tests/native/leaks";

struct Case {
  std::string file, name;
  std::vector<int> lines = {};  // where lost objects are made, one of them is found; none: it holds
};

void PrintTo(const Case& x, std::ostream* out) { *out << x.file << " " << x.name; }

std::vector<Case> cases() {
  std::vector<Case> out;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string list = "// cases: ", mark = "// leaks in ";
    const std::size_t first = out.size();
    std::ifstream in(entry.path());
    std::string text;
    for (int line = 1; std::getline(in, text); ++line) {
      if (text.starts_with(list)) {
        std::istringstream names(text.substr(list.size()));
        for (std::string name; names >> name;) out.push_back({entry.path().filename().string(), name});
      }
      const std::size_t at = text.find(mark);
      if (at == std::string::npos) continue;
      const auto found = std::find_if(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
                                      [&](const Case& x) { return x.name == text.substr(at + mark.size()); });
      if (found == out.end()) {
        ADD_FAILURE() << entry.path() << ":" << line << ": no such case";
      } else {
        found->lines.push_back(line);
      }
    }
  }
  std::ranges::sort(out, {}, [](const Case& x) { return x.file + x.name; });
  return out;
}

std::shared_ptr<const native::Image> lower(const Case& x) {
  const fs::path output = fs::path(::testing::TempDir()) / ("heddle-leaks-" + std::to_string(getpid()) + ".image");
  const std::string command = "cd " + folder.string() + " && " HEDDLE_COMPONENT_EXECUTABLE " --output " +
                              output.string() + " " + x.file + " -- -w -DCASE=" + x.name;
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::ifstream in(output, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  fs::remove(output);
  return std::make_shared<const native::Image>(native::read_image(bytes));
}

class Leaks : public ::testing::TestWithParam<Case> {};

TEST_P(Leaks, AreFoundWhereTheObjectIsMade) {
  const Case& x = GetParam();
  const auto image = lower(x);
  for (const bool reduce : {false, true}) {
    native::System system(image, {.leaks = true});
    SearchOptions options;
    options.stop_at_violation = false;
    std::vector<std::string> found;
    options.on_deadlock = [&](std::span<const Slot> state) {
      const auto ending = system.ending(state);
      if (ending && ending->kind == native::Ending::Kind::Failure) found.push_back(ending->text);
    };
    ReductionPlan plan;
    plan.partial_order = reduce;
    ReductionReport report;
    const SearchResult result = reduced_search(system, options, plan, report);
    for (const Finding& f : result.violations) EXPECT_EQ(system.properties()[f.property].name, "leak");
    EXPECT_EQ(result.violations.size(), x.lines.empty() ? 0u : 1u) << ::testing::PrintToString(found);
    if (x.lines.empty()) continue;
    EXPECT_THAT(found, ::testing::Each(HasSubstr("made at " + x.file + ":" + std::to_string(x.lines[0]) + ",")));
    EXPECT_FALSE(found.empty());
  }
  // Who does not ask for leaks does not get any.
  native::System system(image, {});
  EXPECT_TRUE(search(system).violations.empty());
}

INSTANTIATE_TEST_SUITE_P(All, Leaks, ::testing::ValuesIn(cases()), [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace heddle::lower::leaks_test
