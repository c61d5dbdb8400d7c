// The result for recorded histories: as plain data, as fields of the JSON object and as the closing line.
//
//   holds: 167 operations are linearizable as cas_register; 1 partition, by wgl; 0.00 s, 8.1 MiB
//   violated: etcd_000.log: 12 operations of key "x" are not linearizable as register; ...; witness in w.edn
//   unknown: time limit of 10 s; no violation in 3 of 12 partitions of 4,000 operations, ...
// Pure functions, thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/verdict.h"

namespace heddle::report {

struct RunReport;

struct HistoryFileReport {
  std::string file;
  std::string format;  // empty if it could not be read
  Verdict verdict = Verdict::Unknown;
  std::string error;  // for Verdict::Error
  std::uint64_t operations = 0, processes = 0;
  std::uint64_t partitions = 0, decided = 0;
  std::string method;      // "monitor", "wgl" or "monitor+wgl"; empty if nothing was checked
  std::string finding;     // for Verdict::Violated: "12 operations of key 3"
  std::string witness;     // the file it was written to; empty if none
  std::string stopped_by;  // for Verdict::Unknown
  std::string warning;     // something odd in the file that did not prevent the check
  double seconds = 0;
  std::size_t checker_bytes = 0;
};

struct HistoryReport {
  std::string specification;
  std::vector<HistoryFileReport> files;
};

// Error is worse than Violated, which is worse than Unknown, which is worse than Holds.
Verdict worst(const HistoryReport& history);

// Lines of the JSON object: "  \"spec\": ..." and so on, with commas between them.
std::string history_fields(const HistoryReport& history);
std::string history_line(const RunReport& report);

}  // namespace heddle::report
