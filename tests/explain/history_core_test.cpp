#include "explain/history_core.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "explain/history_explanation.h"

namespace heddle::explain::history_core_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Builder {
  RecordedHistory history;
  std::size_t begin(const char* process, const char* function, Value argument = nil) {
    return history.invoke(history.process(process), history.name(function), no_key, argument);
  }
  void end(std::size_t operation, Value result = nil) { history.complete(operation, Outcome::Ok, result); }
  void whole(const char* process, const char* function, Value argument, Value result) {
    end(begin(process, function, argument), result);
  }
  Value number(int n) { return history.values.integer(n); }
};

PartitionResult violation(const RecordedHistory& history, const char* specification) {
  const HistoryResult r = check_history(history, *find_specification(specification), {});
  EXPECT_EQ(r.verdict, Verdict::Violated);
  return r.failed.at(0);
}

// Long before it, and at the same time, much happens that has nothing to do with it.
TEST(HistoryCore, AStaleReadAmongOthers) {
  Builder b;
  for (int i = 0; i < 40; ++i) {
    b.whole("9", "write", b.number(100 + i % 7), nil);
    b.whole("8", "read", nil, b.number(100 + i % 7));
  }
  b.whole("0", "write", b.number(1), nil);
  const std::size_t slow = b.begin("7", "write", b.number(55));
  b.whole("1", "write", b.number(2), nil);
  b.whole("2", "read", nil, b.number(1));
  b.end(slow);
  const HistoryCore core = find_core(b.history, *find_specification("register"), violation(b.history, "register"));
  EXPECT_TRUE(core.proven);
  EXPECT_TRUE(core.others);
  EXPECT_THAT(core.operations, ElementsAre(80, 82, 83));
  EXPECT_EQ(core.stuck, 83u);
  EXPECT_THAT(core.objects, ElementsAre("2"));
}

// Far too many different values to try each at every moment.
TEST(HistoryCore, AStaleReadAmongThousandsOfValues) {
  Builder b;
  for (int i = 0; i < 3000; ++i)
    b.whole("9", i % 3 == 0 ? "write" : "read", i % 3 == 0 ? b.number(i) : nil, i % 3 == 0 ? nil : b.number(i - i % 3));
  b.whole("2", "read", nil, nil);
  const HistoryCore core =
      find_core(b.history, *find_specification("cas_register"), violation(b.history, "cas_register"));
  EXPECT_TRUE(core.proven);
  EXPECT_EQ(core.operations.size(), 2u);  // the read, and any one that had seen or written something before
  EXPECT_EQ(core.stuck, 3000u);
}

TEST(HistoryCore, AValueNobodyWrote) {
  Builder b;
  b.whole("0", "write", b.number(1), nil);
  b.whole("1", "read", nil, b.number(7));
  b.whole("0", "write", b.number(2), nil);
  const HistoryCore core = find_core(b.history, *find_specification("register"), violation(b.history, "register"));
  EXPECT_THAT(core.operations, ElementsAre(1));
  EXPECT_TRUE(core.proven);
}

// A queue has endlessly many states when its operations may be repeated: they then happen at most once.
TEST(HistoryCore, AQueueOutOfOrder) {
  Builder b;
  for (const int n : {5, 6, 6}) b.whole("0", "enqueue", b.number(n), nil);  // twice a 6, so that no monitor applies
  b.whole("1", "dequeue", nil, b.number(6));
  const HistoryCore core = find_core(b.history, *find_specification("queue"), violation(b.history, "queue"));
  EXPECT_TRUE(core.proven);
  EXPECT_THAT(core.operations, ElementsAre(0, 1, 2, 3));
}

TEST(HistoryExplanation, SaysWhatWasWrongAndWhy) {
  Builder b;
  b.whole("0", "write", b.number(3), nil);
  b.whole("2", "read", nil, nil);
  const PartitionResult failed = violation(b.history, "register");
  const HistoryExplanation e = explain_history(b.history, *find_specification("register"), failed);
  EXPECT_EQ(e.sentences[0],
            "read by process 2 returned nil, but at every moment it could have happened the register was 3.");
  EXPECT_THAT(e.sentences, testing::Contains("write(3) by process 0 had returned before it began."));
  EXPECT_THAT(render(e, {}), HasSubstr("process 2              ├ read → nil ┤ ✗"));
}

// What is said of a core is checked with the checker itself, on histories in which the relaxed operations may happen at
// any time: a copy or two of each, of unknown outcome, invoked before anything else.
class RandomHistories : public testing::Test {
 protected:
  struct Plain {
    std::uint32_t process;
    bool write;
    int value;
    std::uint32_t invoked, returned;
  };

  static std::vector<Plain> draw(std::mt19937& random) {
    const auto roll = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    std::vector<Plain> out;
    std::vector<int> open(3, -1);
    std::uint32_t event = 0;
    for (int i = 0; i < 14; ++i) {
      const auto p = static_cast<std::size_t>(roll(3));
      if (open[p] >= 0) {
        out[static_cast<std::size_t>(open[p])].returned = event++;
        open[p] = -1;
      } else {
        open[p] = static_cast<int>(out.size());
        out.push_back({static_cast<std::uint32_t>(p), roll(2) == 0, roll(3), event++, never});
      }
    }
    return out;
  }

  // Relaxed operations come first, `copies` times each.
  static void fill(RecordedHistory& h, const std::vector<Plain>& plain, const std::vector<std::uint32_t>& firm,
                   int copies) {
    const auto is_firm = [&](std::size_t i) { return std::ranges::find(firm, i) != firm.end(); };
    const auto argument = [&](const Plain& p) { return p.write ? h.values.integer(p.value) : nil; };
    for (std::size_t i = 0; i < plain.size(); ++i) {
      for (int c = 0; c < copies && !is_firm(i); ++c) {
        h.invoke(h.process(std::to_string(100 * (c + 1) + static_cast<int>(i))),
                 h.name(plain[i].write ? "write" : "read"), no_key, argument(plain[i]));
      }
    }
    std::vector<std::pair<std::uint32_t, std::size_t>> events;
    for (std::size_t i = 0; i < plain.size(); ++i) {
      if (!is_firm(i)) continue;
      events.emplace_back(plain[i].invoked, i);
      if (plain[i].returned != never) events.emplace_back(plain[i].returned, i);
    }
    std::ranges::sort(events);
    std::vector<std::size_t> index(plain.size());
    for (const auto& [event, i] : events) {
      const Plain& p = plain[i];
      if (event == p.invoked) {
        index[i] =
            h.invoke(h.process(std::to_string(p.process)), h.name(p.write ? "write" : "read"), no_key, argument(p));
      } else {
        h.complete(index[i], Outcome::Ok, p.write ? nil : h.values.integer(p.value));
      }
    }
  }

  static bool holds(const std::vector<Plain>& plain, const std::vector<std::uint32_t>& firm, int copies) {
    RecordedHistory h;
    fill(h, plain, firm, copies);
    return check_history(h, *find_specification("cas_register"), {}).verdict == Verdict::Holds;
  }
};

TEST_F(RandomHistories, CoresAreCoresAndMinimal) {
  std::mt19937 random(7);
  int violated = 0;
  for (int round = 0; round < 1500; ++round) {
    const std::vector<Plain> plain = draw(random);
    RecordedHistory h;
    std::vector<std::uint32_t> all(plain.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    fill(h, plain, all, 0);
    const Specification& specification = *find_specification("cas_register");
    const HistoryResult r = check_history(h, specification, {});
    if (r.verdict != Verdict::Violated) continue;
    ++violated;
    const HistoryCore core = find_core(h, specification, r.failed.at(0));
    ASSERT_TRUE(core.proven);
    // A prefix may have been enough.
    std::vector<Plain> begun = plain;
    std::erase_if(begun, [&](const Plain& p) { return p.invoked > core.until; });
    for (Plain& p : begun) p.returned = p.returned > core.until ? never : p.returned;
    ASSERT_FALSE(holds(begun, core.operations, 3));
    for (const std::uint32_t i : core.operations) {
      std::vector<std::uint32_t> less = core.operations;
      std::erase(less, i);
      ASSERT_TRUE(holds(begun, less, 5)) << "operation " << i << " does not matter";
    }
  }
  EXPECT_GT(violated, 500);
}

}  // namespace
}  // namespace heddle::explain::history_core_test
