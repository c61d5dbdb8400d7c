// README and manuals say what is true: every command they show is run, what they show of its output is compared, and
// tables of counts are counted again. Times and memory are left out of the comparison.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

#include "cli/program.h"
#include "docs/markdown.h"
#include "support/long_run.h"

namespace heddle::docs::docs_test {
namespace {

namespace fs = std::filesystem;

// Commands that take longer than some seconds; they are run under `./test --long` only.
const std::set<std::string> slow_commands = {
    "check hotstuff -p rounds=4",
    "schedules distributed_register --harness 2R+2W --scheduler SL --cutoff 10000000",
};
// Rows of tables are run at once if they are said to take less than this, and to have fewer states.
constexpr double slow_row = 2;
constexpr std::size_t long_row = 7;  // characters: 99,999 is short, 100,000 is not

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

// What differs from run to run and from machine to machine.
std::string masked(std::string text) {
  static const std::regex numbers(R"(\d[\d.,]*( min \d+)? (s|ms|min|h|B/state|KiB|MiB|GiB)\b)");
  static const std::regex fields(
      R"re("(seconds|peak_bytes|store_bytes|door_bytes|bytes_per_state|all_bytes_per_state)": [0-9.]+)re");
  static const std::regex trailing(" +\n");
  text = std::regex_replace(text, numbers, "<$2>");
  text = std::regex_replace(text, fields, "\"$1\": <number>");
  return std::regex_replace(text, trailing, "\n");
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(masked(text));
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

// "..." stands for any lines.
bool matches(std::vector<std::string>::const_iterator shown, std::vector<std::string>::const_iterator shown_end,
             std::vector<std::string>::const_iterator printed, std::vector<std::string>::const_iterator printed_end) {
  for (; shown != shown_end; ++shown, ++printed) {
    if (trimmed(*shown) == "...") {
      for (;; ++printed) {
        if (matches(shown + 1, shown_end, printed, printed_end)) return true;
        if (printed == printed_end) return false;
      }
    }
    if (printed == printed_end || *shown != *printed) return false;
  }
  return printed == printed_end;
}

bool matches(const std::string& shown, const std::string& printed) {
  const std::vector<std::string> a = lines_of(shown), b = lines_of(printed);
  return matches(a.begin(), a.end(), b.begin(), b.end());
}

std::vector<fs::path> pages() {
  const fs::path root = HEDDLE_SOURCE_DIR;
  std::vector<fs::path> all = {root / "README.md"};
  for (const auto& entry : fs::directory_iterator(root / "docs")) {
    if (entry.path().extension() == ".md") all.push_back(entry.path());
  }
  std::ranges::sort(all);
  return all;
}

std::string test_name(const testing::TestParamInfo<fs::path>& page) {
  std::string name = page.param.stem().string();
  std::ranges::replace(name, '-', '_');
  return name;
}

class Docs : public cli::ProgramTest, public testing::WithParamInterface<fs::path> {
 protected:
  Docs() { fs::create_directory_symlink(fs::path(HEDDLE_SOURCE_DIR) / "examples", home / "examples"); }

  // What it needs was installed by ./test.
  cli::Outcome run_script(const Command& command) const {
    std::string words =
        "HEDDLE_SKIP_PACKAGES=1 HEDDLE='" HEDDLE_EXECUTABLE "' '" HEDDLE_SOURCE_DIR "/" + command.script + "'";
    for (const std::string& argument : command.arguments) words += " '" + argument + "'";
    const int status = std::system(("cd '" + home.string() + "' && " + words + " >.out 2>.err").c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(home / ".out"), read(home / ".err")};
  }
};

// One after the other in one directory, as a reader would: a trace that one command writes another may read.
TEST_P(Docs, SlowCommandsDoWhatIsShown) {
  const Page page = Reader(GetParam()).read();
  for (const std::string& model : page.models) write("lock.cpp", model);
  for (const auto& [name, text] : page.files) write(name, text);
  for (const Command& command : page.commands) {
    const std::string text = joined(command.arguments);
    if (slow_commands.contains(text) && !heddle::testing::long_run()) continue;
    SCOPED_TRACE(GetParam().filename().string() + ":" + std::to_string(command.line) + ": heddle " + text);
    if (!command.file.empty()) {
      EXPECT_TRUE(matches(*command.output, read(home / command.file))) << command.file << ":\n"
                                                                       << read(home / command.file);
      continue;
    }
    // The explorer goes on until Ctrl-C.
    constexpr double seconds_to_explore = 5;
    const bool explores = command.arguments[0] == "explore";
    const cli::Outcome outcome =
        command.script.empty() ? heddle(command.arguments, explores ? seconds_to_explore : 0) : run_script(command);
    EXPECT_LT(outcome.code, 3) << outcome.out << outcome.err;
    if (command.output) {
      EXPECT_TRUE(matches(*command.output, outcome.out)) << "printed:\n" << outcome.out << outcome.err;
    }
    static const std::regex states(R"((\d[\d,]*) states\b)");
    std::smatch promised;
    if (std::regex_search(command.remark, promised, states)) {
      EXPECT_NE(outcome.out.find(" " + promised[0].str() + ","), std::string::npos) << outcome.out;
    }
    for (const std::string verdict : {"holds", "violated"}) {
      if (command.remark != verdict) continue;
      EXPECT_EQ(outcome.last_line().substr(0, verdict.size()), verdict) << outcome.out;
    }
  }
}

TEST_P(Docs, SlowTablesOfCounts) {
  for (const Count& count : Reader(GetParam()).read().counts) {
    if ((count.seconds >= slow_row || count.states.size() >= long_row) && !heddle::testing::long_run()) continue;
    std::vector<std::string> arguments = count.arguments;
    arguments.insert(arguments.end(), {"--quiet", "--no-trace"});
    SCOPED_TRACE(GetParam().filename().string() + ":" + std::to_string(count.line) + ": heddle " + joined(arguments));
    const cli::Outcome outcome = heddle(arguments);
    EXPECT_LT(outcome.code, 2) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find(" " + count.states + " states,"), std::string::npos) << outcome.out;
  }
}

INSTANTIATE_TEST_SUITE_P(Pages, Docs, testing::ValuesIn(pages()), test_name);

// --- The test itself.

TEST(Markdown, FindsCommandsAndWhatTheyPrint) {
  const fs::path file = fs::path(testing::TempDir()) / "heddle-docs-test.md";
  std::ofstream(file) << R"(Text

    $ heddle check a --all   # remark
    one
    ...
    $ run.sh x
    two
<!-- scripts are run: run.sh -->

    $ run.sh y 1
    three

```
heddle check b    7 states
heddle check MODEL [options]
```

<!-- counts: --refines q -->
| m | states | unreduced states |
|---|---|---|
| `c x=1` (n) | 1,234 | symmetry 9 in 3 s |
| `d` | - | |
)";
  const Page page = Reader(file).read();
  fs::remove(file);
  ASSERT_EQ(page.commands.size(), 3u);
  EXPECT_EQ(joined(page.commands[0].arguments), "check a --all");
  EXPECT_EQ(page.commands[0].remark, "remark");
  EXPECT_EQ(page.commands[0].output, "one\n...\n");
  EXPECT_EQ(page.commands[0].script, "");
  EXPECT_EQ(page.commands[1].script, "run.sh");
  EXPECT_EQ(joined(page.commands[1].arguments), "y 1");
  EXPECT_EQ(page.commands[1].output, "three\n");
  EXPECT_EQ(joined(page.commands[2].arguments), "check b");
  EXPECT_EQ(page.commands[2].remark, "7 states");
  ASSERT_EQ(page.counts.size(), 2u);
  EXPECT_EQ(joined(page.counts[0].arguments), "check c -p x=1 --refines q");
  EXPECT_EQ(page.counts[0].states, "1,234");
  EXPECT_EQ(joined(page.counts[1].arguments), "check c -p x=1 --refines q --reduce none --reduce symmetry");
  EXPECT_EQ(page.counts[1].seconds, 3);
}

TEST(Markdown, MatchesUpToTimesAndDots) {
  EXPECT_TRUE(
      matches("holds: 3 states; 0.02 s, 8.6 MiB (14.2 B/state)\n", "holds: 3 states; 11.0 s, 9 MiB (1 B/state)"));
  EXPECT_FALSE(matches("holds: 3 states; 0.02 s\n", "holds: 4 states; 0.02 s\n"));
  EXPECT_TRUE(matches("a\n...\nz\n", "a\nb\nz\nc\nz\n"));
  EXPECT_FALSE(matches("a\n...\nz\n", "a\nb\n"));
  EXPECT_FALSE(matches("a\n", "a\nb\n"));
}

}  // namespace
}  // namespace heddle::docs::docs_test
