// Programs do what they do natively: compiled by clang and run by the computer, and lowered and run by the machine,
// they print the same and end with the same exit code. The programs are those of tests/native/programs, and random ones
// of csmith. None of them depends on the schedule, so those with threads are run under random schedules, too, with
// every access visible and garbage in all registers that are not live.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <sstream>

#include "native/run_alone.h"
#include "support/long_run.h"

namespace heddle::lower::differential_test {
namespace {

namespace fs = std::filesystem;
using native::AloneResult;
using native::AloneSettings;
using testing::count_of;

struct Ran {
  int code = -1;  // of the shell: 124 if timeout ended it
  std::string output;
};

Ran run(const std::string& command) {
  Ran ran;
  FILE* const pipe = popen((command + " 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) return ran;
  char buffer[4096];
  while (const std::size_t size = fread(buffer, 1, sizeof buffer, pipe)) ran.output.append(buffer, size);
  const int status = pclose(pipe);
  ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ran;
}

fs::path folder() {
  static const fs::path made = [] {
    fs::path path = fs::path(::testing::TempDir()) / ("heddle-differential-" + std::to_string(getpid()));
    fs::create_directories(path);
    return path;
  }();
  return made;
}

native::Image lower(const fs::path& file, const std::string& flags = "") {
  const fs::path output = folder() / (file.stem().string() + ".image");
  const Ran ran = run(std::string(HEDDLE_COMPONENT_EXECUTABLE) + " --output " + output.string() + " " + file.string() +
                      " -- -w " + flags);
  EXPECT_EQ(ran.code, 0) << file;
  std::ifstream in(output, std::ios::binary);
  std::stringstream bytes;
  bytes << in.rdbuf();
  fs::remove(output);
  return native::read_image(bytes.str());
}

// Empty if the program does not end in time.
std::optional<Ran> run_natively(const fs::path& file, const std::string& flags = "") {
  const fs::path program = folder() / (file.stem().string() + ".native");
  const std::string compiler = file.extension() == ".c" ? "clang-19" : "clang++-19 -std=c++20";
  const Ran compiled = run(compiler + " -w -O1 -mcx16 -pthread " + flags + " " + file.string() + " -o " +
                           program.string() + " -lm -latomic");
  EXPECT_EQ(compiled.code, 0) << file;
  Ran ran = run("timeout 3 " + program.string());
  fs::remove(program);
  if (ran.code == 124) return std::nullopt;
  return ran;
}

// Garbage into what is not live, under a random schedule.
AloneResult run_randomly(const native::Image& image, std::uint64_t seed, native::Granularity granularity) {
  const native::Liveness liveness(image);
  std::mt19937_64 random(seed);
  AloneSettings settings;
  settings.machine.granularity = granularity;
  settings.pick = [&](std::uint32_t count) { return static_cast<std::uint32_t>(random() % count); };
  settings.at_rest = [&](native::ThreadState& thread) {
    for (native::Frame& frame : thread.frames) {
      const auto live = liveness.live(frame.function, frame.at);
      if (!live) continue;
      for (std::uint32_t i = 0; i < frame.registers.size(); ++i) {
        if (!std::binary_search(live->begin(), live->end(), i)) frame.registers[i] = random();
      }
    }
  };
  return native::run_alone(image, settings);
}

void expect_same(const AloneResult& result, const Ran& expected) {
  EXPECT_EQ(result.output, expected.output);
  EXPECT_EQ(result.end, AloneResult::End::Exited) << text(result);
  EXPECT_EQ(result.code & 255, expected.code);
}

std::vector<std::string> programs() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(HEDDLE_SOURCE_DIR) / "tests/native/programs")) {
    if (entry.path().extension() == ".c" || entry.path().extension() == ".cpp") {
      names.push_back(entry.path().filename().string());
    }
  }
  std::ranges::sort(names);
  return names;
}

class Program : public ::testing::TestWithParam<std::string> {};

TEST_P(Program, DoesWhatItDoesNatively) {
  const fs::path file = fs::path(HEDDLE_SOURCE_DIR) / "tests/native/programs" / GetParam();
  const std::optional<Ran> expected = run_natively(file);
  ASSERT_TRUE(expected);
  const native::Image image = lower(file);
  const AloneResult result = native::run_alone(image);
  expect_same(result, *expected);
  if (result.threads == 1) return;
  for (std::uint64_t seed = 0; seed < count_of(10, 1'000) && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const auto granularity = seed % 2 == 0 ? native::Granularity::All : native::Granularity::RaceFree;
    expect_same(run_randomly(image, seed, granularity), *expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Slow, Program, ::testing::ValuesIn(programs()), [](const auto& test) {
  std::string name = test.param;
  std::ranges::replace_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

TEST(RandomPrograms, SlowDoWhatTheyDoNatively) {
  ASSERT_EQ(run("csmith --version").code, 0) << "scripts/packages-test.txt lists csmith";
  constexpr const char* flags = "-I/usr/include/csmith";
  std::size_t compared = 0, skipped = 0;
  for (std::size_t seed = 1; compared < count_of(5, 170) && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const fs::path file = folder() / ("random" + std::to_string(seed) + ".c");
    ASSERT_EQ(run("cd " + file.parent_path().string() + " && csmith --seed " + std::to_string(seed) +
                  " --max-funcs 6 --output " + file.string())
                  .code,
              0);
    const std::optional<Ran> expected = run_natively(file, flags);
    if (expected) {
      AloneSettings settings;
      settings.machine.longest_segment = 2'000'000'000;
      const AloneResult result = native::run_alone(lower(file, flags), settings);
      if (result.end == AloneResult::End::Failed && result.failure == native::Failure::Unsupported) {
        ++skipped;  // bit fields of more than 128 bits in a row
      } else {
        expect_same(result, *expected);
        ++compared;
      }
    }
    fs::remove(file);
  }
  EXPECT_LE(skipped, 2 + compared / 10);
}

}  // namespace
}  // namespace heddle::lower::differential_test
