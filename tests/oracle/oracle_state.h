// A state of a network of processes, written down as in docs/network.md: plain values, compared as a whole.
//
// This is part of the second, naive implementation of that page (oracle.h). Nothing here is shared with the
// program: no interning, no memo, no packing. A state is copied for every step.
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "heddle/heddle.h"

namespace heddle::oracle {

using detail::Bytes;

// Messages are equal if type, sender and content are.
struct Message {
  const detail::TypeInfo* type;
  std::size_t sender;  // a process
  Bytes body;
  friend auto operator<=>(const Message&, const Message&) = default;
};

struct Process {
  bool present = true, up = true;
  Bytes fields;
  std::multiset<Message> transit;                        // multiset and soup
  std::multiset<Message> buffer;                         // GRM and RM: what has been delivered
  std::map<std::size_t, std::vector<Message>> channels;  // FIFO, by sender; only those that are not empty
  friend auto operator<=>(const Process&, const Process&) = default;
};

// An operation of a client. Of the order of events, linearizability sees only which operations had returned when
// another began.
struct Operation {
  const detail::TypeInfo* type;
  Bytes call;
  std::optional<std::pair<const detail::TypeInfo*, Bytes>> result;
  bool abandoned = false;  // its client crashed and forgot it: it stays open forever
  std::set<std::pair<std::size_t, std::size_t>> after;
  friend auto operator<=>(const Operation&, const Operation&) = default;
};
using History = std::map<std::pair<std::size_t, std::size_t>, Operation>;  // (client, number among its operations)

struct State {
  std::vector<Process> processes;
  Bytes ghost;
  History history;
  std::optional<std::vector<bool>> split;  // the side of every process; the first is on side 0
  unsigned losses = 0, duplications = 0, splits = 0, crashes = 0;
  std::map<std::string, unsigned> crashes_of;  // for roles with their own number of crashes
  friend auto operator<=>(const State&, const State&) = default;
};

// Something that a model does and the page calls an error.
struct ModelMistake {
  std::string text;
};

// A state as a property sees it.
class StateView final : public View {
 public:
  StateView(const Model& model, const std::vector<bool>& byzantine, const State& state)
      : View(model.run()), model_(&model), byzantine_(&byzantine), state_(&state) {}

 private:
  std::vector<std::size_t> members(const detail::RoleInfo* role) const override {
    std::vector<std::size_t> out;
    for (std::size_t p = 0; p < state_->processes.size(); ++p) {
      if (model_->processes()[p].info == role && state_->processes[p].present && !(*byzantine_)[p]) out.push_back(p);
    }
    return out;
  }
  std::size_t process(const detail::RoleTag* role, std::uint16_t index) const override {
    for (std::size_t p = 0; p < state_->processes.size(); ++p) {
      const detail::ProcessInfo& info = model_->processes()[p];
      if (info.info->tag == role && info.index == index) return p;
    }
    throw ModelMistake{"a property asks for a process that there is not"};
  }
  std::uint16_t index(std::size_t p) const override { return model_->processes()[p].index; }
  std::string_view local(std::size_t p) const override { return state_->processes[p].fields; }
  bool running(std::size_t p) const override { return state_->processes[p].present && state_->processes[p].up; }
  // Properties do not see auxiliary data: in a soup, messages that differ in nothing else are one.
  std::vector<Bytes> messages(const detail::TypeInfo* type) const override {
    std::vector<Bytes> out;
    std::set<std::tuple<std::size_t, std::size_t, Bytes>> seen;
    const auto note = [&](std::size_t receiver, const Message& m) {
      if (m.type != type) return;
      const Bytes body = type->forget != nullptr ? type->forget(m.body) : m.body;
      if (seen.insert({receiver, m.sender, body}).second || model_->network.order != Network::Order::Soup) {
        out.push_back(m.body);
      }
    };
    for (std::size_t p = 0; p < state_->processes.size(); ++p) {
      const Process& process = state_->processes[p];
      for (const Message& m : process.transit) note(p, m);
      for (const Message& m : process.buffer) note(p, m);
      for (const auto& [sender, queue] : process.channels) {
        for (const Message& m : queue) note(p, m);
      }
    }
    return out;
  }
  std::string_view ghost_bytes() const override { return state_->ghost; }

  const Model* model_;
  const std::vector<bool>* byzantine_;
  const State* state_;
};

}  // namespace heddle::oracle
