// Symmetry of threads that make the same calls: verdicts, findings and outcomes are those of the search without
// reduction, and programs that tell such threads apart are found out.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "cli/program.h"
#include "core/facets/assumptions.h"
#include "core/path.h"
#include "reduce/audit_symmetry.h"
#include "run/client_outcomes.h"
#include "run/lower_program.h"
#include "support/checked_program.h"
#include "support/long_run.h"

namespace heddle::cli::native_symmetry_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using Image = std::shared_ptr<const native::Image>;

class NativeSymmetry : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    ASSERT_EQ(::setenv("XDG_CACHE_HOME", environment.at("XDG_CACHE_HOME").c_str(), 1), 0);
  }
  static Image image_of(const fs::path& file, const std::vector<std::string>& flags = {}) {
    return run::lower_program({.sources = {file}, .flags = flags});
  }
  static fs::path example(const char* name) { return fs::path(HEDDLE_SOURCE_DIR) / "examples" / "native" / name; }
  static Image board() { return image_of(fs::path(HEDDLE_SOURCE_DIR) / "tests" / "cli" / "programs" / "alike.cpp"); }

  static native::SystemOptions client(const Image& image, const std::string& text) {
    native::SystemOptions options = options_of_client(*image, text);
    options.admitted =
        std::make_shared<const std::vector<std::set<std::string>>>(run::sequential_outcomes(image, options));
    return options;
  }
  static ProgramAnswer ask(const Image& image, const native::SystemOptions& options, const ReductionPlan& plan) {
    ProgramAnswer answer = checked_program(image, options, plan);
    // Outcomes of a search that was mistaken do not count.
    if (plan.symmetry && !answer.check.not_reduced.empty()) return ask(image, options, {.safe = plan.safe});
    EXPECT_TRUE(answer.check.search.complete);
    const TransitionSystem& system = *answer.check.system;
    for (const Finding& f : answer.check.search.violations) {
      // A finding is a run of the program: each step leads to the next state.
      const auto states = follow(system, f.path);
      EXPECT_TRUE(states.has_value());
      if (!states) continue;
      EXPECT_EQ(system.evaluate(states->back(), ~std::uint64_t{0}) >> f.property & 1, 0u);
    }
    return answer;
  }
  // Returns by how much there are fewer states.
  static double expect_same(const Image& image, const std::string& text) {
    SCOPED_TRACE(text);
    const native::SystemOptions options = client(image, text);
    const ProgramAnswer expected = ask(image, options, {});
    const std::uint64_t all = expected.check.search.counters.states;
    double gain = 0;
    for (const ReductionPlan& plan : {ReductionPlan{.symmetry = true}, ReductionPlan{.safe = true, .symmetry = true}}) {
      const ProgramAnswer found = ask(image, options, plan);
      const std::uint64_t states = found.check.search.counters.states;
      EXPECT_EQ(found.check.verdict, expected.check.verdict);
      EXPECT_EQ(found.violated, expected.violated);
      EXPECT_EQ(found.outcomes, expected.outcomes);
      EXPECT_LE(states, all);
      if (!plan.safe) gain = static_cast<double>(all) / static_cast<double>(states);
    }
    return gain;
  }
};

TEST_F(NativeSymmetry, ExamplesHaveTheSameFindings) {
  const Image queue = image_of(example("michael_scott_queue.cpp"));
  EXPECT_GT(expect_same(queue, "enqueue(1) | enqueue(1) | dequeue() | dequeue()"), 3);
  EXPECT_GT(expect_same(queue, "enqueue(1); dequeue() | enqueue(1); dequeue()"), 1.7);
  const Image list = image_of(example("hand_over_hand_list.cpp"));
  EXPECT_GT(expect_same(list, "add(1); remove(1) | add(1); remove(1) | add(2)"), 1.5);
  const Image lazy = image_of(example("lazy_list.cpp"));
  EXPECT_GT(expect_same(lazy, "add(1) | add(1) | remove(1)"), 1.5);
  const Image stack = image_of(example("afek_stack.cpp"), {"-DBUG_READ_THEN_CLEAR"});
  EXPECT_GT(expect_same(stack, "push(1) | push(1) | pop() | pop()"), 2);
  const Image locks = image_of(example("two_lock_queue.cpp"));
  EXPECT_GT(expect_same(locks, "enqueue(1) | enqueue(1) | dequeue() | dequeue()"), 2);
}

TEST_F(NativeSymmetry, RandomClientsHaveTheSameFindingsSlow) {
  const Image image = board();
  std::mt19937 dice(7);
  const auto pick = [&](int n) { return static_cast<int>(dice() % static_cast<unsigned>(n)); };
  int reduced = 0;
  const auto runs = static_cast<int>(heddle::testing::count_of(60, 2'000));
  for (int run = 0; run < runs && !HasFailure(); ++run) {
    const auto thread = [&] {
      std::string calls;
      for (int i = 0, all = 1 + pick(2); i < all; ++i)
        calls += (i == 0 ? "act(" : "; act(") + std::to_string(pick(20)) + ")";
      return calls;
    };
    const std::string alike = thread();
    std::string text = alike + " | " + alike;
    if (pick(2) == 0) text += " | " + (pick(2) == 0 ? alike : thread());
    reduced += expect_same(image, text) > 1.2 ? 1 : 0;
  }
  EXPECT_GT(reduced, runs / 4);
}

// Everything that names a thread in memory is renamed: otherwise these would not be alike.
TEST_F(NativeSymmetry, LocksAndConditionsNameThreadsThatAreRenamed) {
  const Image image = board();
  for (const char* what : {"1", "4", "6", "8", "9", "13", "18", "2); act(3"}) {
    const std::string call = fmt::format("act({})", what);
    native::SystemOptions options = client(image, fmt::format("{0} | {0} | act(5); act(5)", call));
    const ProgramAnswer found = ask(image, options, {.symmetry = true});
    EXPECT_THAT(found.check.reductions, testing::Contains("symmetry")) << what;
    EXPECT_THAT(found.check.not_reduced, testing::IsEmpty()) << what;
    options.symmetry = true;
    native::System system(image, options);
    const SymmetryAudit audit = until_not_mistaken(system, [&] { return audit_symmetry(system); });
    EXPECT_EQ(audit.witness, "") << what;
    EXPECT_GT(audit.comparisons, 10u) << what;
  }
}

// Addresses that are compared, ids that are kept as numbers.
TEST_F(NativeSymmetry, WhoTellsThreadsApartIsFoundOut) {
  const std::string file = std::string(HEDDLE_SOURCE_DIR) + "/tests/cli/programs/alike.cpp";
  // Their calls, made one at a time, show it already.
  for (const char* what : {"14", "15"}) {
    const std::string text = fmt::format("act({0}) | act({0})", what);
    const Outcome found = heddle({"check", file, "--client", text, "--reduce", "symmetry"});
    EXPECT_THAT(found.out, HasSubstr("not reduced by symmetry: who makes which of the same calls matters")) << what;
  }
  for (const char* what : {"16", "17", "19"}) {
    const std::string text = fmt::format("act({0}) | act({0})", what);
    const Outcome found = heddle({"check", file, "--client", text});
    EXPECT_THAT(found.out, HasSubstr("not reduced by symmetry: what threads 1, 2 do after ")) << what;
    EXPECT_THAT(found.last_line(), Not(HasSubstr("symmetry"))) << what;
    const Outcome insisted = heddle({"check", file, "--client", text, "--reduce", "symmetry"});
    EXPECT_EQ(insisted.code, 3) << insisted.out;
    EXPECT_THAT(insisted.out + insisted.err, HasSubstr("depends on which of them does it")) << what;
    const Outcome audit = heddle({"audit", file, "--client", text});
    EXPECT_EQ(audit.code, 1) << audit.out << audit.err;
  }
}

TEST_F(NativeSymmetry, IsToldVerifiedAndReplayed) {
  const std::string stack = example("afek_stack.cpp").string();
  std::vector<std::string> client = {"check", stack, "--client", "push(1) | push(1) | pop() | pop()"};
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> all = client;
    all.insert(all.end(), more.begin(), more.end());
    return heddle(all);
  };
  const Outcome holds = with({"--verify-reduction"});
  EXPECT_EQ(holds.code, 0) << holds.out << holds.err;
  EXPECT_THAT(holds.out,
              AllOf(HasSubstr("reduction verified"), HasSubstr("reduced by safe sets"), HasSubstr("symmetry")));
  client.back() = "push(1) | pop() | pop()";
  const Outcome all = with({"--all", "--json", "--", "-DBUG_READ_THEN_CLEAR"});
  const Outcome plain = with({"--all", "--json", "--reduce", "none", "--", "-DBUG_READ_THEN_CLEAR"});
  EXPECT_EQ(all.json().at("failing_clients"), plain.json().at("failing_clients"));
  EXPECT_LT(all.json().at("states").to_number<int>(), plain.json().at("states").to_number<int>());
  const Outcome wrong = with({"--no-minimise", "--", "-DBUG_READ_THEN_CLEAR"});
  EXPECT_EQ(wrong.code, 1) << wrong.out << wrong.err;
  EXPECT_EQ(heddle({"replay", "heddle-trace.json"}).code, 1);
  const Outcome audit = heddle({"audit", stack, "--client", "push(1) | push(1)"});
  EXPECT_EQ(audit.code, 0) << audit.out << audit.err;
  EXPECT_THAT(audit.out, HasSubstr("all alike"));
}

TEST_F(NativeSymmetry, ReasonsAgainstItAreGiven) {
  const std::string stack = example("afek_stack.cpp").string(), peterson = example("peterson.c").string();
  EXPECT_THAT(heddle({"check", stack, "--client", "push(1) | pop()", "--reduce", "symmetry"}).out,
              HasSubstr("not reduced by symmetry: no two threads make the same calls"));
  EXPECT_THAT(heddle({"check", stack, "--client", "push(1) | push(1)", "--history", "--reduce", "symmetry"}).out,
              HasSubstr("not reduced by symmetry: histories keep threads apart"));
  EXPECT_THAT(heddle({"check", peterson, "--reduce", "symmetry"}).out,
              HasSubstr("not reduced by symmetry: who started the threads keeps them apart"));
  EXPECT_THAT(heddle({"check", stack, "--client", "push(1) | push(1)", "--reduce", "futures,symmetry"}).out,
              HasSubstr("not reduced by symmetry: thread futures do not go together with it"));
  const Outcome audit = heddle({"audit", peterson});
  EXPECT_EQ(audit.code, 3);
  EXPECT_THAT(audit.out + audit.err, HasSubstr("there is nothing to audit"));
}

}  // namespace
}  // namespace heddle::cli::native_symmetry_test
