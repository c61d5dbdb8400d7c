// Futures of every kind: values, references, nothing, shared ones, packaged tasks, and threads that own what they use.
#include <cstdio>
#include <functional>
#include <future>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

int sum(const std::vector<int>& numbers, std::size_t first, std::size_t last) {
  if (last - first < 3) return std::accumulate(numbers.begin() + first, numbers.begin() + last, 0);
  const std::size_t middle = (first + last) / 2;
  auto left = std::async(std::launch::async, sum, std::cref(numbers), first, middle);
  const int right = sum(numbers, middle, last);
  return left.get() + right;
}

struct Job {
  std::packaged_task<std::string(int)> task;
  int argument;
};

}  // namespace

int main() {
  std::vector<int> numbers(6);
  std::iota(numbers.begin(), numbers.end(), 1);
  const int total = sum(numbers, 0, numbers.size());

  int there = 3;
  std::promise<int&> reference;
  std::promise<void> nothing;
  std::thread keeper([&] {
    reference.set_value(there);
    nothing.set_value();
  });
  reference.get_future().get() += 4;
  nothing.get_future().wait();
  keeper.join();

  std::promise<std::unique_ptr<int>> owned;
  auto later = owned.get_future();
  std::thread giver([p = std::move(owned)]() mutable { p.set_value(std::make_unique<int>(11)); });
  const std::unique_ptr<int> got = later.get();
  giver.join();

  std::promise<int> once;
  std::shared_future<int> shared = once.get_future().share();
  int a = 0, b = 0;
  std::thread first([shared, &a] { a = shared.get(); }), second([shared, &b] { b = shared.get() + 1; });
  once.set_value(20);
  first.join();
  second.join();

  std::vector<Job> jobs;
  std::vector<std::future<std::string>> results;
  for (int i = 0; i < 2; ++i) {
    jobs.push_back({std::packaged_task<std::string(int)>([](int n) { return std::string(n + 1, 'x'); }), i});
    results.push_back(jobs.back().task.get_future());
  }
  std::thread worker([&] {
    for (Job& job : jobs) job.task(job.argument);
  });
  std::string text;
  for (auto& result : results) text += result.get();
  worker.join();

  auto lazy = std::async(std::launch::deferred, [] { return 5; });
  const bool deferred = lazy.wait_for(std::chrono::seconds(0)) == std::future_status::deferred;
  const bool valid = lazy.valid();
  std::printf("%d %d %d %d %d %s %d %d %d %d\n", total, there, *got, a, b, text.c_str(), deferred, valid, lazy.get(),
              lazy.valid());
  return 0;
}
