// Boost.Lockfree's ring for one producer and one consumer, as the package libboost1.81-dev has it. With two producers it
// is wrong, as its documentation says.
//
// expect --client 'put(1); put(2); put(3) | take(); take()': holds
// expect --client 'put(1) | put(2)': violated race
#include <heddle/native.h>
#include <boost/lockfree/spsc_queue.hpp>

struct Ring : boost::lockfree::spsc_queue<int, boost::lockfree::capacity<2>> {
  bool put(int value) { return push(value); }
  std::optional<int> take() {
    int value;
    return pop(value) ? std::optional(value) : std::nullopt;
  }
};
HEDDLE_HARNESS(Ring, put, take)
