// Decides whether a recorded history is linearizable (Herlihy and Wing 1990), by whichever method applies.
//
//   HistoryResult r = check_history(history, *find_specification("register"), options);
//
// The history is split into partitions. Each is decided by a near-linear monitor (monitors/) where its specification
// has one and its values allow it, and by search otherwise (wgl.h). When a budget runs out the answer is Unknown,
// with the number of partitions decided so far. Partitions are checked in parallel; the verdict does not depend on
// the number of threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "check/recorded_history.h"
#include "check/specification.h"
#include "core/budget.h"
#include "core/verdict.h"

namespace heddle {

struct HistoryCheckOptions {
  enum class Method : std::uint8_t { Auto, Monitor, Wgl };
  Limits limits = {};
  unsigned threads = 1;
  Method method = Method::Auto;
  bool partition = true;       // off: the whole history as one, for comparison
  bool quiescent_cuts = true;  // decide stretch by stretch, cut where no operation is open if possible
  bool stop_at_violation = true;
};

// The result for one partition. Operations are indices into RecordedHistory::operations.
struct PartitionResult {
  Verdict verdict = Verdict::Unknown;
  std::string method;                     // "monitor" or "wgl"
  std::vector<std::uint32_t> operations;  // all of the partition, ascending
  // Of a violation found by search: the largest sets of operations that could be placed, each in a linear order that
  // works.
  std::vector<std::vector<std::uint32_t>> longest;
  // Of a violation found by search: the first operation, in the order of returns, that cannot be placed together with
  // all that returned before it.
  std::uint32_t stuck = never;
  // Of a violation found by a monitor: operations that cannot be together in any linearizable history, and why, one
  // phrase.
  std::vector<std::uint32_t> culprits;
  std::string reason;
  // Set if an assertion in the specification failed during the search; then nothing else is known.
  std::optional<UserFailure> assertion;
};

struct HistoryResult {
  Verdict verdict = Verdict::Unknown;
  std::string method;  // "monitor", "wgl", or "monitor+wgl" where partitions differ
  std::size_t partitions = 0, decided = 0;
  std::vector<PartitionResult> failed;  // violated ones, at least one if the verdict is Violated
  std::string stopped_by;               // why it is Unknown; empty otherwise
  // Of Error: why the specification rejects an operation, and the index of that operation.
  std::string error;
  std::uint32_t rejected = never;
  double seconds = 0;
  std::size_t peak_bytes = 0;  // of the checker's own tables
};

HistoryResult check_history(const RecordedHistory& history, const Specification& specification,
                            const HistoryCheckOptions& options = {});

}  // namespace heddle
