// The actor door's part of a history: events of typed values as bytes, and specifications of the model as functions.
#include "actor/history.h"

#include <algorithm>

#include "core/transition_system.h"

namespace heddle::actor {

namespace {

// Wraps a specification of the model. The result throws UserFailure where the specification fails.
SequentialSpecification sequential(const detail::SpecificationInfo& info) {
  return {info.initial, [&info](std::string& state, std::string_view operation) {
            static RepeatedRuns repeated;
            const CodeName code{"specification", info.specification};
            const bool twice = repeated.wants();
            std::string result, again, before = twice ? state : std::string();
            auto failure = run_named<ModelError>(code, [&] { result = info.apply(state, operation); });
            if (failure) throw *failure;
            if (!twice) return result;
            failure = run_named<ModelError>(code, [&] { again = info.apply(before, operation); });
            if (failure || before != state || again != result) {
              throw ModelError(code.text() +
                               " is not a pure function: applied twice to the same object, it gave two results");
            }
            return result;
          }};
}

}  // namespace

// The bytes of an event's value: position of its type, value.
std::uint32_t HistoryTable::intern_event(std::uint32_t process, const detail::Event& event) {
  std::string bytes;
  {
    std::lock_guard lock(mutex_);
    auto type = std::find(types_.begin(), types_.end(), event.type);
    if (type == types_.end()) type = types_.insert(types_.end(), event.type);
    bytes.push_back(static_cast<char>(type - types_.begin()));
  }
  bytes += event.value;
  return heddle::HistoryTable::intern_event(process, event.is_return, bytes);
}

HistoryTable::Event HistoryTable::event(std::uint32_t number) const {
  const auto [process, is_return, value] = heddle::HistoryTable::event(number);
  return {process, is_return, types_[static_cast<std::size_t>(value[0])], value.substr(1)};
}

// Specifications know values, not the positions of types.
History HistoryTable::values_of(std::uint32_t history, detail::HistoryOrder order) const {
  History out = decode(history, order);
  for (auto& client : out) {
    for (HistoryOperation& op : client) {
      op.operation.erase(0, 1);
      if (op.returned) op.result.erase(0, 1);
    }
  }
  return out;
}

bool HistoryTable::admitted(std::uint32_t history, std::size_t specification, const detail::SpecificationInfo& info) {
  return verdicts_.get(history, static_cast<std::uint32_t>(specification) + 1, [&]() -> std::uint32_t {
    try {
      return is_linearizable(values_of(history, info.order), sequential(info)) ? 1 : 2;
    } catch (const UserFailure& failure) {
      if (failure.kind == UserFailure::Kind::Assertion) return 2;
      throw ModelError("specification " + info.specification + " " + failure.what);
    }
  }) == 1;
}

bool HistoryTable::admitted_if(std::uint32_t history, const detail::SpecificationInfo& info,
                               const std::vector<bool>& binding) const {
  History asked = values_of(history, info.order);
  std::size_t i = 0;
  for (auto& client : asked) {
    for (HistoryOperation& operation : client) operation.returned = operation.returned && binding[i++];
  }
  try {
    return is_linearizable(asked, sequential(info));
  } catch (const UserFailure&) {
    return false;
  }
}

std::optional<UserFailure> HistoryTable::failure(std::uint32_t history, const detail::SpecificationInfo& info) const {
  try {
    is_linearizable(values_of(history, info.order), sequential(info));
  } catch (const UserFailure& failure) {
    return failure;
  }
  return std::nullopt;
}

std::string HistoryTable::json(std::uint32_t history) const {
  std::string out = "[";
  for (const auto& operations : this->operations(history)) {
    if (out.size() > 1) out += ",";
    out += "[";
    for (std::size_t i = 0; i < operations.size(); ++i) {
      const Event invoked = event(operations[i].invoked);
      out += i > 0 ? ",[" : "[";
      invoked.type->json(invoked.value, out);
      out += ",";
      if (!operations[i].has_returned()) {
        out += operations[i].returned == given_up ? "null,\"info\"" : "null";
      } else {
        const Event returned = event(operations[i].returned);
        returned.type->json(returned.value, out);
      }
      out += "]";
    }
    out += "]";
  }
  return out + "]";
}

}  // namespace heddle::actor
