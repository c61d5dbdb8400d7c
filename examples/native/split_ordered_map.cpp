// The split-ordered map of Shalev and Shavit (JACM 2006): a hash table that grows without moving anything. All nodes
// are in one list without locks (Michael, SPAA 2002), sorted by their keys with the bits reversed. So when the table
// doubles, each bin's part of the list splits in two, and a new bin needs only a dummy node in the middle of its
// parent's part. Bins get their dummies when they are used first.
//
//   heddle check split_ordered_map.cpp                     holds
//   heddle check split_ordered_map.cpp -- -DBUG_...        see below
//
// put returns the value that was there before, remove whether there was one. A put that writes to a node which another
// thread marks as removed meanwhile counts as one right before the removal. Memory is not reclaimed.
//
// expect: holds
// expect -DBUG_LINK_ONCE --client 'put(0, 1) | put(1, 1); get(1)': violated linearizability
// expect -DBUG_NO_MARK --client 'put(0, 1); remove(0) | put(1, 1); get(1)': violated linearizability
// expect -DBUG_SPLIT_EXCHANGE --client 'put(0, 0); put(0, 1) | put(0, 2)': violated linearizability
// expect -DBUG_BIN_FIRST --client 'put(0, 1); put(1, 1); get(1) | get(1); get(1)': violated linearizability
// expect -DBUG_VALUE_LATE --client 'put(0, 1) | get(0)': violated linearizability
// expect --client 'put(0, 1); get(1) | put(1, 1); remove(0) | get(0); get(1)': holds
// expect --clients 3000: holds
// expect --linearizable map --client 'put(0, 1); get(1) | put(1, 1); get(0)': holds
#include <heddle/native.h>
#include <atomic>
#include <cstdint>
#include <optional>

class Map {
  using Link = std::uintptr_t;  // the address of a node, plus one if the node that has the link is removed
  struct Node {
    const unsigned order;
    std::atomic<int> value;
    std::atomic<Link> next{0};
    Node(unsigned o, int v) : order(o), value(v) {}
  };
  static constexpr unsigned most_bins = 4;
  std::atomic<Node*> bins_[most_bins] = {};
  std::atomic<unsigned> size_{1}, count_{0};

  static Node* node_of(Link link) { return reinterpret_cast<Node*>(link & ~Link{1}); }
  static Link link_to(Node* node) { return reinterpret_cast<Link>(node); }
  static bool marked(Link link) { return (link & 1) != 0; }

  static unsigned reversed(unsigned bits) {
    unsigned out = 0;
    for (int i = 0; i < 8; ++i) out |= (bits >> i & 1u) << (7 - i);
    return out;
  }
  // Keys have 7 bits. Their order is odd and that of dummies is even: a dummy comes before all keys of its bin.
  static unsigned order_of_key(int key) { return reversed(static_cast<unsigned>(key) | 0x80); }
  static unsigned order_of_bin(unsigned bin) { return reversed(bin); }

  // The place of a node behind a dummy: `curr` is the first one that is not smaller, `*prev` the link that led to it.
  // Unlinks marked nodes on the way. True if curr has that order.
  static bool find(Node* dummy, unsigned order, std::atomic<Link>*& prev, Link& curr) {
  again:
    prev = &dummy->next;
    curr = *prev;
    while (Node* const node = node_of(curr)) {
      Link next = node->next;
      if (*prev != curr) goto again;
      if (marked(next)) {
        next &= ~Link{1};
        if (!prev->compare_exchange_strong(curr, next)) goto again;
      } else {
        if (node->order >= order) return node->order == order;
        prev = &node->next;
      }
      curr = next;
    }
    return false;
  }

  // The dummy of a bin. A new one is linked behind that of the parent: the bin that had its keys when the table was
  // half as large.
  Node* dummy_of(unsigned bin) {
    if (Node* const there = bins_[bin]) return there;
    unsigned top = most_bins;
    while ((bin & top) == 0) top /= 2;
    Node* const parent = dummy_of(bin & ~top);
    Node* const dummy = new Node(order_of_bin(bin), 0);
    std::atomic<Link>* prev = nullptr;
    Link curr = 0;
#ifdef BUG_BIN_FIRST
    bins_[bin] = dummy;  // it leads nowhere yet
#endif
    for (;;) {
      if (find(parent, dummy->order, prev, curr)) {
        bins_[bin] = node_of(curr);  // another was quicker
        return node_of(curr);
      }
      dummy->next = curr;
      if (prev->compare_exchange_strong(curr, link_to(dummy))) break;
    }
    bins_[bin] = dummy;
    return dummy;
  }
  Node* start(int key) { return dummy_of(static_cast<unsigned>(key) % size_); }

 public:
  Map() { bins_[0] = new Node(order_of_bin(0), 0); }

  std::optional<int> put(int key, int value) {
    Node* const dummy = start(key);
#ifdef BUG_VALUE_LATE
    Node* const fresh = new Node(order_of_key(key), -1);
#else
    Node* const fresh = new Node(order_of_key(key), value);
#endif
    std::atomic<Link>* prev = nullptr;
    Link curr = 0;
    for (;;) {
      if (find(dummy, fresh->order, prev, curr)) {
        Node* const node = node_of(curr);
#ifdef BUG_SPLIT_EXCHANGE
        const int before = node->value;  // BUG_SPLIT_EXCHANGE: from here
        node->value = value;             // BUG_SPLIT_EXCHANGE: to here
        return before;
#else
        return node->value.exchange(value);
#endif
      }
      fresh->next = curr;
      if (prev->compare_exchange_strong(curr, link_to(fresh))) break;
#ifdef BUG_LINK_ONCE
      return std::nullopt;
#endif
    }
#ifdef BUG_VALUE_LATE
    fresh->value = value;
#endif
    unsigned size = size_;
    if (++count_ > size && size < most_bins) size_.compare_exchange_strong(size, 2 * size);
    return std::nullopt;
  }

  std::optional<int> get(int key) {
    const unsigned order = order_of_key(key);
    Node* node = start(key);
    while (node != nullptr && node->order < order) node = node_of(node->next);
    if (node == nullptr || node->order != order || marked(node->next)) return std::nullopt;
    return node->value;
  }

  bool remove(int key) {
    Node* const dummy = start(key);
    std::atomic<Link>* prev = nullptr;
    Link curr = 0;
    for (;;) {
      if (!find(dummy, order_of_key(key), prev, curr)) return false;
      Link next = node_of(curr)->next;
      if (marked(next)) continue;
#ifndef BUG_NO_MARK
      if (!node_of(curr)->next.compare_exchange_strong(next, next | 1)) continue;
#endif
      if (!prev->compare_exchange_strong(curr, next)) find(dummy, order_of_key(key), prev, curr);
      --count_;
      return true;
    }
  }
};

HEDDLE_HARNESS(Map, put, get, remove)
