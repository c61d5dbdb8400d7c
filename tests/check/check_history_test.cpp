// Checking recorded histories: partitions, threads, budgets, errors, and what is reported of a violation.
#include "check/check_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/reference_objects.h"

namespace heddle::check_history_test {
namespace {

using Method = HistoryCheckOptions::Method;

class Recorder {
 public:
  RecordedHistory h;
  // One operation after the other.
  std::size_t ok(std::string_view function, Value argument, Value result, Value key = no_key) {
    const std::size_t op = h.invoke(h.process("0"), h.name(function), key, argument);
    h.complete(op, Outcome::Ok, result);
    return op;
  }
  std::size_t open(std::string_view function, Value argument, Value key = no_key) {
    return h.invoke(h.process("client " + std::to_string(clients_++)), h.name(function), key, argument);
  }
  Value number(std::int64_t value) { return h.values.integer(value); }

 private:
  int clients_ = 0;
};

HistoryResult check(const Recorder& r, std::string_view specification, const HistoryCheckOptions& options = {}) {
  return check_history(r.h, *find_specification(specification), options);
}

TEST(CheckHistory, AnEmptyHistoryHolds) {
  const Recorder r;
  for (const Specification* specification : specifications()) {
    EXPECT_EQ(check_history(r.h, *specification).verdict, Verdict::Holds);
  }
}

TEST(CheckHistory, SpecificationsAreFoundByOtherNames) {
  EXPECT_EQ(find_specification("cas-register"), find_specification("cas_register"));
  EXPECT_EQ(find_specification("priority-queue")->name(), "priority_queue");
  EXPECT_EQ(find_specification("no such thing"), nullptr);
  EXPECT_GE(specifications().size(), 12u);
}

TEST(CheckHistory, NamesTheOperationThatIsStuckAndWhatCouldBePlaced) {
  Recorder r;
  const auto write = r.ok("write", r.number(1), nil);
  const auto read = r.ok("read", nil, r.number(2));
  r.ok("write", r.number(2), nil);
  const HistoryResult result = check(r, "register", {.method = Method::Wgl});
  ASSERT_EQ(result.verdict, Verdict::Violated);
  ASSERT_EQ(result.failed.size(), 1u);
  EXPECT_EQ(result.failed[0].stuck, read);
  EXPECT_EQ(result.failed[0].longest, (std::vector<std::vector<std::uint32_t>>{{static_cast<std::uint32_t>(write)}}));
  EXPECT_EQ(result.failed[0].operations, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(result.failed[0].method, "wgl");
  EXPECT_EQ(result.method, "wgl");
}

TEST(CheckHistory, LongestNamesEachMaximalChoice) {
  // Two writes at once, then a read of neither: either may have come last.
  Recorder r;
  const auto a = r.open("write", r.number(1)), b = r.open("write", r.number(2));
  r.h.complete(a, Outcome::Ok);
  r.h.complete(b, Outcome::Ok);
  r.ok("read", nil, r.number(3));
  const HistoryResult result = check(r, "register", {.method = Method::Wgl});
  ASSERT_EQ(result.verdict, Verdict::Violated);
  auto longest = result.failed[0].longest;
  std::ranges::sort(longest);
  EXPECT_EQ(longest, (std::vector<std::vector<std::uint32_t>>{{0, 1}, {1, 0}}));
}

TEST(CheckHistory, FailedOperationsDidNotHappen) {
  Recorder r;
  const auto write = r.open("write", r.number(1));
  r.h.complete(write, Outcome::Failed);
  r.ok("read", nil, nil);
  EXPECT_EQ(check(r, "register").verdict, Verdict::Holds);
  r.ok("read", nil, r.number(1));
  EXPECT_EQ(check(r, "register").verdict, Verdict::Violated);
}

TEST(CheckHistory, AnOperationOfUnknownOutcomeMayHappenMuchLaterButOnce) {
  Recorder r;
  r.open("write", r.number(7));
  for (int i = 0; i < 200; ++i) r.ok("write", r.number(i % 3), nil);
  r.ok("read", nil, r.number(7));
  EXPECT_EQ(check(r, "register", {.method = Method::Wgl}).verdict, Verdict::Holds);
  r.ok("write", r.number(1), nil);
  r.ok("read", nil, r.number(7));
  EXPECT_EQ(check(r, "register", {.method = Method::Wgl}).verdict, Verdict::Violated);
}

TEST(CheckHistory, HundredsOfUnknownOutcomesAreNoTrouble) {
  for (const bool valid : {true, false}) {
    Recorder r;
    for (int i = 0; i < 300; ++i) {
      r.open("write", r.number(i % 40));
      if (i % 3 == 0) r.ok("write", r.number(1000 + i), nil);
      if (i % 7 == 0) r.ok("read", nil, r.number(i % 40));
    }
    if (!valid) r.ok("read", nil, r.number(-1));
    EXPECT_EQ(check(r, "register", {.method = Method::Wgl}).verdict, valid ? Verdict::Holds : Verdict::Violated);
  }
}

TEST(CheckHistory, WhatASpecificationDoesNotKnowIsAnError) {
  Recorder r;
  r.ok("write", r.number(1), nil);
  const auto wrong = r.ok("dequeue", nil, nil);
  const HistoryResult result = check(r, "register");
  EXPECT_EQ(result.verdict, Verdict::Error);
  EXPECT_EQ(result.rejected, wrong);
  EXPECT_EQ(result.error, "a register has no operation 'dequeue'; it has read, write");
}

TEST(CheckHistory, ArgumentsAndResultsThatMakeNoSenseAreErrors) {
  const auto error = [](std::string_view specification, std::string_view function, auto argument, auto result) {
    Recorder r;
    r.ok(function, argument(r), result(r), r.number(0));
    return check(r, specification).error;
  };
  const auto nothing = [](Recorder&) { return nil; };
  const auto three = [](Recorder& r) { return r.number(3); };
  const auto text = [](Recorder& r) { return r.h.values.text("x"); };
  const auto no = [](Recorder& r) { return r.h.values.boolean(false); };
  const auto pair = [](Recorder& r) {
    const Value members[] = {r.number(1), r.number(2)};
    return r.h.values.list(members);
  };
  EXPECT_EQ(error("cas_register", "cas", three, nothing), "cas has the argument 3; expected [old new]");
  EXPECT_EQ(error("cas_register", "cas", pair, three), "cas has the result 3; expected true, false or nothing");
  EXPECT_EQ(error("cas_register", "cas", pair, no), "");
  EXPECT_EQ(error("map", "append", three, nothing), "append has the argument 3; expected a text");
  EXPECT_EQ(error("counter", "add", text, nothing), "add has the argument \"x\"; expected an integer");
  EXPECT_EQ(error("counter", "read", nothing, text), "read has the result \"x\"; expected an integer");
  EXPECT_EQ(error("queue", "enqueue", nothing, nothing),
            "enqueue has the argument null; expected a value: nil means empty");
  EXPECT_EQ(error("queue", "offer", three, no),
            "offer has the result false; expected nothing or true; an operation that had no effect is recorded as "
            "failed");
  EXPECT_EQ(error("priority_queue", "insert", pair, nothing),
            "insert has the argument [1,2]; expected an integer or a text");
  EXPECT_EQ(error("set", "contains", three, nothing), "contains has the result null; expected true or false");
  EXPECT_EQ(error("set", "read", nothing, three), "read has the result 3; expected a list");
  EXPECT_EQ(error("lock", "acquire", nothing, three), "acquire has the result 3; expected true, false or nothing");
  // What does not count is said, and so is what is an error.
  for (const auto& [specification, function] : {std::pair("log", "append"), std::pair("counter", "add")}) {
    EXPECT_EQ(error(specification, function, three, text), "");
    EXPECT_EQ(error(specification, function, three, three), "");
    EXPECT_THAT(error(specification, function, three, no), testing::HasSubstr(" has the result false; "));
    EXPECT_THAT(std::string(find_specification(specification)->usage()),
                testing::HasSubstr("not count, but false is an error; "));
  }
  EXPECT_EQ(error("log", "read", nothing, three), "read has the result 3; expected a list");

  Recorder r;
  r.ok("get", nil, nil);
  EXPECT_EQ(check(r, "map").error, "get has no key; for a single value use register or cas_register");
}

TEST(CheckHistory, KeysAreCheckedOnTheirOwnAndSoAreElementsOfASet) {
  Recorder r;
  r.ok("put", r.number(1), nil, r.number(100));
  r.ok("get", nil, nil, r.number(101));
  EXPECT_EQ(check(r, "map").partitions, 2u);
  EXPECT_EQ(check(r, "map", {.partition = false}).partitions, 1u);

  Recorder s;
  const Value yes = s.h.values.boolean(true);
  s.ok("add", s.number(1), yes);
  s.ok("add", s.number(2), yes);
  EXPECT_EQ(check(s, "set").partitions, 2u);
  const Value members[] = {s.number(2), s.number(1)};
  s.ok("read", nil, s.h.values.list(members));
  EXPECT_EQ(check(s, "set").partitions, 1u);
  EXPECT_EQ(check(s, "set").verdict, Verdict::Holds);
}

TEST(CheckHistory, ASetHasNoElementTwice) {
  Recorder s;
  s.ok("add", s.number(2), s.h.values.boolean(true));
  const Value twice[] = {s.number(2), s.number(2)};
  s.ok("read", nil, s.h.values.list(twice));
  EXPECT_EQ(check(s, "set").verdict, Verdict::Violated);
}

// Several thousand operations on many keys, some of them wrong: which violation is reported is the same for any number
// of threads.
TEST(CheckHistory, ThreadsDoNotChangeTheAnswer) {
  for (const std::string_view object : {"cas_register", "queue", "counter"}) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      Recorder r;
      reference::Generator generator(object, r.h, seed);
      generator.linearizable({.operations = 4000, .processes = 6, .keys = 100, .values = 3, .unknown_percent = 1});
      if (seed % 2 == 1) {
        for (int i = 0; i < 20; ++i) generator.perturb();
      }
      const HistoryResult one = check(r, object, {.threads = 1, .method = Method::Wgl});
      EXPECT_EQ(one.partitions, 100u);
      if (seed % 2 == 0) {
        EXPECT_EQ(one.verdict, Verdict::Holds);
      }
      for (const unsigned threads : {2u, 4u}) {
        const HistoryResult several = check(r, object, {.threads = threads, .method = Method::Wgl});
        EXPECT_EQ(several.verdict, one.verdict);
        ASSERT_EQ(several.failed.size(), one.failed.size());
        for (std::size_t i = 0; i < one.failed.size(); ++i) {
          EXPECT_EQ(several.failed[i].operations, one.failed[i].operations);
          EXPECT_EQ(several.failed[i].stuck, one.failed[i].stuck);
        }
      }
      const HistoryResult all = check(r, object, {.threads = 2, .method = Method::Wgl, .stop_at_violation = false});
      EXPECT_EQ(all.decided, all.partitions);
      EXPECT_GE(all.failed.size(), one.failed.size());
      if (!one.failed.empty()) {
        EXPECT_EQ(all.failed[0].operations, one.failed[0].operations);
      }
    }
  }
}

// Twenty-four values enqueued at once and then one that was never: every order has to be tried.
Recorder hopeless() {
  Recorder r;
  std::vector<std::size_t> open;
  for (int i = 0; i < 24; ++i) open.push_back(r.open("enqueue", r.number(i % 20)));
  for (const std::size_t op : open) r.h.complete(op, Outcome::Ok);
  r.ok("dequeue", nil, r.number(99));
  return r;
}

TEST(CheckHistory, TimeIsLimited) {
  for (const bool cuts : {true, false}) {
    const HistoryResult result =
        check(hopeless(), "queue", {.limits = {.seconds = 0.1}, .method = Method::Wgl, .quiescent_cuts = cuts});
    EXPECT_EQ(result.verdict, Verdict::Unknown);
    EXPECT_EQ(result.stopped_by, "time limit of 0.1 s");
    EXPECT_EQ(result.decided, 0u);
  }
}

TEST(CheckHistory, MemoryIsLimited) {
  for (const std::size_t mebibytes : {4, 32}) {
    const HistoryResult result =
        check(hopeless(), "queue", {.limits = {.bytes = mebibytes << 20}, .method = Method::Wgl});
    EXPECT_EQ(result.verdict, Verdict::Unknown);
    EXPECT_EQ(result.stopped_by, "memory limit of " + std::to_string(mebibytes) + " MiB");
    EXPECT_LE(result.peak_bytes, mebibytes << 20);
    EXPECT_GT(result.peak_bytes, mebibytes << 18);
  }
}

TEST(CheckHistory, AViolationElsewhereIsFoundBeforeTheBudgetIsSpent) {
  Recorder r = hopeless();
  for (RecordedOperation& op : r.h.operations) op.key = r.number(500);
  r.ok("dequeue", nil, r.number(1), r.number(501));
  const HistoryResult result = check(r, "queue", {.limits = {.seconds = 60}, .method = Method::Wgl});
  EXPECT_EQ(result.verdict, Verdict::Violated);
  EXPECT_EQ(result.partitions, 2u);
  EXPECT_EQ(result.failed.at(0).operations, (std::vector<std::uint32_t>{25}));
}

TEST(CheckHistory, LongHistoriesNeedLittleMemory) {
  Recorder r;
  reference::Generator generator("cas_register", r.h, 11);
  for (const bool valid : {true, false}) {
    generator.linearizable({.operations = 50'000, .processes = 6, .values = 4, .unknown_percent = 0});
    if (!valid) r.ok("read", nil, r.number(77));
    const HistoryResult result = check(r, "cas_register", {.method = Method::Wgl});
    EXPECT_EQ(result.verdict, valid ? Verdict::Holds : Verdict::Violated);
    EXPECT_LT(result.peak_bytes, std::size_t{16} << 20);
  }
}

}  // namespace
}  // namespace heddle::check_history_test
