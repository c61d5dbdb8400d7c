// Arbitrary bytes as a history of transactions: a HistoryError with a position, or a history that is checked without a
// failing certificate, and that is the same after it was written and read.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "check/transactions/check_transactions.h"
#include "history/transactions.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heddle;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const history::Format format : {history::Format::Edn, history::Format::Json}) {
    TransactionHistory recorded;
    // Only a bank has a total, and needs one.
    std::optional<std::int64_t> total;
    if (text.find("transfer") != text.npos) total = 10;
    try {
      history::read_transactions(text, "input", {.format = format, .total = total}, recorded);
    } catch (const history::HistoryError& error) {
      if (!std::string_view(error.what()).starts_with("input:")) std::abort();
      continue;
    }
    Budget budget(Limits{.seconds = 1});
    const TransactionsResult result =
        check_transactions(recorded, {.all_levels = true, .budget = &budget, .most_steps = 200});
    // Without a write nothing says whether keys are lists, registers, accounts or a counter.
    const auto writes = [](const TransactionOperation& op) { return op.action == TransactionAction::Write; };
    if (std::ranges::none_of(recorded.operations, writes)) continue;
    const std::string written = history::write_transactions(recorded);
    TransactionHistory again;
    if (recorded.workload != Workload::Bank) total.reset();
    history::read_transactions(written, "written", {.format = history::Format::Edn, .total = total}, again);
    if (history::write_transactions(again) != written) std::abort();
    if (result.verdict != Verdict::Unknown && budget.stopped() == Budget::Stop::None) {
      const Verdict verdict = check_transactions(again, {.most_steps = 200}).verdict;
      if (verdict != result.verdict && verdict != Verdict::Unknown) std::abort();
    }
  }
  return 0;
}
