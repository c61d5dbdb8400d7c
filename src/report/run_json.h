// The results of a run as plain data, and as the one JSON object that every command prints with --json.
// docs/json.md describes the object and docs/run.schema.json is its schema.
//
// The command fills in a RunReport; report/ knows no search. A RunReport holds what every run has, and sections
// (section.h) for all else. Counters come from the table in core/counters.h, so that a counter added there appears in
// the object without a change here.
// Pure functions, thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/counters.h"
#include "core/transition_system.h"
#include "core/verdict.h"
#include "report/section.h"

namespace heddle::report {

struct PropertyReport {
  std::string name;
  Property::Kind kind = Property::Kind::Always;
  // A Sometimes holds if it was reached, and is violated if the search was complete without reaching it. A Bound holds
  // if it cut off no state, and is unknown otherwise.
  Verdict result = Verdict::Unknown;
};

struct RunReport {
  std::string version;  // of heddle
  std::string command;  // "check"
  std::string model;
  std::map<std::string, std::string> parameters;
  std::string bug;                             // empty if none
  std::map<std::string, std::string> options;  // network and faults, as in trace::Trace
  std::string search;                          // "breadth-first"
  std::string store;                           // "exact"
  unsigned threads = 1;
  std::vector<std::string> reductions;
  std::string chosen;        // how the one that leaves out steps was chosen, a phrase; empty: nothing was chosen
  bool counts_vary = false;  // another run may count other states, transitions, ..., but has the same verdict
  std::vector<std::string> not_reduced;  // what the model turned out not to allow, a sentence each

  Verdict verdict = Verdict::Unknown;
  bool complete = false;
  Counters counters;
  // The run was ended from outside: the counters are those that were reported last, so at least so much was covered. If
  // nothing was reported, they are all 0, and nobody knows.
  bool cut_short = false;
  double seconds = 0;
  std::size_t peak_bytes = 0;
  std::size_t start_bytes = 0;  // memory of the process before the search
  std::vector<PropertyReport> properties;
  std::string property;           // the violated one that the trace shows; empty if none
  std::uint64_t trace_steps = 0;  // its length
  std::string trace_file;         // empty if none was written
  std::string stopped_by;         // why the run is incomplete, a phrase; empty if it is complete
  std::string note;               // for example the probability of a missed state
  std::vector<std::string> growth;
  std::vector<std::string> warnings;  // about the model, before it ran
  std::string error;                  // for Verdict::Error
  Sections sections;                  // what single engines and commands add
};

// Whether the counters say nothing, not even that there was nothing.
inline bool nothing_known(const RunReport& report) {
  return report.cut_short && report.counters.states + report.counters.nodes == 0;
}
std::string_view kind_name(Property::Kind kind);
// Returns the first line of an error, which says what is wrong; what a compiler adds below it has been shown before.
std::string first_line(const std::string& error);
// Returns the bytes of the visited set per state; 0 without states.
double bytes_per_state(const RunReport& report);
// Returns all bytes that the process took during the search, per state; 0 if that is not known.
double all_bytes_per_state(const RunReport& report);

std::string to_json(const RunReport& report);

}  // namespace heddle::report
