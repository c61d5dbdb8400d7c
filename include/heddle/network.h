// What may go wrong between processes and with them. A model sets the defaults (Model::network,
// Model::faults); a run may change them.
#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace heddle {

// The network between the processes. Every field is a switch of a run.
struct Network {
  enum class Order { Multiset, Soup, Fifo };
  enum class Traffic { M, GRM, RM };
  enum class WhenFull { Block, Overwrite };
  Order order = Order::Multiset;
  Traffic traffic = Traffic::M;
  std::size_t capacity = 0;              // messages of one sender in transit to one receiver; 0: no limit
  WhenFull when_full = WhenFull::Block;  // Overwrite (only in FIFO): the newest message in transit makes room
  unsigned losses = 0;                   // how many messages may get lost
  unsigned duplications = 0;             // how many messages may be delivered once more
  unsigned partitions = 0;               // how often the network may split in two
};

struct Faults {
  unsigned crashes = 0;   // at most so many crashes; each may happen in the middle of a step's sends
  bool recovery = false;  // crashed processes may come back with their durable fields
  std::map<std::string, unsigned> byzantine;   // role name -> how many of its last members send any well-formed message
  std::map<std::string, unsigned> crashes_of;  // instead of `crashes`: role name -> how many of its members may crash
  bool crashing() const {
    for (const auto& [role, most] : crashes_of) {
      if (most > 0) return true;
    }
    return crashes > 0;
  }
};

}  // namespace heddle
