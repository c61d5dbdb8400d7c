// Whole programs written by hand, run alone: what the machine does for the library (texts, mathematics), and threads.
#include "native/run_alone.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "native/run_main.h"

namespace heddle::native::run_alone_test {
namespace {

using main_alone::failure_of;
using main_alone::run_main;
using testing::FunctionBuilder;
using testing::HasSubstr;
using testing::ImageBuilder;
using End = AloneResult::End;

TEST(RunAlone, FormatsText) {
  const auto formatted = [](std::string_view format, std::vector<Argument> arguments, auto... words) {
    return run_main([&](ImageBuilder& builder, FunctionBuilder& main) {
             const std::vector<std::uint32_t> operands{main.constant(words)...};
             std::vector<Argument> all{{main.constant(builder.text_constant(format)), 1, false}};
             for (std::size_t i = 0; i < arguments.size(); ++i) {
               arguments[i].operand = operands[i];
               all.push_back(arguments[i]);
             }
             main.external("printf", all);
           })
        .output;
  };
  const Argument word;
  const Argument real{none, 1, true};
  EXPECT_EQ(formatted("%d|%5u|%-4x|%#o|%c%%\n", {word, word, word, word, word}, Word{0xFFFFFFFF}, Word{7}, Word{255},
                      Word{8}, Word{'z'}),
            "-1|    7|ff  |010|z%\n");
  EXPECT_EQ(formatted("%ld %hhd %08.3f %g", {word, word, real, real}, ~Word{0}, Word{0x180},
                      std::bit_cast<Word>(3.14159), std::bit_cast<Word>(1e100)),
            "-1 -128 0003.142 1e+100");
  EXPECT_EQ(
      formatted("%*d|%.*f", {word, word, word, real}, Word{0xFFFFFFFB}, Word{42}, Word{1}, std::bit_cast<Word>(2.55)),
      "42   |2.5");
}

TEST(RunAlone, FormatsIntoMemory) {
  const AloneResult result = run_main([](ImageBuilder& builder, FunctionBuilder& main) {
    const auto buffer = main.stack_object(6);
    const auto text = main.constant(builder.text_constant("%s-%s"));
    const auto hello = main.constant(builder.text_constant("hello"));
    const auto length = main.external("snprintf", {buffer, main.constant(6), text, hello, hello});
    main.external("printf", {main.constant(builder.text_constant("%s %d")), buffer, length});
    main.external("sprintf", {buffer, text, hello, hello});
  });
  EXPECT_EQ(result.output, "hello 11");
  EXPECT_EQ(result.text, "write of 12 bytes at offset 0 of a local variable of 6 bytes");
}

TEST(RunAlone, BadFormatsFail) {
  using B = ImageBuilder;
  using F = FunctionBuilder;
  EXPECT_EQ(failure_of([](B& b, F& f) { f.external("printf", {f.constant(b.text_constant("%n"))}); }), "the format %n");
  EXPECT_THAT(failure_of([](B& b, F& f) { f.external("printf", {f.constant(b.text_constant("%d"))}); }),
              HasSubstr("more arguments"));
  EXPECT_EQ(failure_of([](B& b, F& f) {
              f.external("printf", {f.constant(b.text_constant("%s")), f.constant(b.global("g", 2, "ab"))});
            }),
            "read of 3 bytes at offset 0 of the global g of 2 bytes");
}

TEST(RunAlone, CallsMathematics) {
  const AloneResult result = run_main([](ImageBuilder& builder, FunctionBuilder& main) {
    const auto root = main.external("cbrt", {main.constant(std::bit_cast<Word>(27.0))});
    const auto power = main.external("powf", {main.constant(std::bit_cast<std::uint32_t>(2.0F)),
                                              main.constant(std::bit_cast<std::uint32_t>(10.0F))});
    const auto wide = main.emit({.code = Code::FloatToFloat, .width = 64, .a = power, .immediate = 32});
    main.external("printf",
                  {{main.constant(builder.text_constant("%g %g")), 1, false}, {root, 1, true}, {wide, 1, true}});
  });
  EXPECT_EQ(result.output, "3 1024");
}

// Two threads that count under a lock made of an atomic part; the first waits for the second to end.
TEST(RunAlone, ThreadsWaitForEachOther) {
  ImageBuilder builder;
  const Word turn = builder.global("turn", 8);
  FunctionBuilder& other = builder.function("other", 1, 1);
  other.external("__heddle_atomic_begin", {other.constant(4)}, 0);
  other.external("__heddle_await", {other.binary(Code::Eq, other.load(other.constant(turn), 4), other.constant(1), 32)},
                 0);
  other.external("__heddle_atomic_end", {}, 0);
  other.external("printf", {other.constant(builder.text_constant("second\n"))});
  other.give_back(0);
  FunctionBuilder& main = builder.function("main");
  const auto number = main.external("__heddle_spawn", {main.constant(other.pointer()), main.constant(0)});
  main.external("printf", {main.constant(builder.text_constant("first\n"))});
  main.store(main.constant(turn), main.constant(1), 4, Ordering::Release);
  main.external("__heddle_atomic_begin", {main.constant(4)}, 0);
  main.external("__heddle_await", {main.external("__heddle_ended", {number})}, 0);
  main.external("__heddle_joined", {number}, 0);
  main.external("__heddle_atomic_end", {}, 0);
  main.external("printf", {main.constant(builder.text_constant("third\n"))});
  main.exit(main.constant(0));
  const AloneResult result = run_alone(builder.image());
  EXPECT_EQ(text(result), "first\nsecond\nthird\nexit code 0\n");
  EXPECT_EQ(result.threads, 2U);
}

TEST(RunAlone, FindsADeadlock) {
  const AloneResult result = run_main([](ImageBuilder&, FunctionBuilder& main) {
    main.external("__heddle_atomic_begin", {main.constant(1)}, 0);
    main.external("__heddle_await", {main.constant(0)}, 0);
  });
  EXPECT_EQ(result.end, End::Deadlock);
  ASSERT_EQ(result.waiting.size(), 1U);
  EXPECT_EQ(text(result.waiting[0][0]), "main at test.c:2:1");
}

TEST(RunAlone, ASpinningThreadLetsOthersRun) {
  ImageBuilder builder;
  const Word flag = builder.global("flag", 8);
  FunctionBuilder& other = builder.function("other", 1, 1);
  other.store(other.constant(flag), other.constant(1), 4, Ordering::Release);
  other.give_back(0);
  FunctionBuilder& main = builder.function("main");
  main.external("__heddle_spawn", {main.constant(other.pointer()), main.constant(0)});
  const auto loop = main.here();
  const auto branch = main.branch(main.load(main.constant(flag), 4, Ordering::Acquire), 0, loop);
  main.aim(branch, main.here());
  main.exit(main.constant(5));
  EXPECT_EQ(run_alone(builder.image()).code, 5);
}

}  // namespace
}  // namespace heddle::native::run_alone_test
