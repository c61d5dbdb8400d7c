#include "check/monitors/monitors.h"

#include <gtest/gtest.h>

#include <numeric>

#include "check/small_histories.h"

namespace heddle {
namespace {

using small::Generator;
using small::Kind;
using small::Type;

std::optional<MonitorResult> run(Type type, const RecordedHistory& history) {
  using monitors::Role;
  const small::Names names = small::names(type);
  std::vector<Role> roles;
  for (const std::string& function : history.functions) {
    roles.push_back(function == names.insert   ? Role::Insert
                    : function == names.remove ? Role::Remove
                    : function == names.look   ? Role::Look
                                               : Role::Other);
  }
  std::vector<std::uint32_t> part(history.operations.size());
  std::iota(part.begin(), part.end(), 0U);
  Budget budget;
  const monitors::Input input{history, roles, part, budget};
  switch (type) {
    case Type::Register:
      return monitors::check_register(input);
    case Type::Set:
      return monitors::check_set(input);
    case Type::Queue:
      return monitors::check_queue(input);
    case Type::Stack:
      return monitors::check_stack(input);
    case Type::PriorityQueue:
      return monitors::check_priority_queue(input);
  }
  return {};
}

struct Tally {
  std::size_t holds = 0, violated = 0, none = 0, culprits = 0;
};

// Compares the monitor with the checker that tries everything. Stops at the first difference.
Tally compare(Type type, const Generator::Options& options, std::uint64_t seed, int histories) {
  Generator generator(type, options, seed);
  Tally tally;
  RecordedHistory recorded;
  for (int i = 0; i < histories && !::testing::Test::HasFailure(); ++i) {
    const small::History history = generator.next();
    std::vector<std::size_t> indices;
    small::record(type, history, recorded, indices);
    const auto result = run(type, recorded);
    if (!result) {
      ++tally.none;
      continue;
    }
    const bool expected = small::BruteForce(type, history).linearizable();
    EXPECT_EQ(result->verdict, expected ? Verdict::Holds : Verdict::Violated)
        << show(history) << "\nhistory " << i << ": " << result->reason;
    ++(expected ? tally.holds : tally.violated);
    if (expected) continue;

    // The culprits are enough: alone they are not linearizable either.
    EXPECT_FALSE(result->reason.empty());
    std::vector<bool> kept(history.operations.size());
    for (std::size_t k = 0; k < kept.size(); ++k) {
      kept[k] = std::ranges::binary_search(result->culprits, static_cast<std::uint32_t>(indices[k]));
    }
    EXPECT_FALSE(small::BruteForce(type, restrict_to(history, kept)).linearizable())
        << show(history) << "\nhistory " << i << ", culprits of: " << result->reason << "\n"
        << show(restrict_to(history, kept));
    tally.culprits += result->culprits.size();
  }
  std::printf("%zu linearizable, %zu not, no answer for %zu; %.2f culprits on average\n", tally.holds, tally.violated,
              tally.none,
              static_cast<double>(tally.culprits) / static_cast<double>(std::max<std::size_t>(tally.violated, 1)));
  return tally;
}

class MonitorDifferential : public ::testing::TestWithParam<Type> {};

TEST_P(MonitorDifferential, CompleteHistories) {
  const Tally tally = compare(GetParam(), {.most = 10}, 1, 120000);
  EXPECT_GT(tally.holds, 20000U);
  EXPECT_GT(tally.violated, 10000U);
  EXPECT_EQ(tally.none, 0U);
}

TEST_P(MonitorDifferential, UnknownOutcomes) {
  const Tally tally = compare(GetParam(), {.most = 10, .unknown = true}, 2, 120000);
  EXPECT_GT(tally.holds, 20000U);
  EXPECT_GT(tally.violated, 5000U);
}

TEST_P(MonitorDifferential, ManyProcessesSlow) {
  const Tally tally = compare(GetParam(), {.least = 6, .most = 13, .processes = 6}, 3, 100000);
  EXPECT_GT(tally.holds, 10000U);
  EXPECT_GT(tally.violated, 10000U);
}

TEST(MonitorOfSets, ValuesMayComeAndGo) {
  const Tally tally = compare(Type::Set, {.most = 11, .repeated = true}, 4, 120000);
  EXPECT_GT(tally.holds, 20000U);
  EXPECT_GT(tally.violated, 20000U);
  EXPECT_EQ(tally.none, 0U);
}

TEST(MonitorOfSets, ValuesMayComeAndGoWithUnknownOutcomes) {
  const Tally tally = compare(Type::Set, {.most = 11, .unknown = true, .repeated = true}, 5, 120000);
  EXPECT_GT(tally.holds, 20000U);
  EXPECT_GT(tally.violated, 20000U);
  EXPECT_EQ(tally.none, 0U);
}

}  // namespace
INSTANTIATE_TEST_SUITE_P(Types, MonitorDifferential,
                         ::testing::Values(Type::Register, Type::Set, Type::Queue, Type::Stack, Type::PriorityQueue),
                         [](const auto& type) { return std::string(small::names(type.param).specification); });
}  // namespace heddle
