// HotStuff (Yin, Malkhi, Reiter, Golan-Gueta, Abraham: HotStuff: BFT Consensus with Linearity and Responsiveness,
// PODC 2019): blocks form a tree. In a round, correct processes join a block, then prevote it once a quorum
// joined, then vote for it (and lock it) once a quorum prevoted. It is decided once a quorum voted.
// variant=two_phase locks on prevotes and decides by them, which is as safe. variant=chained has one kind of
// message: to join a block is to prevote its parent and to vote for its grandparent.
//
// Only correct processes have state. The Byzantine ones, all leaders among them, are as strong as possible: they
// sign anything at any time, so a certificate can be formed iff quorum-f correct processes signed, and a leader
// proposes whatever a receiver accepts. The network is a board of signatures that only grows. A step is one
// message signed by a correct process, or its change to the next round.
// history=kept: a process also keeps all it signed. Nothing reads it, but the expected counts below include it.
// schedule=closed: nobody signs anything in a round that somebody has left, nor before all are there. What is
// signed in a round depends only on signatures of this round and earlier ones, and more of those never hinder. So
// every run can be rearranged to such a run with the same decisions (rounds are communication-closed; Elrad and
// Francez 1982).
// `agreement`: all decided blocks lie on one branch. `validity`: they carry values that clients have. Two
// corrections to the description in Cirisci's thesis (2022): the lock is compared with the round of the new
// block's parent, not of the block, and a block counts as soon as a certificate can be formed.
#include <heddle/heddle.h>
#include <heddle/qtree.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace heddle;

// A block is its branch: the value it carries in each round, 0 in rounds that the branch skips. The empty block
// is genesis.
using Block = std::vector<int>;

int round_of(const Block& b) { return static_cast<int>(b.size()); }
Block parent_of(Block b) {
  if (!b.empty()) b.pop_back();
  while (!b.empty() && b.back() == 0) b.pop_back();
  return b;
}
Block child_of(Block parent, int round, int value) {
  parent.resize(static_cast<std::size_t>(round), 0);
  parent.back() = value;
  return parent;
}
bool extends(const Block& b, const Block& a) {
  return b.size() >= a.size() && std::equal(a.begin(), a.end(), b.begin());
}

enum class Phase { join, prevote, vote };

struct Signature {
  Phase phase;
  Block block;
  auto operator<=>(const Signature&) const = default;
};

int correct(const Run& run) { return static_cast<int>(run["n"] - run["f"]); }
// Returns how many signatures of correct processes make a certificate; those of Byzantine ones are free.
int needed(const Run& run) { return static_cast<int>(run["quorum"] - run["f"]) - (run.bug("small_quorum") ? 1 : 0); }
// Returns the phase whose certificate decides; joining, if a chain of certified blocks decides.
Phase decisive(const Run& run) {
  if (run.text("variant") == "chained") return Phase::join;
  return run.text("variant") == "two_phase" || run.bug("decide_by_prevotes") ? Phase::prevote : Phase::vote;
}

// Counts how many correct processes have signed what, up to the number that a certificate needs.
struct Board {
  std::map<Phase, std::map<Block, int>> signatures;
  std::vector<int> left;  // how many have left round 1, 2, ...

  std::set<Block> certified(Phase phase, const Run& run) const {
    std::set<Block> blocks;
    if (const auto found = signatures.find(phase); found != signatures.end()) {
      for (const auto& [block, count] : found->second) {
        if (count >= needed(run)) blocks.insert(block);
      }
    }
    return blocks;
  }
  std::set<Block> signed_by_any(Phase phase) const {
    std::set<Block> blocks;
    if (const auto found = signatures.find(phase); found != signatures.end()) {
      for (const auto& entry : found->second) blocks.insert(entry.first);
    }
    return blocks;
  }
  // Removes what nobody can need again. When all have left a round, its certificates can still serve as parents
  // and decisions, but what is not certified by then never will be.
  void tidy(const Run& run) {
    if (run.bug("late_votes") || run.bug("uncertified_parent")) return;
    const auto over = std::count(left.begin(), left.end(), correct(run));
    for (auto& [phase, blocks] : signatures) {
      const bool lasts = phase == Phase::join || phase == decisive(run);
      std::erase_if(blocks, [&](const auto& entry) {
        const bool kept = lasts && entry.second >= needed(run);
        return round_of(entry.first) <= over && !kept;
      });
    }
    std::erase_if(signatures, [](const auto& entry) { return entry.second.empty(); });
  }
};

struct Replica {
  int round = 1;
  Block lock;                              // votedNode in the thesis
  std::set<Block> joined;                  // in this round
  std::set<int> prevoted, voted;           // rounds
  Auxiliary<std::set<Signature>> history;  // all it has signed, if kept

  void change_round(const Run& run, Ghost<Board>& board, Timeout) {
    require(round < run["rounds"]);
    board->left.resize(std::max(board->left.size(), static_cast<std::size_t>(round)));
    ++board->left[static_cast<std::size_t>(round - 1)];
    ++round;
    joined.clear();
    if (!run.bug("late_votes")) {
      prevoted.clear();
      voted.clear();
    }
    board->tidy(run);
  }

  void join(const Run& run, Choice choose, Ghost<Board>& board) {
    std::vector<Block> options;
    for (const Block& parent : possible_parents(*board, run)) {
      for (int value = 1; value <= run["values"]; ++value) {
        const Block b = child_of(parent, round, value);
        const bool first = run.bug("join_twice") ? !joined.contains(b) : joined.empty();
        if (first && unlocked(b, parent, run)) options.push_back(b);
      }
    }
    const Block b = choose.from(options);
    joined.insert(b);
    if (decisive(run) == Phase::join && !run.bug("never_lock")) {
      const Block grandparent = parent_of(parent_of(b));
      if (round_of(grandparent) > round_of(lock)) lock = grandparent;
    }
    sign(Phase::join, b, *board, run);
  }
  std::set<Block> possible_parents(const Board& board, const Run& run) const {
    std::set<Block> parents = board.certified(Phase::join, run);
    if (run.bug("uncertified_parent")) parents = board.signed_by_any(Phase::join);
    parents.insert(Block{});
    for (int r = 1; r < round && run.bug("forged_parent"); ++r) {
      const std::set<Block> lower = parents;
      for (const Block& b : lower) {
        for (int value = 1; value <= run["values"] && round_of(b) < r; ++value) parents.insert(child_of(b, r, value));
      }
    }
    std::erase_if(parents, [&](const Block& b) { return round_of(b) >= round; });
    return parents;
  }
  bool unlocked(const Block& b, const Block& parent, const Run& run) const {
    if (extends(b, lock)) return true;
    if (run.bug("lock_by_block")) return round_of(lock) < round_of(b);
    if (run.bug("lock_inverted")) return round_of(lock) > round_of(parent);
    if (run.text("lock") == "extends_only") return false;
    if (run.text("lock") == "not_newer") return round_of(lock) <= round_of(parent);
    return round_of(lock) < round_of(parent);
  }

  void prevote(const Run& run, Choice choose, Ghost<Board>& board) {
    require(decisive(run) != Phase::join);
    const Block b = any_certified(Phase::join, prevoted, *board, run, choose);
    prevoted.insert(round_of(b));
    if (run.text("variant") == "two_phase") lock_on(b, run);
    sign(Phase::prevote, b, *board, run);
  }
  void vote(const Run& run, Choice choose, Ghost<Board>& board) {
    require(run.text("variant") == "basic");
    const Block b = any_certified(Phase::prevote, voted, *board, run, choose);
    voted.insert(round_of(b));
    lock_on(b, run);
    sign(Phase::vote, b, *board, run);
  }
  Block any_certified(Phase phase, const std::set<int>& done, const Board& board, const Run& run, Choice choose) const {
    std::set<Block> blocks = board.certified(phase, run);
    std::erase_if(blocks, [&](const Block& b) {
      const bool timely = round_of(b) == round || (run.bug("late_votes") && round_of(b) < round);
      return !timely || done.contains(round_of(b));
    });
    return choose.from(blocks);
  }
  void lock_on(const Block& b, const Run& run) {
    if (!run.bug("never_lock") && !run.bug("two_phase_never_lock")) lock = run.bug("lock_parent") ? parent_of(b) : b;
  }
  void sign(Phase phase, const Block& b, Board& board, const Run& run) {
    if (run.text("schedule") == "closed") {  // all are in this round
      const auto& left = board.left;
      require(left.size() + 1 == static_cast<std::size_t>(round) &&
              std::ranges::count(left, correct(run)) == round - 1);
    }
    int& count = board.signatures[phase][b];
    count = std::min(count + 1, needed(run));
    if (run.text("history") == "dropped") return;
    history.update([](auto& all, const Signature& s) { all.insert(s); }, Signature{phase, b});
  }
  static constexpr auto transitions =
      heddle::transitions<&Replica::change_round, &Replica::join, &Replica::prevote, &Replica::vote>;
};

std::set<Block> decided(const Board& board, const Run& run) {
  std::set<Block> certified = board.certified(decisive(run), run);
  if (decisive(run) != Phase::join) return certified;
  // In the chained variant, the first of three certified blocks of consecutive rounds is decided, each the parent
  // of the next.
  std::set<Block> first;
  for (const Block& third : certified) {
    const Block second = parent_of(third), block = parent_of(second);
    const bool consecutive = round_of(block) + 2 == round_of(third) && round_of(second) + 1 == round_of(third);
    if (!block.empty() && (consecutive || run.bug("chain_with_gaps"))) first.insert(block);
    if (run.bug("two_chain") && !second.empty() && round_of(second) + 1 == round_of(third)) first.insert(second);
  }
  return first;
}

bool agreement(const View& v) {
  const std::set<Block> blocks = decided(v.ghost<Board>(), v.run());
  return std::ranges::all_of(blocks, [&](const Block& a) {
    return std::ranges::all_of(blocks, [&](const Block& b) { return extends(a, b) || extends(b, a); });
  });
}

bool validity(const View& v) {
  return std::ranges::all_of(decided(v.ghost<Board>(), v.run()), [&](const Block& b) {
    return std::ranges::all_of(b, [&](int value) { return value >= 0 && value <= v.run()["values"]; }) && b.back() != 0;
  });
}

const Register hotstuff({
    .name = "hotstuff",
    .summary = "HotStuff, basic, two-phase and chained, against Byzantine processes and leaders",
    .parameters = {{"n", 4, 1, 16, "processes"},
                   {"f", 1, 0, 8, "Byzantine ones among them"},
                   {"rounds", 2, 1, 9, "rounds (views)"},
                   {"values", 1, 1, 9, "values a block may carry"},
                   {"quorum", 3, 1, 16, "signatures of a certificate"},
                   {"variant", {"basic", "two_phase", "chained"}, "three phases, two, or one that counts for all"},
                   {"lock",
                    {"older", "not_newer", "extends_only"},
                    "a lock gives way to a parent of a newer round, also of the same round, or never"},
                   {"schedule", {"any", "closed"}, "any, or all in one round at a time"},
                   {"history", {"dropped", "kept"}, "whether processes keep all they signed"}},
    .bugs =
        {{"small_quorum", "agreement", {{"values", "2"}}, "one signature fewer is enough for a certificate"},
         {"lock_by_block", "agreement", {}, "the lock is compared with the new block's round"},
         {"never_lock", "agreement", {}, "nobody locks"},
         {"lock_parent", "agreement", {}, "the parent of the block voted for is locked"},
         {"lock_inverted", "agreement", {}, "the lock gives way to parents of older rounds"},
         {"decide_by_prevotes", "agreement", {}, "three phases, but prevotes decide"},
         {"two_phase_never_lock", "agreement", {{"variant", "two_phase"}}, "two phases, and nobody locks"},
         {"late_votes", "agreement", {}, "processes prevote and vote in rounds they have left"},
         {"uncertified_parent", "refines qtree", {}, "a parent need not be certified; disagreement takes three rounds"},
         {"forged_parent", "refines qtree", {}, "a parent need not exist; disagreement takes three rounds"},
         {"join_twice", "refines qtree", {{"values", "2"}}, "a process joins several blocks of a round"},
         {"two_chain",
          "agreement",
          {{"variant", "chained"}, {"rounds", "4"}, {"schedule", "closed"}},
          "two certified blocks in a row decide"},
         {"chain_with_gaps",
          "refines qtree",
          {{"variant", "chained"}, {"rounds", "5"}, {"schedule", "closed"}},
          "a chain decides although it skips rounds; disagreement takes six rounds"}},
    .expected = {{{{"history", "kept"}}, 51236, 153195, 612, "own count"},
                 {{{"variant", "two_phase"}, {"history", "kept"}}, 3632, 9420, 124, "own unreduced search"},
                 {{{"variant", "chained"}, {"history", "kept"}}, 364, 921, 36, "own unreduced search"}},
    .build =
        [](Model& m) {
          if (needed(m.run()) < 1) throw std::invalid_argument("hotstuff: quorum must be larger than f");
          if (m.run()["quorum"] > m.run()["n"]) throw std::invalid_argument("hotstuff: quorum must be at most n");
          m.ghost<Board>();
          m.add<Replica>(static_cast<std::size_t>(correct(m.run())));
          m.always("agreement", agreement);
          m.always("validity", validity);

          // A block is added when it can be certified, and committed, with its whole branch, when it can be
          // decided. (As printed in the thesis, it is added when somebody prevotes it, which is too late if a
          // leader keeps the certificate to itself.) The value of a node is the block with its whole branch,
          // because a child of another block of the parent's round is not a child of this one.
          using Tree = BasicQTree<Block>;
          const auto signed_something = [](const View& before, const View& after, Calls<Tree>& calls) {
            const auto then = before.ghost<Board>(), now = after.ghost<Board>();
            const Run& run = after.run();
            const bool late = calls.thesis() && run.text("variant") != "chained";
            for (const Block& b : late ? now.signed_by_any(Phase::prevote) : now.certified(Phase::join, run)) {
              if ((late ? then.signed_by_any(Phase::prevote) : then.certified(Phase::join, run)).contains(b)) continue;
              calls.add(round_of(b), b, round_of(parent_of(b)));
            }
            const std::set<Block> decided_before = decided(then, run);
            for (const Block& b : decided(now, run)) {
              if (decided_before.contains(b)) continue;
              calls.commit(round_of(b));
              for (Block a = b; !a.empty(); a = parent_of(a)) calls.decided(round_of(a), a);
            }
          };
          const auto processes = static_cast<std::size_t>(m.run()["n"]),
                     faulty = static_cast<std::size_t>(m.run()["f"]);
          const std::size_t quorum = static_cast<std::size_t>(needed(m.run())) + faulty;
          m.refines<Tree>("qtree", Tree{.same_value = false})
              .implies({"agreement", "validity"})
              .shares("P1", "joins of a round, twice", {quorum, quorum}, processes, faulty)
              .shares("P4", "votes and joins", {quorum, quorum}, processes, faulty)
              .at<&Replica::join>(signed_something)
              .at<&Replica::prevote>(signed_something)
              .at<&Replica::vote>(signed_something);
        },
});

}  // namespace
