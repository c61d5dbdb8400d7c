// Shared ownership between threads, a work queue of functions, atomic structs, local statics, virtual functions.
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

namespace {
class Pool {
 public:
  explicit Pool(int count) {
    for (int i = 0; i < count; ++i) threads_.emplace_back([this] { run(); });
  }
  ~Pool() {
    {
      std::lock_guard guard(mutex_);
      stop_ = true;
    }
    wake_.notify_all();
    for (auto& thread : threads_) thread.join();
  }
  void submit(std::function<void()> task) {
    {
      std::lock_guard guard(mutex_);
      tasks_.push_back(std::move(task));
    }
    wake_.notify_one();
  }

 private:
  void run() {
    for (;;) {
      std::function<void()> task;
      {
        std::unique_lock guard(mutex_);
        wake_.wait(guard, [this] { return stop_ || !tasks_.empty(); });
        if (tasks_.empty()) return;
        task = std::move(tasks_.front());
        tasks_.pop_front();
      }
      task();
    }
  }
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> tasks_;
  bool stop_ = false;
  std::vector<std::thread> threads_;
};

struct Registry {
  std::map<std::string, std::shared_ptr<std::atomic<int>>> entries;
  std::shared_mutex lock;
  std::shared_ptr<std::atomic<int>> get(const std::string& name) {
    {
      std::shared_lock guard(lock);
      const auto found = entries.find(name);
      if (found != entries.end()) return found->second;
    }
    std::unique_lock guard(lock);
    auto& entry = entries[name];
    if (!entry) entry = std::make_shared<std::atomic<int>>(0);
    return entry;
  }
};

Registry& registry() {
  static Registry only;
  return only;
}

struct Tagged {
  void* pointer;
  unsigned long tag;
};
std::atomic<Tagged> tagged;

struct Animal {
  virtual ~Animal() = default;
  virtual const char* name() const { return "animal"; }
};
struct Walker {
  virtual ~Walker() = default;
  virtual int legs() const = 0;
};
struct Dog : Animal, Walker {
  const char* name() const override { return "dog"; }
  int legs() const override { return 4; }
};
}  // namespace

int main() {
  {
    Pool pool(2);
    for (int i = 0; i < 4; ++i) {
      pool.submit([i] {
        registry().get(i % 2 ? "odd" : "even")->fetch_add(i);
        Tagged old = tagged.load();
        while (!tagged.compare_exchange_weak(old, Tagged{nullptr, old.tag + 1})) {
        }
      });
    }
  }
  const std::unique_ptr<Animal> animal = std::make_unique<Dog>();
  const auto* walker = dynamic_cast<const Walker*>(animal.get());
  const auto* dog = dynamic_cast<const Dog*>(walker);
  std::printf("%d %d %lu %s %d %d\n", registry().get("odd")->load(), registry().get("even")->load(), tagged.load().tag,
              animal->name(), walker->legs(), dog != nullptr);
  return 0;
}
