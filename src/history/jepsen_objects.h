// Reads workloads of Jepsen whose operations are no lists of reads and writes, but those of an object:
//
//   set         {:f :add, :value 3} {:f :read, :value #{1 3}}                            a register for each element
//   counter     {:f :add, :value 3} {:f :read, :value 7}
//   bank        {:f :transfer, :value {:from 0, :to 1, :amount 5}} {:f :read, :value {0 5, 1 15}}
//
// Operations are noted as they come and read at the end: only the first read says whether something is a set.
// Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "history/transaction_values.h"

namespace heddle::history {

class JepsenObjects : public TransactionValues {
 public:
  explicit JepsenObjects(TransactionValues values) : TransactionValues(values) {}

  // An operation: `function` is read, add or transfer; its event begins at `event`.
  struct Pending {
    std::uint32_t transaction = never;
    std::string_view function, value;
    const char* event = nullptr;
  };
  void add(const Pending& one) { pending_.push_back(one); }
  // Reads what was added. `total` is what all accounts of a bank have together.
  void read(const std::optional<std::int64_t>& total);

 private:
  static bool is_collection(std::string_view form);
  void begin(const Pending& one);
  void end(const Pending& one);
  std::int64_t integer(EdnScanner& scanner, const Pending& one, const char* what);
  void weigh(std::int64_t value, std::uint64_t& sum, const char* at) const;
  void set();
  template <class F>
  void each_member(const Pending& one, const F& f);
  template <class F>
  void each_field(const Pending& one, const F& f);
  Datum account(Datum name);
  void read_accounts(const Pending& one);
  void transfer(const Pending& one);
  static std::string_view unquoted(std::string_view text);

  std::vector<Pending> pending_;
  std::uint64_t changed_ = 0;        // what all transfers, or increments, are together, without signs
  std::vector<std::uint32_t> seen_;  // by account: the number of the last read that has it
  std::uint32_t reads_ = 0;          // of the bank
  std::uint32_t until_check_ = 0;
};

}  // namespace heddle::history
