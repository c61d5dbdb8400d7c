// A recorded history of transactions on keys: what each read, appended or wrote, in a form that takes memory linear in
// the number of operations, however long the lists are that were read.
//
// Elements. Every appended or written value is an element of its key; a value is appended, or written, at most once to
// a key. So an element names the operation that made it, and a read names what it has seen.
//
// Lists. All lists that were read of a key are usually prefixes of the longest one, its `order`. Such a read is kept as
// the length of its list. Only a list that is not a prefix of it is kept as a list ("odd").
//
// Invariants
//   1. A transaction's operations are those of its completion if it is Ok, otherwise those that it was invoked with;
//      then its reads are of kind Unseen.
//   2. Events are numbered in the order of the file. `returned` is `never` for a transaction of unknown outcome;
//      `invoked` is `never` if the file has completions only.
//   3. After finish() every element that a read has seen has a writer.
// Not thread-safe while it is built; any number of threads may read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "check/recorded_history.h"

namespace heddle {

// Bank and Counter are objects with operations of their own: what is kept of them is less, see invariants.h. A set is
// kept as a register for each element, which somebody writes and every read of the set reads.
enum class Workload : std::uint8_t { ListAppend, Register, Bank, Counter };

// A key or a value as it was recorded: a small integer itself, or the number of another value.
struct Datum {
  std::uint64_t bits = 0;
  friend bool operator==(Datum, Datum) = default;
};

enum class TransactionAction : std::uint8_t {
  Read,    // `what` is the length of the list, or the element of the register (`nothing` for the initial value)
  Odd,     // a list that is not a prefix of the key's order: `what` is its number in `odd`
  Unseen,  // the result of the read is not known
  Write,   // `what` is the element that was appended or written
};

struct TransactionOperation {
  std::uint32_t key : 30;
  TransactionAction action : 2;
  std::uint32_t what;
};

inline constexpr std::uint32_t nothing = never;

struct Transaction {
  Outcome outcome = Outcome::Unknown;
  std::uint32_t process = never;  // index into `processes`; `never`: the recording does not say
  std::uint32_t begin = 0, end = 0;
  std::uint32_t invoked = never, returned = never;
  std::uint32_t invoked_line = 0, returned_line = 0;  // 0: there is none
};

class TransactionHistory {
 public:
  static constexpr std::uint32_t most_keys = (1U << 30) - 1;

  Workload workload = Workload::ListAppend;
  bool is_set = false;     // of Register
  std::int64_t total = 0;  // of Bank: of all accounts
  std::vector<Transaction> transactions;
  std::vector<TransactionOperation> operations;
  std::vector<std::string> processes;
  std::uint32_t events = 0;
  bool has_invocations = true;

  // While it is built.
  Datum integer(std::int64_t value);
  Datum datum(Value value) { return {(std::uint64_t{value} << 1) | 1}; }
  std::uint32_t key(Datum name);
  std::uint32_t element(std::uint32_t key, Datum value);
  void set_writer(std::uint32_t element, std::uint32_t transaction) { writers_[element] = transaction; }
  // Appends an operation. REQUIRES: key < most_keys.
  void add(std::uint32_t key, TransactionAction action, std::uint32_t what) {
    TransactionOperation& op = operations.emplace_back();
    op.key = key & most_keys;
    op.action = action;
    op.what = what;
  }
  // Appends a read of a list that begins with the first `length` elements of the key's order and goes on with `rest`.
  void read_list(std::uint32_t key, std::uint32_t length, std::span<const std::uint32_t> rest);
  // Computes where elements stand in their keys' orders. REQUIRES: called once, after the last transaction.
  void finish();

  std::span<const TransactionOperation> operations_of(std::uint32_t transaction) const {
    const Transaction& t = transactions[transaction];
    return {operations.data() + t.begin, operations.data() + t.end};
  }
  std::uint32_t keys() const { return static_cast<std::uint32_t>(key_names_.size()); }
  std::uint32_t elements() const { return static_cast<std::uint32_t>(writers_.size()); }
  Datum key_name(std::uint32_t key) const { return key_names_[key]; }
  Datum value(std::uint32_t element) const { return values_of_[element]; }
  std::uint32_t key_of(std::uint32_t element) const { return keys_of_[element]; }
  // The transaction that appended or wrote it; `never` if none did.
  std::uint32_t writer(std::uint32_t element) const { return writers_[element]; }
  // The longest list that was read of a key.
  const std::vector<std::uint32_t>& order(std::uint32_t key) const { return orders_[key]; }
  // Where it stands in its key's order; `never` if it does not.
  std::uint32_t position(std::uint32_t element) const { return positions_[element]; }
  const std::vector<std::uint32_t>& positions() const { return positions_; }
  const std::vector<std::uint32_t>& odd(std::uint32_t number) const { return odd_[number]; }
  bool has_odd_lists() const { return !odd_.empty(); }
  // The list that a Read or an Odd has seen.
  std::vector<std::uint32_t> list(const TransactionOperation& read) const;
  // An integer that was kept with integer(); 0 for anything else.
  std::int64_t as_integer(Datum datum) const {
    return (datum.bits & 1) == 0 ? static_cast<std::int64_t>(datum.bits) >> 1 : 0;
  }
  // An integer of 64 bits that is too large to be kept as itself.
  bool is_large_integer(Datum datum) const {
    return (datum.bits & 1) != 0 && values_.kind(static_cast<Value>(datum.bits >> 1)) == ValueTable::Kind::Integer;
  }
  // As it is written in EDN, for people.
  std::string text(Datum datum) const;
  ValueTable& values() { return values_; }
  const ValueTable& values() const { return values_; }
  std::size_t bytes() const;

 private:
  // Finds elements by key and value; the slots hold element numbers, so that nothing is stored twice.
  class ElementIndex {
   public:
    std::uint32_t* slot(const TransactionHistory& history, std::uint32_t key, Datum value);
    void grow(const TransactionHistory& history);
    bool full(std::size_t elements) const { return elements * 2 >= slots_.size(); }
    std::size_t bytes() const { return slots_.capacity() * sizeof(std::uint32_t); }

   private:
    std::vector<std::uint32_t> slots_;
  };

  ValueTable values_;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> key_numbers_;
  std::vector<Datum> key_names_;
  std::vector<std::vector<std::uint32_t>> orders_;
  std::vector<std::uint32_t> keys_of_, writers_, positions_;
  std::vector<Datum> values_of_;
  std::vector<std::vector<std::uint32_t>> odd_;
  ElementIndex index_;
  std::size_t listed_ = 0;  // elements in lists
};

}  // namespace heddle
