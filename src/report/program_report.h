// What a run of a program in C or C++ says beyond its verdict: under which assumptions, and for which clients.
#pragma once

#include <string>
#include <vector>

#include "report/section.h"

namespace heddle::report {

struct ProgramReport final : SectionOf<ProgramReport> {
  // Lines of the user's code whose atomic operations ask for less than sequential consistency, "queue.cpp:31".
  std::vector<std::string> weaker_orders;
  std::string clients;   // "all 78 clients of at most 2 threads, 2 calls each, 2 values"; empty: no harness
  bool sampled = false;  // of more clients than were checked

  std::vector<JsonField> fields(const RunReport& run) const override;
  std::string text(const RunReport& run) const override;
  ClosingWords closing_words(const RunReport& run) const override;
};

}  // namespace heddle::report
