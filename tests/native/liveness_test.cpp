// What liveness leaves out never matters: programs that find garbage in dead registers print the same.
#include "native/liveness.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <random>

#include "native/run_alone.h"
#include "support/check_random.h"
#include "support/image_builder.h"
#include "support/random_image.h"

namespace heddle::native::liveness_test {
namespace {

using testing::check_random;
using testing::count_of;
using testing::FunctionBuilder;
using testing::ImageBuilder;

std::vector<std::uint32_t> live_at(const Image& image, std::uint32_t function, std::uint32_t at) {
  const Liveness liveness(image);
  const auto set = liveness.live(function, at);
  return set ? std::vector<std::uint32_t>(set->begin(), set->end()) : std::vector<std::uint32_t>{none};
}

TEST(Liveness, OfStraightCode) {
  ImageBuilder builder;
  const Word cell = builder.global("cell", 8);
  FunctionBuilder& callee = builder.function("callee", 1, 1);
  callee.give_back(0);
  FunctionBuilder& main = builder.function("main");
  const auto a = main.load(main.constant(cell), 8);                  // 0
  const auto b = main.load(main.constant(cell), 8);                  // 1
  const auto c = main.call(callee.index, {a});                       // 2
  main.store(main.constant(cell), main.binary(Code::Add, b, c), 8);  // 3, 4
  main.give_back();                                                  // 5
  const Image image = builder.image();
  EXPECT_EQ(live_at(image, 1, 0), (std::vector<std::uint32_t>{}));
  EXPECT_EQ(live_at(image, 1, 1), (std::vector<std::uint32_t>{a}));
  EXPECT_EQ(live_at(image, 1, 2), (std::vector<std::uint32_t>{b}));  // a is in the callee now, c is not yet there
  EXPECT_EQ(live_at(image, 1, 3), (std::vector<std::uint32_t>{none}));
  EXPECT_EQ(live_at(image, 1, 5), (std::vector<std::uint32_t>{}));
  EXPECT_EQ(live_at(image, 0, 0), (std::vector<std::uint32_t>{0}));
}

TEST(Liveness, AroundALoop) {
  ImageBuilder builder;
  const Word cell = builder.global("cell", 8);
  FunctionBuilder& main = builder.function("main");
  const auto sum = main.fresh(), unused = main.fresh();
  main.emit({.code = Code::Copy, .result = unused, .a = main.constant(1), .immediate = 1});  // 0
  const auto value = main.load(main.constant(cell), 8);                                      // 1
  main.emit({.code = Code::Add, .width = 64, .result = sum, .a = sum, .b = value});          // 2
  const auto branch = main.branch(value, 1);                                                 // 3
  main.aim_else(branch, main.here());
  main.exit(sum);  // 4
  const Image image = builder.image();
  EXPECT_EQ(live_at(image, 0, 1), (std::vector<std::uint32_t>{sum}));
  EXPECT_EQ(live_at(image, 0, 4), (std::vector<std::uint32_t>{sum}));
}

// What is only used to compute itself is not live, what is divided by is: that may fail.
TEST(Liveness, OfACountThatNobodyLooksAt) {
  ImageBuilder builder;
  const Word cell = builder.global("cell", 8);
  FunctionBuilder& main = builder.function("main");
  const auto count = main.fresh(), divisor = main.fresh(), quotient = main.fresh();
  const auto value = main.load(main.constant(cell), 8);                                                   // 0
  main.emit({.code = Code::Add, .width = 64, .result = count, .a = count, .b = value});                   // 1
  main.emit({.code = Code::Add, .width = 64, .result = divisor, .a = divisor, .b = value});               // 2
  main.emit({.code = Code::UDiv, .width = 64, .result = quotient, .a = main.constant(8), .b = divisor});  // 3
  const auto branch = main.branch(value, 0);                                                              // 4
  main.aim_else(branch, main.here());
  main.exit(main.constant(0));
  EXPECT_EQ(live_at(builder.image(), 0, 0), (std::vector<std::uint32_t>{divisor}));
}

// Runs with garbage in registers at each rest: in the dead ones, or in all.
std::string run_with_garbage(const Image& image, std::uint64_t seed, bool everywhere) {
  const Liveness liveness(image);
  std::mt19937_64 random(seed);
  AloneSettings settings;
  settings.tidy = seed % 2 == 0;
  settings.at_rest = [&](ThreadState& thread) {
    for (Frame& frame : thread.frames) {
      const auto live = liveness.live(frame.function, frame.at);
      for (std::uint32_t i = 0; i < frame.registers.size(); ++i) {
        const bool is_live = live && std::ranges::binary_search(*live, i);
        if (everywhere || !is_live) frame.registers[i] = random() % 5;
      }
    }
  };
  return run_alone(image, settings).output;
}

TEST(Liveness, DeadRegistersDoNotMatter) {
  std::size_t noticed = 0;
  check_random(count_of(300, 20'000), [&] {
    const Image image = testing::random_image();
    const std::string expected = run_alone(image).output;
    RC_ASSERT(!expected.empty());
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    RC_ASSERT(run_with_garbage(image, seed, false) == expected);
    noticed += run_with_garbage(image, seed, true) != expected ? 1 : 0;
  });
  EXPECT_GT(noticed, 0U) << "garbage in live registers must be noticed, or the test sees nothing";
}

}  // namespace
}  // namespace heddle::native::liveness_test
