// A harness says how many clients a system has and what each of them asks for. 2R+1W is two reads and one
// write. Each has a client that asks once and waits for its answer (Al-Mahfoudh, Stutsman, Gopalakrishnan:
// Efficient linearizability checking for actor-based systems, 2023).
//
//   .parameters = {harness_parameter()},
//   .build = [](Model& m) {
//     const auto requests = harness_requests(m.run());
//     m.add<Client>(requests.size(), [&](std::size_t c) {
//       return Client{.operation = {requests[c].writes, requests[c].number}, .agent = m.id<Agent>(c % 2)};
//     });
//
// Writes come first. The n-th write has the number n, from 1. It makes a good value to write, since no two are equal.
#pragma once

#include <cctype>
#include <cstddef>
#include <string>
#include <vector>

#include "heddle/model.h"

namespace heddle {

struct HarnessRequest {
  bool writes = false;
  int number = 0;  // among the reads or among the writes, from 1
};

inline Parameter harness_parameter() {
  return {"harness",
          {"2R+1W", "2R+2W", "1R+1W", "1R+2W", "3R+1W", "3R+2W", "2R+3W", "3R+3W"},
          "so many reads (R) and writes (W), each by a client of its own"};
}

inline std::vector<HarnessRequest> harness_requests(const Run& run) {
  int reads = 0, writes = 0, count = 0;
  for (const char c : run.text("harness")) {
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) count = 10 * count + (c - '0');
    if (c != 'R' && c != 'W') continue;
    (c == 'R' ? reads : writes) = count;
    count = 0;
  }
  std::vector<HarnessRequest> requests;
  for (int i = 1; i <= writes; ++i) requests.push_back({true, i});
  for (int i = 1; i <= reads; ++i) requests.push_back({false, i});
  return requests;
}

}  // namespace heddle
