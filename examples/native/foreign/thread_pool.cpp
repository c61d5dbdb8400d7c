// The thread pool of cpp-httplib, as the package libcpp-httplib-dev has it: a list of jobs, a mutex and a condition
// variable. Every job runs exactly once, and shutdown() ends the workers.
//
// expect: holds
// expect -DBUG_NO_SHUTDOWN: violated terminate
#include <httplib.h>

#include <atomic>
#include <cassert>

int main() {
  std::atomic<int> done = 0;
  httplib::ThreadPool pool(2);
  for (int job = 0; job < 2; ++job) pool.enqueue([&] { ++done; });
#ifndef BUG_NO_SHUTDOWN
  pool.shutdown();
  assert(done == 2);
#endif
}
