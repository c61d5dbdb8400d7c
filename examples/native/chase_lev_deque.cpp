// The work-stealing deque of Chase and Lev (SPAA 2005). Its owner, one thread, pushes and pops at the back; any other
// thread, a thief, takes from the front. The owner needs a compare-and-swap only for the last value, which a thief may
// want, too. The array grows; a thief that reads the old one finds the same value at the same index.
//
//   heddle check chase_lev_deque.cpp --client 'push_back(1); push_back(2); pop_back() | pop_front()'       holds
//   heddle check chase_lev_deque.cpp --client 'push_back(1) | push_back(2); pop_back(); pop_back()'        two owners
//   heddle check chase_lev_deque.cpp --client ... -- -DBUG_...                                             see below
//
// Two owners are what it is not made for. In the paper a thief that loses against another gives up with a special
// answer; here it tries again. The order of its reads, front before back, and that the owner lowers `back_` before it
// reads `front_`, makes one of the two see the other. Memory is not reclaimed.
//
// expect --client 'push_back(1); push_back(2); pop_back(); pop_back() | pop_front(); pop_front()': holds
// expect --client 'push_back(1) | push_back(2); pop_back(); pop_back()': violated linearizability
// expect -DBUG_LAST_WITHOUT_SWAP --client 'push_back(1); pop_back() | pop_front()': violated linearizability
// expect -DBUG_LOOK_THEN_LOWER --client 'push_back(1); push_back(2); pop_back(); pop_back() | pop_front(); pop_front()': violated linearizability
// expect -DBUG_BLIND_STEAL --client 'push_back(1); push_back(2) | pop_front() | pop_front()': violated linearizability
// expect -DBUG_BACK_FIRST --client 'push_back(1); push_back(2); pop_back() | pop_front() | pop_front()': violated linearizability
// expect -DBUG_VALUE_LATE --client 'push_back(1); push_back(2); push_back(3) | pop_front()': violated linearizability
// expect -DBUG_BACK_EARLY --client 'push_back(1) | pop_front()': violated linearizability
// expect --client 'push_back(1); push_back(2); push_back(3); pop_back() | pop_front(); pop_front()': holds
// expect --client 'push_back(1); push_back(2); pop_back() | pop_front(); pop_front() | pop_front(); pop_front()': holds
// expect --linearizable deque --client 'push_back(1); push_back(2); pop_back() | pop_front() | pop_front()': holds
#include <heddle/native.h>
#include <atomic>
#include <optional>

class Deque {
  struct Array {
    const int size;
    std::atomic<int>* const cells;
    explicit Array(int s) : size(s), cells(new std::atomic<int>[static_cast<unsigned>(s)]()) {}
    std::atomic<int>& at(int index) const { return cells[index % size]; }
  };
  std::atomic<int> front_{0}, back_{0};
  std::atomic<Array*> array_{new Array(2)};

 public:
  void push_back(int value) {
    const int back = back_;
    const int front = front_;
    Array* array = array_;
    if (back - front == array->size) {
      Array* const larger = new Array(2 * array->size);
      for (int i = front; i < back; ++i) larger->at(i) = array->at(i).load();
      array_ = larger;
      array = larger;
    }
#ifdef BUG_BACK_EARLY
    back_ = back + 1;         // BUG_BACK_EARLY: from here, before the value is there
    array->at(back) = value;  // BUG_BACK_EARLY: to here
#else
    array->at(back) = value;
    back_ = back + 1;
#endif
  }

  std::optional<int> pop_back() {
    Array* const array = array_;
    const int back = back_ - 1;
#ifdef BUG_LOOK_THEN_LOWER
    int front = front_;
    back_ = back;  // thieves may have come in between
#else
    back_ = back;
    int front = front_;  // BUG_LAST_WITHOUT_SWAP: from here
#endif
    if (back < front) {
      back_ = front;
      return std::nullopt;
    }
    const int value = array->at(back);
    if (back > front) return value;
#ifdef BUG_LAST_WITHOUT_SWAP
    front_ = front + 1;  // BUG_LAST_WITHOUT_SWAP: to here
    back_ = back + 1;
    return value;
#else
    const bool won = front_.compare_exchange_strong(front, front + 1);
    back_ = back + 1;
    return won ? std::optional(value) : std::nullopt;
#endif
  }

  std::optional<int> pop_front() {
    for (;;) {
#ifdef BUG_BACK_FIRST
      const int back = back_;
      int front = front_;
#else
      int front = front_;  // BUG_BLIND_STEAL: from here
      const int back = back_;
#endif
      Array* const array = array_;
      if (front >= back) return std::nullopt;
#if defined BUG_BLIND_STEAL
      const int value = array->at(front);
      front_ = front + 1;  // BUG_BLIND_STEAL: to here
      return value;
#elif defined BUG_VALUE_LATE
      if (front_.compare_exchange_strong(front, front + 1))
        return array->at(front);  // the owner may have used the cell
#else
      const int value = array->at(front);
      if (front_.compare_exchange_strong(front, front + 1)) return value;
#endif
    }
  }
};

HEDDLE_HARNESS(Deque, push_back, pop_back, pop_front)
