#include "history/transactions.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>
#include <vector>

#include "history/edn_scanner.h"
#include "history/history_builder.h"
#include "history/jepsen_objects.h"
#include "history/transaction_operations.h"
#include "history/transaction_values.h"

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

class TransactionReader {
 public:
  TransactionReader(const SourceText& source, const TransactionReadOptions& options, bool json,
                    TransactionHistory& history)
      : source_(source),
        options_(options),
        json_(json),
        history_(history),
        scanner_(source, source.text()),
        values_(source, json, history, options.budget),
        operations_(values_, options.initial),
        objects_(values_) {
    history_.workload = workload();
  }

  TransactionReadSummary read() {
    events();
    finish();
    return std::move(summary_);
  }

 private:
  struct Open : TransactionOperations::Asked {
    std::string_view function;
  };
  struct Moment {
    std::int64_t time = std::numeric_limits<std::int64_t>::min();
    std::uint32_t line = 0;
  };

  // Lists are appended to, registers are written. Which it is decides what a read means, so it has to be known before
  // the first one.
  Workload workload() const {
    const std::string_view text = source_.text();
    const auto has = [&](std::string_view word) {
      std::size_t at = text.find(word);
      while (at != text.npos && in_comment(at)) at = text.find(word, at + 1);
      return at != text.npos;
    };
    if (has(":append") || has("\"append\"")) return Workload::ListAppend;
    if (has_function("transfer")) return Workload::Bank;
    if (has_function("add")) return Workload::Counter;  // or a set: the first read says which
    const bool writes = has(":w ") || has(":write") || has("\"w\"") || has("\"write\"") || has("\":w\"");
    if (writes) return Workload::Register;
    // Nothing but reads: these are of a bank if somebody says what is in it, and of a set if they look like it.
    if (has_function("read")) {
      if (options_.total) return Workload::Bank;
      if (has_set_for_value()) return Workload::Counter;
    }
    return options_.initial.empty() ? Workload::ListAppend : Workload::Register;  // lists begin empty
  }

  // True if the value of some event is a set of EDN.
  bool has_set_for_value() const {
    const std::string_view text = source_.text();
    if (json_) return false;
    for (std::size_t at = text.find("#{"); at != text.npos; at = text.find("#{", at + 1)) {
      std::size_t end = at;
      while (end > 0 && std::string_view(" ,\t\n").find(text[end - 1]) != std::string_view::npos) --end;
      if (text.substr(0, end).ends_with(":value") && !in_comment(at)) return true;
    }
    return false;
  }

  // True if some event has this :f.
  bool has_function(std::string_view name) const {
    const std::string_view text = source_.text();
    for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
      std::size_t begin = at;
      while (begin > 0 && std::string_view(" :\",\t\n").find(text[begin - 1]) != std::string_view::npos) --begin;
      const bool is_field = begin >= 2 && text[begin - 1] == 'f' && (text[begin - 2] == ':' || text[begin - 2] == '"');
      if (begin < at && is_field && !in_comment(at)) return true;
    }
    return false;
  }
  // True if a semicolon stands before this place of its line, outside of strings.
  bool in_comment(std::size_t place) const {
    if (json_) return false;
    const std::string_view text = source_.text();
    bool in_string = false;
    for (std::size_t at = place == 0 ? 0 : text.rfind('\n', place - 1) + 1; at < place; ++at) {
      if (text[at] == '\\') {
        ++at;
      } else if (text[at] == '"') {
        in_string = !in_string;
      } else if (text[at] == ';' && !in_string) {
        return true;
      }
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

  void event() {
    if (until_check_-- == 0) check_budget();
    const char* begin = scanner_.at();
    const Fields fields = read_fields(begin);
    std::string storage;
    const std::string process(fields.process.empty() || fields.process == "nil" || fields.process == "null"
                                  ? std::string_view()
                                  : values_.bare(fields.process, storage));
    if (process == nemesis) {
      ++summary_.nemesis_events;
      return;
    }
    if (fields.type.empty())
      source_.fail(begin, "this event has no type; it is one of " + std::string(event_types) + ", as in :type :ok");
    const std::optional<Event::Type> type = event_type(values_.bare(fields.type, storage));
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
                                      : values_.bare(fields.function, storage);
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
      if (!open.function.empty() && open.function != function) operations_.fail_different(open, begin);
      const bool is_read = function == "read";
      if (!is_read && !open.value.empty() && open.value != fields.value) operations_.fail_different(open, begin);
      if (!is_read || t.outcome == Outcome::Ok) objects_.add({open.transaction, function, fields.value, begin});
    } else if (t.outcome == Outcome::Ok) {
      operations_.read(open.transaction, fields.value, begin, true);
      if (!open.value.empty()) operations_.compare(open, begin);
    } else {
      operations_.read(open.transaction, open.value.empty() ? fields.value : open.value, begin, false);
    }
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
        operations_.read(open.transaction, open.value, open.at, false);
      } else if (open.function != "read") {
        objects_.add({open.transaction, open.function, open.value, open.at});
      }
    }
    if (is_object()) objects_.read(options_.total);
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
    values_.check_budget();
  }

  static constexpr std::size_t most_transactions = (std::size_t{1} << 27) - 1;

  const SourceText& source_;
  const TransactionReadOptions& options_;
  const bool json_;
  TransactionHistory& history_;
  EdnScanner scanner_;
  TransactionValues values_;
  TransactionOperations operations_;
  JepsenObjects objects_;
  TransactionReadSummary summary_;
  NameIndex process_index_;
  std::vector<Open> open_ = std::vector<Open>(1);
  std::vector<Moment> latest_ = std::vector<Moment>(1);
  std::vector<std::uint32_t> checked_;  // by key: places of its order whose writers are known to be there
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
