// Prints signs of life on standard error while something takes long that cannot count what it does.
//
//   const Heartbeat heartbeat(quiet, [] { return "checking etcd.log"; });   // "12.0 s: checking etcd.log, 340 MiB"
//
// It prints nothing for two seconds. Then it rewrites one line in place on a terminal, and elsewhere prints lines at
// growing intervals.
#pragma once

#include <functional>
#include <string>
#include <thread>

namespace heddle::cli {

class Heartbeat {
 public:
  // `what` is called from another thread.
  Heartbeat(bool quiet, std::function<std::string()> what);

 private:
  std::jthread thread_;
};

}  // namespace heddle::cli
