// A hash map that locks one bin at a time, in the manner of Lea's ConcurrentHashMap of Java 8: into an empty bin a
// node is put by compare-and-swap; otherwise the lock of the bin's first node is the lock of the bin. get takes no
// lock. When the table grows, bin after bin is copied to a table twice as large, and a node that leads there takes the
// bin's place. With -DAS_SET it is a set: a wrapper that puts and removes keys.
//
//   heddle check bin_lock_map.cpp                     holds
//   heddle check bin_lock_map.cpp -- -DAS_SET         holds
//   heddle check bin_lock_map.cpp -- -DBUG_...        see below
//
// Invariant: who has locked a node and then finds that it is the first of its bin owns the bin. It has to look, because
// the node may have been removed or moved while it waited.
// put returns the value that was there before, remove whether there was one. Memory is not reclaimed.
//
// expect --clients 500: holds
// expect -DBUG_BLIND_BIN --client 'put(0, 0) | put(1, 0); get(1)': violated linearizability
// expect -DBUG_NO_SECOND_LOOK --client 'put(0, 0); remove(0) | put(1, 1); get(1)': violated linearizability
// expect -DBUG_UNLOCKED_OVERWRITE --client 'put(0, 0); put(1, 0) | put(0, 1); get(0)': violated linearizability
// expect -DBUG_UNLOCKED_COPY --client 'put(0, 0); put(1, 0) | put(0, 1); get(0)': violated linearizability
// expect -DBUG_LEAD_FIRST --client 'put(0, 0); put(1, 0) | get(0); get(0)': violated linearizability
// expect -DAS_SET: holds
// expect -DAS_SET -DBUG_LOOK_THEN_PUT --client 'add(0) | add(0)': violated linearizability
// expect -DAS_SET -DBUG_NO_SECOND_LOOK --client 'add(0); remove(0) | add(1); contains(1)': violated linearizability
// expect --client 'put(0, 1); get(1) | put(1, 1); remove(0) | get(0); get(1)': holds
// expect -DAS_SET --client 'add(0); remove(1) | add(1); remove(0) | add(0); contains(1)': holds
// expect --clients 3000: holds
// expect --linearizable map --client 'put(0, 1); get(1) | put(1, 1); get(0)': holds
// expect -DAS_SET --linearizable set --clients 200: holds
#include <heddle/native.h>
#include <atomic>
#include <mutex>
#include <optional>

class Map {
  static constexpr int most_bins = 4;
  struct Table;
  struct Node {
    const int key;
    std::atomic<int> value;
    std::atomic<Node*> next;
    Table* const moved;  // the table where the bin is now, or null
    std::mutex mutex;
    Node(int k, int v, Node* n) : key(k), value(v), next(n), moved(nullptr) {}
    explicit Node(Table* table) : key(0), value(0), next(nullptr), moved(table) {}
  };
  struct Table {
    const int size;
    std::atomic<Node*> bins[most_bins] = {};
    explicit Table(int s) : size(s) {}
    std::atomic<Node*>& bin(int key) { return bins[key % size]; }
  };
  std::atomic<Table*> table_{new Table(1)};
  std::atomic<int> count_{0};
  std::atomic<bool> growing_{false};

  void grow_if_crowded() {
    const int count = ++count_;
    Table* const table = table_;
    if (count <= table->size || table->size == most_bins || growing_.exchange(true)) return;
    if (table_ == table) {  // otherwise another has been quicker
      Table* const larger = new Table(2 * table->size);
      Node* const lead = new Node(larger);
      for (int i = 0; i < table->size; ++i) {
        while (!move(table->bins[i], lead)) {
        }
      }
      table_ = larger;
    }
    growing_ = false;
  }

  // Copies a bin. Nobody else can reach the copies until the bin leads to them.
  static bool move(std::atomic<Node*>& bin, Node* lead) {
    Node* head = bin;
    if (head == nullptr) return bin.compare_exchange_strong(head, lead);
#ifndef BUG_UNLOCKED_COPY
    std::lock_guard guard(head->mutex);
    if (bin != head) return false;
#endif
#ifdef BUG_LEAD_FIRST
    bin = lead;  // others find the larger table while it is empty
#endif
    for (Node* node = head; node != nullptr; node = node->next) {
      std::atomic<Node*>& to = lead->moved->bin(node->key);
      to = new Node(node->key, node->value, to);
    }
    bin = lead;
    return true;
  }

 public:
  std::optional<int> put(int key, int value) {
    Node* fresh = nullptr;
    for (Table* table = table_;;) {
      std::atomic<Node*>& bin = table->bin(key);
      Node* head = bin;
      if (head == nullptr) {
        if (fresh == nullptr) fresh = new Node(key, value, nullptr);
#ifdef BUG_BLIND_BIN
        bin = fresh;  // forgets what another has put there
        break;
#else
        if (bin.compare_exchange_strong(head, fresh)) break;
        continue;
#endif
      }
      if (head->moved != nullptr) {
        table = head->moved;
        continue;
      }
#ifdef BUG_UNLOCKED_OVERWRITE
      if (head->key == key) return head->value.exchange(value);  // it may be moved
#endif
      std::lock_guard guard(head->mutex);
#ifndef BUG_NO_SECOND_LOOK
      if (bin != head) continue;
#endif
      Node* node = head;
      while (node->key != key && node->next != nullptr) node = node->next;
      if (node->key == key) return node->value.exchange(value);
      if (fresh == nullptr) fresh = new Node(key, value, nullptr);
      node->next = fresh;
      break;
    }
    grow_if_crowded();
    return std::nullopt;
  }

  std::optional<int> get(int key) {
    Node* node = table_.load()->bin(key);
    while (node != nullptr && node->moved != nullptr) node = node->moved->bin(key);
    while (node != nullptr && node->key != key) node = node->next;
    return node == nullptr ? std::nullopt : std::optional(node->value.load());
  }

  bool remove(int key) {
    for (Table* table = table_;;) {
      std::atomic<Node*>& bin = table->bin(key);
      Node* const head = bin;
      if (head == nullptr) return false;
      if (head->moved != nullptr) {
        table = head->moved;
        continue;
      }
      std::lock_guard guard(head->mutex);
      if (bin != head) continue;
      std::atomic<Node*>* link = &bin;
      Node* node = head;
      while (node != nullptr && node->key != key) {
        link = &node->next;
        node = *link;
      }
      if (node == nullptr) return false;
      *link = node->next.load();
      --count_;
      return true;
    }
  }
};

// A set is a map to something that does not matter.
class Set {
  Map map_;

 public:
  bool add(int key) {
#ifdef BUG_LOOK_THEN_PUT
    if (contains(key)) return false;
    map_.put(key, 1);  // another may have put it since: both calls are atomic, but not together
    return true;
#else
    return !map_.put(key, 1).has_value();
#endif
  }
  bool remove(int key) { return map_.remove(key); }
  bool contains(int key) { return map_.get(key).has_value(); }
};

#ifdef AS_SET
HEDDLE_HARNESS(Set, add, remove, contains)
#else
HEDDLE_HARNESS(Map, put, get, remove)
#endif
