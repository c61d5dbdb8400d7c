#include "explain/transaction_orders.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/transactions/dependencies.h"
#include "report/numbers.h"
#include "report/utf8.h"

namespace heddle::explain {
namespace {

std::string paragraph(const std::string& text, const std::string& indent, int width) {
  std::string out;
  for (const std::string& line : report::wrap(report::printable(text), width - static_cast<int>(indent.size()), 0))
    out += indent + line + "\n";
  return out;
}

// What the order is the order of.
std::string_view meaning(Isolation isolation) {
  switch (isolation) {
    case Isolation::Serializable:
      return "Executed one after the other, in this order, the transactions give every answer:";
    case Isolation::SnapshotIsolation:
      return "In this order starts and commits give every answer, if each transaction sees what was committed when it "
             "started:";
    default:
      return "With the versions of every key in the order of their transactions here, every answer is one of this "
             "level:";
  }
}

std::string place(const TransactionHistory& history, std::uint32_t t) {
  const Transaction& one = history.transactions[t];
  std::string out = fmt::format("line {}", one.returned_line != 0 ? one.returned_line : one.invoked_line);
  if (one.process != never) out += ", process " + history.processes[one.process];
  return report::shorten(report::printable(out), 34);
}

}  // namespace

std::vector<OrderEvent> events_of(const TransactionCertificate& certificate) {
  std::vector<OrderEvent> out;
  out.reserve(certificate.order.size());
  for (const std::uint32_t event : certificate.order) {
    if (certificate.level.isolation != Isolation::SnapshotIsolation) {
      out.push_back({OrderEvent::Kind::Whole, event});
    } else {
      out.push_back({(event & 1) == 0 ? OrderEvent::Kind::Start : OrderEvent::Kind::Commit, event >> 1});
    }
  }
  return out;
}

std::string explain_order(const TransactionHistory& history, const Level& level,
                          const TransactionCertificate& certificate, const TransactionTextOptions& given,
                          std::size_t most) {
  const int width = std::max(given.width, 40);
  std::string out =
      paragraph(fmt::format("{}: {}. {}", given.file, name(level), meaning(certificate.level.isolation)), "", width);
  const std::vector<OrderEvent> events = events_of(certificate);
  const std::size_t shown = events.size() > most + 1 ? most : events.size();
  std::size_t column = 0;
  std::vector<std::string> left;
  for (std::size_t i = 0; i < shown; ++i) {
    constexpr std::string_view does[] = {"", "  starts ", "  commits"};
    left.push_back(fmt::format("  {:>3}  {}{}", i + 1, place(history, events[i].transaction),
                               does[static_cast<int>(events[i].kind)]));
    column = std::max(column, static_cast<std::size_t>(report::display_width(left.back())));
  }
  out += "\n";
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t room =
        static_cast<std::size_t>(width) > column + 13 ? static_cast<std::size_t>(width) - column - 3 : 10;
    std::string line =
        left[i] + std::string(column + 3 - static_cast<std::size_t>(report::display_width(left[i])), ' ');
    // What a transaction does stands where it ends.
    if (events[i].kind != OrderEvent::Kind::Start)
      line += transaction_text(history, events[i].transaction, given.ascii, room);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  if (shown < events.size())
    out += fmt::format("  ... and {} more; --json has them all\n", report::with_separators(events.size() - shown));
  return out;
}

std::string explain_open(const TransactionHistory& history, const TransactionTextOptions& given) {
  constexpr std::size_t most_keys = 5, most_writers = 6;
  const transactions::Dependencies dependencies(history, false);
  std::vector<std::string> keys;
  std::size_t more = 0;
  for (const transactions::OpenKey& open : dependencies.open_keys()) {
    if (open.writers.size() < 2) continue;
    if (keys.size() == most_keys) {
      ++more;
      continue;
    }
    std::string lines;
    for (std::size_t i = 0; i < open.writers.size() && i < most_writers; ++i) {
      const Transaction& one = history.transactions[open.writers[i]];
      lines += fmt::format("{}{}", i == 0 ? "" : ", ", one.returned_line != 0 ? one.returned_line : one.invoked_line);
    }
    if (open.writers.size() > most_writers) lines += ", ...";
    keys.push_back(fmt::format("{} ({} versions, of lines {})", history.text(history.key_name(open.key)),
                               report::with_separators(open.writers.size()), lines));
  }
  if (keys.empty()) return "";
  std::string all;
  for (const std::string& key : keys) all += (all.empty() ? "" : "; ") + key;
  if (more > 0) all += fmt::format("; and {}", report::counted(more, "other key"));
  return paragraph(
      fmt::format("{}: no read says in which order versions of these keys were written: {}.", given.file, all), "",
      std::max(given.width, 40));
}

}  // namespace heddle::explain
