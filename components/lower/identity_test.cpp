// What must not matter does not: on the programs of examples/native, as the comments on top of them say how to compile
// and run them, the same is found and the same outcomes are reached
//   - if segments are not memoised;
//   - if states differ in dead registers, garbage and the numbers of objects, too (raw identity);
//   - if all local variables are in memory and nothing is inlined, as with -O0.
// It prints how many states each of them has, compared with the usual number.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "native/client.h"
#include "native/enumerate_clients.h"
#include "native/system.h"
#include "reduce/reduced_search.h"
#include "support/long_run.h"

namespace heddle::lower::identity_test {
namespace {

namespace fs = std::filesystem;
using native::Ending;
using native::Image;
using native::System;
using native::SystemOptions;
using testing::count_of;

const fs::path examples = fs::path(HEDDLE_SOURCE_DIR) / "examples/native";

struct Subject {
  fs::path file;
  std::string flags, client;
  bool allow_races = false;

  std::string text() const {
    return file.filename().string() + " " + flags + (allow_races ? " --races allow" : "") + " " + client;
  }
};

std::vector<Subject> subjects() {
  static const std::regex expect("// expect(.*): (?:holds|violated [a-z]+)"), client("--client '([^']*)'"),
      flag("-D[^ ]+");
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(examples)) {
    if (entry.path().extension() == ".c" || entry.path().extension() == ".cpp") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::vector<Subject> out;
  for (const fs::path& file : files) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      std::smatch match, part;
      if (!std::regex_match(line, match, expect)) continue;
      const std::string options = match[1];
      Subject one{file, {}, {}, options.find("--races allow") != options.npos};
      if (std::regex_search(options, part, client)) one.client = part[1];
      for (std::sregex_iterator at(options.begin(), options.end(), flag), end; at != end; ++at) {
        one.flags += " " + at->str();
      }
      out.push_back(std::move(one));
    }
  }
  return out;
}

std::shared_ptr<const Image> lower(const Subject& subject, const std::string& options) {
  const fs::path output = fs::path(::testing::TempDir()) / ("heddle-identity-" + std::to_string(getpid()) + ".image");
  const std::string command = std::string(HEDDLE_COMPONENT_EXECUTABLE) + " " + options + " --output " +
                              output.string() + " " + subject.file.string() + " -- -w -I" HEDDLE_SOURCE_DIR "/include" +
                              subject.flags;
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  std::ifstream in(output, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  fs::remove(output);
  return std::make_shared<const Image>(native::read_image(bytes));
}

struct Behaviour {
  std::set<std::string> kinds, outcomes;  // of findings; of clients, or exit codes
  std::uint64_t states = 0;
  bool complete = false;
};

Behaviour behaviour(const std::shared_ptr<const Image>& image, const Subject& subject, SystemOptions options) {
  if (subject.allow_races) options.races = native::Races::Allow;
  if (const auto harness = native::harness_of(*image)) {
    if (!subject.client.empty()) {
      options.clients = {native::parse_client(subject.client, *harness)};
    } else {
      native::ClientBounds bounds;
      bounds.most = count_of(6, 40);
      options.clients = native::enumerate_clients(*harness, bounds).list;
    }
  }
  System system(image, options);
  Behaviour out;
  SearchOptions search;
  search.stop_at_violation = false;
  search.limits.seconds = 60;
  search.limits.bytes = std::size_t{1} << 30;
  search.on_deadlock = [&](std::span<const Slot> state) {
    if (!options.clients.empty()) {
      if (const auto outcome = system.outcome(state)) {
        out.outcomes.insert(std::to_string(system.client(state)) + ": " + *outcome);
      }
    } else if (const auto ending = system.ending(state); ending && ending->kind == Ending::Kind::Exit) {
      out.outcomes.insert("exit code " + std::to_string(ending->code));
    }
  };
  ReductionReport report;
  const SearchResult result = reduced_search(system, search, {}, report);
  for (const Finding& f : result.violations) out.kinds.insert(system.properties()[f.property].name);
  out.states = result.counters.states;
  out.complete = result.exhausted;
  return out;
}

TEST(Identity, SlowWhatMustNotMatterDoesNot) {
  const std::vector<Subject> all = subjects();
  ASSERT_GT(all.size(), 50u);
  const std::size_t wanted = std::min(all.size(), count_of(5, all.size()));
  std::size_t compared = 0, raw_compared = 0;
  for (std::size_t i = 0; i < wanted; ++i) {
    const Subject& subject = all[i * all.size() / wanted];
    SCOPED_TRACE(subject.text());
    const auto image = lower(subject, "");
    const Behaviour usual = behaviour(image, subject, {});
    if (!usual.complete) continue;  // too large for a test
    ++compared;
    const auto expect_same = [&](const Behaviour& other, const char* what) {
      SCOPED_TRACE(what);
      EXPECT_EQ(other.kinds, usual.kinds);
      EXPECT_EQ(other.outcomes, usual.outcomes);
    };
    const Behaviour plain = behaviour(image, subject, {.memoise = false});
    const Behaviour raw = behaviour(image, subject, {.raw_identity = true});
    const Behaviour in_memory = behaviour(lower(subject, "--in-memory"), subject, {});
    if (plain.complete) {
      expect_same(plain, "not memoised");
      EXPECT_EQ(plain.states, usual.states);
    }
    if (raw.complete) {
      ++raw_compared;
      expect_same(raw, "raw identity");
      EXPECT_GE(raw.states, usual.states);
    }
    if (in_memory.complete) expect_same(in_memory, "in memory");
    const auto ratio = [&](const Behaviour& other) {
      return other.complete ? static_cast<double>(other.states) / static_cast<double>(usual.states) : 0;
    };
    std::printf("%s: %llu states; raw identity %.2f times as many, in memory %.2f (0: not finished)\n",
                subject.text().c_str(), static_cast<unsigned long long>(usual.states), ratio(raw), ratio(in_memory));
  }
  EXPECT_GE(compared, wanted - wanted / 8);
  EXPECT_GE(2 * raw_compared, compared);
}

}  // namespace
}  // namespace heddle::lower::identity_test
