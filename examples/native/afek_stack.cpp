// The stack of Afek, Gafni and Morrison (Common2 extended to stacks and unbounded concurrency, PODC 2006): push takes
// the next cell of an array, pop goes down from the last one taken and swaps null into cells until it finds an item.
//
//   heddle check afek_stack.cpp                               holds
//   heddle check afek_stack.cpp -- -DBUG_READ_THEN_CLEAR      pop reads a cell and clears it in two steps
//
// The numbers beside the code are the lines of the figure in Cirisci's thesis (2022), which seeds this bug. Its client
// has nine outcomes, five of which are those of calls one after the other. (There the loop of pop ends at 1, which
// never looks into the first cell.)
//
// expect: holds
// expect -DBUG_READ_THEN_CLEAR --client 'push(1) | push(2); pop() | pop()': violated linearizability
// expect --client 'push(1) | push(2); pop() | pop()': holds
// expect -DBUG_TWO_STEP_INDEX: violated linearizability
// outcomes of -DBUG_READ_THEN_CLEAR
//    5 lin  4 bad: push(1) | push(2); pop() | pop()
#include <heddle/native.h>
#include <array>
#include <atomic>
#include <optional>

class Stack {
  static constexpr int null = -1;
  std::atomic<int> range_{0};
  std::array<std::atomic<int>, 8> items_;  // as many as any client here pushes

 public:
  Stack() {
    for (auto& item : items_) item = null;
  }

  void push(int x) {
#ifdef BUG_TWO_STEP_INDEX
    const int i = range_;  // BUG_TWO_STEP_INDEX: from here
    range_ = i + 1;        // BUG_TWO_STEP_INDEX: to here
#else
    const int i = range_++;  // 2
#endif
    items_[i] = x;  // 3
  }

  std::optional<int> pop() {
    const int t = range_ - 1;       // 5
    for (int i = t; i >= 0; --i) {  // 7
#ifdef BUG_READ_THEN_CLEAR
      const int x = items_[i];  // 8
      items_[i] = null;         // 9
#else
      const int x = items_[i].exchange(null);
#endif
      if (x != null) return x;  // 10
    }
    return std::nullopt;  // 11
  }
};

HEDDLE_HARNESS(Stack, push, pop)
