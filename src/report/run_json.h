// What a run found out, as plain data, and as the one JSON object that every command prints with --json.
// docs/json.md describes the object and docs/run.schema.json is its schema.
//
// The command fills in a RunReport; report/ knows no search. Counters come from the table in core/counters.h, so that a
// counter added there appears in the object without a change here.
// Pure functions, thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/counters.h"
#include "core/coverage.h"
#include "core/transition_system.h"
#include "core/verdict.h"
#include "report/call_log_report.h"
#include "report/history_report.h"
#include "stateless/schedule_metrics.h"

namespace heddle::report {

struct PropertyReport {
  std::string name;
  Property::Kind kind = Property::Kind::Always;
  // For Sometimes: holds if reached, violated if the search was complete without reaching it. For Bound: holds if no
  // state was cut off by it, otherwise unknown.
  Verdict result = Verdict::Unknown;
};

// What a run with --refines found out about the abstract object.
struct RefinementReport {
  std::string object, specification, points;
  Verdict verdict = Verdict::Unknown;
  std::string call, clause, property, witness;  // of the rejected call; empty if none was
  std::string classification;                   // CONFIRMED, LATENT, ANNOTATION-SUSPECT; empty: not asked for
  std::string advice;                           // a sentence that goes with it
  std::vector<std::string> notes;               // sentences about further runs that violate something
  std::vector<std::string> quorums;             // what the sizes of quorums promise, a sentence each
  std::map<std::string, std::uint64_t> counts;  // different (object, call) pairs, by kind of call
};

// Code of the model's that failed.
struct FailureReport {
  std::string kind;                  // assertion, crash
  std::string text;                  // a sentence
  std::string expression, at, code;  // of an assertion, JSON texts: what, "file:line", which function
  std::string lane;                  // whose step it was
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
  bool counts_vary = false;  // another run may count other states, transitions, ..., but has the same verdict
  std::vector<std::string> not_reduced;  // what the model turned out not to allow, a sentence each

  Verdict verdict = Verdict::Unknown;
  bool complete = false;
  Counters counters;
  double seconds = 0;
  std::size_t peak_bytes = 0;
  std::size_t start_bytes = 0;  // what the process held before the search
  std::vector<PropertyReport> properties;
  std::string property;           // the violated one that the trace shows; empty if none
  std::uint64_t trace_steps = 0;  // its length
  std::string trace_file;         // empty if none was written
  std::string stopped_by;         // why the run is incomplete, a phrase; empty if it is complete
  std::string note;               // the probability of a missed state, say
  std::vector<std::string> growth;
  std::vector<std::string> warnings;  // about the model, before it ran
  std::optional<Coverage> coverage;
  std::optional<RefinementReport> refinement;
  std::optional<FailureReport> failure;
  std::vector<ScheduleMetrics> schedulers;  // of `heddle schedules`
  std::string error;                        // for Verdict::Error
  // Of commands that check recorded histories.
  std::optional<HistoryReport> history;
  // Of a log of calls.
  std::optional<CallLogReport> calls;
};

std::string_view kind_name(Property::Kind kind);
// Bytes of the visited set per state; 0 without states.
double bytes_per_state(const RunReport& report);
// All bytes that the process took during the search, per state; 0 if that is not known.
double all_bytes_per_state(const RunReport& report);

std::string to_json(const RunReport& report);

}  // namespace heddle::report
