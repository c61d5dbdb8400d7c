// Reads the operations of transactions: [[:append x 1] [:r y [1 2]]] and [[:w x 1] [:r y 1]].
//
// Lists that were read are mostly prefixes of each other: as long as a list is the beginning of its key's order, its
// elements are only compared.
// Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "history/transaction_values.h"

namespace heddle::history {

class TransactionOperations : public TransactionValues {
 public:
  // `initial` is what registers hold at first, as EDN; empty: nil.
  TransactionOperations(TransactionValues values, std::string_view initial);

  // Reads the operations of a transaction; with `results`, what its reads have seen. `event` is where its event begins.
  void read(std::uint32_t transaction, std::string_view form, const char* event, bool results);

  // What a transaction was asked to do, and where its invocation begins.
  struct Asked {
    std::uint32_t transaction = never;
    std::string_view value;
    const char* at = nullptr;
  };
  // Fails at `event` unless the transaction has done what it was asked to do. REQUIRES: it was read.
  void compare(const Asked& asked, const char* event) const;
  [[noreturn]] void fail_different(const Asked& asked, const char* event) const;

 private:
  [[noreturn]] void fail_value(std::string_view form, const char* event) const;
  void operation(std::uint32_t transaction, EdnScanner& scanner, std::string_view form, const char* event,
                 bool results);
  void write(std::uint32_t transaction, std::uint32_t key, EdnScanner& scanner, std::string_view form);
  void read_key(std::uint32_t key, EdnScanner& scanner, char closer, std::string_view form, bool results);
  void read_list(std::uint32_t key, EdnScanner& scanner, char closer, std::string_view form);

  std::optional<Datum> initial_;
  std::vector<std::uint32_t> rest_;
};

}  // namespace heddle::history
