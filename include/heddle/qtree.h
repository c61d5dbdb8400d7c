// The Quorum Tree, one specification for many consensus protocols (Cirisci's thesis of 2022, chapter 3, as
// corrected in docs/refinement.md).
//
//   m.refines<QTree>("qtree", QTree{.clients = {1, 2}})
//       .at<&Proposer::propose>([](const Proposer& p, const Quorum<Promise, Acceptor>& q, QTreeCalls& tree) {
//         tree.add(p.ballot, value, parent);          // a round gets its value from an earlier round, or none (0)
//       })
//       .at<&Learner::learn>([](const Quorum<Accepted, Acceptor>& votes, QTreeCalls& tree) {
//         tree.commit(votes.front()->ballot);
//         tree.decided(votes.front()->ballot, votes.front()->value);   // what a correct process believes decided
//       });
//
// A node is a round; its parent is the round that its value came from. ADDED: the round may still decide;
// GHOST: it never will; COMMITTED: it has. Instances (sequence numbers) are independent trees. An edge stands
// for the open interval of rounds that it spans: no committed round lies within one, and a node is a ghost
// iff some edge spans it. So all nodes below a given node that are not ghosts lie on its branch, and calls
// with ascending rounds take constant time, however many rounds there are.
//
// Invariants: `nodes` is ascending in (instance, round), without roots. With the strict specification the statuses
// follow from the set of accepted calls, not from their order, so equal sets of calls give equal objects.
#pragma once

#include <algorithm>
#include <compare>
#include <string>
#include <vector>

#include "heddle/refinement.h"

namespace heddle {

// A round number, or a pair (term, index), in lexicographic order; the root of a tree is 0.
struct Round {
  long term = 0, index = 0;
  auto operator<=>(const Round&) const = default;
  std::string text() const {
    return index == 0 ? std::to_string(term) : std::to_string(term) + "." + std::to_string(index);
  }
};

enum class Repeat : std::uint8_t {
  strict,  // repeating a call is a violation
  once,    // repeating a call with equal arguments is ignored
  implied  // as `once`; committing a ghost on the way to a committed round is ignored as well
};

// How repetitions of a call are meant, and the instance of the call.
struct CallMode {
  Repeat repeat = Repeat::strict;
  long instance = 0;
  std::string text() const {
    std::string out = repeat == Repeat::strict ? "" : detail::enum_name(repeat);
    if (instance != 0) out += (out.empty() ? "instance " : ", instance ") + std::to_string(instance);
    return out;
  }
};

template <class Value>
struct BasicQTree {
  enum class Status : std::uint8_t { ADDED, GHOST, COMMITTED };
  // literal: the algorithm as printed in the thesis, which accepts too much.
  enum class Spec : std::uint8_t { strict, literal };
  struct Node {
    long instance = 0;
    Round round = {};
    Value value = {};
    Round parent = {};
    Status status = Status::ADDED;
  };

  bool same_value = true;  // false: a log of commands (state machine replication), where children may have other values
  std::vector<Value> clients = {};  // the values that clients have asked for; empty: not checked
  Spec spec = Spec::strict;
  std::vector<Node> nodes = {};

  static constexpr std::string_view affected = "ghosts";
  static constexpr std::string_view counted[] = {"adds", "commits", "ghosts"};
  bool choose(std::string_view variant) {
    if (variant != "strict" && variant != "literal") return false;
    spec = variant == "literal" ? Spec::literal : Spec::strict;
    return true;
  }

  Answer add(Round r, const Value& v, Round rp, CallMode mode = {}) {
    const auto [repeat, instance] = mode;
    const std::size_t begin = lower(instance, {}), at = lower(instance, r), end = lower(instance + 1, {});
    const bool exists = at < end && nodes[at].round == r;
    if (exists && repeat != Repeat::strict && nodes[at].value == v && nodes[at].parent == rp) return Answer::stutters();
    const std::size_t parent = lower(instance, rp);
    const bool root = rp == Round{};
    if (!root && (parent >= end || nodes[parent].round != rp)) {
      return Answer::rejects("link", "P3", "its parent, round " + rp.text() + ", was never added", true);
    }
    if (rp >= r) return Answer::rejects("link", "P3", "its parent, round " + rp.text() + ", is not below it");
    if (exists) {
      return Answer::rejects("newRound", "P1", "round " + r.text() + " was added before: " + add_text(nodes[at]));
    }
    const std::size_t first = root ? begin : parent + 1;  // the first node that the edge may span
    if (const Node* c = cut_off(begin, end, at, first, parent, root, r)) {
      return Answer::rejects("extendsTrunk", "P4",
                             "round " + c->round.text() + " is committed, and the edge from " + rp.text() + " to " +
                                 r.text() + " passes it by");
    }
    if (same_value && !root && !(nodes[parent].value == v)) {
      return Answer::rejects(
          "valueConstraint", "P3a",
          "its parent, round " + rp.text() + ", has the value " + detail::argument_text(nodes[parent].value));
    }
    if (!clients.empty() && (root || !same_value) && std::find(clients.begin(), clients.end(), v) == clients.end()) {
      return Answer::rejects("client", "O2", "no client has asked for the value " + detail::argument_text(v));
    }
    Answer answer;
    if (spec == Spec::strict) {
      for (std::size_t i = at; i > first; i = after_parent(i - 1)) answer.affected += haunt(nodes[i - 1]);
    } else {
      for (std::size_t i = begin; i < at; ++i) {
        if (!on_path(parent, root, i)) answer.affected += haunt(nodes[i]);
      }
    }
    const bool leaf_below = at < end;  // some higher round is already there
    answer.affected += leaf_below ? 1 : 0;
    nodes.insert(nodes.begin() + static_cast<std::ptrdiff_t>(at),
                 {instance, r, v, rp, leaf_below ? Status::GHOST : Status::ADDED});
    return answer;
  }

  Answer commit(Round r, CallMode mode = {}) {
    const auto [repeat, instance] = mode;
    const std::size_t at = lower(instance, r);
    if (r == Round{} || at >= nodes.size() || nodes[at].instance != instance || nodes[at].round != r) {
      return Answer::rejects("not-ADDED", "P2", "round " + r.text() + " was never added", true);
    }
    Node& n = nodes[at];
    if (n.status == Status::COMMITTED) {
      if (repeat != Repeat::strict) return Answer::stutters();
      return Answer::rejects("not-ADDED", "P1", "round " + r.text() + " was committed before");
    }
    if (n.status == Status::GHOST) {
      if (repeat == Repeat::implied && has_committed_descendant(at)) return Answer::stutters();
      const Node* e = spanning(n);
      return Answer::rejects(
          "not-ADDED", "P4",
          "round " + r.text() + " is a ghost" +
              (e == nullptr ? "" : ": the edge from " + e->parent.text() + " to " + e->round.text() + " passes it by"));
    }
    n.status = Status::COMMITTED;
    return {};
  }

  // What a correct process believes decided is committed, or is on the way to something committed.
  Answer decided(Round r, const Value& v, CallMode mode = {}) const {
    const long instance = mode.instance;
    const std::size_t at = lower(instance, r);
    if (at >= nodes.size() || nodes[at].instance != instance || nodes[at].round != r) {
      return Answer::rejects("decided", "O1", "a process decides in round " + r.text() + ", which was never added",
                             true);
    }
    if (!(nodes[at].value == v)) {
      return Answer::rejects("decided", "O1",
                             "a process decides " + detail::argument_text(v) + " in round " + r.text() +
                                 ", whose value is " + detail::argument_text(nodes[at].value));
    }
    if (nodes[at].status != Status::COMMITTED && !has_committed_descendant(at)) {
      return Answer::rejects(
          "decided", "O1", "a process decides in round " + r.text() + ", but neither it nor a descendant is committed",
          true);
    }
    return {};
  }

  const Node* find(Round r, long instance = 0) const {
    const std::size_t at = lower(instance, r);
    return at < nodes.size() && nodes[at].instance == instance && nodes[at].round == r ? &nodes[at] : nullptr;
  }

  void json(std::string& out) const {
    out += "[";
    for (const Node& n : nodes) {
      if (out.back() != '[') out += ",";
      out += "{";
      if (n.instance != 0) out += "\"instance\":" + std::to_string(n.instance) + ",";
      out += "\"round\":\"" + n.round.text() + "\",\"value\":";
      detail::to_json(n.value, out);
      out += ",\"parent\":\"" + n.parent.text() + "\",\"status\":\"" + detail::enum_name(n.status) + "\"}";
    }
    out += "]";
  }

 private:
  // Returns the first node of the instance with at least this round.
  std::size_t lower(long instance, Round r) const {
    std::size_t low = 0, high = nodes.size();
    const auto below = [&](const Node& n) { return n.instance < instance || (n.instance == instance && n.round < r); };
    if (high == 0 || !below(nodes[0])) return 0;
    // Rounds mostly come in ascending order, and calls are about the last rounds.
    for (int last = 0; last < 2 && high > 0; ++last, --high) {
      if (below(nodes[high - 1])) return high;
    }
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (below(nodes[middle])) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
  static unsigned haunt(Node& n) {
    if (n.status == Status::GHOST) return 0;
    n.status = Status::GHOST;
    return 1;
  }
  static std::string add_text(const Node& n) {
    return "add(" + n.round.text() + ", " + detail::argument_text(n.value) + ", " + n.parent.text() + ")";
  }
  // Returns a committed node that forbids an edge to `r` from the parent. The literal specification looks
  // only at the highest committed node.
  const Node* cut_off(std::size_t begin, std::size_t end, std::size_t at, std::size_t first, std::size_t parent,
                      bool root, Round r) const {
    if (spec == Spec::strict) {
      const Node* lowest = nullptr;
      for (std::size_t i = at; i > first; i = after_parent(i - 1)) {
        if (nodes[i - 1].status == Status::COMMITTED) lowest = &nodes[i - 1];
      }
      return lowest;
    }
    for (std::size_t i = end; i-- > begin;) {
      if (nodes[i].status != Status::COMMITTED) continue;
      return r < nodes[i].round || on_path(parent, root, i) ? nullptr : &nodes[i];
    }
    return nullptr;
  }
  // Returns one past the parent of a node, where the rest of its branch is; 0 for a child of the root.
  std::size_t after_parent(std::size_t i) const {
    if (nodes[i].parent == Round{}) return 0;
    const bool next = i > 0 && nodes[i - 1].instance == nodes[i].instance && nodes[i - 1].round == nodes[i].parent;
    return next ? i : lower(nodes[i].instance, nodes[i].parent) + 1;
  }
  // Returns whether node i lies between the root and the parent, or is the parent.
  bool on_path(std::size_t parent, bool root, std::size_t i) const {
    while (!root && parent >= i) {
      if (parent == i) return true;
      root = nodes[parent].parent == Round{};
      if (!root) parent = lower(nodes[parent].instance, nodes[parent].parent);
    }
    return false;
  }
  bool has_committed_descendant(std::size_t at) const {
    if (spec == Spec::strict && nodes[at].status != Status::GHOST) {
      // Every committed node above is a descendant. It is likely to be near, or among the last.
      std::size_t i = at + 1, end = lower(nodes[at].instance + 1, {});
      while (i < end) {
        --end;
        if (nodes[i].status == Status::COMMITTED || nodes[end].status == Status::COMMITTED) return true;
        ++i;
      }
      return false;
    }
    for (std::size_t i = at + 1; i < nodes.size() && nodes[i].instance == nodes[at].instance; ++i) {
      if (nodes[i].status != Status::COMMITTED) continue;
      if (on_path(i, false, at)) return true;
      if (spec == Spec::strict) return false;  // all other committed nodes lie above this one
    }
    return false;
  }
  const Node* spanning(const Node& n) const {
    for (const Node& e : nodes) {
      if (e.instance == n.instance && e.parent < n.round && n.round < e.round) return &e;
    }
    return nullptr;
  }
};

using QTree = BasicQTree<long>;

template <class Value>
class Calls<BasicQTree<Value>> {
 public:
  // Accepts 3, {term, index} and Round.
  struct At {
    Round round;
    template <class Integer>
      requires std::is_integral_v<Integer>
    At(Integer number) : round{static_cast<long>(number), 0} {}  // NOLINT: written as a number
    At(long term, long index) : round{term, index} {}
    At(Round r) : round(r) {}  // NOLINT
  };
  using Tree = BasicQTree<Value>;

  explicit Calls(detail::CallList& list) : list_(&list) {}
  // Round `r` has got the value `v` from round `parent` (0: from a client).
  void add(At r, const Value& v, At parent, Repeat repeat = Repeat::strict, long instance = 0) {
    list_->record<Tree, &Tree::add>(r.round, v, parent.round, CallMode{repeat, instance});
  }
  // Round `r` has decided.
  void commit(At r, Repeat repeat = Repeat::strict, long instance = 0) {
    list_->record<Tree, &Tree::commit>(r.round, CallMode{repeat, instance});
  }
  // A correct process believes that the value `v` of round `r` is decided.
  void decided(At r, const Value& v, long instance = 0) {
    list_->record<Tree, &Tree::decided>(r.round, v, CallMode{Repeat::strict, instance});
  }
  bool thesis() const { return list_->thesis; }

 private:
  detail::CallList* list_;
};
using QTreeCalls = Calls<QTree>;

}  // namespace heddle
