// A thread for each member, with a system of its own; the first that decides stops the others.
#include "reduce/portfolio.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>

#include "explore/searches.h"

namespace heddle {
namespace {

using Clock = std::chrono::steady_clock;

// A member at work.
struct Work {
  std::unique_ptr<TransitionSystem> system;
  SearchOptions options;
  ReductionReport report;
  SearchResult result;
  std::exception_ptr error;
  Counters counters;  // as last reported
  double seconds = 0;
  bool decided = false;
};

std::string what(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "an exception";
  }
}

std::set<std::string> names(const Work& work, const std::vector<Finding>& findings) {
  std::set<std::string> out;
  for (const Finding& f : findings) out.insert(work.system->properties()[f.property].name);
  return out;
}

// Returns how two decided members differ; empty if they agree.
std::string difference(const Work& a, const Work& b) {
  if (a.result.verdict != b.result.verdict) {
    return std::string(name(a.result.verdict)) + " against " + std::string(name(b.result.verdict));
  }
  if (!a.result.complete || !b.result.complete) return {};
  if (names(a, a.result.violations) != names(b, b.result.violations)) return "other properties are violated";
  if (names(a, a.result.witnesses) != names(b, b.result.witnesses)) return "other properties are reached";
  const auto orbits = [](const Work& w) { return std::ranges::find(w.report.applied, "symmetry"); };
  const bool comparable = orbits(a) == a.report.applied.end() && orbits(b) == b.report.applied.end();
  if (comparable && a.result.counters.deadlocks != b.result.counters.deadlocks) {
    return std::to_string(a.result.counters.deadlocks) + " final states against " +
           std::to_string(b.result.counters.deadlocks);
  }
  return {};
}

class Portfolio {
 public:
  Portfolio(const SearchOptions& options, const std::vector<PortfolioMember>& members, const PortfolioOptions& how)
      : options_(options), members_(members), how_(how), works_(members.size()) {}

  PortfolioResult run(const std::function<std::unique_ptr<TransitionSystem>()>& make) {
    for (std::size_t i = 0; i < works_.size(); ++i) {
      works_[i].system = make();
      if (works_[i].system->threads() == nullptr) {
        throw ModelError("a portfolio is about the order of threads, and the system has none; drop --portfolio");
      }
      works_[i].options = options_of(i);
    }
    {
      std::vector<std::jthread> threads;
      try {
        for (std::size_t i = 0; i < works_.size(); ++i) threads.emplace_back([this, i] { search(i); });
      } catch (const std::system_error&) {
        stop_ = true;
        const std::size_t started = threads.size();
        threads.clear();
        too_few_threads(started, works_.size());
      }
    }
    compare();
    return result();
  }

 private:
  SearchOptions options_of(std::size_t i) {
    SearchOptions options = options_;
    options.limits.stop = &stop_;
    options.limits.bytes /= works_.size();
    if (options_.progress) {
      options.progress = [this, i](const Counters& counters, double seconds) { progress(i, counters, seconds); };
    }
    if (how_.on_deadlock) {
      options.on_deadlock = [this, i](std::span<const Slot> state) {
        const std::lock_guard lock(mutex_);
        how_.on_deadlock(*works_[i].system, state);
      };
    }
    return options;
  }

  void search(std::size_t i) {
    Work& work = works_[i];
    try {
      work.result = reduced_search(*work.system, work.options, members_[i].plan, work.report);
      work.decided = work.result.complete || (options_.stop_at_violation && !work.result.violations.empty());
    } catch (...) {
      work.error = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    work.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    if (!work.decided) return;
    if (!winner_) winner_ = i;
    if (!how_.wait_for_all) stop_ = true;
  }

  // Reports what all members together have done, about as often as one member alone would.
  void progress(std::size_t i, const Counters& counters, double seconds) {
    const std::lock_guard lock(mutex_);
    works_[i].counters = counters;
    if (seconds - last_progress_ < 0.4) return;
    last_progress_ = seconds;
    Counters all;
    for (const Work& work : works_) {
      all.states += work.counters.states;
      all.transitions += work.counters.transitions;
      all.queue += work.counters.queue;
      all.store_bytes += work.counters.store_bytes;
      all.door_bytes += work.counters.door_bytes;
      all.depth = std::max(all.depth, work.counters.depth);
    }
    options_.progress(all, seconds);
  }

  void compare() const {
    if (!winner_) return;
    for (std::size_t i = 0; i < works_.size(); ++i) {
      if (i == *winner_ || !works_[i].decided) continue;
      const std::string how = difference(works_[*winner_], works_[i]);
      if (how.empty()) continue;
      throw std::logic_error("two searches of a portfolio disagree, so a reduction is wrong: " +
                             members_[*winner_].name() + " and " + members_[i].name() + ": " + how);
    }
  }

  PortfolioResult result() {
    PortfolioResult out;
    for (std::size_t i = 0; i < works_.size(); ++i) {
      const Work& work = works_[i];
      out.members.push_back({members_[i].name(), work.decided, work.result.verdict,
                             work.error ? what(work.error) : std::string(), work.result.counters, work.seconds});
    }
    out.decided = winner_.has_value();
    if (!winner_) winner_ = most_seen();
    Work& work = works_[*winner_];
    if (work.error) std::rethrow_exception(work.error);
    out.winner = *winner_;
    out.search = std::move(work.result);
    out.report = std::move(work.report);
    const std::string order = members_[*winner_].plan.order.text();
    out.report.chosen = (order.empty() ? "" : order + ", ") + (out.decided ? "the first" : "one") + " of " +
                        std::to_string(works_.size()) + " searches side by side";
    out.system = std::move(work.system);
    return out;
  }

  // A member that found violations, or has seen most states; one that failed only if all did.
  std::size_t most_seen() const {
    const auto key = [](const Work& w) {
      return std::tuple(!w.error, !w.result.violations.empty(), w.result.counters.states);
    };
    return static_cast<std::size_t>(std::ranges::max_element(works_, {}, key) - works_.begin());
  }

  const SearchOptions& options_;
  const std::vector<PortfolioMember>& members_;
  const PortfolioOptions& how_;
  const Clock::time_point start_ = Clock::now();
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::vector<Work> works_;
  std::optional<std::size_t> winner_;
  double last_progress_ = 0;
};

}  // namespace

std::string PortfolioMember::name() const {
  std::string out = plan.lazy ? "lazy source sets" : plan.futures ? "thread futures" : "safe sets";
  if (const std::string order = plan.order.text(); !order.empty()) out += ", " + order;
  return out;
}

std::vector<PortfolioMember> portfolio_members(const ReductionPlan& common) {
  ReductionPlan plan = common;
  plan.partial_order = plan.safe = plan.futures = plan.lazy = plan.eager = false;
  plan.order = {};
  std::vector<PortfolioMember> out(6, {plan});
  out[0].plan.safe = true;
  out[1].plan.futures = true;
  for (std::size_t i = 2; i < out.size(); ++i) out[i].plan.lazy = true;
  out[3].plan.order.descending = true;
  out[4].plan.order.seed = 1;
  out[5].plan.order.seed = 2;
  return out;
}

PortfolioResult portfolio_search(const std::function<std::unique_ptr<TransitionSystem>()>& make,
                                 const SearchOptions& options, const std::vector<PortfolioMember>& members,
                                 const PortfolioOptions& how) {
  return Portfolio(options, members, how).run(make);
}

}  // namespace heddle
