// What the actor door knows of its symmetry: classes, and everything renamed or fingerprinted so far.
//
// The tables are thread-safe, the maps below `mutex` are guarded by it; classes and colours change between searches only.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "actor/system.h"

namespace heddle::actor {

// What renamings and fingerprints have been computed, for as long as the system lives.
struct System::SymmetryTables {
  std::vector<SymmetryClass> classes;
  std::vector<std::uint64_t> colours;  // of each process: alike within a class, else its own
  void give_colours(std::size_t processes);

  ContentTable renamings;  // number -> to
  PairMap messages, inboxes, ghosts, histories, monitors;
  struct OfKind {
    PairMap locals, cells;
  };
  std::unordered_map<const Kind*, OfKind> kinds;

  // Fingerprints by content: seen from nowhere, and from each process mentioned.
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
