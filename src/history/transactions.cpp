#include "history/transactions.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>
#include <limits>
#include <utility>
#include <vector>

#include "history/edn_scanner.h"
#include "history/history_builder.h"
#include "history/json_values.h"

namespace heddle::history {
namespace {

constexpr std::uint32_t transactions_between_checks = 1024;

struct Fields {
  std::string_view process, type, function, value, time;
};

std::string_view* field(Fields& fields, std::string_view name) {
  if (name == "process") return &fields.process;
  if (name == "type") return &fields.type;
  if (name == "f") return &fields.function;
  if (name == "value") return &fields.value;
  if (name == "time") return &fields.time;
  return nullptr;
}

std::string shortened(std::string_view text) {
  constexpr std::size_t enough = 60;
  if (text.size() <= enough) return std::string(text);
  std::size_t end = enough;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "...";
}

class TransactionReader {
 public:
  TransactionReader(const SourceText& source, const TransactionReadOptions& options, bool json,
                    TransactionHistory& history)
      : source_(source), options_(options), json_(json), history_(history), scanner_(source, source.text()) {
    history_.workload = workload();
    if (!options.initial.empty()) {
      const SourceText initial(options.initial, "--initial");
      EdnScanner scanner(initial, initial.text());
      if (!scanner.skip_space()) throw HistoryError("--initial: a value is expected");
      initial_ = datum(scanner, initial.text());
    }
  }

  TransactionReadSummary read() {
    events();
    finish();
    return std::move(summary_);
  }

 private:
  struct Open {
    std::uint32_t transaction = never;
    std::string_view value;
    const char* at = nullptr;
    std::string_view function;
  };
  // What an operation of an object was, to be read when it is known whether the object is a set.
  struct Pending {
    std::uint32_t transaction = never;
    std::string_view function, value;
    const char* event = nullptr;
  };
  struct Moment {
    std::int64_t time = std::numeric_limits<std::int64_t>::min();
    std::uint32_t line = 0;
  };

  // Lists are appended to, registers are written. Which it is decides what a read means, so it has to be known before
  // the first one.
  Workload workload() const {
    const std::string_view text = source_.text();
    const auto has = [&](std::string_view word) { return text.find(word) != text.npos; };
    if (has(":append") || has("\"append\"")) return Workload::ListAppend;
    if (has_function("transfer")) return Workload::Bank;
    if (has_function("add")) return Workload::Counter;  // or a set: the first read says which
    const bool writes = has(":w ") || has(":write") || has("\"w\"") || has("\"write\"") || has("\":w\"");
    return writes ? Workload::Register : Workload::ListAppend;
  }

  // True if some event has this :f.
  bool has_function(std::string_view name) const {
    const std::string_view text = source_.text();
    for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
      std::size_t begin = at;
      while (begin > 0 && std::string_view(" :\",\t\n").find(text[begin - 1]) != std::string_view::npos) --begin;
      const bool is_field = begin >= 2 && text[begin - 1] == 'f' && (text[begin - 2] == ':' || text[begin - 2] == '"');
      if (begin < at && is_field) return true;
    }
    return false;
  }
  // The operations of these are not reads and writes of keys.
  bool is_object() const { return history_.workload == Workload::Bank || history_.workload == Workload::Counter; }

  void events() {
    const char* around = nullptr;  // where the vector around the events begins
    char closer = 0;
    while (scanner_.skip_space()) {
      const char c = scanner_.peek();
      if (c == '{') {
        event();
      } else if ((c == '[' || c == '(') && around == nullptr) {
        around = scanner_.at();
        closer = c == '[' ? ']' : ')';
        scanner_.advance();
      } else if (around != nullptr && c == closer) {
        around = nullptr;
        scanner_.advance();
      } else if (c == '#' && !json_) {
        scanner_.token();
      } else {
        source_.fail(scanner_.at(),
                     "an event is expected here: a map such as {:process 0, :type :ok, :f :txn, "
                     ":value [[:append :x 1] [:r :x [1]]]}");
      }
    }
    if (around != nullptr) {
      source_.fail(
          around,
          "the list of events that begins here is not closed before the end of the file, which seems to be cut "
          "off; complete it, or remove its unfinished end");
    }
  }

  Fields read_fields(const char* begin) {
    Fields fields;
    scanner_.advance();
    for (;;) {
      expect_more(begin);
      const char c = scanner_.peek();
      if (c == '}') break;
      const char* at = scanner_.at();
      std::string_view name = c == ':' ? scanner_.token() : scanner_.skip_form();
      if (name.size() >= 2 && name[0] == '"') name = name.substr(1, name.size() - 2);
      name = bare_name(name);
      expect_more(begin);
      if (json_) {
        if (scanner_.peek() != ':') source_.fail(at, "a colon is expected after the name of a field; correct it");
        scanner_.advance();
        expect_more(begin);
      }
      if (scanner_.peek() == '}') source_.fail(at, "a field without a value; add the value");
      const std::string_view text = scanner_.skip_form();
      if (std::string_view* found = field(fields, name)) {
        if (!found->empty()) source_.fail(at, fmt::format("{} stands twice in this event; remove one", name));
        *found = text;
      }
    }
    scanner_.advance();
    return fields;
  }

  void expect_more(const char* begin) {
    if (!scanner_.skip_space()) {
      source_.fail(begin,
                   "the event that begins here is not closed before the end of the file, which seems to be cut off; "
                   "complete it, or remove it");
    }
  }

  std::string_view bare(std::string_view form, std::string& storage) const {
    if (form.empty() || form[0] != '"') return bare_name(form);
    if (form.find('\\') == form.npos) return bare_name(form.substr(1, form.size() - 2));
    storage = text_of(form);
    return bare_name(storage);
  }

  // The content of a string. JSON has an escape that EDN does not know, and the other way round.
  std::string text_of(std::string_view form) const {
    if (!json_) return EdnScanner(source_, form).string();
    boost::json::error_code error;
    const boost::json::value value = boost::json::parse(form, error);
    if (error || !value.is_string())
      source_.fail(form.data(), "malformed JSON: a string that cannot be read; correct it");
    return std::string(value.as_string());
  }

  void event() {
    if (until_check_-- == 0) check_budget();
    const char* begin = scanner_.at();
    const Fields fields = read_fields(begin);
    std::string storage;
    const std::string process(fields.process.empty() || fields.process == "nil" || fields.process == "null"
                                  ? std::string_view()
                                  : bare(fields.process, storage));
    if (process == nemesis) {
      ++summary_.nemesis_events;
      return;
    }
    if (fields.type.empty())
      source_.fail(begin, "this event has no type; it is one of " + std::string(event_types) + ", as in :type :ok");
    const std::optional<Event::Type> type = event_type(bare(fields.type, storage));
    if (!type) {
      source_.fail(fields.type.data(),
                   fmt::format("the type {} is unknown; it is one of {}", shortened(fields.type), event_types));
    }
    const std::string_view function = check_function(fields, begin);
    if (fields.value.empty() && !is_object()) {
      source_.fail(begin,
                   "this event has no value; that of a transaction is as in :value [[:append :x 1] [:r :x nil]]");
    }
    const std::uint32_t number = process_number(process);
    look_at_time(fields, begin, process, number);
    if (history_.events == never - 1) source_.fail(begin, "more than 2^32 events; check a part of the history");
    if (*type == Event::Type::Invoke) {
      invoke(fields, begin, process, number);
      open_[number].function = function;
    } else {
      complete(*type, fields, begin, process, number, function);
    }
  }

  // Returns what the operation is called, for objects.
  std::string_view check_function(const Fields& fields, const char* begin) const {
    std::string storage;
    const std::string_view name = fields.function.empty() || fields.function == "nil" || fields.function == "null"
                                      ? std::string_view()
                                      : bare(fields.function, storage);
    if (is_object()) {
      const bool is_bank = history_.workload == Workload::Bank;
      const std::string_view change = is_bank ? "transfer" : "add";
      if (name == "read") return "read";
      if (name == change) return change;
      source_.fail(begin, fmt::format("an operation {} in a history of a {}, which has read and {}; check them apart",
                                      name.empty() ? "without :f" : shortened(name),
                                      is_bank ? "bank" : "set or a counter", change));
    }
    if (name.empty() || name == "txn" || name == "transaction") return "";
    // Jepsen's long fork calls transactions after what they do.
    if ((name == "read" || name == "write") && has_operations(fields.value)) return "";
    source_.fail(
        begin,
        fmt::format("an operation {} is no transaction (:f :txn); operations on one object, or one key, at a time "
                    "are checked by `heddle lin`",
                    shortened(name)));
  }

  // True of [[...
  static bool has_operations(std::string_view form) {
    const auto is_open = [&](std::size_t i) { return i < form.size() && (form[i] == '[' || form[i] == '('); };
    std::size_t next = 1;
    while (next < form.size() && (form[next] == ' ' || form[next] == '\n')) ++next;
    return is_open(0) && is_open(next);
  }

  // Number 0 is that of events without a process.
  std::uint32_t process_number(const std::string& process) {
    if (process.empty()) return 0;
    const std::uint32_t number = process_index_.position(history_.processes, process) + 1;
    if (number >= open_.size()) {
      open_.resize(number + 1);
      latest_.resize(number + 1);
    }
    return number;
  }

  void look_at_time(const Fields& fields, const char* begin, const std::string& process, std::uint32_t number) {
    std::int64_t time = 0;
    const char* end = fields.time.data() + fields.time.size();
    if (fields.time.empty() || std::from_chars(fields.time.data(), end, time).ptr != end) return;
    Moment& latest = latest_[number];
    const std::uint32_t line = source_.line(begin);
    if (time < latest.time && summary_.backwards++ == 0) {
      summary_.first_backwards =
          fmt::format("the time {} of process {} in line {} is before its time {} in line {}", time,
                      process.empty() ? "nil" : shortened(process), line, latest.time, latest.line);
    }
    latest = {time, line};
  }

  void invoke(const Fields& fields, const char* begin, const std::string& process, std::uint32_t number) {
    Open& open = open_[number];
    if (open.transaction != never) {
      source_.fail(
          begin, fmt::format("process {} has two open transactions: that of line {} has no completion before this "
                             "invocation; add it (info if the outcome is unknown), or give each client its own process",
                             process.empty() ? "nil" : shortened(process),
                             history_.transactions[open.transaction].invoked_line));
    }
    open.transaction = add(begin, number);
    open.value = fields.value;
    open.at = begin;
    Transaction& t = history_.transactions.back();
    t.invoked = history_.events++;
    t.invoked_line = source_.line(begin);
    ++invocations_;
  }

  std::uint32_t add(const char* begin, std::uint32_t number) {
    if (history_.transactions.size() >= most_transactions)
      source_.fail(begin, fmt::format("more than {} transactions; check a part of the history", most_transactions));
    Transaction& t = history_.transactions.emplace_back();
    t.process = number == 0 ? never : number - 1;
    return static_cast<std::uint32_t>(history_.transactions.size() - 1);
  }

  void complete(Event::Type type, const Fields& fields, const char* begin, const std::string& process,
                std::uint32_t number, std::string_view function) {
    Open open = std::exchange(open_[number], {});
    if (open.transaction == never) {
      if (invocations_ > 0) {
        source_.fail(
            begin, fmt::format("a completion without an invocation: process {} has no open transaction; the beginning "
                               "of the history may be missing, or its events are not in the order they happened",
                               process.empty() ? "nil" : shortened(process)));
      }
      open.transaction = add(begin, number);
      if (first_alone_ == nullptr) first_alone_ = begin;
    }
    Transaction& t = history_.transactions[open.transaction];
    t.returned_line = source_.line(begin);
    const std::uint32_t event = history_.events++;
    if (type != Event::Type::Info) t.returned = event;
    switch (type) {
      case Event::Type::Invoke:
      case Event::Type::Ok:
        t.outcome = Outcome::Ok;
        ++summary_.ok;
        break;
      case Event::Type::Fail:
        t.outcome = Outcome::Failed;
        ++summary_.failed;
        break;
      case Event::Type::Info:
        ++summary_.unknown;
        break;
    }
    if (is_object()) {
      if (!open.function.empty() && open.function != function) fail_different(open, begin);
      const bool is_read = function == "read";
      if (!is_read && !open.value.empty() && open.value != fields.value) fail_different(open, begin);
      if (!is_read || t.outcome == Outcome::Ok) pending_.push_back({open.transaction, function, fields.value, begin});
    } else if (t.outcome == Outcome::Ok) {
      operations(open.transaction, fields.value, begin, true);
      if (!open.value.empty()) compare(open, begin);
    } else {
      operations(open.transaction, open.value.empty() ? fields.value : open.value, begin, false);
    }
  }

  // ---- operations ---------------------------------------------------------------------------------------------------

  // Reads the operations of a transaction; with `results`, what its reads have seen.
  void operations(std::uint32_t transaction, std::string_view form, const char* event, bool results) {
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

  [[noreturn]] void fail_value(std::string_view form, const char* event) const {
    const char* at = form.empty() ? event : form.data();
    source_.fail(
        at, fmt::format("{} is not the value of a transaction, which is a list of operations, as in [[:append :x 1] "
                        "[:r :y nil]] or [[:w :x 1] [:r :y nil]]; a history of operations on one object is checked "
                        "by `heddle lin`",
                        shortened(form)));
  }

  void operation(std::uint32_t transaction, EdnScanner& scanner, std::string_view form, const char* event,
                 bool results) {
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
      read(transaction, key, scanner, closer, form, results);
    } else {
      if (scanner.peek() == closer) source_.fail(at, "a write without a value, which is as in [:append :x 1]");
      write(transaction, key, scanner, form);
    }
    scanner.skip_space();
    if (scanner.peek() != closer) source_.fail(scanner.at(), "an operation has three parts, as in [:r :x nil]");
    scanner.advance();
  }

  void write(std::uint32_t transaction, std::uint32_t key, EdnScanner& scanner, std::string_view form) {
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

  void read(std::uint32_t transaction, std::uint32_t key, EdnScanner& scanner, char closer, std::string_view form,
            bool results) {
    (void)transaction;
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

  // Consumes nil (EDN) or null (JSON) if it is there.
  bool is_nil(EdnScanner& scanner) const {
    if (scanner.peek() != 'n') return false;
    EdnScanner ahead = scanner;
    const std::string_view word = ahead.token();
    if (word != (json_ ? "null" : "nil")) return false;
    scanner.advance();
    for (std::size_t i = 1; i < word.size(); ++i) scanner.advance();
    return true;
  }

  void read_list(std::uint32_t key, EdnScanner& scanner, char closer, std::string_view form) {
    const char* at = scanner.at();
    if (scanner.peek() == closer || is_nil(scanner)) return history_.read_list(key, 0, {});
    if (scanner.peek() != '[' && scanner.peek() != '(') {
      source_.fail(
          at, fmt::format("a read of key {} has seen something that is no list; keys of a history with appends are "
                          "lists, as in [:r :x [1 2]]",
                          history_.text(history_.key_name(key))));
    }
    const char end = scanner.peek() == '[' ? ']' : ')';
    scanner.advance();
    // As long as the list is the beginning of the key's order, elements are only compared.
    std::uint32_t length = 0;
    rest_.clear();
    const std::vector<std::uint32_t>& order = history_.order(key);
    for (;;) {
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

  // Reads a key or a value.
  Datum datum(EdnScanner& scanner, std::string_view form) {
    const char* at = scanner.at();
    const char* end = form.data() + form.size();
    if (is_digit(*at) || (*at == '-' && at + 1 < end && is_digit(at[1]))) {
      const char* digit = at;
      std::int64_t number = 0;
      const bool negative = *digit == '-';
      digit += negative ? 1 : 0;
      const char* limit = std::min(end, digit + 17);
      for (; digit < limit && is_digit(*digit); ++digit) number = number * 10 + (*digit - '0');
      if (digit == end || *digit == ' ' || *digit == ']' || *digit == ',' || *digit == ')' || *digit == '\n') {
        scanner.skip_to(digit);
        return history_.integer(negative ? -number : number);
      }
    }
    if (*at == '"' && json_) {
      const std::string_view string = scanner.skip_form();
      return history_.datum(json_text(text_of(string), history_.values()));
    }
    const Value value = scanner.value(history_.values());
    if (history_.values().kind(value) == ValueTable::Kind::Integer)
      return history_.integer(history_.values().as_integer(value));
    return history_.datum(value);
  }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  // What a transaction was asked to do is what it has done.
  void compare(const Open& open, const char* event) {
    EdnScanner asked(source_, open.value);
    asked.skip_space();
    if (asked.peek() != '[' && asked.peek() != '(') fail_value(open.value, open.at);
    const char closer = asked.peek() == '[' ? ']' : ')';
    asked.advance();
    const Transaction& t = history_.transactions[open.transaction];
    for (std::uint32_t i = t.begin;; ++i) {
      asked.skip_space();
      const bool ended = asked.peek() == closer;
      if (ended != (i == t.end)) fail_different(open, event);
      if (ended) return;
      if (asked.peek() != '[' && asked.peek() != '(') fail_value(open.value, open.at);
      const char inner = asked.peek() == '[' ? ']' : ')';
      asked.advance();
      std::string storage;
      asked.skip_space();
      if (asked.peek() == inner) fail_value(open.value, open.at);
      const std::string_view name = bare(asked.peek() == ':' ? asked.token() : asked.skip_form(), storage);
      const TransactionOperation& op = history_.operations[i];
      const bool reads = name == "r" || name == "read";
      if (reads != (op.action != TransactionAction::Write)) fail_different(open, event);
      asked.skip_space();
      if (asked.peek() == inner) fail_value(open.value, open.at);
      if (!(datum(asked, open.value) == history_.key_name(op.key))) fail_different(open, event);
      asked.skip_space();
      if (!reads && (asked.peek() == inner || !(datum(asked, open.value) == history_.value(op.what))))
        fail_different(open, event);
      while (asked.skip_space() && asked.peek() != inner) asked.skip_form();
      asked.advance();
    }
  }

  [[noreturn]] void fail_different(const Open& open, const char* event) const {
    source_.fail(
        event,
        fmt::format("this transaction completes other operations than those of its invocation in line {}; one of "
                    "the two is wrong",
                    history_.transactions[open.transaction].invoked_line));
  }

  // ---- objects: banks, counters and sets ----------------------------------------------------------------------------

  void object() {
    if (history_.workload == Workload::Bank) {
      if (!options_.total) {
        throw HistoryError(source_.file_name() +
                           ": this is the history of a bank; --total says what all accounts have together, as in "
                           "--total 100");
      }
      history_.total = *options_.total;
      for (const Pending& one : pending_) one.function == "read" ? read_accounts(one) : transfer(one);
      return;
    }
    const auto first_read = std::ranges::find(pending_, "read", &Pending::function);
    if (first_read == pending_.end() || is_collection(first_read->value)) return set();
    const std::uint32_t key = history_.key(history_.datum(history_.values().text("counter")));
    for (const Pending& one : pending_) {
      begin(one);
      EdnScanner scanner(source_, one.value);
      const std::int64_t value = integer(scanner, one, "a counter is read, and added to, by integers");
      const bool reads = one.function == "read";
      history_.add(key, reads ? TransactionAction::Read : TransactionAction::Write,
                   history_.element(key, history_.integer(value)));
      end(one);
    }
  }

  static bool is_collection(std::string_view form) {
    return form.starts_with("#{") || form.starts_with("[") || form.starts_with("(");
  }
  void begin(const Pending& one) {
    if (until_check_-- == 0) check_budget();
    history_.transactions[one.transaction].begin = static_cast<std::uint32_t>(history_.operations.size());
  }
  void end(const Pending& one) {
    if (history_.operations.size() >= most_operations)
      source_.fail(one.event, "more than 2^31 operations; check a part of the history");
    history_.transactions[one.transaction].end = static_cast<std::uint32_t>(history_.operations.size());
  }
  std::int64_t integer(EdnScanner& scanner, const Pending& one, const char* what) {
    const char* at = one.value.empty() ? one.event : scanner.at();
    if (one.value.empty() || !scanner.skip_space()) source_.fail(at, fmt::format("there is no number here; {}", what));
    const Datum value = datum(scanner, one.value);
    if ((value.bits & 1) != 0)
      source_.fail(at, fmt::format("{} is no integer; {}", shortened(history_.text(value)), what));
    return history_.as_integer(value);
  }

  // Every element is a register that holds true once it was added; a read of the set reads all of them.
  void set() {
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
          source_.fail(one.event,
                       fmt::format("a read has seen {}, which nobody has added; a part of the history may be "
                                   "missing; if the store made it up, that is its mistake",
                                   history_.text(name)));
        }
        if (seen[key] == number) {
          source_.fail(one.event,
                       fmt::format("a read has seen {} twice, which a set cannot have", history_.text(name)));
        }
        seen[key] = number;
      });
      for (std::uint32_t key = 0; key < elements.size(); ++key)
        history_.add(key, TransactionAction::Read, seen[key] == number ? elements[key] : nothing);
      end(one);
    }
  }

  template <class F>
  void each_member(const Pending& one, const F& f) {
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
  void each_field(const Pending& one, const F& f) {
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
  Datum account(Datum name) {
    const std::string text = history_.text(name);
    std::int64_t number = 0;
    const char* end = text.data() + text.size();
    if (text.size() < 3 || text.front() != '"') return name;
    return std::from_chars(text.data() + 1, end, number).ptr == end - 1 ? history_.integer(number) : name;
  }

  void read_accounts(const Pending& one) {
    begin(one);
    each_field(one, [&](Datum name, EdnScanner& scanner) {
      const std::uint32_t key = history_.key(name);
      if (is_nil(scanner)) return history_.add(key, TransactionAction::Read, nothing);
      const std::int64_t balance = integer(scanner, one, "a balance is an integer");
      history_.add(key, TransactionAction::Read, history_.element(key, history_.integer(balance)));
    });
    end(one);
  }

  void transfer(const Pending& one) {
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
    if (!from || !to || !amount)
      source_.fail(one.event, "a transfer has :from, :to and :amount; one of them is missing");
    for (const auto& [name, change] : {std::pair(*from, -*amount), std::pair(*to, *amount)}) {
      const std::uint32_t key = history_.key(name);
      history_.add(key, TransactionAction::Write, history_.element(key, history_.integer(change)));
    }
    end(one);
  }
  static std::string_view unquoted(std::string_view text) {
    return text.size() >= 2 && text.front() == '"' ? text.substr(1, text.size() - 2) : text;
  }

  // ---- the end ------------------------------------------------------------------------------------------------------

  void finish() {
    const std::string_view text = source_.text();
    if (history_.transactions.empty())
      source_.fail(text.data() + text.size(), "there is no transaction in this file; is it the right one?");
    if (invocations_ > 0 && first_alone_ != nullptr) {
      source_.fail(
          first_alone_,
          "a completion without an invocation, though there are invocations later; the beginning of the history may "
          "be missing, or its events are not in the order they happened");
    }
    history_.has_invocations = invocations_ > 0;
    for (const Open& open : open_) {
      if (open.transaction == never) continue;
      ++summary_.unknown;
      if (!is_object()) {
        operations(open.transaction, open.value, open.at, false);
      } else if (open.function != "read") {
        pending_.push_back({open.transaction, open.function, open.value, open.at});
      }
    }
    if (is_object()) object();
    if (options_.total && history_.workload != Workload::Bank) {
      throw HistoryError(source_.file_name() +
                         ": --total is for the history of a bank (transfer and read), and this is none; leave it out");
    }
    history_.finish();
    check_budget();
    if (is_object()) return;
    for (std::uint32_t t = 0; t < history_.transactions.size(); ++t) {
      for (const TransactionOperation& op : history_.operations_of(t)) check_writers(t, op);
    }
  }

  // Everything that was read was written by somebody.
  void check_writers(std::uint32_t t, const TransactionOperation& op) {
    if (op.action == TransactionAction::Write || op.action == TransactionAction::Unseen) return;
    if (history_.workload == Workload::Register) {
      if (op.what != nothing && history_.writer(op.what) == never) fail_unwritten(t, op.what);
      return;
    }
    if (op.action == TransactionAction::Odd) {
      for (const std::uint32_t element : history_.odd(op.what)) {
        if (history_.writer(element) == never) fail_unwritten(t, element);
      }
      return;
    }
    // Every place of an order is looked at once.
    if (checked_.size() < history_.keys()) checked_.resize(history_.keys(), 0);
    for (std::uint32_t& place = checked_[op.key]; place < op.what; ++place) {
      const std::uint32_t element = history_.order(op.key)[place];
      if (history_.writer(element) == never) fail_unwritten(t, element);
    }
  }

  [[noreturn]] void fail_unwritten(std::uint32_t t, std::uint32_t element) const {
    const bool lists = history_.workload == Workload::ListAppend;
    throw HistoryError(fmt::format(
        "{}:{}: a read of key {} has seen {}, which no transaction of this history has {}; a part of the history may "
        "be "
        "missing{}",
        source_.file_name(), history_.transactions[t].returned_line,
        history_.text(history_.key_name(history_.key_of(element))), history_.text(history_.value(element)),
        lists ? "appended" : "written",
        lists ? "; if the store made it up, that is its mistake" : "; --initial says what registers hold at first"));
  }

  void check_budget() {
    until_check_ = transactions_between_checks;
    if (options_.budget == nullptr) return;
    if (!options_.budget->check(history_.bytes())) throw ReadingStopped(options_.budget->reason());
  }

  static constexpr std::size_t most_operations = std::size_t{1} << 31;
  static constexpr std::size_t most_transactions = (std::size_t{1} << 27) - 1;

  const SourceText& source_;
  const TransactionReadOptions& options_;
  const bool json_;
  TransactionHistory& history_;
  EdnScanner scanner_;
  TransactionReadSummary summary_;
  NameIndex process_index_;
  std::vector<Open> open_ = std::vector<Open>(1);
  std::vector<Pending> pending_;
  std::vector<Moment> latest_ = std::vector<Moment>(1);
  std::vector<std::uint32_t> rest_;
  std::vector<std::uint32_t> checked_;  // by key: places of its order whose writers are known to be there
  std::optional<Datum> initial_;
  std::uint64_t invocations_ = 0;
  const char* first_alone_ = nullptr;  // a completion without an invocation
  std::uint32_t until_check_ = 0;
};

}  // namespace

TransactionReadSummary read_transactions(std::string_view text, const std::string& file_name,
                                         const TransactionReadOptions& options, TransactionHistory& history) {
  const SourceText source(text, file_name);
  const Format format = options.format ? *options.format : detect_format(source);
  if (format != Format::Edn && format != Format::Json) {
    source.fail(source.text().data(),
                fmt::format("transactions are read from EDN and JSON, and this is {}; `heddle convert` writes EDN",
                            name(format)));
  }
  TransactionReadSummary summary = TransactionReader(source, options, format == Format::Json, history).read();
  summary.format = format;
  return summary;
}

}  // namespace heddle::history
