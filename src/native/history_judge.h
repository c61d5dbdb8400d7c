// Decides whether the calls of a client's threads, with their results and the order of real time, are linearizable
// (Herlihy and Wing 1990): to the class itself, one call at a time, or to a specification of the library.
//
// Histories are those of HistoryTable whose operations are events of calls (client.h) and whose results are texts. The
// n-th thread of a client is process n, counted from 1.
// Thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/history_table.h"
#include "check/linearizability.h"
#include "check/model_history.h"
#include "native/client.h"
#include "native/image.h"

namespace heddle::native {

class HistoryJudge {
 public:
  virtual ~HistoryJudge() = default;
  // Calls that have not returned may have happened or not. Throws ModelError if the history does not fit.
  virtual bool linearizable(const HistoryTable& table, std::uint32_t history) = 0;
  // Whether all calls that have not returned would wait after some order of the others that explains their results.
  // None: the judge knows no calls that wait.
  virtual std::optional<bool> may_wait(const HistoryTable& table, std::uint32_t history) = 0;
  // The same history and the object, for explanations.
  virtual std::unique_ptr<ModelHistory> recorded(const HistoryTable& table, std::uint32_t history) = 0;
  // What histories are compared with: "the class itself, one call at a time".
  virtual std::string object() const = 0;
};

// REQUIRES: `clients` is not empty.
std::shared_ptr<HistoryJudge> judge_by_library(std::shared_ptr<const Image> image, const Harness& harness,
                                               const std::vector<Client>& clients);

// The methods of a harness that are not operations of the specification.
std::vector<std::string> methods_without(const Specification& specification, const Harness& harness);
// REQUIRES: methods_without() is empty. The specification outlives the judge.
std::shared_ptr<HistoryJudge> judge_by_specification(const std::shared_ptr<const Image>& image, const Harness& harness,
                                                     const Specification& specification);

}  // namespace heddle::native
