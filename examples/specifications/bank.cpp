// Accounts with balances, as a sequential object for recorded histories:
//
//   heddle lin examples/specifications/bank.edn --spec examples/specifications/bank.cpp
//
// The history in bank.edn is from a bank that let two transfers spend the same money.
#include <heddle/specification.h>

#include <map>
#include <string>

struct Bank {
  std::map<std::string, long> balance;

  long read(const std::string& account) { return balance[account]; }
  bool transfer(const std::string& from, const std::string& to, long amount) {
    if (balance[from] < amount) return false;
    balance[from] -= amount;
    balance[to] += amount;
    return true;
  }
  static constexpr auto operations = heddle::operations<&Bank::read, &Bank::transfer>;
};

const heddle::RegisterSpecification<Bank> bank("bank", Bank{{{"alice", 10}}});
