// What a recorder holds, read back as `heddle lin` would read it.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "check/check_history.h"
#include "heddle/record.h"
#include "history/read_history.h"

namespace heddle {

inline std::string written(const Recorder& recorder, Recorder::Format format = Recorder::Format::Edn) {
  std::ostringstream out;
  recorder.write(out, format);
  return out.str();
}

struct ReadBack : RecordedHistory {
  explicit ReadBack(const Recorder& recorder, Recorder::Format format = Recorder::Format::Edn) {
    history::ReadOptions options;
    options.keyed = false;
    history::read_history(written(recorder, format), format == Recorder::Format::Edn ? "h.edn" : "h.jsonl", options,
                          *this);
  }
};

inline Verdict verdict_of(const RecordedHistory& history, std::string_view specification) {
  HistoryCheckOptions options;
  options.limits.seconds = 30;
  return check_history(history, *find_specification(specification), options).verdict;
}

// `body(number)` in as many threads, started together.
template <class Body>
void in_threads(unsigned threads, Body body) {
  std::atomic<unsigned> waiting{threads};
  std::vector<std::thread> all;
  for (unsigned number = 0; number < threads; ++number) {
    all.emplace_back([&, number] {
      --waiting;
      while (waiting > 0) std::this_thread::yield();
      body(number);
    });
  }
  for (std::thread& thread : all) thread.join();
}

}  // namespace heddle
