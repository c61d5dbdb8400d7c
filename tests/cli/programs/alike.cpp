// What threads of a client may do to each other: each number is one thing. Some of them tell threads apart that make the
// same calls: by the order of addresses, by ids of threads.
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <thread>

#include <heddle/native.h>

class Board {
 public:
  int act(int what) {
    switch (what) {
      case 0:
        return value_.fetch_add(1);
      case 1: {
        const std::lock_guard guard(mutex_);
        return ++plain_;
      }
      case 2:
        push(new Node{value_.load(), nullptr});
        return 0;
      case 3: {
        Node* const node = pop();
        return node == nullptr ? -1 : node->value;
      }
      case 4:
        if (!mutex_.try_lock()) return 0;
        ++plain_;
        mutex_.unlock();
        return 1;
      case 5: {
        const std::lock_guard guard(mutex_);
        ++tokens_;
        some_.notify_one();
        return 0;
      }
      case 6: {
        std::unique_lock lock(mutex_);
        some_.wait(lock, [&] { return tokens_ > 0; });
        return --tokens_;
      }
      case 7:
        return racy_++;
      case 8: {
        const std::shared_lock guard(shared_);
        return value_.load();
      }
      case 9: {
        const std::unique_lock guard(shared_);
        value_.store(value_.load() + 1);
        return 0;
      }
      case 10: {
        Node* const node = pop();
        const int value = node == nullptr ? -1 : node->value;
        delete node;  // others may still look at it
        return value;
      }
      case 11:
        assert(value_.load() < 2);
        return 0;
      case 12:
        while (value_.load() == 0) {
        }
        return 0;
      case 13: {
        recursive_.lock();
        recursive_.lock();
        const int now = value_.load();
        recursive_.unlock();
        recursive_.unlock();
        return now;
      }
      case 14: {  // whose object comes first in memory
        Node* const mine = new Node{0, nullptr};
        Node* const theirs = latest_.exchange(mine);
        return theirs == nullptr ? 2 : std::less<>()(mine, theirs) ? 1 : 0;
      }
      case 19: {  // the same, but nobody hears of it
        Node* const mine = new Node{0, nullptr};
        Node* const theirs = latest_.exchange(mine);
        if (theirs != nullptr) last_.store(std::less<>()(mine, theirs) ? 1 : 0);
        return 0;
      }
      case 15:  // who was here last
        return last_.exchange(static_cast<int>(pthread_self())) == 2 ? 1 : 0;
      case 16: {
        pthread_spin_lock(&spin_);
        const int now = value_.load();
        pthread_spin_unlock(&spin_);
        return now;
      }
      case 17: {  // ids that are only compared for being equal are stored as numbers all the same
        const std::thread::id before = owner_.exchange(std::this_thread::get_id());
        return before == std::this_thread::get_id() ? 1 : 0;
      }
      default:
        return mine_++;
    }
  }

 private:
  struct Node {
    int value;
    Node* next;
  };
  void push(Node* node) {
    node->next = top_.load();
    while (!top_.compare_exchange_weak(node->next, node)) {
    }
  }
  Node* pop() {
    Node* node = top_.load();
    while (node != nullptr && !top_.compare_exchange_weak(node, node->next)) {
    }
    return node;
  }

  std::atomic<int> value_{0}, last_{0};
  std::mutex mutex_;
  std::recursive_mutex recursive_;
  std::shared_mutex shared_;
  std::condition_variable some_;
  pthread_spinlock_t spin_ = 0;
  int plain_ = 0, tokens_ = 0, racy_ = 0;
  std::atomic<Node*> top_{nullptr}, latest_{nullptr};
  std::atomic<std::thread::id> owner_{};
  static thread_local inline int mine_ = 0;
};

HEDDLE_HARNESS(Board, act)
