// A hash map with a lock for each stripe of keys (Herlihy and Shavit, The Art of Multiprocessor Programming, 2008,
// section 13.2.2; as Lea's first ConcurrentHashMap). The locks stay as many as they were when the table grows. So a
// stripe is the same for a key all the time, and whoever grows the table takes all locks, in ascending order.
//
//   heddle check striped_map.cpp                     holds
//   heddle check striped_map.cpp -- -DBUG_...        see below
//
// put returns the value that was there before, remove whether there was one. Nodes are freed.
//
// expect: holds
// expect -DBUG_GROW_UNDER_ONE --client 'put(0, 0) | put(1, 0); get(1)': violated race
// expect -DBUG_GROW_UNDER_ONE --races allow --client 'put(0, 0); put(2, 1) | put(1, 0); get(1)': violated memory
// expect -DBUG_LOCK_ORDER --client 'put(0, 0); put(2, 0) | put(1, 0); put(3, 0)': violated deadlock
// expect -DBUG_STRIPE_OF_BIN --client 'put(0, 0); put(2, 0) | put(1, 0); get(2)': violated race
// expect -DBUG_LOOK_THEN_PUT --client 'put(0, 0) | put(0, 1)': violated linearizability
// expect -DBUG_NO_LOCK_FOR_ZERO --client 'put(0, 0) | get(0)': violated race
// expect -DBUG_NO_LOCK_FOR_ZERO --client 'put(1, 0) | get(1)': holds
// expect --clients 3000: holds
// expect --client 'put(0, 1); get(1) | put(1, 1); remove(0) | put(2, 2); get(0)': holds
// expect --linearizable map --client 'put(0, 1); get(1) | put(1, 1); get(0)': holds
#include <heddle/native.h>
#include <atomic>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

class Map {
  static constexpr unsigned stripes = 2, most_bins = 4;
  struct Node {
    const int key;
    int value;
    Node* next;
  };
  std::mutex locks_[stripes];
  std::vector<Node*> bins_ = std::vector<Node*>(stripes);
  std::atomic<unsigned> count_{0};

  std::unique_lock<std::mutex> lock_stripe(int key) {
    const unsigned hash = static_cast<unsigned>(key);
#if defined BUG_STRIPE_OF_BIN
    return std::unique_lock(locks_[hash % bins_.size() / (bins_.size() / stripes)]);  // changes with the table
#elif defined BUG_NO_LOCK_FOR_ZERO
    if (key == 0) return {};
#endif
    return std::unique_lock(locks_[hash % stripes]);
  }
  Node** find(int key) {
    Node** link = &bins_[static_cast<unsigned>(key) % bins_.size()];
    while (*link != nullptr && (*link)->key != key) link = &(*link)->next;
    return link;
  }

  // REQUIRES: no lock is held.
  void grow() {
#if defined BUG_GROW_UNDER_ONE
    std::unique_lock<std::mutex> all[] = {std::unique_lock(locks_[0])};
#else
    std::unique_lock<std::mutex> all[stripes];
    for (unsigned i = 0; i < stripes; ++i) all[i] = std::unique_lock(locks_[i]);
#endif
    move_to(2 * bins_.size());
  }
  void move_to(std::size_t size) {
    if (size > most_bins || count_ < bins_.size()) return;  // another may have grown the table already
    std::vector<Node*> larger(size);
    for (Node* node : bins_) {
      while (node != nullptr) {
        Node*& bin = larger[static_cast<unsigned>(node->key) % size];
        Node* const next = std::exchange(node->next, bin);
        bin = std::exchange(node, next);
      }
    }
    bins_.swap(larger);
  }

 public:
  std::optional<int> put(int key, int value) {
#ifdef BUG_LOOK_THEN_PUT
    const bool there = get(key).has_value();  // BUG_LOOK_THEN_PUT: from here
    auto guard = lock_stripe(key);
    Node** const link = find(key);
    if (there && *link != nullptr) return std::exchange((*link)->value, value);
    *link = new Node{key, value, *link};  // BUG_LOOK_THEN_PUT: to here; a second one, if another has put the key since
#else
    auto guard = lock_stripe(key);
    Node** const link = find(key);
    if (*link != nullptr) return std::exchange((*link)->value, value);
    *link = new Node{key, value, nullptr};
#endif
    const bool crowded = ++count_ >= stripes;
#ifdef BUG_LOCK_ORDER
    if (crowded) {  // holds its own stripe while it waits for the other
      std::unique_lock other(locks_[(static_cast<unsigned>(key) + 1) % stripes]);
      move_to(2 * bins_.size());
    }
#else
    guard = {};
    if (crowded) grow();
#endif
    return std::nullopt;
  }

  std::optional<int> get(int key) {
    const auto guard = lock_stripe(key);
    const Node* const node = *find(key);
    return node == nullptr ? std::nullopt : std::optional(node->value);
  }

  bool remove(int key) {
    const auto guard = lock_stripe(key);
    Node** const link = find(key);
    Node* const node = *link;
    if (node == nullptr) return false;
    *link = node->next;
    delete node;
    --count_;
    return true;
  }
};

HEDDLE_HARNESS(Map, put, get, remove)
