// A bounded queue for any number of producers and consumers, in the manner of Vyukov's ring (2010): each cell has a
// turn, a number that says who may use it next. Turn p: the producer with ticket p; turn p + 1: the consumer with
// ticket p; then p + capacity, the next producer. A ticket is taken by compare-and-swap of a position, when the cell's
// turn has come.
//
//   heddle check mpmc_ring.cpp                     holds
//   heddle check mpmc_ring.cpp -- -DBUG_...        see below
//
// The values are plain memory: the turn of a cell orders those who use it.
//
// A cell whose turn has not come says nothing about the queue: a producer may have the ticket and not be done yet. In
// Vyukov's program pop says that the queue is empty then. So it can be empty after a push has returned, which is not
// linearizable, and known not to be (BUG_EMPTY_WHILE_PUSHED, BUG_FULL_WHILE_POPPED). Here the other position decides,
// and a thread waits for one that has a ticket.
//
// expect: holds
// expect -DBUG_EMPTY_WHILE_PUSHED --client 'push(1) | push(2); pop()': violated linearizability
// expect -DBUG_FULL_WHILE_POPPED --client 'push(1); push(2); pop(); push(3) | pop()': violated linearizability
// expect -DBUG_SPLIT_TICKET --client 'push(1) | push(2)': violated race
// expect -DBUG_SPLIT_TICKET --races allow --client 'push(1) | push(2); pop(); pop()': violated linearizability
// expect -DBUG_TURN_FIRST --client 'push(1) | pop()': violated race
// expect -DBUG_TURN_FIRST --races allow --client 'push(1) | pop()': violated linearizability
// expect -DBUG_NO_TURN --client 'push(1); pop(); push(2) | pop()': violated race
// expect --client 'push(1); pop() | push(2); pop() | push(3); pop()': holds
// expect --linearizable queue --client 'push(1); pop() | push(2); pop()': holds
#include <heddle/native.h>
#include <atomic>
#include <optional>

class Ring {
  static constexpr unsigned capacity = 2;
  struct Cell {
    std::atomic<unsigned> turn;
    int value = 0;
  };
  Cell cells_[capacity];
  std::atomic<unsigned> tail_{0}, head_{0};  // the next tickets of producers and consumers

  static bool take(std::atomic<unsigned>& position, unsigned ticket) {
#ifdef BUG_SPLIT_TICKET
    if (position != ticket) return false;
    position = ticket + 1;
    return true;
#else
    return position.compare_exchange_strong(ticket, ticket + 1);
#endif
  }

 public:
  Ring() {
    for (unsigned i = 0; i < capacity; ++i) cells_[i].turn = i;
  }

  bool push(int value) {
    for (;;) {
      const unsigned ticket = tail_;
      Cell& cell = cells_[ticket % capacity];
      if (cell.turn == ticket) {
        if (!take(tail_, ticket)) continue;  // BUG_SPLIT_TICKET: here
#ifdef BUG_TURN_FIRST
        cell.turn = ticket + 1;
        cell.value = value;
#else
        cell.value = value;
        cell.turn = ticket + 1;
#endif
        return true;
      }
#ifdef BUG_FULL_WHILE_POPPED
      if (tail_ == ticket) return false;
#else
      if (head_ + capacity == ticket) return false;
#endif
    }
  }

  std::optional<int> pop() {
    for (;;) {
      const unsigned ticket = head_;
      Cell& cell = cells_[ticket % capacity];
#ifdef BUG_NO_TURN
      if (tail_ != ticket) {  // somebody has the ticket to fill the cell
#else
      if (cell.turn == ticket + 1) {
#endif
        if (!take(head_, ticket)) continue;  // BUG_SPLIT_TICKET: here
        const int value = cell.value;
        cell.turn = ticket + capacity;
        return value;
      }
#ifdef BUG_EMPTY_WHILE_PUSHED
      if (head_ == ticket) return std::nullopt;
#else
      if (tail_ == ticket) return std::nullopt;
#endif
    }
  }
};

HEDDLE_HARNESS(Ring, push, pop)
