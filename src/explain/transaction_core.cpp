// Leaves out transactions, from the last to the first, as long as a check of the rest still finds the level broken.
#include "explain/transaction_core.h"

#include <algorithm>
#include <numeric>

#include "check/transactions/restricted.h"
#include "explain/transaction_explanation.h"

namespace heddle::explain {
namespace {

using namespace transactions;

constexpr std::size_t most_to_minimise = 400;   // transactions
constexpr std::size_t most_elements_seen = 64;  // of one list, its end

class CoreSearch {
 public:
  CoreSearch(const TransactionHistory& history, const Level& level, Budget& budget)
      : history_(history), level_(level), budget_(budget) {}

  std::vector<std::uint32_t> find(const IsolationFinding& finding) {
    std::vector<std::uint32_t> core = transactions_of(finding);
    if (finding.element != never) core.push_back(history_.writer(finding.element));
    for (const std::uint32_t op : finding.operations) core.push_back(transaction_of(op));
    tidy(core);
    if (!breaks(core)) {
      // Somebody else matters: those whose writes were seen.
      for (int round = 0; round < 2; ++round) {
        add_seen(core);
        if (breaks(core)) break;
      }
    }
    if (!breaks(core)) {
      core.resize(history_.transactions.size());
      std::iota(core.begin(), core.end(), 0U);
      if (core.size() > most_to_minimise) return {};
    }
    leave_out(core);
    return core;
  }

 private:
  static void tidy(std::vector<std::uint32_t>& all) {
    std::ranges::sort(all);
    all.erase(std::ranges::unique(all).begin(), all.end());
    if (!all.empty() && all.back() == never) all.pop_back();
  }
  std::uint32_t transaction_of(std::uint32_t operation) const {
    for (std::uint32_t t = 0; t < history_.transactions.size(); ++t) {
      if (history_.transactions[t].begin <= operation && operation < history_.transactions[t].end) return t;
    }
    return never;
  }

  void add_seen(std::vector<std::uint32_t>& core) const {
    const std::vector<std::uint32_t> before = core;
    for (const std::uint32_t t : before) {
      for (const TransactionOperation& op : history_.operations_of(t)) {
        if (op.action != TransactionAction::Read && op.action != TransactionAction::Odd) continue;
        if (history_.workload == Workload::Register) {
          if (op.what != nothing) core.push_back(history_.writer(op.what));
          continue;
        }
        const std::vector<std::uint32_t> list = history_.list(op);
        const std::size_t skip = list.size() > most_elements_seen ? list.size() - most_elements_seen : 0;
        for (std::size_t i = skip; i < list.size(); ++i) core.push_back(history_.writer(list[i]));
      }
    }
    tidy(core);
  }

  bool breaks(const std::vector<std::uint32_t>& kept) {
    const TransactionHistory rest = restricted(history_, kept);
    return check_transactions(rest, {.asked = level_, .budget = &budget_, .most_steps = 2'000}).verdict ==
           Verdict::Violated;
  }

  // From the last to the first, until nothing more can go.
  void leave_out(std::vector<std::uint32_t>& core) {
    for (bool smaller = true; smaller;) {
      smaller = false;
      for (std::size_t i = core.size(); i-- > 0 && core.size() > 1;) {
        if (!budget_.check(0)) return;
        std::vector<std::uint32_t> rest = core;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
        if (!breaks(rest)) continue;
        core = rest;
        smaller = true;
      }
    }
  }

  const TransactionHistory& history_;
  const Level level_;
  Budget& budget_;
};

}  // namespace

std::vector<std::uint32_t> transaction_core(const TransactionHistory& history, const IsolationFinding& finding,
                                            const Level& level, Budget& budget) {
  // Of a bank or a counter the finding is about one read, which says all.
  if (history.workload == Workload::Bank || history.workload == Workload::Counter) return {};
  return CoreSearch(history, level, budget).find(finding);
}

}  // namespace heddle::explain
