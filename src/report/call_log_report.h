// The result for a log of calls on an abstract object: as plain data, as a field of the JSON object and as the closing
// line.
//
//   holds: 1,204 calls in paxos.jsonl are calls on qtree; 602 adds, 600 commits, ...; 0.00 s, 8.1 MiB
//   violated: paxos.jsonl:7: qtree rejects add(4, "x", 2): extendsTrunk (P4); 5 calls before it; ...
//   unknown: time limit of 10 s; qtree accepts the first 40,211,000 calls in paxos.jsonl; ...
// Pure functions, thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace heddle::report {

struct RunReport;

struct CallLogReport {
  std::string file;
  std::uint64_t calls = 0;  // calls read, including a rejected one
  std::uint64_t instances = 0, rounds = 0;
  std::uint64_t line = 0;                                      // line of the rejected call; 0: no call was rejected
  std::vector<std::pair<std::uint64_t, std::string>> earlier;  // calls that its witness refers to, with their lines
  std::string tree;                                            // the tree before it, or the part around it; JSON
  std::vector<std::string> left_out;                           // fields that were not read
};

std::string calls_json(const CallLogReport& calls);
// REQUIRES: report.calls is set and, unless the verdict is an error, report.refinement.
std::string calls_line(const RunReport& report);

}  // namespace heddle::report
