// Recorded intervals contain the real ones: what is recorded of a correct object is linearizable, however many threads
// use it, and what is recorded of a broken one is not.
#include <algorithm>
#include <map>
#include <mutex>
#include <random>

#include "record/recorded.h"

namespace heddle::containment_test {
namespace {

// Of numbers handed out one after the other, one handed out before another was asked for is smaller. No checker is
// needed to see that: a sweep over the events with the largest number returned so far.
bool numbers_ascend(const RecordedHistory& history) {
  std::vector<std::pair<std::uint32_t, std::size_t>> returns;
  returns.reserve(history.operations.size());
  for (std::size_t i = 0; i < history.operations.size(); ++i) returns.emplace_back(history.operations[i].returned, i);
  std::sort(returns.begin(), returns.end());
  std::int64_t largest = -1;
  auto next = returns.begin();
  for (const RecordedOperation& operation : history.operations) {  // in the order of their invocations
    for (; next != returns.end() && next->first < operation.invoked; ++next)
      largest = std::max(largest, history.values.as_integer(history.operations[next->second].result));
    if (history.values.as_integer(operation.result) <= largest) return false;
  }
  return true;
}

std::atomic<std::int64_t> coarse_reads{0};
std::int64_t coarse_clock() { return coarse_reads.fetch_add(1) / 50; }

TEST(Containment, TicketsOfAnAtomicCounterAscend) {
  for (const auto clock : {Recorder::ReadClock{nullptr}, Recorder::ReadClock{coarse_clock}}) {
    const auto recorder = clock == nullptr ? std::make_unique<Recorder>() : std::make_unique<Recorder>(clock);
    std::atomic<std::int64_t> counter{0};
    in_threads(4, [&](unsigned client) {
      for (int i = 0; i < 5'000; ++i) {
        auto op = recorder->invoke(client, "get_and_add", 1);
        op.ok(counter.fetch_add(1, std::memory_order_relaxed));
      }
    });
    const ReadBack history(*recorder);
    EXPECT_EQ(history.operations.size(), 20'000u);
    EXPECT_TRUE(numbers_ascend(history));
  }
}

// The counter is read and written in two steps: a ticket is handed out twice, or a smaller one later.
TEST(Containment, TicketsOfARacyCounterDoNot) {
  Recorder recorder;
  std::atomic<std::int64_t> counter{0};
  in_threads(4, [&](unsigned client) {
    for (int i = 0; i < 2'000; ++i) {
      auto op = recorder.invoke(client, "get_and_add", 1);
      const std::int64_t ticket = counter.load(std::memory_order_relaxed);
      if (i % 10 == 0) std::this_thread::yield();
      counter.store(ticket + 1, std::memory_order_relaxed);
      op.ok(ticket);
    }
  });
  const ReadBack history(recorder);
  EXPECT_FALSE(numbers_ascend(history));
  EXPECT_EQ(verdict_of(history, "counter"), Verdict::Violated);
}

// A stale copy of the counter is an answer of the past, although every number is handed out once.
TEST(Containment, TicketsOutOfAPrivateStockDoNot) {
  Recorder recorder;
  std::atomic<std::int64_t> counter{0};
  in_threads(4, [&](unsigned client) {
    std::int64_t stock = 0;
    for (int i = 0; i < 2'000; ++i) {
      auto op = recorder.invoke(client, "get_and_add", 1);
      if (i % 10 == 0) stock = counter.fetch_add(10);
      op.ok(stock + i % 10);
      if (i % 5 == 0) std::this_thread::yield();
    }
  });
  EXPECT_FALSE(numbers_ascend(ReadBack(recorder)));
}

// The operations of one register by several threads, with unique values; `cas` as given.
template <class CompareAndSet>
ReadBack register_history(CompareAndSet compare_and_set) {
  Recorder recorder;
  std::atomic<std::int64_t> shared{0}, next{0};
  recorder.invoke(0, "write", 0).ok();
  in_threads(4, [&](unsigned client) {
    std::mt19937 random(client);
    std::int64_t seen = 0;
    for (int i = 0; i < 1'000; ++i) {
      const auto dice = random() % 3;
      if (dice == 0) {
        auto op = recorder.invoke(client, "read");
        seen = shared.load(std::memory_order_relaxed);
        op.ok(seen);
      } else if (dice == 1) {
        const std::int64_t value = ++next;
        auto op = recorder.invoke(client, "write", value);
        shared.store(value, std::memory_order_relaxed);
        op.ok();
        seen = value;
      } else {
        const std::int64_t value = ++next;
        auto op = recorder.invoke(client, "cas", {seen, value});
        op.ok(compare_and_set(shared, seen, value));
      }
    }
  });
  return ReadBack(recorder);
}

TEST(Containment, AnAtomicRegisterIsLinearizable) {
  const ReadBack history =
      register_history([](std::atomic<std::int64_t>& shared, std::int64_t expected, std::int64_t desired) {
        return shared.compare_exchange_strong(expected, desired, std::memory_order_relaxed);
      });
  EXPECT_EQ(verdict_of(history, "cas_register"), Verdict::Holds);
}

TEST(Containment, ARegisterThatComparesAndSetsInTwoStepsIsNot) {
  const ReadBack history =
      register_history([](std::atomic<std::int64_t>& shared, std::int64_t expected, std::int64_t desired) {
        if (shared.load(std::memory_order_relaxed) != expected) return false;
        std::this_thread::yield();
        shared.store(desired, std::memory_order_relaxed);
        return true;
      });
  EXPECT_EQ(verdict_of(history, "cas_register"), Verdict::Violated);
}

TEST(Containment, AMapBehindAMutexIsLinearizable) {
  Recorder recorder;
  std::mutex mutex;
  std::map<std::string, std::int64_t> map;
  in_threads(4, [&](unsigned client) {
    std::mt19937 random(client);
    for (int i = 0; i < 2'000; ++i) {
      const std::string key = "key number " + std::to_string(random() % 3);
      if (random() % 2 == 0) {
        auto op = recorder.invoke(client, "get", key, nullptr);
        std::optional<std::int64_t> found;
        {
          const std::lock_guard lock(mutex);
          if (const auto at = map.find(key); at != map.end()) found = at->second;
        }
        op.ok(found);
      } else {
        const std::int64_t value = client * 10'000 + i;
        auto op = recorder.invoke(client, "put", key, value);
        {
          const std::lock_guard lock(mutex);
          map[key] = value;
        }
        if (i % 500 == 1) continue;  // its outcome is unknown, although it happened
        op.ok();
      }
    }
  });
  EXPECT_EQ(verdict_of(ReadBack(recorder), "map"), Verdict::Holds);
}

// Saving cuts the history at a moment; what others do meanwhile must not tear it.
TEST(Containment, AHistorySavedWhileThreadsGoOnIsLinearizable) {
  Recorder recorder;
  std::atomic<std::int64_t> counter{0};
  std::vector<std::string> texts;
  in_threads(4, [&](unsigned client) {
    for (int i = 0; i < 3'000; ++i) {
      auto op = recorder.invoke(client, "get_and_add", 1);
      op.ok(counter.fetch_add(1));
      if (client == 0 && i % 300 == 0) texts.push_back(written(recorder));
    }
  });
  for (const std::string& text : texts) {
    RecordedHistory history;
    history::read_history(text, "h.edn", {}, history);
    const std::size_t open =
        std::erase_if(history.operations, [](const RecordedOperation& o) { return o.outcome != Outcome::Ok; });
    EXPECT_TRUE(numbers_ascend(history));
    // A number that is missing below one that was returned was given to an operation the history has as open.
    std::int64_t numbers = 0;
    for (const RecordedOperation& operation : history.operations)
      numbers = std::max(numbers, history.values.as_integer(operation.result) + 1);
    EXPECT_LE(numbers, static_cast<std::int64_t>(history.operations.size() + open));
  }
  EXPECT_EQ(ReadBack(recorder).operations.size(), 12'000u);
}

// An operation may be completed by another thread than the one that invoked it.
TEST(Containment, OperationsMayChangeThreads) {
  Recorder recorder;
  std::mutex mutex;
  std::vector<std::pair<Recorder::Operation, std::int64_t>> handed_over;
  std::atomic<std::int64_t> counter{0};
  std::atomic<int> asking{2};
  in_threads(4, [&](unsigned client) {
    if (client < 2) {
      for (int i = 0; i < 3'000; ++i) {
        auto op = recorder.invoke(client, "get_and_add", 1);
        const std::lock_guard lock(mutex);
        handed_over.emplace_back(std::move(op), counter++);
      }
      --asking;
      return;
    }
    for (;;) {
      std::this_thread::yield();
      const bool last = asking == 0;
      const std::lock_guard lock(mutex);
      if (last && handed_over.empty()) return;
      if (handed_over.empty()) continue;
      handed_over.back().first.ok(handed_over.back().second);
      handed_over.pop_back();
    }
  });
  const ReadBack history(recorder);
  EXPECT_EQ(history.operations.size(), 6'000u);
  EXPECT_TRUE(numbers_ascend(history));
}

}  // namespace
}  // namespace heddle::containment_test
