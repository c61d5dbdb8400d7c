// The result for a recorded history of transactions, as a section of the report of a run. It is what the closing line
// is about:
//
//   holds: 1,000 transactions, serializable, in an order that was replayed; 0.01 s, 9.1 MiB
//   violated: bank.edn: not serializable: write skew: line 3 rw line 4 rw line 3; strongest level: ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/verdict.h"
#include "report/section.h"

namespace heddle::report {

struct TransactionsReport final : SectionOf<TransactionsReport> {
  struct LevelRow {
    std::string name, isolation, respects;
    bool asked = false;
    Verdict verdict = Verdict::Unknown;
    std::string anomaly;      // of Violated
    std::string certificate;  // of Holds: the level whose order was replayed
    std::string stopped_by;   // of Unknown
  };
  struct Transaction {
    std::string name, process, outcome, text;
    std::uint32_t invoked_line = 0, returned_line = 0;
  };
  struct Edge {
    std::string from, to, kind, reason;
    bool assumed = false;
  };

  struct Inferred {
    std::string order;        // "of :x, 1 of T1 comes before 2 of T2"
    std::vector<Edge> edges;  // of the cycle that the other order closes
  };
  // What rules levels out.
  struct Explanation {
    std::vector<std::string> levels;
    std::string anomaly, finding;
    std::vector<Transaction> transactions;
    std::vector<Edge> edges;
    std::vector<Inferred> inferred;
  };
  // What shows that a level holds.
  struct Order {
    struct Event {
      std::uint32_t line = 0;
      std::string_view kind;  // "whole", "start" or "commit"
    };
    std::string level;
    std::vector<Event> events;
  };

  std::string file, format, level, workload, warning;
  std::uint64_t ok = 0, failed = 0, unknown = 0, processes = 0, keys = 0, open_keys = 0;
  bool real_time = true;  // the file has invocations
  std::vector<LevelRow> levels;
  Explanation asked;                      // of the level that was asked for, if it is violated
  bool explains = false;                  // all of them
  std::vector<Explanation> explanations;  // if asked to
  std::vector<Order> orders;
  bool writes_follow_reads = false;  // is assumed
  std::string witness, dot;
  std::uint64_t witness_transactions = 0;
  bool show_table = false;
  double reading_seconds = 0, checking_seconds = 0;

  Place place() const override { return Place::Verdict; }
  std::vector<JsonField> fields(const RunReport& run) const override;
  std::string text(const RunReport& run) const override;
  ClosingWords closing_words(const RunReport& run) const override;
};

}  // namespace heddle::report
