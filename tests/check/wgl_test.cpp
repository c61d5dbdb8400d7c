// The search against all permutations of small histories, and against the textbook's on longer ones.
#include "check/wgl.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "check/check_history.h"
#include "support/plain_wgl.h"
#include "support/reference_objects.h"

namespace heddle::wgl_test {
namespace {

constexpr std::string_view all_objects[] = {"register", "cas_register",   "map",   "set",  "counter", "queue",
                                            "stack",    "priority_queue", "deque", "lock", "mutex",   "log"};

std::string text_of(const RecordedHistory& h) {
  std::string text;
  for (const RecordedOperation& op : h.operations) {
    text += std::to_string(op.invoked) + ".." + (op.returned == never ? "" : std::to_string(op.returned)) + " " +
            h.functions[op.function] + " " + (op.key == no_key ? "" : h.values.json(op.key) + " ") +
            h.values.json(op.argument) + " -> " +
            (op.outcome == Outcome::Ok       ? h.values.json(op.result)
             : op.outcome == Outcome::Failed ? "failed"
                                             : "?") +
            "\n";
  }
  return text;
}

// Histories of `most` operations for the permutation oracle; some that are linearizable, some nearly so.
reference::Shape small_shape(std::string_view object, reference::Generator& generator) {
  reference::Shape shape;
  shape.operations = 1 + generator.below(6);
  shape.processes = 2 + generator.below(3);
  shape.keys = object == "map" || generator.below(3) == 0 ? 1 + generator.below(2) : 1;
  shape.values = 1 + static_cast<std::int64_t>(generator.below(3));
  shape.unknown_percent = generator.below(2) == 0 ? 0 : 60;
  return shape;
}

// Every way to run the engine gives the answer of the permutations; what comes with the answer is true.
void compare(std::string_view object, RecordedHistory& h, std::size_t& violated) {
  const Specification& specification = *find_specification(object);
  const bool expected = reference::linearizable(object, h);
  violated += expected ? 0 : 1;
  for (const bool partition : {true, false}) {
    for (const bool cuts : {true, false}) {
      const HistoryResult result =
          check_history(h, specification,
                        {.method = HistoryCheckOptions::Method::Wgl, .partition = partition, .quiescent_cuts = cuts});
      ASSERT_EQ(result.verdict, expected ? Verdict::Holds : Verdict::Violated)
          << object << " partition " << partition << " cuts " << cuts << " " << result.error << "\n"
          << text_of(h);
      if (!expected) {
        ASSERT_FALSE(result.failed.empty());
      }
    }
  }
}

// The search itself with checkpoints everywhere, patient and not: the order it found is one, and it is stuck where it
// says.
void compare_search(std::string_view object, RecordedHistory& h) {
  const Specification& specification = *find_specification(object);
  const auto parts = specification.partition(h);
  if (parts.size() != 1) return;
  const bool expected = reference::linearizable(object, h);
  for (const WglOptions options : {WglOptions{.stretch = 1, .patience = 0}, WglOptions{.stretch = 1, .patience = 1},
                                   WglOptions{.stretch = 1, .patience = 100}, WglOptions{.stretch = 0}}) {
    Budget budget;
    SharedSearches shared(budget);
    SearchGuard guard(shared, 0);
    const auto instance = specification.object(h, parts[0]);
    const WglResult result = wgl(h.operations, parts[0], *instance, guard, options);
    ASSERT_EQ(result.verdict, expected ? Verdict::Holds : Verdict::Violated)
        << object << " stretch " << options.stretch << " patience " << options.patience << "\n"
        << text_of(h);
    if (expected) {
      ASSERT_TRUE(reference::is_legal_order(object, h, result.linearization)) << text_of(h);
      const auto ok = std::ranges::count(h.operations, Outcome::Ok, &RecordedOperation::outcome);
      const auto placed_ok = std::ranges::count_if(
          result.linearization, [&](std::uint32_t i) { return h.operations[i].outcome == Outcome::Ok; });
      ASSERT_EQ(ok, placed_ok) << text_of(h);
      continue;
    }
    ASSERT_FALSE(result.longest.empty());
    const RecordedOperation stuck = h.operations[result.stuck];
    for (const auto& order : result.longest) {
      ASSERT_TRUE(reference::is_legal_order(object, h, order)) << text_of(h);
      ASSERT_EQ(std::ranges::count(order, result.stuck), 0) << text_of(h);
      // Whoever returned before the one that is stuck is placed.
      for (std::uint32_t i = 0; i < h.operations.size(); ++i) {
        const RecordedOperation& op = h.operations[i];
        if (op.outcome == Outcome::Ok && op.returned < stuck.returned) {
          ASSERT_EQ(std::ranges::count(order, i), 1) << text_of(h);
        }
      }
    }
    ASSERT_FALSE(reference::linearizable(object, h, stuck.returned + 1)) << text_of(h);
    ASSERT_TRUE(reference::linearizable(object, h, stuck.returned)) << text_of(h);
  }
}

void compare_random(std::string_view object, int histories, std::uint64_t seed) {
  RecordedHistory h;
  reference::Generator generator(object, h, seed);
  std::size_t violated = 0;
  for (int i = 0; i < histories; ++i) {
    generator.linearizable(small_shape(object, generator));
    const std::uint64_t changes = generator.below(3);
    for (std::uint64_t change = 0; change < changes; ++change) generator.perturb();
    if (changes == 0 && i % 16 == 0) {
      ASSERT_TRUE(reference::linearizable(object, h)) << text_of(h);
    }
    ASSERT_NO_FATAL_FAILURE(compare(object, h, violated));
    if (i % 4 == 0) {
      ASSERT_NO_FATAL_FAILURE(compare_search(object, h));
    }
  }
  // Neither answer is rare.
  EXPECT_GT(violated, static_cast<std::size_t>(histories) / 100) << object;
  EXPECT_LT(violated, static_cast<std::size_t>(histories) / 2) << object;
}

class Wgl : public testing::TestWithParam<std::string_view> {};

TEST_P(Wgl, AgreesWithAllPermutations) { compare_random(GetParam(), 2000, 1); }
TEST_P(Wgl, SlowAgreesWithAllPermutations) { compare_random(GetParam(), 100'000, 2); }

// Longer histories, with more clients, checkpoints that are really passed and wide sets.
void compare_with_plain(std::string_view object, int histories, const reference::Shape& shape) {
  RecordedHistory h;
  reference::Generator generator(object, h, 3);
  const Specification& specification = *find_specification(object);
  int decided = 0;
  for (int i = 0; i < histories; ++i) {
    generator.linearizable(shape);
    if (i % 2 == 1) generator.perturb();
    std::vector<std::uint32_t> whole(h.operations.size());
    std::iota(whole.begin(), whole.end(), 0);
    const auto plain_object = specification.object(h, whole);
    const auto expected = reference::PlainWgl(h, *plain_object).run(2'000);
    if (i % 2 == 0 && expected) {
      ASSERT_TRUE(*expected) << text_of(h);
    }
    for (const bool cuts : {true, false}) {
      const HistoryResult result = check_history(h, specification,
                                                 {.limits = {.seconds = expected ? 60.0 : 0.02},
                                                  .method = HistoryCheckOptions::Method::Wgl,
                                                  .quiescent_cuts = cuts});
      if (expected) {
        ASSERT_EQ(result.verdict, *expected ? Verdict::Holds : Verdict::Violated) << object << "\n" << text_of(h);
      } else if (i % 2 == 0) {
        ASSERT_NE(result.verdict, Verdict::Violated) << object << "\n" << text_of(h);
      }
    }
    decided += expected ? 1 : 0;
  }
  EXPECT_GT(decided, histories / 10) << object;
}

TEST_P(Wgl, AgreesWithTheTextbookOnLongerHistories) {
  compare_with_plain(GetParam(), 30,
                     {.operations = 200, .processes = 4, .values = 3, .unknown_percent = 0, .failed_percent = 2});
}
TEST_P(Wgl, AgreesWithTheTextbookWhereOutcomesAreUnknown) {
  compare_with_plain(GetParam(), 30, {.operations = 60, .processes = 3, .values = 3, .unknown_percent = 12});
}

INSTANTIATE_TEST_SUITE_P(Objects, Wgl, testing::ValuesIn(all_objects),
                         [](const auto& object) { return std::string(object.param); });

RC_GTEST_PROP(WglProperties, AHistoryThatHappenedIsLinearizable, ()) {
  const std::string object(
      *rc::gen::elementOf(std::vector<std::string_view>(std::begin(all_objects), std::end(all_objects))));
  reference::Shape shape;
  shape.operations = *rc::gen::inRange<std::size_t>(0, 60);
  shape.processes = *rc::gen::inRange<std::size_t>(1, 5);
  shape.keys = *rc::gen::inRange<std::size_t>(1, 4);
  shape.unknown_percent = *rc::gen::inRange(0, 50);
  RecordedHistory h;
  reference::Generator generator(object, h, *rc::gen::arbitrary<std::uint32_t>());
  generator.linearizable(shape);
  const HistoryResult result = check_history(h, *find_specification(object),
                                             {.limits = {.seconds = 5}, .method = HistoryCheckOptions::Method::Wgl});
  RC_ASSERT(result.verdict != Verdict::Violated);
  RC_ASSERT(result.verdict != Verdict::Error);
}

// More operations open at once, and more of unknown outcome, than bits in a word or two.
TEST(WglSets, AreAsWideAsTheyNeedToBe) {
  for (const int width : {20, 30, 50, 70, 150}) {
    for (const bool valid : {true, false}) {
      RecordedHistory h;
      const auto write = h.name("write"), read = h.name("read");
      const auto value = [&](int i) { return h.values.integer(i); };
      std::vector<std::size_t> readers;
      for (int i = 0; i < width; ++i) {
        readers.push_back(h.invoke(h.process("r" + std::to_string(i)), read, no_key, nil));
        h.invoke(h.process("u" + std::to_string(i)), write, no_key, value(width + i));
      }
      for (int i = 0; i < width; i += 2) {
        h.complete(h.invoke(h.process("w"), write, no_key, value(i)), Outcome::Ok);
      }
      for (int i = 0; i < width; ++i) {
        const int seen = !valid && i == width - 1 ? -1 : i - i % 2;
        h.complete(readers[static_cast<std::size_t>(i)], Outcome::Ok, value(seen));
      }
      const HistoryResult result =
          check_history(h, *find_specification("register"), {.method = HistoryCheckOptions::Method::Wgl});
      EXPECT_EQ(result.verdict, valid ? Verdict::Holds : Verdict::Violated) << width;
    }
  }
}

}  // namespace
}  // namespace heddle::wgl_test
