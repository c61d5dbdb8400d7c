// An epoch for each worker; retired memory is freed when all epochs have passed it.
#include "core/reclaim.h"

#include <algorithm>
#include <cassert>
#include <stdexcept>

namespace heddle {

Reclaimer& Reclaimer::instance() {
  static Reclaimer reclaimer;
  return reclaimer;
}

Reclaimer::Worker::Worker() : index_(0) {
  Reclaimer& r = instance();
  for (; index_ < max_workers; ++index_) {
    std::uint64_t expected = idle;
    if (r.seen_[index_].time.compare_exchange_strong(expected, r.now_.load())) return;
  }
  throw std::runtime_error("more than 128 worker threads");
}

Reclaimer::Worker::~Worker() {
  assert(instance().seen_[index_].time.load() != idle);
  instance().seen_[index_].time.store(idle);
  instance().collect();
}

void Reclaimer::Worker::quiescent() {
  Reclaimer& r = instance();
  assert(r.seen_[index_].time.load() <= r.now_.load());
  r.seen_[index_].time.store(r.now_.load());
}

void Reclaimer::retire(std::function<void()> free) {
  assert(free != nullptr);
  {
    std::lock_guard lock(mutex_);
    // A worker that announces a time later than this stamp does so after the memory was unlinked.
    retired_.emplace_back(now_.fetch_add(1), std::move(free));
  }
  collect();
}

void Reclaimer::collect() {
  std::vector<std::function<void()>> ready;
  {
    std::lock_guard lock(mutex_);
    std::uint64_t oldest = idle;
    for (const Clock& clock : seen_) oldest = std::min(oldest, clock.time.load());
    auto keep = std::partition(retired_.begin(), retired_.end(), [&](const auto& r) { return r.first >= oldest; });
    for (auto it = keep; it != retired_.end(); ++it) ready.push_back(std::move(it->second));
    retired_.erase(keep, retired_.end());
  }
  for (auto& free : ready) free();
}

}  // namespace heddle
