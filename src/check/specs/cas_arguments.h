// The compare-and-set operations of a history: their arguments [old new] and their results are looked up once.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>

#include "check/specs/vocabulary.h"

namespace heddle::specs {

class CasArguments {
 public:
  CasArguments(const RecordedHistory& history, std::span<const std::uint32_t> part,
               const std::vector<std::uint8_t>& kinds, std::uint8_t cas)
      : no_(never) {
    for (const std::uint32_t index : part) {
      const RecordedOperation& op = history.operations[index];
      if (kinds[op.function] != cas) continue;
      if (const auto pair = pair_of(history.values, op.argument)) pairs_.try_emplace(op.argument, *pair);
      if (op.outcome == Outcome::Ok && success(history.values, op) == Answer::No) no_ = op.result;
    }
  }

  std::pair<Value, Value> pair(const RecordedOperation& operation) const {
    return pairs_.find(operation.argument)->second;
  }
  bool succeeded(const RecordedOperation& operation) const { return operation.result != no_; }
  std::size_t bytes() const { return pairs_.bucket_count() * 13; }

  static std::optional<std::string> check(const RecordedHistory& history, const RecordedOperation& operation) {
    if (!pair_of(history.values, operation.argument)) return bad_argument(history, operation, "[old new]");
    if (operation.outcome == Outcome::Ok && success(history.values, operation) == Answer::Invalid) {
      return bad_result(history, operation, "true, false or nothing");
    }
    return std::nullopt;
  }

 private:
  boost::unordered_flat_map<Value, std::pair<Value, Value>> pairs_;
  Value no_;  // the value `false`, if it occurs
};

}  // namespace heddle::specs
