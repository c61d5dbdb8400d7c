// The history of a model's clients as a slot (check/history_table.h): operations and results are values of types.
// Thread-safe, except set_clients.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/history_table.h"
#include "core/pair_map.h"
#include "core/user_code.h"
#include "heddle/model.h"

namespace heddle::actor {

class HistoryTable : public heddle::HistoryTable {
 public:
  struct Event {
    std::uint32_t process;
    bool is_return;
    const detail::TypeInfo* type;
    std::string_view value;
  };

  std::uint32_t intern_event(std::uint32_t process, const detail::Event& event);
  Event event(std::uint32_t number) const;

  // Whether an order that the specification asks for gives the answers of the history.
  bool admitted(std::uint32_t history, std::size_t specification, const detail::SpecificationInfo& info);
  // The same with other answers: those of the operations that are not `binding` may be any. Operations are counted
  // client by client. What the specification's code does wrong counts as no order.
  bool admitted_if(std::uint32_t history, const detail::SpecificationInfo& info,
                   const std::vector<bool>& binding) const;
  // Returns how the specification fails while an order of the history is sought, if it does before an order is found.
  std::optional<UserFailure> failure(std::uint32_t history, const detail::SpecificationInfo& info) const;
  std::string json(std::uint32_t history) const;

 private:
  History values_of(std::uint32_t history, detail::HistoryOrder order) const;

  std::mutex mutex_;
  std::vector<const detail::TypeInfo*> types_;
  PairMap verdicts_;
};

}  // namespace heddle::actor
