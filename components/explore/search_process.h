// The check of the whole model, in the background: a process of its own, so that it has its own limit of memory, may
// meet handlers that crash, and goes on whatever the windows do.
//
//   SearchProcess search(words);        // of the command line: the process is this program with the same words
//   search.start();  search.progress();  search.stop();
//
// The process writes a line of JSON twice a second, how far it is, and a last one with what it has found.
// start() and the destructor: one thread, the main thread, since the process ends with the thread that has started it.
// The others are thread-safe.
#pragma once

#include <sys/types.h>

#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cli/arguments.h"
#include "core/trace.h"

namespace heddle::explorer {

class SearchProcess {
 public:
  explicit SearchProcess(std::vector<std::string> words) : words_(std::move(words)) {}
  SearchProcess(const SearchProcess&) = delete;
  SearchProcess& operator=(const SearchProcess&) = delete;
  ~SearchProcess();

  // Does nothing if a search is running. Forgets what an earlier one has found. Throws run::UsageError if no process
  // can be started.
  void start();
  void stop();
  // {"state": "idle", "running" or "ended", "progress": the last line of figures or null, "result": what was found or
  // null, "trouble": a sentence if the process ended without a result}
  std::string progress() const;
  // Returns the n-th run that was found; none: there are fewer.
  std::optional<trace::Trace> found(std::size_t n) const;

 private:
  void listen(int pipe, pid_t process);
  void note(const std::string& line);

  const std::vector<std::string> words_;
  mutable std::mutex mutex_;
  pid_t process_ = 0;  // 0: none is running
  bool ever_ = false;
  std::string figures_, result_, trouble_;  // JSON, JSON, words; empty: there is none
  std::vector<trace::Trace> traces_;
  std::jthread listener_;
};

// Whether this process is such a search, and its work: returns the exit code.
bool is_search_process();
int run_search_process(const cli::Arguments& given);

}  // namespace heddle::explorer
