// Boost.Lockfree's queue, as the package libboost1.81-dev has it.
//
// Nodes that were taken out wait in a list to be used again. That list reads the link of a node that another thread may
// have taken meanwhile and may write: a data race by the letter of the standard. The value is thrown away in that case,
// because a counter beside the pointer has changed.
//
// expect --client 'put(1); take() | put(2); take()': violated race
// expect --races allow --client 'put(1); take() | put(2); take()': holds
// expect --races allow --client 'put(1) | put(2) | take()': holds
#include <heddle/native.h>
#include <boost/lockfree/queue.hpp>

struct Queue : boost::lockfree::queue<int> {
  Queue() : queue(4) {}
  bool put(int value) { return push(value); }
  std::optional<int> take() {
    int value;
    return pop(value) ? std::optional(value) : std::nullopt;
  }
};
HEDDLE_HARNESS(Queue, put, take)
