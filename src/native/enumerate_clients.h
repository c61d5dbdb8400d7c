// All clients of a harness up to a size, small ones first: bounded clients, as Violat generates them for Java's
// concurrent collections.
//
// Threads are interchangeable, so a client is a multiset of threads; a thread is a sequence of calls. Every client has
// at least two threads: one alone cannot fail to be linearizable.
#pragma once

#include <cstdint>
#include <vector>

#include "native/client.h"

namespace heddle::native {

struct ClientBounds {
  std::uint32_t threads = 2, calls = 2, values = 2;  // at most; of each thread; arguments are 0, 1, ... values - 1
  std::uint64_t most = 1'000;                        // clients; if there are more, as many are taken at random
  std::uint64_t seed = 1;
};

struct Clients {
  std::vector<Client> list;  // by the number of calls, then of threads
  double all = 0;            // how many there are within the bounds
  bool complete() const { return static_cast<double>(list.size()) >= all; }
};

// REQUIRES: 2 <= threads <= Client::most_threads, 1 <= calls <= Client::most_calls, values >= 1.
Clients enumerate_clients(const Harness& harness, const ClientBounds& bounds);

}  // namespace heddle::native
