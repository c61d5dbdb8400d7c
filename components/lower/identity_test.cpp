// What must not matter does not: on the programs of examples/native, those of others included, as the comments on top
// of them say how to compile and run them, the same is found and the same outcomes are reached
//   - if segments are not memoised;
//   - if states differ in dead registers, garbage and the numbers of objects, too (raw identity);
//   - if all local variables are in memory and nothing is inlined, as with -O0;
//   - if threads that make the same calls are exchanged.
// It prints how many states each of them has, compared with the usual number. The long run takes every line that says
// what to expect; HEDDLE_IDENTITY_PART=2/4 takes a part of them.
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
  for (const auto& entry : fs::recursive_directory_iterator(examples)) {
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
  bool complete = false, exchanged = false;
};

std::vector<native::Client> clients_of(const Image& image, const Subject& subject) {
  const auto harness = native::harness_of(image);
  if (!harness) return {};
  if (!subject.client.empty()) return {native::parse_client(subject.client, *harness)};
  native::ClientBounds bounds;
  bounds.most = count_of(6, 20);
  return native::enumerate_clients(*harness, bounds).list;
}

Behaviour behaviour(const std::shared_ptr<const Image>& image, const Subject& subject, SystemOptions options) {
  if (subject.allow_races) options.races = native::Races::Allow;
  if (options.clients.empty()) options.clients = clients_of(*image, subject);
  System system(image, options);
  Behaviour out;
  SearchOptions search;
  search.stop_at_violation = false;
  search.limits.seconds = 30;
  search.limits.bytes = std::size_t{1} << 30;
  search.on_deadlock = [&](std::span<const Slot> state) {
    if (!options.clients.empty()) {
      if (const auto outcome = system.outcome(state)) {
        const std::size_t client = system.client(state);
        for (const std::string& one : system.renamed_outcomes(client, *outcome)) {
          out.outcomes.insert(std::to_string(client) + ": " + one);
        }
      }
    } else if (const auto ending = system.ending(state); ending && ending->kind == Ending::Kind::Exit) {
      out.outcomes.insert("exit code " + std::to_string(ending->code));
    }
  };
  ReductionReport report;
  const SearchResult result = reduced_search(system, search, {.symmetry = options.symmetry}, report);
  if (!report.forsaken.empty()) return {};  // outcomes of a search that was mistaken do not count
  for (const Finding& f : result.violations) out.kinds.insert(system.properties()[f.property].name);
  out.states = result.counters.states;
  out.complete = result.exhausted;
  out.exchanged = !report.applied.empty();
  return out;
}

// Some clients in which threads make the same calls: those of the subject, or of two threads with the same two calls.
std::vector<native::Client> alike(const Image& image, const Subject& subject) {
  const auto harness = native::harness_of(image);
  if (!harness) return {};
  std::vector<native::Client> some;
  if (!subject.client.empty()) some.push_back(native::parse_client(subject.client, *harness));
  native::ClientBounds bounds;
  bounds.most = 100'000;
  const std::vector<native::Client> all = native::enumerate_clients(*harness, bounds).list;
  some.insert(some.end(), all.rbegin(), all.rend());
  std::erase_if(some, [](const native::Client& client) {
    return std::set(client.threads.begin(), client.threads.end()).size() == client.threads.size();
  });
  some.resize(std::min(some.size(), count_of(1, 3)));
  return some;
}

// HEDDLE_IDENTITY_PART=2/4: the second quarter.
std::pair<std::size_t, std::size_t> part() {
  unsigned number = 1, count = 1;
  if (const char* given = std::getenv("HEDDLE_IDENTITY_PART")) std::sscanf(given, "%u/%u", &number, &count);
  return {number - 1, count};
}

TEST(Identity, SlowWhatMustNotMatterDoesNot) {
  const std::vector<Subject> all = subjects();
  ASSERT_GT(all.size(), 50u);
  const auto [number, parts] = part();
  const std::size_t wanted = std::min(all.size(), count_of(5, all.size()));
  std::size_t asked = 0, compared = 0, raw_compared = 0, exchanged = 0, with_harness = 0;
  for (std::size_t i = wanted * number / parts; i < wanted * (number + 1) / parts; ++i) {
    const Subject& subject = all[i * all.size() / wanted];
    SCOPED_TRACE(subject.text());
    ++asked;
    const auto image = lower(subject, "");
    const Behaviour usual = behaviour(image, subject, {});
    if (!usual.complete) {
      std::printf("%s: too large\n", subject.text().c_str());
      continue;
    }
    ++compared;
    const auto expect_same = [&](const Behaviour& other, const Behaviour& expected, const char* what) {
      SCOPED_TRACE(what);
      EXPECT_EQ(other.kinds, expected.kinds);
      EXPECT_EQ(other.outcomes, expected.outcomes);
    };
    const Behaviour plain = behaviour(image, subject, {.memoise = false});
    const Behaviour raw = behaviour(image, subject, {.raw_identity = true});
    const Behaviour in_memory = behaviour(lower(subject, "--in-memory"), subject, {});
    if (plain.complete) {
      expect_same(plain, usual, "not memoised");
      EXPECT_EQ(plain.states, usual.states);
    }
    if (raw.complete) {
      ++raw_compared;
      expect_same(raw, usual, "raw identity");
      EXPECT_GE(raw.states, usual.states);
    }
    if (in_memory.complete) expect_same(in_memory, usual, "in memory");
    double gain = 0;
    const std::vector<native::Client> clients = alike(*image, subject);
    with_harness += clients.empty() ? 0 : 1;
    for (const native::Client& client : clients) {
      const Behaviour apart = behaviour(image, subject, {.clients = {client}});
      const Behaviour together = behaviour(image, subject, {.symmetry = true, .clients = {client}});
      if (!apart.complete || !together.complete || !together.exchanged) continue;
      SCOPED_TRACE(native::text(client, native::harness_of(*image).value()));
      expect_same(together, apart, "symmetry");
      EXPECT_LE(together.states, apart.states);
      gain = std::max(gain, static_cast<double>(apart.states) / static_cast<double>(together.states));
    }
    exchanged += gain > 0 ? 1 : 0;
    const auto ratio = [&](const Behaviour& other) {
      return other.complete ? static_cast<double>(other.states) / static_cast<double>(usual.states) : 0;
    };
    std::printf(
        "%s: %llu states; not memoised %.2f times as many, raw identity %.2f, in memory %.2f "
        "(0: not finished); %.2f times fewer with symmetry (0: not exchanged)\n",
        subject.text().c_str(), static_cast<unsigned long long>(usual.states), ratio(plain), ratio(raw),
        ratio(in_memory), gain);
    std::fflush(stdout);
  }
  std::printf("%zu subjects asked for, %zu compared, %zu with raw identity; of %zu with a harness %zu with symmetry\n",
              asked, compared, raw_compared, with_harness, exchanged);
  EXPECT_GE(compared, asked - asked / 8);
  EXPECT_GE(2 * raw_compared, compared);
}

}  // namespace
}  // namespace heddle::lower::identity_test
