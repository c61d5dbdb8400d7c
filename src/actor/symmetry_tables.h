// What the actor door knows of its symmetry: the classes, and everything renamed or fingerprinted so far.
//
// The tables are thread-safe, and `mutex` guards the maps below it. Classes and colours change only between searches.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "actor/system.h"

namespace heddle::actor {

// The renamings and fingerprints computed so far; they live as long as the system.
struct System::SymmetryTables {
  std::vector<SymmetryClass> classes;
  std::vector<std::uint64_t> colours;  // of each process: equal within a class, distinct otherwise
  void give_colours(std::size_t processes);

  ContentTable renamings;  // number -> to
  PairMap messages, inboxes, ghosts, histories, objects;
  struct OfKind {
    PairMap locals, cells;
  };
  std::unordered_map<const Kind*, OfKind> kinds;

  // Fingerprints by content: `plain` without a mark, and with each mentioned process marked.
  struct Seen {
    std::uint64_t plain = 0;
    std::vector<std::pair<std::uint32_t, std::uint64_t>> marked;
    std::uint64_t from(std::uint32_t process) const {
      for (const auto& [p, mark] : marked) {
        if (p == process) return mark;
      }
      return plain;
    }
  };
  std::mutex mutex;
  std::unordered_map<MessageNumber, Seen> seen_messages;
  std::unordered_map<std::uint64_t, Seen> seen_locals;  // (kind, local)
};

}  // namespace heddle::actor
