// Writes a history of transactions as EDN, one event a line, for witnesses.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "history/transactions.h"
#include "report/json_text.h"

namespace heddle::history {
namespace {

// As it is read again: texts as JSON writes them, which EDN understands.
std::string edn_operations(const TransactionHistory& history, std::uint32_t t, bool results) {
  std::string out;
  for (const TransactionOperation& op : history.operations_of(t)) {
    out += (out.empty() ? "" : " ");
    const std::string key = history.text(history.key_name(op.key));
    if (op.action == TransactionAction::Write) {
      out += fmt::format("[{} {} {}]", history.workload == Workload::ListAppend ? ":append" : ":w", key,
                         history.text(history.value(op.what)));
    } else if (!results || op.action == TransactionAction::Unseen) {
      out += fmt::format("[:r {} nil]", key);
    } else if (history.workload == Workload::Register) {
      out += fmt::format("[:r {} {}]", key, op.what == nothing ? "nil" : history.text(history.value(op.what)));
    } else {
      std::string list;
      for (const std::uint32_t e : history.list(op)) list += (list.empty() ? "" : " ") + history.text(history.value(e));
      out += fmt::format("[:r {} [{}]]", key, list);
    }
  }
  return "[" + out + "]";
}

// The value of an operation of a bank or a counter.
std::string edn_object(const TransactionHistory& history, std::uint32_t t, bool results) {
  const auto operations = history.operations_of(t);
  if (operations.empty()) return "nil";
  const auto value = [&](const TransactionOperation& op) {
    return op.what == nothing ? "nil" : history.text(history.value(op.what));
  };
  const bool reads = operations.front().action != TransactionAction::Write;
  if (reads && !results) return "nil";
  if (history.workload == Workload::Counter) return value(operations.front());
  const auto key = [&](const TransactionOperation& op) { return history.text(history.key_name(op.key)); };
  if (!reads) {
    return fmt::format("{{:from {}, :to {}, :amount {}}}", key(operations[0]), key(operations[1]),
                       value(operations[1]));
  }
  std::string out;
  for (const TransactionOperation& op : operations)
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", key(op), value(op));
  return "{" + out + "}";
}

std::string_view function_of(const TransactionHistory& history, std::uint32_t t) {
  if (history.workload != Workload::Bank && history.workload != Workload::Counter) return "txn";
  const auto operations = history.operations_of(t);
  if (operations.empty() || operations.front().action != TransactionAction::Write) return "read";
  return history.workload == Workload::Bank ? "transfer" : "add";
}

}  // namespace

std::string write_transactions(const TransactionHistory& history) {
  std::vector<std::pair<std::uint64_t, std::string>> lines;
  std::uint64_t late = never;  // of unknown outcome: at the end
  for (std::uint32_t t = 0; t < history.transactions.size(); ++t) {
    const Transaction& one = history.transactions[t];
    std::string process;
    if (one.process != never) {
      const std::string& name = history.processes[one.process];
      process = fmt::format(":process {}, ", report::is_plain_integer(name) ? name : report::quoted(name));
    }
    const auto line = [&](const char* type, bool results) {
      const std::string_view function = function_of(history, t);
      return fmt::format("{{{}:type {}, :f :{}, :value {}}}\n", process, type, function,
                         function == "txn" ? edn_operations(history, t, results) : edn_object(history, t, results));
    };
    if (one.invoked != never) lines.emplace_back(one.invoked, line(":invoke", false));
    if (one.outcome == Outcome::Ok) {
      lines.emplace_back(one.returned, line(":ok", true));
    } else if (one.outcome == Outcome::Failed) {
      lines.emplace_back(one.returned, line(":fail", false));
    } else if (one.invoked == never) {
      lines.emplace_back(late++, line(":info", false));
    } else {
      // Before the next invocation of its process, or else at the end: at once is as good, for it orders nothing.
      lines.emplace_back(one.invoked, line(":info", false));
    }
  }
  std::ranges::stable_sort(lines, {}, [](const auto& one) { return one.first; });
  std::string out;
  for (const auto& [event, text] : lines) out += text;
  return out;
}

}  // namespace heddle::history
