#include <heddle/heddle.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace heddle;

// A block is its branch: the value it carries in each round, 0 in rounds the branch skips. The empty block is genesis.
using Block = std::vector<int>;

int round_of(const Block& b) { return static_cast<int>(b.size()); }
[[maybe_unused]] Block parent_of(Block b) {
  b.pop_back();
  while (!b.empty() && b.back() == 0) b.pop_back();
  return b;
}
Block child_of(Block parent, int round, int value) {
  parent.resize(static_cast<std::size_t>(round), 0);
  parent.back() = value;
  return parent;
}
bool extends(const Block& b, const Block& a) { return b.size() >= a.size() && std::equal(a.begin(), a.end(), b.begin()); }

enum class Phase { join, prevote, vote };

// How many correct processes have signed what, as far as it matters to anyone: no more than a certificate needs.
struct Board {
  std::map<Block, int> joins, prevotes, votes;
  std::vector<int> entered;  // how many have entered round 2, 3, ...

  std::map<Block, int>& of(Phase p) { return p == Phase::join ? joins : p == Phase::prevote ? prevotes : votes; }
};

int correct(const Run& run) { return static_cast<int>(run["n"] - run["f"]); }
// Signatures of correct processes that make a certificate; Byzantine ones are free.
int needed(const Run& run) { return static_cast<int>(run["quorum"] - run["f"]) - (run.bug("small_quorum") ? 1 : 0); }

struct Signature {
  Phase phase;
  Block block;
  auto operator<=>(const Signature&) const = default;
};

struct Replica {
  int round = 1;
  Block lock;                              // votedNode
  std::set<Block> joined;                  // in this round
  std::set<int> prevoted, voted;           // rounds
  Auxiliary<std::set<Signature>> history;  // all it has signed

  void sign(Phase phase, const Block& block, Board& board, const Run& run) {
    int& count = board.of(phase)[block];
    count = std::min(count + 1, needed(run));
    history.update([](auto& all, const Signature& s) { all.insert(s); }, Signature{phase, block});
  }
  void change_round(const Run& run, Ghost<Board>& board, Timeout) {
    require(round < run["rounds"]);
    ++round;
    joined.clear();
    prevoted.clear();
    voted.clear();
    board->entered.resize(std::max<std::size_t>(board->entered.size(), static_cast<std::size_t>(round - 1)));
    ++board->entered[static_cast<std::size_t>(round - 2)];
  }
  void join(const Run& run, Choice choose, Ghost<Board>& board) {
    std::vector<Block> parents{{}}, options;
    for (const auto& [block, count] : board->joins) {
      if (round_of(block) < round && count >= needed(run)) parents.push_back(block);
    }
    for (const Block& parent : parents) {
      for (int value = 1; value <= run["values"]; ++value) {
        const Block b = child_of(parent, round, value);
        if (joined.empty() && (extends(b, lock) || round_of(lock) < round_of(parent))) options.push_back(b);
      }
    }
    const Block b = choose.from(options);
    joined.insert(b);
    sign(Phase::join, b, *board, run);
  }
  void prevote(const Run& run, Choice choose, Ghost<Board>& board) {
    const Block b = certified(board->joins, prevoted, run, choose);
    prevoted.insert(round_of(b));
    sign(Phase::prevote, b, *board, run);
  }
  void vote(const Run& run, Choice choose, Ghost<Board>& board) {
    const Block b = certified(board->prevotes, voted, run, choose);
    voted.insert(round_of(b));
    lock = b;
    sign(Phase::vote, b, *board, run);
  }
  Block certified(const std::map<Block, int>& signatures, const std::set<int>& done, const Run& run, Choice choose) const {
    std::vector<Block> options;
    for (const auto& [block, count] : signatures) {
      if (round_of(block) == round && !done.contains(round) && count >= needed(run)) options.push_back(block);
    }
    return choose.from(options);
  }
  static constexpr auto transitions =
      heddle::transitions<&Replica::change_round, &Replica::join, &Replica::prevote, &Replica::vote>;
};

bool agreement(const View& v) {
  const auto board = v.ghost<Board>();
  std::vector<Block> decided;
  for (const auto& [block, count] : board.votes) {
    if (count >= needed(v.run())) decided.push_back(block);
  }
  for (const Block& a : decided) {
    for (const Block& b : decided) {
      if (!extends(a, b) && !extends(b, a)) return false;
    }
  }
  return true;
}

const Register hotstuff({
    .name = "hotstuff",
    .summary = "HotStuff against Byzantine leaders",
    .parameters = {{"n", 4, 1, 16, "processes"},
                   {"f", 1, 0, 8, "Byzantine processes"},
                   {"rounds", 2, 1, 9, "rounds (views)"},
                   {"values", 1, 1, 9, "values a block may carry"},
                   {"quorum", 3, 1, 16, "signatures of a certificate"}},
    .bugs = {{"small_quorum", "agreement", {}, "two signatures are enough for a certificate"}},
    .expected = {{{}, 51236, 153195, 0, "digest prototype"}},
    .build =
        [](Model& m) {
          m.ghost<Board>();
          m.add<Replica>(static_cast<std::size_t>(correct(m.run())));
          m.always("agreement", agreement);
        },
});

}  // namespace
