// What a run of a program in C or C++ says beyond its verdict: under which assumptions, and for which clients.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "report/section.h"

namespace heddle::report {

// A client that fails: in which ways, and with which results.
struct FailingClient {
  std::string client;
  std::vector<std::string> kinds;      // the properties that are violated
  std::vector<std::string> good, bad;  // outcomes
};

struct ProgramReport final : SectionOf<ProgramReport> {
  // Lines of the user's code whose atomic operations ask for less than sequential consistency, "queue.cpp:31".
  std::vector<std::string> weaker_orders;
  // Lines that have compared a pointer to freed memory with one to something else: addresses are not given out twice.
  std::function<std::vector<std::string>()> freed_comparisons;
  std::string clients;   // "all 78 clients of at most 2 threads, 2 calls each, 2 values"; empty: no harness
  bool sampled = false;  // of more clients than were checked
  // What histories with real-time order were compared with: "the class itself, one call at a time"; empty: outcomes
  // were compared.
  std::string histories;
  // Set where all failing clients are asked for.
  std::function<std::vector<FailingClient>()> failing;
  std::string reduced_from;  // the client that the violation was found with; empty: it is shown with that one

  std::vector<JsonField> fields(const RunReport& run) const override;
  std::string text(const RunReport& run) const override;
  ClosingWords closing_words(const RunReport& run) const override;
};

}  // namespace heddle::report
