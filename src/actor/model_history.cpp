// Turns the history slot of a state into a recorded history, for explanations.
#include <map>

#include "actor/system.h"
#include "check/model_history.h"

namespace heddle::actor {
namespace {

// The sequential specification of the model, over JSON texts instead of bytes.
class ModelSpecification final : public Specification {
 public:
  explicit ModelSpecification(const detail::SpecificationInfo& info) : info_(info) {}

  std::string_view name() const override { return info_.specification; }
  std::string_view usage() const override { return ""; }
  std::optional<std::string> reject(const RecordedHistory&, const RecordedOperation&) const override {
    return std::nullopt;
  }
  std::unique_ptr<Object> object(const RecordedHistory& history, std::span<const std::uint32_t>) const override;

  std::map<std::string, detail::Bytes, std::less<>> operations, results;  // text -> bytes

 private:
  friend class ModelObject;
  detail::SpecificationInfo info_;
};

class ModelObject final : public Object {
 public:
  ModelObject(const ModelSpecification& specification, const RecordedHistory& history)
      : specification_(specification), history_(history) {}
  State initial() override { return states_.intern(specification_.info_.initial); }
  State apply(State state, const RecordedOperation& operation) override {
    detail::Bytes object(states_.content(state));
    const auto bytes = specification_.operations.find(history_.values.as_text(operation.argument));
    detail::Bytes result;
    const auto failure = run_named<ModelError>({"specification", specification_.info_.specification},
                                               [&] { result = specification_.info_.apply(object, bytes->second); });
    if (failure) return impossible;  // an assertion failed: no order goes this way
    if (operation.outcome == heddle::Outcome::Ok &&
        result != specification_.results.find(history_.values.as_text(operation.result))->second) {
      return impossible;
    }
    return states_.intern(object);
  }
  StateText describe(State state) const override { return {specification_.info_.json(states_.content(state))}; }

 private:
  const ModelSpecification& specification_;
  const RecordedHistory& history_;
  ContentTable states_;
};

std::unique_ptr<Object> ModelSpecification::object(const RecordedHistory& history,
                                                   std::span<const std::uint32_t>) const {
  return std::make_unique<ModelObject>(*this, history);
}

}  // namespace

std::unique_ptr<ModelHistory> System::history_of(std::size_t property, std::span<const Slot> state) const {
  const std::size_t predicates = model_.properties().size();
  if (history_slot_ == 0 || property < predicates || property >= predicates + model_.specifications().size()) {
    return nullptr;
  }
  const detail::SpecificationInfo& info = model_.specifications()[property - predicates];
  if (histories_.failure(state[history_slot_], info)) return nullptr;
  auto out = std::make_unique<ModelHistory>();
  RecordedHistory& history = out->history;
  auto specification = std::make_unique<ModelSpecification>(info);
  const auto text = [&](const HistoryTable::Event& e, auto& known) {
    std::string json;
    e.type->json(e.value, json);
    known.emplace(json, e.value);
    return history.values.text(json);
  };

  const std::uint32_t call = history.name("");
  std::map<std::size_t, std::size_t> open;                // client -> operation
  std::map<std::size_t, std::vector<std::size_t>> calls;  // client -> its operations
  for (const HistoryTable::Moment& moment : histories_.moments(state[history_slot_])) {
    using Happens = HistoryTable::Moment::Kind;
    if (moment.kind == Happens::GiveUp) {
      history.complete(open[moment.client], heddle::Outcome::Unknown);
      continue;
    }
    const auto event = histories_.event(moment.event);
    if (moment.kind == Happens::Invoke) {
      const std::uint32_t process = history.process(lane_name(event.process));
      open[moment.client] = history.invoke(process, call, no_key, text(event, specification->operations));
      calls[moment.client].push_back(open[moment.client]);
    } else {
      history.complete(open[moment.client], heddle::Outcome::Ok, text(event, specification->results));
    }
  }
  out->specification = std::move(specification);
  out->order = info.order;
  if (info.order == detail::HistoryOrder::RealTime) return out;
  std::vector<std::size_t> client_by_client;
  for (const auto& [client, operations] : calls) {
    client_by_client.insert(client_by_client.end(), operations.begin(), operations.end());
  }
  out->admitted_if = [this, &info, number = state[history_slot_], client_by_client](const std::vector<bool>& binding) {
    std::vector<bool> as_asked;
    for (const std::size_t operation : client_by_client) as_asked.push_back(binding[operation]);
    return histories_.admitted_if(number, info, as_asked);
  };
  return out;
}

}  // namespace heddle::actor

namespace heddle::detail {

std::string SpecificationInfo::json(std::string_view state) const {
  std::string out;
  put_json(*shape, state, out);
  return out;
}

}  // namespace heddle::detail
