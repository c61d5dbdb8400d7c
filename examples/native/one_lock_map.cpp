// A map under one lock, a monitor (Hoare, CACM 1974): what the others are compared with. Nodes are freed.
//
//   heddle check one_lock_map.cpp                     holds
//   heddle check one_lock_map.cpp -- -DBUG_...        see below
//
// put returns the value that was there before, remove whether there was one.
//
// expect: holds
// expect -DBUG_LATE_LOCK --client 'put(0, 1) | put(1, 1)': violated race
// expect -DBUG_LATE_LOCK --races allow --client 'put(0, 1) | put(1, 1)': violated linearizability
// expect -DBUG_LOOK_THEN_PUT --client 'put(0, 0) | put(0, 1)': violated linearizability
// expect -DBUG_UNLOCK_BETWEEN --client 'put(0, 1); remove(0) | get(0)': violated memory
// expect -DBUG_TWO_LOOKS --client 'put(0, 1); remove(0) | get(0)': violated linearizability
// expect -DBUG_UNLOCKED_OVERWRITE --client 'put(0, 0); put(0, 1) | get(0)': violated race
// expect --clients 3000: holds
// expect --client 'put(0, 1); get(1) | put(1, 1); remove(0) | put(0, 2); get(0)': holds
// expect --linearizable map --client 'put(0, 1); get(1) | put(1, 1); get(0)': holds
#include <heddle/native.h>
#include <mutex>
#include <optional>
#include <utility>

class Map {
  struct Node {
    const int key;
    int value;
    Node* next;
  };
  std::mutex mutex_;
  Node* first_ = nullptr;

  // The link to the node with the key; or the last link, which is null.
  Node** find(int key) {
    Node** link = &first_;
    while (*link != nullptr && (*link)->key != key) link = &(*link)->next;
    return link;
  }

 public:
  std::optional<int> put(int key, int value) {
#if defined BUG_LATE_LOCK
    Node** const link = find(key);
    std::lock_guard guard(mutex_);  // the link may lead to another key now
#elif defined BUG_LOOK_THEN_PUT
    if (!get(key).has_value()) {  // BUG_LOOK_THEN_PUT: from here
      std::lock_guard guard(mutex_);
      first_ = new Node{key, value, first_};  // BUG_LOOK_THEN_PUT: to here; another may have put the key since
      return std::nullopt;
    }
    std::lock_guard guard(mutex_);
    Node** const link = find(key);
#else
    std::unique_lock guard(mutex_);
    Node** const link = find(key);
#endif
    if (*link == nullptr) {
      *link = new Node{key, value, nullptr};
      return std::nullopt;
    }
#ifdef BUG_UNLOCKED_OVERWRITE
    Node* const node = *link;
    guard.unlock();  // only where there is a value already
    return std::exchange(node->value, value);
#else
    return std::exchange((*link)->value, value);
#endif
  }

  std::optional<int> get(int key) {
    std::unique_lock guard(mutex_);
    const Node* node = *find(key);  // BUG_TWO_LOOKS: from here
    if (node == nullptr) return std::nullopt;
#ifdef BUG_UNLOCK_BETWEEN
    guard.unlock();
    guard.lock();  // the node may be gone
#endif
#ifdef BUG_TWO_LOOKS
    guard.unlock();
    guard.lock();
    node = *find(key);  // BUG_TWO_LOOKS: to here; what was there a moment ago may be gone
    if (node == nullptr) return 0;
#endif
    return node->value;
  }

  bool remove(int key) {
    std::lock_guard guard(mutex_);
    Node** const link = find(key);
    Node* const node = *link;
    if (node == nullptr) return false;
    *link = node->next;
    delete node;
    return true;
  }
};

HEDDLE_HARNESS(Map, put, get, remove)
