// Two oracles for the Quorum Tree, written from the text of Cirisci's thesis (2022, chapter 3) and not from the object:
//   Sequence     Theorem 8: which sequences of successful calls are legal, and Lemma 8: the statuses they lead to
//   NaiveTree    Algorithm 4 with the corrected trunk test, walking along branches
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace heddle::qtree_oracle {

struct Label {
  bool is_commit = false;
  int round = 0, value = 0, parent = 0;
};

inline std::string text(const std::vector<Label>& labels) {
  std::string out;
  for (const Label& l : labels) {
    out += l.is_commit ? "commit(" + std::to_string(l.round) + ") "
                       : "add(" + std::to_string(l.round) + "," + std::to_string(l.value) + "," +
                             std::to_string(l.parent) + ") ";
  }
  return out;
}

// Theorem 8. Returns the property that is broken: 1, 2, 3, 4, or 30 for 3a; nothing if the sequence is legal.
inline std::optional<int> broken(const std::vector<Label>& labels, bool same_value) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const Label& l = labels[i];
    for (std::size_t j = 0; j < i; ++j) {
      if (labels[j].is_commit == l.is_commit && labels[j].round == l.round) return 1;
    }
    const auto added_before = [&](int round) -> const Label* {
      for (std::size_t j = 0; j < i; ++j) {
        if (!labels[j].is_commit && labels[j].round == round) return &labels[j];
      }
      return nullptr;
    };
    if (l.is_commit) {
      if (added_before(l.round) == nullptr) return 2;
    } else if (l.parent > 0) {
      const Label* parent = added_before(l.parent);
      if (parent == nullptr || l.parent >= l.round) return 3;
      if (same_value && parent->value != l.value) return 30;
    }
  }
  for (const Label& c : labels) {
    if (!c.is_commit) continue;
    for (const Label& a : labels) {
      if (!a.is_commit && a.parent < c.round && c.round < a.round) return 4;
    }
  }
  return std::nullopt;
}

// Lemma 8. Returns for each round of a legal sequence 'C'ommitted, 'G'host or 'A'dded.
inline std::map<int, char> statuses(const std::vector<Label>& labels) {
  std::map<int, int> parent;
  std::set<int> committed;
  for (const Label& l : labels) {
    if (l.is_commit) {
      committed.insert(l.round);
    } else {
      parent[l.round] = l.parent;
    }
  }
  const auto extends = [&](int n, int m) {
    while (n > m) n = parent.at(n);
    return n == m;
  };
  std::map<int, char> out;
  for (const auto& [n, unused] : parent) {
    char status = 'A';
    for (const auto& [m, also_unused] : parent) {
      if (m > n && !extends(m, n)) status = 'G';
    }
    out[n] = committed.contains(n) ? 'C' : status;
  }
  return out;
}

// Algorithm 4. The trunk test asks every committed node below the new one, and only ADDED nodes become ghosts.
class NaiveTree {
 public:
  explicit NaiveTree(bool same_value) : same_value_(same_value) {}

  bool apply(const Label& l) { return l.is_commit ? commit(l.round) : add(l); }
  std::map<int, char> statuses() const {
    std::map<int, char> out;
    for (const auto& [round, node] : nodes_) out[round] = node.status;
    return out;
  }

 private:
  struct Node {
    int value, parent;
    char status;
  };
  bool is_ancestor_or_self(int m, int n) const {
    for (;;) {
      if (n == m) return true;
      if (n == 0) return false;
      n = nodes_.at(n).parent;
    }
  }
  bool add(const Label& l) {
    const bool has_parent = l.parent == 0 || nodes_.contains(l.parent);
    if (!has_parent || l.parent >= l.round || nodes_.contains(l.round)) return false;
    for (const auto& [round, node] : nodes_) {
      if (node.status == 'C' && round < l.round && !is_ancestor_or_self(round, l.parent)) return false;
    }
    if (same_value_ && l.parent != 0 && nodes_.at(l.parent).value != l.value) return false;
    const bool late = !nodes_.empty() && nodes_.rbegin()->first > l.round;
    nodes_[l.round] = {l.value, l.parent, late ? 'G' : 'A'};
    for (auto& [round, node] : nodes_) {
      if (round < l.round && node.status == 'A' && !is_ancestor_or_self(round, l.round)) node.status = 'G';
    }
    return true;
  }
  bool commit(int round) {
    const auto it = nodes_.find(round);
    if (it == nodes_.end() || it->second.status != 'A') return false;
    it->second.status = 'C';
    return true;
  }
  bool same_value_;
  std::map<int, Node> nodes_;
};

}  // namespace heddle::qtree_oracle
