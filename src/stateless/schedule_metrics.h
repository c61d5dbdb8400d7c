// The results of one scheduler of receipts (scheduler.h), as plain data for reports. The letters are the column heads
// of Al-Mahfoudh, Stutsman, Gopalakrishnan: Efficient linearizability checking for actor-based systems (2023).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace heddle {

struct ScheduleMetrics {
  std::string scheduler;         // "EX"
  bool may_miss = false;         // it leaves out schedules that could matter, even if it ends by itself
  std::string misses_because;    // a sentence that says why, if the reason is not in the scheduler itself
  bool ended = false;            // it explored everything it set out to explore
  std::string stopped_by;        // why it did not end, a phrase
  std::uint64_t steps = 0;       // receipts executed
  std::uint64_t longest = 0;     // receipts of one schedule
  std::uint64_t schedules = 0;   // #S: runs until nothing is left to receive
  std::uint64_t blocked = 0;     // runs given up because they were explored before in another order
  std::uint64_t incomplete = 0;  // #IH: of these, with an operation that never returned
  std::uint64_t histories = 0;   // #UH: different as sequences of events
  std::uint64_t violations = 0;  // #NL: of these, not linearizable
  // Histories up to the order of events that does not matter: within a class, results are equal, and so is the relation
  // "returned before the other was invoked".
  std::uint64_t classes = 0, violating_classes = 0;
  double scheduling_seconds = 0;                        // TS
  double stateless_seconds = 0;                         // ST: estimated, had every schedule been run from the start
  double checking_seconds = 0;                          // TC
  std::optional<std::uint64_t> histories_before_first;  // #HF
  std::optional<double> seconds_to_first;               // TF

  double quality() const { return ratio(violations, histories); }                 // NL/UH
  double progression() const { return ratio(histories, schedules); }              // UH/S
  double precision() const { return ratio(violations, schedules); }               // NL/S
  double total_seconds() const { return scheduling_seconds + checking_seconds; }  // TT

 private:
  static double ratio(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  }
};

}  // namespace heddle
