#include "history/jepsen_objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "history/history_builder.h"

namespace heddle::history {
namespace {

constexpr std::size_t most_operations = std::size_t{1} << 31;
constexpr std::uint32_t operations_between_checks = 1024;
// Numbers are summed: what stays below this in one sum does not overflow, nor does the sum of two such sums.
constexpr std::int64_t largest_number = (std::int64_t{1} << 61) - 1;
constexpr const char* too_large = "numbers of a bank or a counter, and their sums, have to lie below 2^61";

}  // namespace

void JepsenObjects::read(const std::optional<std::int64_t>& total) {
  if (history_.workload == Workload::Bank) {
    if (!total) {
      throw HistoryError(source_.file_name() +
                         ": this is the history of a bank; --total says what all accounts have together, as in "
                         "--total 100");
    }
    history_.total = *total;
    for (const Pending& one : pending_) one.function == "read" ? read_accounts(one) : transfer(one);
    return;
  }
  const auto has_answer = [](const Pending& one) {
    return one.function == "read" && !one.value.empty() && one.value != "nil" && one.value != "null";
  };
  const auto first_read = std::ranges::find_if(pending_, has_answer);
  const auto silent = std::ranges::find(pending_, "read", &Pending::function);
  if (first_read == pending_.end() && silent != pending_.end()) {
    source_.fail(silent->event,
                 "a read that is :ok has no value; that of a set is as in #{1 3}, that of a counter as in 7; a read "
                 "whose answer is not known is :info");
  }
  if (first_read == pending_.end() || is_collection(first_read->value)) return set();
  const std::uint32_t key = history_.key(history_.datum(history_.values().text("counter")));
  for (const Pending& one : pending_) {
    begin(one);
    EdnScanner scanner(source_, one.value);
    const std::int64_t value = integer(scanner, one, "a counter is read, and added to, by integers");
    const bool reads = one.function == "read";
    if (!reads) weigh(value, changed_, one.value.data());
    history_.add(key, reads ? TransactionAction::Read : TransactionAction::Write,
                 history_.element(key, history_.integer(value)));
    end(one);
  }
}

bool JepsenObjects::is_collection(std::string_view form) {
  return form.starts_with("#{") || form.starts_with("[") || form.starts_with("(");
}

void JepsenObjects::begin(const Pending& one) {
  if (until_check_-- == 0) {
    until_check_ = operations_between_checks;
    check_budget();
  }
  history_.transactions[one.transaction].begin = static_cast<std::uint32_t>(history_.operations.size());
}

void JepsenObjects::end(const Pending& one) {
  if (history_.operations.size() >= most_operations)
    source_.fail(one.event, "more than 2^31 operations; check a part of the history");
  history_.transactions[one.transaction].end = static_cast<std::uint32_t>(history_.operations.size());
}

std::int64_t JepsenObjects::integer(EdnScanner& scanner, const Pending& one, const char* what) {
  const char* at = one.value.empty() ? one.event : scanner.at();
  if (one.value.empty() || !scanner.skip_space()) source_.fail(at, fmt::format("there is no number here; {}", what));
  const Datum value = datum(scanner, one.value);
  if (history_.is_large_integer(value))
    source_.fail(at, fmt::format("{} is too large; {}", history_.text(value), too_large));
  if ((value.bits & 1) != 0)
    source_.fail(at, fmt::format("{} is no integer; {}", shortened(history_.text(value)), what));
  return history_.as_integer(value);
}

// Adds to a sum of numbers without their signs, which bounds every sum of some of them.
void JepsenObjects::weigh(std::int64_t value, std::uint64_t& sum, const char* at) const {
  sum += static_cast<std::uint64_t>(value < 0 ? -value : value);
  if (sum > static_cast<std::uint64_t>(largest_number))
    source_.fail(at, fmt::format("the sum of the numbers up to this one is too large; {}", too_large));
}

// Every element is a register that holds true once it was added; a read of the set reads all of them.
void JepsenObjects::set() {
  history_.workload = Workload::Register;
  history_.is_set = true;
  const Datum there = history_.datum(history_.values().boolean(true));
  std::vector<std::uint32_t> elements;  // by key
  for (const Pending& one : pending_) {
    if (one.function == "read") continue;
    begin(one);
    EdnScanner scanner(source_, one.value);
    if (one.value.empty() || !scanner.skip_space()) source_.fail(one.event, "an element is expected, as in :value 3");
    const std::uint32_t key = history_.key(datum(scanner, one.value));
    if (key < elements.size()) {
      source_.fail(one.event, fmt::format("{} is added a second time; every element is added once, so that reads say "
                                          "whose they have seen",
                                          history_.text(history_.key_name(key))));
    }
    elements.push_back(history_.element(key, there));
    history_.set_writer(elements.back(), one.transaction);
    history_.add(key, TransactionAction::Write, elements.back());
    end(one);
  }
  std::vector<std::uint32_t> seen(elements.size(), never);
  for (std::uint32_t number = 0; number < pending_.size(); ++number) {
    const Pending& one = pending_[number];
    if (one.function != "read") continue;
    begin(one);
    each_member(one, [&](EdnScanner& scanner) {
      const Datum name = datum(scanner, one.value);
      const std::uint32_t key = history_.key(name);
      if (key >= elements.size()) {
        source_.fail(one.event, fmt::format("a read has seen {}, which nobody has added; a part of the history may be "
                                            "missing; if the store made it up, that is its mistake",
                                            history_.text(name)));
      }
      if (seen[key] == number) {
        source_.fail(one.event, fmt::format("a read has seen {} twice, which a set cannot have", history_.text(name)));
      }
      seen[key] = number;
    });
    for (std::uint32_t key = 0; key < elements.size(); ++key)
      history_.add(key, TransactionAction::Read, seen[key] == number ? elements[key] : nothing);
    end(one);
  }
}

template <class F>
void JepsenObjects::each_member(const Pending& one, const F& f) {
  EdnScanner scanner(source_, one.value);
  if (!is_collection(one.value)) {
    source_.fail(one.event, fmt::format("{} is no set; reads of a set are as in #{{1 2}} or [1 2]",
                                        one.value.empty() ? "nothing" : shortened(one.value)));
  }
  if (scanner.peek() == '#') scanner.advance();
  const char closer = scanner.peek() == '{' ? '}' : scanner.peek() == '[' ? ']' : ')';
  scanner.advance();
  while (scanner.skip_space() && scanner.peek() != closer) f(scanner);
}

// Calls f(name) where the value of each field of a map begins.
template <class F>
void JepsenObjects::each_field(const Pending& one, const F& f) {
  constexpr const char* remedy = "as in {:from 0, :to 1, :amount 5} for a transfer, and {0 5, 1 15} for a read";
  if (!one.value.starts_with('{'))
    source_.fail(one.event, fmt::format("the value of a {} of a bank is a map, {}", one.function, remedy));
  EdnScanner scanner(source_, one.value);
  scanner.advance();
  while (scanner.skip_space() && scanner.peek() != '}') {
    const char* at = scanner.at();
    const Datum name = account(datum(scanner, one.value));
    scanner.skip_space();
    if (json_ && scanner.peek() == ':') scanner.advance();
    if (!scanner.skip_space() || scanner.peek() == '}') source_.fail(at, "a field without a value; add the value");
    f(name, scanner);
  }
}

// In JSON the name of a field is a string even if the account is a number.
Datum JepsenObjects::account(Datum name) {
  const std::string text = history_.text(name);
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  if (text.size() < 3 || text.front() != '"') return name;
  const auto [stop, error] = std::from_chars(text.data() + 1, end, number);
  return stop == end - 1 && error == std::errc() ? history_.integer(number) : name;
}

void JepsenObjects::read_accounts(const Pending& one) {
  begin(one);
  const std::uint32_t number = ++reads_;
  std::uint64_t sum = 0;
  each_field(one, [&](Datum name, EdnScanner& scanner) {
    const std::uint32_t key = history_.key(name);
    if (key >= seen_.size()) seen_.resize(key + 1, 0);
    if (seen_[key] == number) {
      source_.fail(scanner.at(), fmt::format("account {} stands twice in this read; every account has one balance",
                                             history_.text(history_.key_name(key))));
    }
    seen_[key] = number;
    if (is_nil(scanner)) return history_.add(key, TransactionAction::Read, nothing);
    const char* at = scanner.at();
    const std::int64_t balance = integer(scanner, one, "a balance is an integer");
    weigh(balance, sum, at);
    history_.add(key, TransactionAction::Read, history_.element(key, history_.integer(balance)));
  });
  end(one);
}

void JepsenObjects::transfer(const Pending& one) {
  begin(one);
  std::optional<Datum> from, to;
  std::optional<std::int64_t> amount;
  each_field(one, [&](Datum name, EdnScanner& scanner) {
    const std::string field = history_.text(name);
    const auto is = [&](std::string_view word) { return bare_name(unquoted(field)) == word; };
    if (is("amount")) {
      amount = integer(scanner, one, "an amount is an integer");
    } else {
      const Datum value = account(datum(scanner, one.value));
      if (is("from")) from = value;
      if (is("to")) to = value;
    }
  });
  if (!from || !to || !amount) source_.fail(one.event, "a transfer has :from, :to and :amount; one of them is missing");
  weigh(*amount, changed_, one.value.data());
  for (const auto& [name, change] : {std::pair(*from, -*amount), std::pair(*to, *amount)}) {
    const std::uint32_t key = history_.key(name);
    history_.add(key, TransactionAction::Write, history_.element(key, history_.integer(change)));
  }
  end(one);
}

std::string_view JepsenObjects::unquoted(std::string_view text) {
  return text.size() >= 2 && text.front() == '"' ? text.substr(1, text.size() - 2) : text;
}

}  // namespace heddle::history
