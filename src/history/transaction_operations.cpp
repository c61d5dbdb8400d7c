#include "history/transaction_operations.h"

#include <fmt/format.h>

#include <string>

namespace heddle::history {
namespace {

constexpr std::uint32_t elements_between_checks = 1 << 16;

}  // namespace

TransactionOperations::TransactionOperations(TransactionValues values, std::string_view initial)
    : TransactionValues(values) {
  if (initial.empty()) return;
  const SourceText given(initial, "--initial");
  EdnScanner scanner(given, given.text());
  if (!scanner.skip_space()) throw HistoryError("--initial: a value is expected");
  initial_ = datum(scanner, given.text());
}

// Reads the operations of a transaction; with `results`, what its reads have seen.
void TransactionOperations::read(std::uint32_t transaction, std::string_view form, const char* event, bool results) {
  Transaction& t = history_.transactions[transaction];
  t.begin = static_cast<std::uint32_t>(history_.operations.size());
  EdnScanner scanner(source_, form);
  if (!scanner.skip_space() || (scanner.peek() != '[' && scanner.peek() != '(')) fail_value(form, event);
  const char closer = scanner.peek() == '[' ? ']' : ')';
  scanner.advance();
  for (;;) {
    scanner.skip_space();
    if (scanner.peek() == closer) break;
    if (scanner.peek() != '[' && scanner.peek() != '(') fail_value(form, event);
    operation(transaction, scanner, form, event, results);
    if (history_.operations.size() == never)
      source_.fail(event, "more than 2^32 operations; check a part of the history");
  }
  t.end = static_cast<std::uint32_t>(history_.operations.size());
}

void TransactionOperations::fail_value(std::string_view form, const char* event) const {
  const char* at = form.empty() ? event : form.data();
  source_.fail(at,
               fmt::format("{} is not the value of a transaction, which is a list of operations, as in [[:append :x 1] "
                           "[:r :y nil]] or [[:w :x 1] [:r :y nil]]; a history of operations on one object is checked "
                           "by `heddle lin`",
                           shortened(form)));
}

void TransactionOperations::operation(std::uint32_t transaction, EdnScanner& scanner, std::string_view form,
                                      const char* event, bool results) {
  const char* at = scanner.at();
  const char closer = scanner.peek() == '[' ? ']' : ')';
  scanner.advance();
  scanner.skip_space();
  if (scanner.peek() == closer) fail_value(form, event);
  std::string storage;
  const std::string_view name = bare(scanner.peek() == ':' ? scanner.token() : scanner.skip_form(), storage);
  const bool reads = name == "r" || name == "read";
  const bool appends = name == "append", writes = name == "w" || name == "write";
  if (!reads && !appends && !writes) {
    source_.fail(at, fmt::format("the operation {} is unknown; there are append, w and r", shortened(name)));
  }
  if (writes && history_.workload == Workload::ListAppend) {
    source_.fail(at,
                 "a write (w) in a history of appends; keys are lists that are appended to or registers that are "
                 "written, not both: check them apart");
  }
  scanner.skip_space();
  if (scanner.peek() == closer) source_.fail(at, "an operation without a key, which is as in [:r :x nil]");
  const std::uint32_t key = history_.key(datum(scanner, form));
  if (key >= TransactionHistory::most_keys) source_.fail(at, "too many keys; check a part of the history");
  scanner.skip_space();
  if (reads) {
    read_key(key, scanner, closer, form, results);
  } else {
    if (scanner.peek() == closer) source_.fail(at, "a write without a value, which is as in [:append :x 1]");
    write(transaction, key, scanner, form);
  }
  scanner.skip_space();
  if (scanner.peek() != closer) source_.fail(scanner.at(), "an operation has three parts, as in [:r :x nil]");
  scanner.advance();
}

void TransactionOperations::write(std::uint32_t transaction, std::uint32_t key, EdnScanner& scanner,
                                  std::string_view form) {
  const char* at = scanner.at();
  const Datum value = datum(scanner, form);
  if (history_.workload == Workload::Register && value == initial_.value_or(history_.datum(nil))) {
    source_.fail(at,
                 fmt::format("{} is written, which is also the initial value, so that reads of it say nothing; write "
                             "another one, or say with --initial what registers hold at first",
                             history_.text(value)));
  }
  const std::uint32_t element = history_.element(key, value);
  const std::uint32_t before = history_.writer(element);
  if (before != never) {
    const Transaction& other = history_.transactions[before];
    source_.fail(
        at, fmt::format("{} is {} to key {} a second time, after line {}; every value is {} to a key once, so that "
                        "reads say whose write they have seen",
                        history_.text(value), history_.workload == Workload::ListAppend ? "appended" : "written",
                        history_.text(history_.key_name(key)),
                        other.returned_line != 0 ? other.returned_line : other.invoked_line,
                        history_.workload == Workload::ListAppend ? "appended" : "written"));
  }
  history_.set_writer(element, transaction);
  history_.add(key, TransactionAction::Write, element);
}

void TransactionOperations::read_key(std::uint32_t key, EdnScanner& scanner, char closer, std::string_view form,
                                     bool results) {
  if (!results) {
    if (scanner.peek() != closer) scanner.skip_form();
    history_.add(key, TransactionAction::Unseen, 0);
    return;
  }
  if (history_.workload == Workload::ListAppend) return read_list(key, scanner, closer, form);
  const char* at = scanner.at();
  if (scanner.peek() == closer || is_nil(scanner)) {
    if (initial_) {
      source_.fail(at, "a register without a value (nil), though --initial says what all of them hold at first");
    }
    history_.add(key, TransactionAction::Read, nothing);
    return;
  }
  const Datum value = datum(scanner, form);
  history_.add(key, TransactionAction::Read, initial_ && value == *initial_ ? nothing : history_.element(key, value));
}

void TransactionOperations::read_list(std::uint32_t key, EdnScanner& scanner, char closer, std::string_view form) {
  const char* at = scanner.at();
  if (scanner.peek() == closer || is_nil(scanner)) return history_.read_list(key, 0, {});
  if (scanner.peek() != '[' && scanner.peek() != '(') {
    source_.fail(at,
                 fmt::format("a read of key {} has seen something that is no list; keys of a history with appends are "
                             "lists, as in [:r :x [1 2]]",
                             history_.text(history_.key_name(key))));
  }
  const char end = scanner.peek() == '[' ? ']' : ')';
  scanner.advance();
  // As long as the list is the beginning of the key's order, elements are only compared.
  std::uint32_t length = 0;
  rest_.clear();
  const std::vector<std::uint32_t>& order = history_.order(key);
  for (std::uint32_t read = 1;; ++read) {
    if (read % elements_between_checks == 0) check_budget();
    scanner.skip_space();
    if (scanner.peek() == end) break;
    const Datum value = datum(scanner, form);
    if (rest_.empty() && length < order.size() && history_.value(order[length]) == value) {
      ++length;
    } else {
      rest_.push_back(history_.element(key, value));
    }
  }
  scanner.advance();
  history_.read_list(key, length, rest_);
}

// What a transaction was asked to do is what it has done.
void TransactionOperations::compare(const Asked& asked, const char* event) const {
  EdnScanner scanner(source_, asked.value);
  scanner.skip_space();
  if (scanner.peek() != '[' && scanner.peek() != '(') fail_value(asked.value, asked.at);
  const char closer = scanner.peek() == '[' ? ']' : ')';
  scanner.advance();
  const Transaction& t = history_.transactions[asked.transaction];
  for (std::uint32_t i = t.begin;; ++i) {
    scanner.skip_space();
    const bool ended = scanner.peek() == closer;
    if (ended != (i == t.end)) fail_different(asked, event);
    if (ended) return;
    if (scanner.peek() != '[' && scanner.peek() != '(') fail_value(asked.value, asked.at);
    const char inner = scanner.peek() == '[' ? ']' : ')';
    scanner.advance();
    std::string storage;
    scanner.skip_space();
    if (scanner.peek() == inner) fail_value(asked.value, asked.at);
    const std::string_view name = bare(scanner.peek() == ':' ? scanner.token() : scanner.skip_form(), storage);
    const TransactionOperation& op = history_.operations[i];
    const bool reads = name == "r" || name == "read";
    if (reads != (op.action != TransactionAction::Write)) fail_different(asked, event);
    scanner.skip_space();
    if (scanner.peek() == inner) fail_value(asked.value, asked.at);
    if (!(datum(scanner, asked.value) == history_.key_name(op.key))) fail_different(asked, event);
    scanner.skip_space();
    if (!reads && (scanner.peek() == inner || !(datum(scanner, asked.value) == history_.value(op.what))))
      fail_different(asked, event);
    while (scanner.skip_space() && scanner.peek() != inner) scanner.skip_form();
    scanner.advance();
  }
}

void TransactionOperations::fail_different(const Asked& asked, const char* event) const {
  source_.fail(
      event, fmt::format("this transaction completes other operations than those of its invocation in line {}; one of "
                         "the two is wrong",
                         history_.transactions[asked.transaction].invoked_line));
}

}  // namespace heddle::history
