// Splits a history into partitions, picks a method for each, and shares them among threads, the expensive ones last.
#include "check/check_history.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <new>
#include <numeric>
#include <thread>
#include <utility>

#include "check/monitors/monitor.h"
#include "check/product_object.h"
#include "check/search_guard.h"
#include "check/wgl.h"

namespace heddle {
namespace {

using Method = HistoryCheckOptions::Method;

// Partitions that need more configurations than this wait until all others are decided.
constexpr std::size_t first_round = 100'000;
// Below this many operations starting threads costs more than they save.
constexpr std::size_t least_for_threads = 2000;

class HistoryCheck {
 public:
  HistoryCheck(const RecordedHistory& history, const Specification& specification, const HistoryCheckOptions& options)
      : history_(history),
        specification_(specification),
        options_(options),
        budget_(options.limits),
        shared_(budget_) {}

  HistoryResult check() {
    HistoryResult result;
    if (!find_rejected(result)) check_parts(result);
    result.seconds = budget_.seconds();
    result.peak_bytes = shared_.peak;
    return result;
  }

 private:
  bool find_rejected(HistoryResult& result) const {
    for (std::uint32_t i = 0; i < history_.operations.size(); ++i) {
      auto error = specification_.reject(history_, history_.operations[i]);
      if (!error) continue;
      result.verdict = Verdict::Error;
      result.error = std::move(*error);
      result.rejected = i;
      return true;
    }
    return false;
  }

  void check_parts(HistoryResult& result) {
    parts_ = specification_.partition(history_);
    // A history that is not split is decided by search over the product of its parts.
    const bool as_one = !options_.partition && parts_.size() > 1;
    result.partitions = as_one ? 1 : parts_.size();

    if (as_one) {
      std::vector<std::uint32_t> whole(history_.operations.size());
      std::iota(whole.begin(), whole.end(), 0);
      guarded(0, whole, [&] { check_whole(whole); });
    } else {
      std::vector<std::size_t> all(parts_.size());
      std::iota(all.begin(), all.end(), 0);
      if (all.size() > 1) most_configurations_ = first_round;
      check_all(std::move(all));
      most_configurations_ = std::numeric_limits<std::size_t>::max();
      if (failed_.empty() || !options_.stop_at_violation) check_all(std::exchange(postponed_, {}));
    }

    if (thrown_) std::rethrow_exception(thrown_);
    std::ranges::sort(failed_, {}, &Failed::number);
    if (options_.stop_at_violation && failed_.size() > 1) failed_.resize(1);
    for (Failed& failed : failed_) result.failed.push_back(std::move(failed.result));
    result.decided = decided_;
    result.method = monitored_ && searched_ ? "monitor+wgl" : monitored_ ? "monitor" : "wgl";
    if (!result.failed.empty()) {
      result.verdict = Verdict::Violated;
    } else if (result.decided == result.partitions) {
      result.verdict = Verdict::Holds;
    } else {
      result.stopped_by = budget_.stopped() != Budget::Stop::None
                              ? budget_.reason()
                              : "no monitor applies to a history of this " + std::string(specification_.name());
    }
  }

  // Partitions are taken in order, and after a violation those before it are still decided. So the violation that is
  // reported does not depend on the number of threads.
  void check_all(std::vector<std::size_t> numbers) {
    std::ranges::sort(numbers);
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t i; (i = next++) < numbers.size();) {
        if (numbers[i] > shared_.last_needed || budget_.stopped() != Budget::Stop::None) return;
        guarded(numbers[i], parts_[numbers[i]], [&] { check_part(numbers[i]); });
      }
    };
    const std::size_t threads =
        history_.operations.size() < least_for_threads ? 1 : std::min<std::size_t>(options_.threads, numbers.size());
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < threads; ++i) others.emplace_back(work);
    work();
  }

  // Runs `work` in any thread and keeps what it throws; check_parts throws it again. But running out of memory ends
  // the budget, and a failed assertion of the specification is a violation of partition `number`.
  template <typename Work>
  void guarded(std::size_t number, std::vector<std::uint32_t>& part, const Work& work) {
    try {
      work();
    } catch (const std::bad_alloc&) {
      budget_.stop(Budget::Stop::Memory);
    } catch (const SpecificationAssertion& failed) {
      PartitionResult result;
      result.method = "wgl";
      result.verdict = Verdict::Violated;
      result.assertion = failed.failure;
      finish(number, part, std::move(result));
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!thrown_) thrown_ = std::current_exception();
      shared_.last_needed = 0;
    }
  }

  void check_part(std::size_t number) {
    std::vector<std::uint32_t>& part = parts_[number];
    PartitionResult result;
    if (options_.method != Method::Wgl) {
      if (auto monitored = monitor(specification_, history_, part, budget_)) {
        monitored_ = true;
        result.method = "monitor";
        result.verdict = monitored->verdict;
        result.culprits = std::move(monitored->culprits);
        result.reason = std::move(monitored->reason);
        finish(number, part, std::move(result));
        return;
      }
      if (options_.method == Method::Monitor) return;
    }
    search(number, part, *specification_.object(history_, part));
  }

  void check_whole(std::vector<std::uint32_t>& whole) {
    ProductObject product(specification_, history_, parts_);
    search(0, whole, product);
  }

  void search(std::size_t number, std::vector<std::uint32_t>& part, Object& object) {
    searched_ = true;
    SearchGuard guard(shared_, number);
    WglOptions options;
    if (!options_.quiescent_cuts) options.stretch = 0;
    options.most_configurations = most_configurations_;
    WglResult found = wgl(history_.operations, part, object, guard, options);
    if (found.verdict == Verdict::Unknown && found.configurations >= most_configurations_) {
      std::lock_guard lock(mutex_);
      postponed_.push_back(number);
      return;
    }
    PartitionResult result;
    result.method = "wgl";
    result.verdict = found.verdict;
    result.longest = std::move(found.longest);
    result.stuck = found.stuck;
    finish(number, part, std::move(result));
  }

  void finish(std::size_t number, std::vector<std::uint32_t>& part, PartitionResult result) {
    if (result.verdict == Verdict::Unknown) return;
    ++decided_;
    if (result.verdict != Verdict::Violated) return;
    result.operations = std::move(part);
    std::erase_if(result.operations,
                  [&](std::uint32_t i) { return history_.operations[i].outcome == Outcome::Failed; });
    std::lock_guard lock(mutex_);
    failed_.push_back({number, std::move(result)});
    if (options_.stop_at_violation && number < shared_.last_needed) shared_.last_needed = number;
  }

  struct Failed {
    std::size_t number;
    PartitionResult result;
  };

  const RecordedHistory& history_;
  const Specification& specification_;
  const HistoryCheckOptions& options_;
  Budget budget_;
  SharedSearches shared_;

  std::vector<std::vector<std::uint32_t>> parts_;
  std::size_t most_configurations_ = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> postponed_;
  std::atomic<std::size_t> decided_{0};
  std::atomic<bool> monitored_{false}, searched_{false};
  std::mutex mutex_;
  std::vector<Failed> failed_;
  std::exception_ptr thrown_;
};

}  // namespace

HistoryResult check_history(const RecordedHistory& history, const Specification& specification,
                            const HistoryCheckOptions& options) {
  return HistoryCheck(history, specification, options).check();
}

}  // namespace heddle
