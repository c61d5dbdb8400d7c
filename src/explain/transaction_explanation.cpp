// Names transactions, and writes the cycle, its reasons and the graph.
#include "explain/transaction_explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "check/transactions/invariants.h"
#include "report/utf8.h"

namespace heddle::explain {
namespace {

using namespace transactions;

constexpr std::size_t most_elements = 8;
constexpr std::size_t most_inferred = 6;

std::string key_text(const TransactionHistory& history, std::uint32_t key) {
  return history.text(history.key_name(key));
}
std::string value_text_of(const TransactionHistory& history, std::uint32_t element) {
  return history.text(history.value(element));
}

// "[1 2 3]", of long ones the end.
std::string list_text(const TransactionHistory& history, const std::vector<std::uint32_t>& list) {
  std::string out = "[";
  const std::size_t begin = list.size() > most_elements ? list.size() - most_elements : 0;
  if (begin > 0) out += "...";
  for (std::size_t i = begin; i < list.size(); ++i)
    out += (out.size() > 1 ? " " : "") + value_text_of(history, list[i]);
  return out + "]";
}

std::string result_text(const TransactionHistory& history, const TransactionOperation& read) {
  if (history.is_set) return read.what == nothing ? "nothing" : "true";
  if (history.workload == Workload::ListAppend) return list_text(history, history.list(read));
  return read.what == nothing ? "the initial value" : value_text_of(history, read.what);
}

std::uint32_t line_of(const TransactionHistory& history, std::uint32_t t) {
  const Transaction& one = history.transactions[t];
  return one.returned_line != 0 ? one.returned_line : one.invoked_line;
}

class Names {
 public:
  explicit Names(const std::vector<std::uint32_t>& transactions) : transactions_(transactions) {}
  std::string of(std::uint32_t transaction) const {
    const auto at = std::ranges::find(transactions_, transaction) - transactions_.begin();
    return fmt::format("T{}", at + 1);
  }

 private:
  const std::vector<std::uint32_t>& transactions_;
};

const char* wrote(const TransactionHistory& history) {
  return history.workload == Workload::ListAppend ? "appended" : "wrote";
}

std::optional<std::string> write_write(const TransactionHistory& history, const CycleStep& step,
                                       const std::string& from, const std::string& to) {
  for (const TransactionOperation& op : history.operations_of(step.from)) {
    if (op.action != TransactionAction::Write) continue;
    const std::uint32_t place = history.position(op.what);
    const std::vector<std::uint32_t>& order = history.order(op.key);
    if (place == never) continue;
    if (place + 1 < order.size() && history.writer(order[place + 1]) == step.to) {
      return fmt::format("{} appended {} to {}, and {} appended {} behind it", from, value_text_of(history, op.what),
                         key_text(history, op.key), to, value_text_of(history, order[place + 1]));
    }
    if (place + 1 != order.size()) continue;
    for (const TransactionOperation& other : history.operations_of(step.to)) {
      if (other.action != TransactionAction::Write || other.key != op.key || history.position(other.what) != never)
        continue;
      return fmt::format("{} appended {} to {}, and {} appended {}, which nobody has seen before or behind it", from,
                         value_text_of(history, op.what), key_text(history, op.key), to,
                         value_text_of(history, other.what));
    }
  }
  for (const TransactionOperation& op : history.operations_of(step.from)) {
    if (op.action != TransactionAction::Write) continue;
    if (step.key != never && op.key != step.key) continue;
    for (const TransactionOperation& other : history.operations_of(step.to)) {
      if (other.action == TransactionAction::Read && other.what == op.what && !step.assumed &&
          history.workload == Workload::Register) {
        return fmt::format("{} read {} of {}, which {} wrote, and overwrote it", to, value_text_of(history, op.what),
                           key_text(history, op.key), from);
      }
      if (other.action != TransactionAction::Write || other.key != op.key) continue;
      return fmt::format("{}{} {} {} to {} before {} {} {}", step.assumed ? "suppose that " : "", from, wrote(history),
                         value_text_of(history, op.what), key_text(history, op.key), to, wrote(history),
                         value_text_of(history, other.what));
    }
  }
  return std::nullopt;
}

std::optional<std::string> write_read(const TransactionHistory& history, const CycleStep& step, const std::string& from,
                                      const std::string& to) {
  for (const TransactionOperation& op : history.operations_of(step.to)) {
    if (op.action != TransactionAction::Read) continue;
    const bool lists = history.workload == Workload::ListAppend;
    if (lists ? op.what == 0 : op.what == nothing) continue;
    const std::uint32_t seen = lists ? history.order(op.key)[op.what - 1] : op.what;
    if (history.writer(seen) != step.from) continue;
    return lists ? fmt::format("{} read {} of {}, of which {} appended the last", to, result_text(history, op),
                               key_text(history, op.key), from)
                 : fmt::format("{} read {} of {}, which {} wrote", to, value_text_of(history, seen),
                               key_text(history, op.key), from);
  }
  return std::nullopt;
}

std::optional<std::string> read_write(const TransactionHistory& history, const CycleStep& step, const std::string& from,
                                      const std::string& to) {
  const bool lists = history.workload == Workload::ListAppend;
  for (const TransactionOperation& op : history.operations_of(step.from)) {
    if (op.action != TransactionAction::Read || (step.key != never && op.key != step.key)) continue;
    const std::vector<std::uint32_t>& order = history.order(op.key);
    if (lists && op.what < order.size()) {
      if (history.writer(order[op.what]) != step.to) continue;
      return fmt::format("{} read {} of {}, and {} appended {} behind that", from, result_text(history, op),
                         key_text(history, op.key), to, value_text_of(history, order[op.what]));
    }
    for (const TransactionOperation& other : history.operations_of(step.to)) {
      if (other.action != TransactionAction::Write || other.key != op.key) continue;
      if (lists && history.position(other.what) != never) continue;
      if (!lists && other.what == op.what) continue;
      if (lists) {
        return fmt::format("{} read {} of {}, which does not have the {} that {} appended", from,
                           result_text(history, op), key_text(history, op.key), value_text_of(history, other.what), to);
      }
      return fmt::format("{} read {} of {}, and {}{} overwrote that with {}", from, result_text(history, op),
                         key_text(history, op.key), step.assumed ? "suppose that " : "", to,
                         value_text_of(history, other.what));
    }
  }
  return std::nullopt;
}

// The last value that a transaction has written to a key.
std::string last_written(const TransactionHistory& history, std::uint32_t t, std::uint32_t key) {
  std::string out;
  for (const TransactionOperation& op : history.operations_of(t)) {
    if (op.action == TransactionAction::Write && op.key == key) out = value_text_of(history, op.what);
  }
  return out;
}

// Who has read a version and written the next comes before whoever has written a later one.
std::optional<std::string> update(const TransactionHistory& history, const CycleStep& step, const std::string& from,
                                  const std::string& to) {
  const std::string own = last_written(history, step.from, step.key), other = last_written(history, step.to, step.key);
  for (const TransactionOperation& op : history.operations_of(step.from)) {
    if (op.action != TransactionAction::Read || op.key != step.key || own.empty() || other.empty()) continue;
    return fmt::format("{} read {} of {} and {} {} right behind that, so before {} {} {}", from,
                       result_text(history, op), key_text(history, op.key), wrote(history), own, to, wrote(history),
                       other);
  }
  return std::nullopt;
}

std::string session_name(const TransactionHistory& history, std::uint32_t t) {
  const std::uint32_t process = history.transactions[t].process;
  return process == never ? "no process" : "process " + history.processes[process];
}

// Breaks a paragraph into lines that begin with `first` and `rest`.
std::string wrapped(const std::string& text, const std::string& first, const std::string& rest, int width) {
  std::string out;
  for (const std::string& line : report::wrap(text, width - static_cast<int>(rest.size()), 0)) {
    out += (out.empty() ? first : rest) + line + "\n";
  }
  return out;
}

std::string table(const TransactionHistory& history, const std::vector<std::uint32_t>& transactions,
                  const TransactionTextOptions& options) {
  std::string out;
  std::vector<std::string> left;
  std::size_t width = 0;
  for (std::size_t i = 0; i < transactions.size(); ++i) {
    left.push_back(fmt::format("  T{}  line {}, {}", i + 1, line_of(history, transactions[i]),
                               report::shorten(report::printable(session_name(history, transactions[i])), 20)));
    width = std::max(width, static_cast<std::size_t>(report::display_width(left.back())));
  }
  for (std::size_t i = 0; i < transactions.size(); ++i) {
    const std::size_t indent = width + 3, all = static_cast<std::size_t>(options.width);
    out += left[i] + std::string(indent - static_cast<std::size_t>(report::display_width(left[i])), ' ');
    out += transaction_text(history, transactions[i], options.ascii, all > indent + 10 ? all - indent : 10) + "\n";
  }
  return out;
}

// T1 ──rw──▶ T2 ──ww──▶ T1
std::string ring(const std::vector<CycleStep>& cycle, const Names& names, const TransactionTextOptions& options) {
  std::string out;
  std::string line = "  " + names.of(cycle.front().from);
  for (const CycleStep& step : cycle) {
    const std::string_view kind = dependency_name(step.kind);
    const std::string_view mark = step.assumed ? "?" : "";
    const std::string next = options.ascii ? fmt::format(" --{}{}--> {}", kind, mark, names.of(step.to))
                                           : fmt::format(" ──{}{}──▶ {}", kind, mark, names.of(step.to));
    if (report::display_width(line) + report::display_width(next) > options.width) {
      out += line + "\n";
      line = "    ";
    }
    line += next;
  }
  return out + line + "\n";
}

std::string cycle_text(const TransactionHistory& history, const std::vector<CycleStep>& cycle, const Names& names,
                       const TransactionTextOptions& options) {
  std::string out = ring(cycle, names, options) + "\n";
  for (const CycleStep& step : cycle) {
    const std::string from = names.of(step.from), to = names.of(step.to);
    out += wrapped(fmt::format("{} < {}: {}.", from, to, report::printable(reason(history, step, from, to))), "  - ",
                   "    ", options.width);
  }
  return out;
}

// Why versions that nobody has seen side by side have the order that the cycle uses.
std::string inferred_text(const TransactionHistory& history, const IsolationFinding& finding, const Names& names,
                          const TransactionTextOptions& options) {
  std::string out;
  for (std::size_t i = 0; i < finding.inferred.size() && i < most_inferred; ++i) {
    const InferredOrder& one = finding.inferred[i];
    const std::string order = inferred_order(history, one, names.of(one.first), names.of(one.second));
    out += "\n" + wrapped(report::printable(fmt::format("It is known that {}. The other way round:", order)), "  ",
                          "  ", options.width);
    out += "\n" + cycle_text(history, one.cycle, names, options);
  }
  if (finding.inferred.size() > most_inferred)
    out += fmt::format("\n  ... and so on for {} more\n", finding.inferred.size() - most_inferred);
  return out;
}

std::string direct_text(const TransactionHistory& history, const IsolationFinding& finding, const Names& names) {
  const auto op = [&](std::size_t i) -> const TransactionOperation& {
    return history.operations[finding.operations[i]];
  };
  const auto who = [&](std::size_t i) { return names.of(finding.transactions[i]); };
  const auto key = [&](std::size_t i) { return key_text(history, op(i).key); };
  const std::string element = finding.element == never ? "" : value_text_of(history, finding.element);
  const auto writer = [&] { return names.of(history.writer(finding.element)); };
  switch (finding.anomaly) {
    case Anomaly::DuplicateElements:
      return fmt::format("{} read {} of {}, which has {} twice, though it was appended once.", who(0),
                         result_text(history, op(0)), key(0), element);
    case Anomaly::IncompatibleOrder:
      if (finding.operations.size() > 1 && op(1).action == TransactionAction::Write) {
        return fmt::format("{} read {} of {}. But {} appended {} before {}, so that it has to stand before it.", who(0),
                           result_text(history, op(0)), key(0), who(1), value_text_of(history, op(1).what), element);
      }
      return fmt::format(
          "{} read {} of {}, and {} read {}. A list only grows at its end, so that of two one has to be the "
          "beginning of the other.",
          who(0), result_text(history, op(0)), key(0), who(1), result_text(history, op(1)));
    case Anomaly::G1a:
      return fmt::format("{} read {} of {}, with {}, which {} {}; but {} failed.", who(0), result_text(history, op(0)),
                         key(0), element, writer(), wrote(history), writer());
    case Anomaly::DirtyUpdate:
      return fmt::format("{} read {} of {}. {} was appended by {}, which failed, and what stands behind it was not.",
                         who(0), result_text(history, op(0)), key(0), element, writer());
    case Anomaly::G1b:
      return fmt::format(
          "{} read {} of {}, {} {}, which {} {}; but {} later {} more to it, so that nobody else should have "
          "seen what was there before.",
          who(0), result_text(history, op(0)), key(0), history.workload == Workload::ListAppend ? "up to" : "that is",
          element, writer(), wrote(history), writer(), wrote(history));
    case Anomaly::Internal:
      if (finding.operations.size() > 1) {
        return fmt::format("{} read {} of {}, though it {} {} {}.", who(0), result_text(history, op(0)), key(0),
                           wrote(history), value_text_of(history, op(1).what),
                           finding.operations[1] < finding.operations[0] ? "before that" : "only later");
      }
      return fmt::format("{} read {} of {}, which it wrote only later.", who(0), result_text(history, op(0)), key(0));
    case Anomaly::FracturedRead: {
      const std::uint32_t seer = [&] {
        for (std::uint32_t t = 0; t < history.transactions.size(); ++t) {
          if (history.transactions[t].begin <= finding.operations[0] &&
              finding.operations[0] < history.transactions[t].end)
            return t;
        }
        return finding.transactions[1];
      }();
      return fmt::format("{} read {} of {}, and so has seen {}. {} {} read {} of {}, without what {} {} to it.",
                         names.of(seer), result_text(history, op(0)), key(0), who(0),
                         seer == finding.transactions[1] ? "Later" : "After that", who(1), result_text(history, op(1)),
                         key(1), who(0), wrote(history));
    }
    case Anomaly::WrongTotal: {
      const auto sum = sum_of(history, finding.transactions[0]);
      if (!sum) return fmt::format("{} read an account without a balance.", who(0));
      return fmt::format("The accounts that {} read have {} altogether, and all transfers leave it at {} (--total).",
                         who(0), *sum, history.total);
    }
    case Anomaly::ImpossibleCount: {
      const Bounds bounds = bounds_of(history, finding.transactions[0], finding.respects);
      return fmt::format("{} read {}, but what was added{} makes it {} at least and {} at most.", who(0),
                         result_text(history, op(0)),
                         finding.respects == Respects::RealTime ? " before, or may have been added meanwhile," : "",
                         bounds.least, bounds.most);
    }
    default:
      return "";
  }
}

}  // namespace

std::string_view dependency_name(Dependency kind) {
  switch (kind) {
    case Dependency::WriteWrite:
    case Dependency::Forced:
      return "ww";
    case Dependency::WriteRead:
      return "wr";
    case Dependency::ReadWrite:
      return "rw";
    case Dependency::Session:
      return "session";
    case Dependency::RealTime:
      return "time";
    default:
      return "";
  }
}

std::string reason(const TransactionHistory& history, const CycleStep& step, const std::string& from,
                   const std::string& to) {
  std::optional<std::string> out;
  switch (step.kind) {
    case Dependency::WriteWrite:
      out = write_write(history, step, from, to);
      break;
    case Dependency::WriteRead:
      out = write_read(history, step, from, to);
      break;
    case Dependency::ReadWrite:
      out = read_write(history, step, from, to);
      break;
    case Dependency::Forced:
      out = update(history, step, from, to);
      break;
    case Dependency::Session:
      return fmt::format("{} did both, {} first", session_name(history, step.from), from);
    case Dependency::RealTime:
      return fmt::format("{} had returned (line {}) before {} was invoked (line {})", from,
                         history.transactions[step.from].returned_line, to, history.transactions[step.to].invoked_line);
    default:
      break;
  }
  return out.value_or(fmt::format("{} precedes {} ({})", from, to, dependency_name(step.kind)));
}

std::string inferred_order(const TransactionHistory& history, const InferredOrder& order, const std::string& first,
                           const std::string& second) {
  return fmt::format("of {}, the {} of {} was written before the {} of {}", key_text(history, order.key),
                     last_written(history, order.first, order.key), first,
                     last_written(history, order.second, order.key), second);
}

std::vector<std::uint32_t> transactions_of(const IsolationFinding& finding) {
  std::vector<std::uint32_t> out;
  const auto add = [&](std::uint32_t t) {
    if (std::ranges::find(out, t) == out.end()) out.push_back(t);
  };
  for (const CycleStep& step : finding.cycle) add(step.from);
  for (const std::uint32_t t : finding.transactions) add(t);
  for (const auto& one : finding.cases) {
    for (const CycleStep& step : one) add(step.from);
  }
  for (std::size_t i = 0; i < finding.inferred.size() && i < most_inferred; ++i) {
    for (const CycleStep& step : finding.inferred[i].cycle) add(step.from);
    add(finding.inferred[i].first);
    add(finding.inferred[i].second);
  }
  return out;
}

std::string anomaly_name(const IsolationFinding& finding) {
  std::string out(name(finding.anomaly));
  const bool cycle = !finding.cycle.empty();
  if (cycle && finding.respects == Respects::Sessions) out += "-process";
  if (cycle && finding.respects == Respects::RealTime) out += "-realtime";
  return out;
}

std::string transaction_text(const TransactionHistory& history, std::uint32_t transaction, bool ascii,
                             std::size_t width) {
  std::string out;
  for (const TransactionOperation& op : history.operations_of(transaction)) {
    if (!out.empty()) out += ", ";
    switch (op.action) {
      case TransactionAction::Write:
        out += fmt::format("{} {} {}",
                           history.workload == Workload::ListAppend                                      ? "append"
                           : history.workload == Workload::Bank || history.workload == Workload::Counter ? "add"
                                                                                                         : "w",
                           key_text(history, op.key), value_text_of(history, op.what));
        break;
      case TransactionAction::Unseen:
        out += fmt::format("r {} ?", key_text(history, op.key));
        break;
      default:
        out += fmt::format(
            "r {} {}", key_text(history, op.key),
            history.workload == Workload::Register && op.what == nothing ? "nil" : result_text(history, op));
    }
    if (out.size() > 4 * width) break;
  }
  const Outcome outcome = history.transactions[transaction].outcome;
  if (outcome == Outcome::Failed) out += " (failed)";
  if (outcome == Outcome::Unknown) out += " (unknown)";
  return report::shorten(report::printable(out, ascii), static_cast<int>(width), ascii ? "..." : "…");
}

std::string explain_finding(const TransactionHistory& history, const IsolationFinding& finding, const Level& level,
                            const TransactionTextOptions& given) {
  TransactionTextOptions options = given;
  options.width = std::max(options.width, 40);
  std::vector<std::uint32_t> transactions = transactions_of(finding);
  if (finding.element != never && history.writer(finding.element) != never) {
    const std::uint32_t writer = history.writer(finding.element);
    if (std::ranges::find(transactions, writer) == transactions.end()) transactions.push_back(writer);
  }
  if (finding.anomaly == Anomaly::FracturedRead) {
    for (std::uint32_t t = 0; t < history.transactions.size(); ++t) {
      const Transaction& one = history.transactions[t];
      if (one.begin <= finding.operations[0] && finding.operations[0] < one.end &&
          std::ranges::find(transactions, t) == transactions.end())
        transactions.push_back(t);
    }
  }
  const Names names(transactions);
  std::string out = wrapped(
      fmt::format("{}: not {}, because of {}:", report::printable(options.file), name(level), anomaly_name(finding)),
      "", "  ", options.width);
  out += "\n" + table(history, transactions, options) + "\n";
  if (!finding.cycle.empty()) {
    out += cycle_text(history, finding.cycle, names, options);
    out += wrapped("So each of them comes before itself: a contradiction.", "  ", "  ", options.width);
    out += inferred_text(history, finding, names, options);
  } else if (!finding.cases.empty()) {
    out += wrapped(
        "Nobody has seen the order of some versions (edges with a question mark). Every order leads to a cycle, "
        "for instance:",
        "  ", "  ", options.width);
    for (const std::vector<CycleStep>& one : finding.cases) out += "\n" + cycle_text(history, one, names, options);
    out += inferred_text(history, finding, names, options);
  } else {
    out += wrapped(report::printable(direct_text(history, finding, names)), "  ", "  ", options.width);
  }
  return out;
}

std::string finding_line(const TransactionHistory& history, const IsolationFinding& finding) {
  std::string out = anomaly_name(finding);
  const auto place = [&](std::uint32_t t) { return fmt::format("line {}", line_of(history, t)); };
  if (!finding.cycle.empty()) {
    constexpr std::size_t most = 4;
    out += ": " + place(finding.cycle.front().from);
    for (std::size_t i = 0; i < finding.cycle.size() && i < most; ++i) {
      out += fmt::format(" {} {}", dependency_name(finding.cycle[i].kind), place(finding.cycle[i].to));
    }
    if (finding.cycle.size() > most) out += " ...";
  } else if (!finding.transactions.empty()) {
    const std::vector<std::uint32_t> all = transactions_of(finding);
    for (std::size_t i = 0; i < all.size(); ++i) out += (i == 0 ? ": " : ", ") + place(all[i]);
  }
  return out;
}

std::string finding_dot(const TransactionHistory& history, const IsolationFinding& finding) {
  const std::vector<std::uint32_t> transactions = transactions_of(finding);
  const Names names(transactions);
  const auto quoted = [](const std::string& text) {
    std::string out;
    for (const char c : text) {
      if (c == '"' || c == '\\') out += '\\';
      out += c == '\n' ? ' ' : c;
    }
    return "\"" + out + "\"";
  };
  std::string out = "digraph history {\n  node [shape=box, fontname=\"monospace\"];\n";
  for (const std::uint32_t t : transactions) {
    out += fmt::format("  {} [label={}];\n", names.of(t),
                       quoted(fmt::format("{} (line {}) {}", names.of(t), line_of(history, t),
                                          transaction_text(history, t, false, 200))));
  }
  const auto edges = [&](const std::vector<CycleStep>& cycle) {
    for (const CycleStep& step : cycle) {
      out += fmt::format("  {} -> {} [label=\"{}\"{}, tooltip={}];\n", names.of(step.from), names.of(step.to),
                         dependency_name(step.kind), step.assumed ? ", style=dashed" : "",
                         quoted(report::printable(reason(history, step, names.of(step.from), names.of(step.to)))));
    }
  };
  edges(finding.cycle);
  for (const auto& one : finding.cases) edges(one);
  // Of what is inferred, the order and not its reasons: these would add circles to the circle.
  return out + "}\n";
}

}  // namespace heddle::explain
