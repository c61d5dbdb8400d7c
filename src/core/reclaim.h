// Quiescent-state reclamation: when may memory be freed that another thread could still be reading?
//
// A worker thread brackets its life with a Worker object. It calls quiescent() between blocks of work, when
// it holds no pointer into a shared table. Memory retired at time t is freed once every worker has been
// quiescent after t. A thread without a Worker must not use a shared table while workers do. With at most one
// thread at work nothing is ever deferred.
// Thread-safe.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace heddle {

class Reclaimer {
 public:
  static constexpr std::size_t max_workers = 128;

  class Worker {
   public:
    Worker();  // throws std::runtime_error if there are max_workers already
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    void quiescent();

   private:
    std::size_t index_;
  };

  static Reclaimer& instance();
  // Calls free() once no worker can still read the memory. REQUIRES: no worker can reach it anew.
  void retire(std::function<void()> free);

 private:
  void collect();

  static constexpr std::uint64_t idle = ~std::uint64_t{0};
  struct alignas(64) Clock {
    std::atomic<std::uint64_t> time{idle};
  };
  std::array<Clock, max_workers> seen_;
  std::atomic<std::uint64_t> now_{1};
  std::mutex mutex_;
  std::vector<std::pair<std::uint64_t, std::function<void()>>> retired_;
};

}  // namespace heddle
