// Two accounts of one person, in a store with snapshot isolation: a withdrawal may overdraw one account as long as the
// sum of both stays positive.
//
//   heddle check withdrawals.cpp                      not serializable: write skew
//   heddle check withdrawals.cpp --param validate=reads    holds: a commit also fails if what was read has changed
//
// The clients' operations are whole transactions. What they may answer is said by a struct that executes them one by one.
#include <heddle/heddle.h>

#include <array>

namespace {

using namespace heddle;

struct Store;
struct Client;

using Two = std::array<int, 2>;

struct Withdraw {  // the transaction, as its client asks for it
  enum class Kind { withdraw } kind = Kind::withdraw;
  int account = 0;
  int amount = 0;
};
struct Read {};
struct Snapshot {
  Two balances{}, versions{};
};
struct Commit {
  int account = 0;
  int balance = 0;
  Two versions{};
};
struct Committed {
  bool done = false;
};

struct Client {
  enum class Phase { idle, reading, committing, done };
  Phase phase = Phase::idle;
  int account = 0;

  void withdraw(Choice choose, Invoke<Withdraw> invoke, To<Store, Read> out) {
    require(phase == Phase::idle);
    phase = Phase::reading;
    account = choose(2);
    invoke({.account = account, .amount = 100});
    out.send({});
  }
  void decide(const From<Snapshot, Store>& seen, Reply<Commit> out, Return<bool> give) {
    require(phase == Phase::reading);
    if (seen->balances[0] + seen->balances[1] < 100) {
      phase = Phase::done;
      give(false);
    } else {
      phase = Phase::committing;
      out.send({account, seen->balances[account] - 100, seen->versions});
    }
  }
  void end(const From<Committed, Store>& answer, Reply<Read> again, Return<bool> give) {
    require(phase == Phase::committing);
    phase = answer->done ? Phase::done : Phase::reading;
    if (answer->done) {
      give(true);
    } else {
      again.send({});
    }
  }
  static constexpr auto transitions = heddle::transitions<&Client::withdraw, &Client::decide, &Client::end>;
};

struct Store {
  Two balances{60, 60}, versions{};

  void read(const Read&, Reply<Snapshot> out) { out.send({balances, versions}); }
  // The first committer wins: whoever has read an old version of what he writes must try again.
  void commit(const Commit& c, const Run& run, Reply<Committed> out) {
    const bool reads_too = run.text("validate") == "reads";
    const bool current = reads_too ? c.versions == versions : c.versions[c.account] == versions[c.account];
    if (current) {
      balances[c.account] = c.balance;
      ++versions[c.account];
    }
    out.send({current});
  }
  static constexpr auto transitions = heddle::transitions<&Store::read, &Store::commit>;
};

// What one withdrawal after the other does.
struct Accounts {
  Two balances{60, 60};
  bool apply(const Withdraw& w) {
    if (balances[0] + balances[1] < w.amount) return false;
    balances[w.account] -= w.amount;
    return true;
  }
};

const Register withdrawals({.name = "withdrawals",
                            .summary = "withdrawals under snapshot isolation",
                            .parameters = {{"clients", 2, 1, 3, "how many withdraw"},
                                           {"validate", {"writes", "reads"}, "what a commit compares"}},
                            .build = [](Model& m) {
                              m.add<Client>(m.run()["clients"]);
                              m.add<Store>();
                              m.serializable<Accounts, Withdraw>("serializable");
                            }});

}  // namespace
