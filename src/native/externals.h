// The functions that the machine itself implements: by symbol.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "native/arithmetic.h"

namespace heddle::native {

enum class External : std::uint8_t {
  Unknown,
  Alloc,
  Free,
  Size,
  Spawn,
  Self,    // the number of the thread
  Me,      // its name, a word (thread_renaming.h)
  OnlyMe,  // the set of which it is the only member
  Ended,
  Joined,
  AtomicBegin,
  AtomicEnd,
  Await,
  AwaitThread,  // the same, for what one thread alone can bring about
  Choose,
  LockWord,   // says that bytes belong to a lock
  Nondet,     // a number out of MachineSettings::nondet
  CallBegin,  // of a client's operation
  CallEnd,
  Client,
  Result,
  Error,
  Print,
  Exit,
  End,
  Yield,
  Printf,
  Fprintf,  // and dprintf: the first argument says where to, which does not matter
  Snprintf,
  Sprintf,
  Mathematics,
};

External external_of(std::string_view symbol);
// Those that programs may call.
std::vector<std::string> known_externals();

// Calls a function of the C library's <math.h>. REQUIRES: external_of(symbol) is Mathematics.
// Throws Fault if there are too few arguments.
Wide call_mathematics(std::string_view symbol, std::span<const Wide> arguments);

}  // namespace heddle::native
