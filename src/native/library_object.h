// The class of a harness as a sequential object: what its own code does when calls are made one at a time. It is the
// specification of histories with real-time order (history_judge.h).
//
//   LibraryObject object(image, harness, 2, calls);
//   const auto applied = object.apply(object.initial(), 1, 0);     // thread 1 makes calls[0], alone
//   applied.result == "true"
//
// A state is that of the whole program while all threads of a client rest between two calls, and what they have called
// before is forgotten. If the program turns out to need more room than its states have, they are made anew by the same
// calls; their numbers stay. A call is one segment of the machine with Calls::Atomic; each is run once for each state.
// Thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/step_buffer.h"
#include "native/client.h"
#include "native/image.h"

namespace heddle::native {

class System;

class LibraryObject {
 public:
  using State = std::uint32_t;
  struct Applied {
    enum class How : std::uint8_t { Returns, Waits, Fails };
    How how = How::Returns;
    State next = 0;           // of Returns
    std::string result = {};  // of Returns, as System::outcome has it
  };

  // `threads`: how many may call; they are numbered from 1. REQUIRES: `calls` is not empty.
  LibraryObject(std::shared_ptr<const Image> image, std::uint32_t threads, std::vector<ClientCall> calls);
  ~LibraryObject();

  // The position of a call in `calls`. REQUIRES: it is there.
  std::uint32_t number_of(const ClientCall& call) const;
  // Throws ModelError if the constructor makes a choice: there is no single initial state.
  State initial();
  Applied apply(State state, std::uint32_t thread, std::uint32_t call);
  std::size_t bytes() const;

 private:
  struct Made {  // how a state came about; of the initial one `thread` is 0
    State from = 0;
    std::uint32_t thread = 0, call = 0;
  };

  SlotVector initial_state();
  bool step(const SlotVector& from, std::uint32_t thread, std::uint32_t call, SlotVector& to);
  void make_anew();

  const std::uint32_t threads_;
  const std::vector<ClientCall> calls_;  // ascending
  mutable std::mutex mutex_;
  const std::unique_ptr<System> system_;
  std::vector<SlotVector> states_;  // by number; 0 is the initial one
  std::vector<Made> made_;
  std::map<SlotVector, State> numbers_;
  std::map<std::pair<State, std::uint64_t>, Applied> applied_;  // by state and (thread, call)
};

}  // namespace heddle::native
