// A map behind libstdc++'s std::shared_mutex: readers share, a writer is alone.
//
// expect: holds
// expect -DBUG_SHARED_WRITER: violated race
#include <map>
#include <mutex>
#include <shared_mutex>

#include <heddle/native.h>

class Stock {
  std::shared_mutex mutex_;
  std::map<int, int> counts_;

 public:
  std::optional<int> count(int what) {
    std::shared_lock lock(mutex_);
    const auto found = counts_.find(what);
    return found == counts_.end() ? std::nullopt : std::optional(found->second);
  }
  void set(int what, int count) {
#ifdef BUG_SHARED_WRITER
    std::shared_lock lock(mutex_);
#else
    std::unique_lock lock(mutex_);
#endif
    counts_[what] = count;
  }
};
HEDDLE_HARNESS(Stock, count, set)
