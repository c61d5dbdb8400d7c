// Every program in examples/native/ and its folder of foreign programs, as the comments on top of it say:
//
//   // expect: holds
//   // expect -DBUG_X --races allow --client 'push(1) | pop()': violated linearizability
//   // outcomes of -DBUG_X
//   //    5 lin  4 bad: push(1) | push(2); pop() | pop()
//
// What begins with -D is for clang, everything else for `heddle check`. Of `outcomes` there is a line for each client:
// how many of the outcomes that it can have are those of calls made one at a time, and how many are not. These are
// counted with and without reduction.
//
// The outcomes of the lists with locks taken too late are those of table 2.1 in Cirisci's thesis (2022), but for two
// clients of the coarse list: of the third the thesis has the columns swapped (4 and 12), and of the ninth it misses
// outcomes (13 and 7).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <ostream>
#include <regex>
#include <set>
#include <utility>

#include "cli/program.h"
#include "run/client_outcomes.h"
#include "run/lower_program.h"
#include "support/checked_program.h"
#include "support/long_run.h"

namespace heddle::cli::native_examples_test {
namespace {

using testing::StartsWith;

const fs::path folder = fs::path(HEDDLE_SOURCE_DIR) / "examples" / "native";

// Words as a shell separates them: single quotes keep blanks.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  bool inside = false, quoted = false;
  for (const char c : text) {
    if (!quoted && c == ' ') {
      inside = false;
      continue;
    }
    if (!std::exchange(inside, true)) words.emplace_back();
    if (c == '\'') {
      quoted = !quoted;
    } else {
      words.back() += c;
    }
  }
  return words;
}

struct Example {
  fs::path file;
  int line = 0;
  std::vector<std::string> options = {}, flags = {};
  std::string verdict = {};  // "holds", "violated race"; or
  std::string client = {};
  std::size_t good = 0, bad = 0;  // outcomes of the client

  std::string name() const {
    std::string text = fmt::format("{}_{}", file.filename().string(), line);
    std::ranges::replace_if(text, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
    return text;
  }
  void add_words(const std::string& text) {
    for (const std::string& word : words_of(text)) (word.starts_with("-D") ? flags : options).push_back(word);
  }
};
void PrintTo(const Example& x, std::ostream* out) { *out << x.file.filename().string() << ":" << x.line; }

std::vector<fs::path> files() {
  std::vector<fs::path> out;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".c" || entry.path().extension() == ".cpp") out.push_back(entry.path());
  }
  std::ranges::sort(out);
  return out;
}

std::vector<Example> examples_of(const fs::path& file) {
  static const std::regex expect("// expect(.*): (holds|violated [a-z]+)"), outcomes("// outcomes of (.*)"),
      counts("// +([0-9]+) lin +([0-9]+) bad: (.*)");
  std::vector<Example> out;
  std::ifstream in(file);
  std::string text, flags;
  std::smatch match;
  for (int line = 1; std::getline(in, text); ++line) {
    if (std::regex_match(text, match, expect)) {
      Example& x = out.emplace_back(Example{.file = file, .line = line, .verdict = match[2]});
      x.add_words(match[1]);
    } else if (std::regex_match(text, match, outcomes)) {
      flags = match[1];
    } else if (std::regex_match(text, match, counts)) {
      Example& x = out.emplace_back(Example{.file = file, .line = line, .client = match[3]});
      x.good = std::stoul(match[1]);
      x.bad = std::stoul(match[2]);
      x.add_words(flags);
    } else if (text.starts_with("// expect") || text.starts_with("// outcomes")) {
      ADD_FAILURE() << file << ":" << line << ": not understood";
    }
  }
  return out;
}

// The first expectation of each file. Others are compiled with flags of their own, which takes a second each: of these
// the usual run has one a file, and a long run all.
std::vector<Example> first_verdicts() {
  std::vector<Example> out;
  for (const fs::path& file : files()) {
    const std::vector<Example> all = examples_of(file);
    const auto first = std::ranges::find_if(all, [](const Example& x) { return !x.verdict.empty(); });
    if (first != all.end()) out.push_back(*first);
  }
  return out;
}

std::vector<Example> further_verdicts() {
  std::vector<Example> out;
  for (const fs::path& file : files()) {
    std::vector<Example> further;
    for (const Example& x : examples_of(file)) {
      if (!x.verdict.empty()) further.push_back(x);
    }
    if (further.empty()) continue;
    further.erase(further.begin());
    if (!testing::long_run() && further.size() > 1) {
      // Spread over the files: the first of one, the second of the next.
      std::ranges::rotate(further, further.begin() + static_cast<std::ptrdiff_t>(out.size() % further.size()));
      further.erase(further.begin() + 1, further.end());
    }
    out.insert(out.end(), further.begin(), further.end());
  }
  return out;
}

std::vector<Example> counted() {
  std::vector<Example> out;
  for (const fs::path& file : files()) {
    for (const Example& x : examples_of(file)) {
      if (x.verdict.empty()) out.push_back(x);
    }
  }
  return out;
}

std::string name_of(const testing::TestParamInfo<Example>& test) { return test.param.name(); }

class NativeExamples : public ProgramTest, public testing::WithParamInterface<Example> {};

TEST_P(NativeExamples, GiveTheExpectedVerdict) {
  const Example& x = GetParam();
  std::vector<std::string> arguments = {"check", x.file.string()};
  arguments.insert(arguments.end(), x.options.begin(), x.options.end());
  if (!x.flags.empty()) arguments.emplace_back("--");
  arguments.insert(arguments.end(), x.flags.begin(), x.flags.end());
  const Outcome run = heddle(arguments);
  if (x.verdict == "holds") {
    EXPECT_EQ(run.code, 0) << run.out << run.err;
    EXPECT_THAT(run.last_line(), StartsWith("holds: "));
    return;
  }
  const std::string violated = "violated: " + x.verdict.substr(x.verdict.find(' ') + 1) + " ";
  EXPECT_EQ(run.code, 1) << run.out << run.err;
  EXPECT_THAT(run.last_line(), StartsWith(violated));
  const Outcome again = heddle({"replay", "heddle-trace.json"});
  EXPECT_EQ(again.code, 1) << again.out << again.err;
  EXPECT_THAT(again.last_line(), StartsWith(violated));
}
INSTANTIATE_TEST_SUITE_P(Quick, NativeExamples, testing::ValuesIn(first_verdicts()), name_of);
INSTANTIATE_TEST_SUITE_P(Slow, NativeExamples, testing::ValuesIn(further_verdicts()), name_of);

std::set<std::string> outcomes_of(const std::shared_ptr<const native::Image>& image,
                                  const native::SystemOptions& options, bool reduce) {
  ProgramAnswer answer = checked_program(image, options, {.safe = reduce});
  EXPECT_TRUE(answer.check.search.exhausted);
  return std::move(answer.outcomes);
}

class NativeOutcomes : public ProgramTest, public testing::WithParamInterface<Example> {};

TEST_P(NativeOutcomes, AreAsManyAsExpected) {
  const Example& x = GetParam();
  ASSERT_EQ(::setenv("XDG_CACHE_HOME", environment.at("XDG_CACHE_HOME").c_str(), 1), 0);
  const auto image = run::lower_program({.sources = {x.file}, .flags = x.flags});
  native::SystemOptions options = options_of_client(*image, x.client);
  ASSERT_TRUE(x.options.empty() || x.options == std::vector<std::string>({"--races", "allow"}));
  if (!x.options.empty()) options.races = native::Races::Allow;

  const std::set<std::string> admitted = run::sequential_outcomes(image, options).at(0);
  const std::set<std::string> reduced = outcomes_of(image, options, true);
  EXPECT_EQ(reduced, outcomes_of(image, options, false));
  const auto good = static_cast<std::size_t>(
      std::ranges::count_if(reduced, [&](const std::string& outcome) { return admitted.contains(outcome); }));
  EXPECT_EQ(good, x.good);
  EXPECT_EQ(reduced.size() - good, x.bad);
  // Whatever calls do one at a time they can also do when they overlap.
  EXPECT_EQ(good, admitted.size());
}
INSTANTIATE_TEST_SUITE_P(Slow, NativeOutcomes, testing::ValuesIn(counted()), name_of);

// A program of others, with no harness at all.
class NativeForeign : public ProgramTest {};

TEST_F(NativeForeign, ThePthreadExampleOfCmakeHolds) {
  const fs::path example = fs::path(HEDDLE_CMAKE_MODULES) / "CheckForPthreads.c";
  ASSERT_TRUE(fs::exists(example)) << example;  // of the package cmake-data
  const Outcome run = heddle({"check", example.string()});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_THAT(run.last_line(), StartsWith("holds: "));
}

// What Heddle adds to a program of others is short.
TEST_F(NativeForeign, HarnessesHaveAtMostTwentyLines) {
  for (const auto& entry : fs::directory_iterator(folder / "foreign")) {
    std::ifstream in(entry.path());
    std::size_t lines = 0;
    for (std::string line; std::getline(in, line);)
      lines += line.empty() || line.starts_with("//") || line.starts_with("#") ? 0 : 1;
    EXPECT_LE(lines, 20u) << entry.path();
  }
}

// A bug that joins a program is expected to be found, and every program is in the table of the manual.
TEST(AllNativeExamples, AreExpectedToDoSomething) {
  std::ifstream in(folder / "README.md");
  const std::string table{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  for (const fs::path& file : files()) {
    const std::vector<Example> examples = examples_of(file);
    EXPECT_FALSE(examples.empty()) << file;
    EXPECT_THAT(table, testing::HasSubstr("| `" + file.filename().string() + "` |"));
    std::set<std::string> found;
    for (const Example& x : examples) {
      if (x.verdict.starts_with("violated")) found.insert(x.flags.begin(), x.flags.end());
    }
    std::ifstream source(file);
    const std::string text{std::istreambuf_iterator<char>(source), std::istreambuf_iterator<char>()};
    static const std::regex bug("BUG_[A-Z_]*[A-Z]");
    for (std::sregex_iterator at(text.begin(), text.end(), bug), end; at != end; ++at) {
      EXPECT_TRUE(found.contains("-D" + at->str())) << file << ": " << at->str();
      EXPECT_THAT(table, testing::HasSubstr(at->str())) << file;
    }
  }
}

}  // namespace
}  // namespace heddle::cli::native_examples_test
