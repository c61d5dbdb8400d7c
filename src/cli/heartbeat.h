// Signs of life on standard error while something takes long that cannot count what it does.
//
//   const Heartbeat heartbeat(quiet, [] { return "checking etcd.log"; });   // "12.0 s: checking etcd.log, 340 MiB"
//
// Nothing for two seconds; then on a terminal one line rewritten in place, elsewhere lines at growing intervals.
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
