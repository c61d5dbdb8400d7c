// Where things are in a state: the slots of a native program.
//
//   0                      the process: 0 while it runs; afterwards how it ended (Ending)
//   1                      the client of a harness: its number in the system, plus 1; 0: no harness
//   2                      the history of the client's calls, where it is kept (HistoryTable); otherwise 0
//   then T                 the threads; 0: not started
//   then                   the mutable globals
//   then T * H             published heap objects: the k-th of thread t at base + k * T + t; 0: there is none
//   then T * S             published stack objects, in the same way
//
// The number of slots is fixed, because the store of states likes that. If a program needs more threads or objects than
// there is room for, the system finds itself mistaken, and the search begins again with more room (system.h).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "native/image.h"

namespace heddle::native {

// How many threads there may be, and how many objects each may have published.
struct Room {
  std::uint32_t threads = 4, heap = 4, stack = 1;
};

class Layout {
 public:
  static constexpr std::uint32_t process = 0, client = 1, history = 2, first_thread = 3;

  Layout(const Image& image, Room room) : room_(room) {
    for (std::uint32_t g = 0; g < image.globals.size(); ++g) {
      const Global& global = image.globals[g];
      const bool mutable_global = !global.constant && !global.thread_local_copy;
      global_slots_.push_back(mutable_global ? first_object() : none);
      if (mutable_global) globals_.push_back(g);
    }
  }

  const Room& room() const { return room_; }
  std::uint32_t threads() const { return room_.threads; }
  std::uint32_t size() const { return first_stack_object() + room_.threads * room_.stack; }
  std::uint32_t thread(std::uint32_t t) const { return first_thread + t; }
  std::uint32_t first_global() const { return first_thread + room_.threads; }
  std::uint32_t first_object() const { return first_global() + static_cast<std::uint32_t>(globals_.size()); }
  const std::vector<std::uint32_t>& globals() const {
    return globals_;
  }  // the mutable ones, in the order of their slots

  // The slot of a mutable global or published object. None: there is no room for it, or no such thing.
  std::optional<std::uint32_t> slot(Label label) const {
    if (label.owner == Label::global_owner) {
      if (label.index >= global_slots_.size() || global_slots_[label.index] == none) return std::nullopt;
      return global_slots_[label.index];
    }
    const bool on_stack = label.index % 2 != 0;
    const std::uint32_t k = label.index / 2;
    if (label.owner >= room_.threads || k >= (on_stack ? room_.stack : room_.heap)) return std::nullopt;
    return (on_stack ? first_stack_object() : first_object()) + k * room_.threads + label.owner;
  }
  // REQUIRES: the slot is that of a global or object.
  Label label(std::uint32_t slot) const {
    if (slot < first_object()) return {Label::global_owner, globals_[slot - first_global()]};
    const bool on_stack = slot >= first_stack_object();
    const std::uint32_t at = slot - (on_stack ? first_stack_object() : first_object());
    return {at % room_.threads, at / room_.threads * 2 + (on_stack ? 1 : 0)};
  }

 private:
  std::uint32_t first_stack_object() const { return first_object() + room_.threads * room_.heap; }

  Room room_;
  std::vector<std::uint32_t> global_slots_;  // by global
  std::vector<std::uint32_t> globals_;
};

}  // namespace heddle::native
