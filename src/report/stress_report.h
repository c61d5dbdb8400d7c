// What runs of clients on real threads gave: how often each outcome came, and which ones no order of calls gives.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/section.h"

namespace heddle::report {

struct StressedClient {
  struct Outcome {
    std::string text;
    std::uint64_t count = 0;
    bool bad = false;
  };
  std::string client;
  std::uint64_t runs = 0;
  std::vector<Outcome> outcomes;  // the most frequent first
  std::string failure;            // "crashed: signal 11", "a run did not end"; empty: none
  bool failure_is_bad = false;    // ... and calls made one at a time do not do that
};

struct StressReport final : SectionOf<StressReport> {
  std::vector<StressedClient> clients;
  std::size_t left_out = 0;  // clients for which there was no time
  double seconds = 0;
  unsigned processors = 0;

  std::uint64_t runs() const;
  std::uint64_t bad() const;

  std::vector<JsonField> fields(const RunReport& run) const override;
  std::string text(const RunReport& run) const override;
  ClosingWords closing_words(const RunReport& run) const override;
};

}  // namespace heddle::report
