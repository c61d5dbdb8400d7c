// Explores thread programs naively, with a second interpreter over plain structs and a set of all states. It shares
// nothing with the door or the engine but the program and the texts of states, by which answers are compared.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/thread_program.h"

namespace heddle::testing {

class ThreadOracle {
 public:
  explicit ThreadOracle(const Program& program) : p_(program) {
    World w;
    w.threads.resize(p_.threads.size());
    for (auto& t : w.threads) t = {{"pc", 0}, {"r0", 0}, {"r1", 0}, {"fuel", static_cast<int>(p_.fuel)}};
    // The last threads, but never the first one.
    for (std::size_t i = 1; i <= p_.asleep && i < w.threads.size(); ++i) w.threads[w.threads.size() - i]["asleep"] = 1;
    w.cells.resize(p_.cells);
    w.owners.resize(p_.locks, nobody);
    visit(w);
  }

  std::size_t states() const { return seen_.size(); }
  std::set<std::string> finals;
  bool assertion_fails = false, stuck = false, ends_with_wanted = false, meet = false, equal = false;

 private:
  static constexpr int nobody = -1;
  struct World {
    std::vector<std::map<std::string, int>> threads;  // pc, r0, r1, fuel; failed; asleep
    std::vector<int> cells, owners;
    auto operator<=>(const World&) const = default;
  };

  bool over(const World& w, std::size_t t) const {
    const auto& me = w.threads[t];
    return me.contains("failed") || me.at("pc") == static_cast<int>(p_.threads[t].size());
  }

  void visit(const World& w) {
    if (!seen_.insert(w).second) return;
    const int wanted = static_cast<int>(p_.wanted);
    for (const auto& t : w.threads) assertion_fails |= t.contains("failed");
    meet |= w.cells[0] == wanted && w.cells[1] == wanted;
    equal |= w.cells[0] == w.cells[1] && w.cells[0] != 0;
    bool moved = false, all_over = true;
    for (std::size_t t = 0; t < p_.threads.size(); ++t) {
      if (w.threads[t].contains("asleep") || over(w, t)) continue;
      all_over = false;
      moved |= run(w, t);
    }
    if (moved) return;
    finals.insert(text(w));
    stuck |= !all_over;
    ends_with_wanted |= w.cells[0] == wanted;
  }

  // Executes one instruction of a thread. Returns false if it has to wait.
  bool run(World w, std::size_t t) {
    auto& me = w.threads[t];
    int& pc = me["pc"];
    const Instruction i = p_.threads[t][static_cast<std::size_t>(pc)];
    int& r = me[i.reg % 2 == 0 ? "r0" : "r1"];
    int& cell = w.cells[i.target % p_.cells];
    int& owner = w.owners[i.target % p_.locks];
    const int v = static_cast<int>(i.value % p_.values), all = static_cast<int>(p_.values), self = static_cast<int>(t);
    const int length = static_cast<int>(p_.threads[t].size());
    int next = pc + 1;
    switch (i.op) {
      case Instruction::Op::Load:
        r = cell;
        break;
      case Instruction::Op::Store:
        cell = v;
        break;
      case Instruction::Op::StoreRegister:
        cell = (r + v) % all;
        break;
      case Instruction::Op::Add:
        cell = (cell + v) % all;
        break;
      case Instruction::Op::Cas: {
        const bool same = cell == v;
        if (same) cell = r;
        r = same;
        break;
      }
      case Instruction::Op::Lock:
        if (owner != nobody) return false;
        owner = self;
        break;
      case Instruction::Op::TryLock:
        r = owner == nobody;
        if (owner == nobody) owner = self;
        break;
      case Instruction::Op::Unlock:
        if (owner == self) owner = nobody;
        break;
      case Instruction::Op::Choose:
        pc = next;
        for (r = 0; r < static_cast<int>(i.value % (p_.values - 1)) + 2; ++r) visit(w);
        return true;
      case Instruction::Op::Skip:
        if (r == v) next = std::min(length, next + static_cast<int>(i.distance));
        break;
      case Instruction::Op::Back:
        if (r != v && me["fuel"] > 0) {
          --me["fuel"];
          next = std::max(0, pc - static_cast<int>(i.distance));
        }
        break;
      case Instruction::Op::Assert:
        if (r == v) {
          me["failed"] = 1;
          next = pc;
        }
        break;
      case Instruction::Op::Private:
        break;
      case Instruction::Op::Spawn:
        w.threads[i.target % w.threads.size()].erase("asleep");
        break;
    }
    pc = next;
    visit(w);
    return true;
  }

  std::string text(const World& w) const {
    std::string out;
    for (const auto& t : w.threads) {
      out += "at=" + std::to_string(t.at("pc")) + " fuel=" + std::to_string(t.at("fuel")) +
             " failed=" + (t.contains("failed") ? "true" : "false") +
             " asleep=" + (t.contains("asleep") ? "true" : "false") + " r0=" + std::to_string(t.at("r0")) +
             " r1=" + std::to_string(t.at("r1")) + " ";
    }
    for (std::size_t c = 0; c < w.cells.size(); ++c)
      out += "x" + std::to_string(c) + "=" + std::to_string(w.cells[c]) + " ";
    for (std::size_t l = 0; l < w.owners.size(); ++l)
      out += "m" + std::to_string(l) + "=" + (w.owners[l] == nobody ? "null" : std::to_string(w.owners[l])) + " ";
    return out;
  }

  const Program& p_;
  std::set<World> seen_;
};

}  // namespace heddle::testing
