// Compares described steps: what must be equal, and points for what may differ.
#include "explain/step_match.h"

#include <algorithm>

#include "explain/compatible_json.h"
#include "report/values.h"

namespace heddle::explain {

bool StepMatch::same_lane(std::uint32_t recorded, std::uint32_t now) const {
  return recorded_[recorded].name == now_[now].name;
}

bool StepMatch::same_message(const trace::Message& recorded, const trace::Message& now) const {
  return recorded.type == now.type && same_lane(recorded.from, now.from) && same_lane(recorded.to, now.to) &&
         compatible_json(recorded.body, now.body);
}

// Compares messages in any order: a quorum is a set. Quorums are small and their senders differ, so taking the first
// partner that fits is right.
bool StepMatch::same_messages(const std::vector<trace::Message>& recorded,
                              const std::vector<trace::Message>& now) const {
  if (recorded.size() != now.size()) return false;
  std::vector<bool> taken(now.size());
  return std::ranges::all_of(recorded, [&](const trace::Message& message) {
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (taken[i] || !same_message(message, now[i])) continue;
      taken[i] = true;
      return true;
    }
    return false;
  });
}

bool StepMatch::fits(const trace::Step& recorded, const trace::Step& now) const {
  return recorded.name == now.name && recorded.kind == now.kind && same_lane(recorded.lane, now.lane) &&
         same_messages(recorded.received, now.received);
}

bool StepMatch::sends(const trace::Step& recorded, const trace::Step& now) const {
  std::vector<bool> taken(now.sent.size());
  return std::ranges::all_of(recorded.sent, [&](const trace::Message& message) {
    for (std::size_t i = 0; i < now.sent.size(); ++i) {
      if (taken[i] || !same_message(message, now.sent[i])) continue;
      taken[i] = true;
      return true;
    }
    return false;
  });
}

std::string StepMatch::difference(const std::vector<trace::Field>& recorded,
                                  const std::vector<trace::Field>& now) const {
  for (const trace::Field& before : recorded) {
    const trace::Field* other = nullptr;
    bool agrees = false;
    for (const trace::Field& field : now) {
      if (agrees || field.name != before.name || !same_lane(before.lane, field.lane)) continue;
      agrees = compatible_json(before.value, field.value);
      other = &field;
    }
    if (other == nullptr || agrees) continue;
    return recorded_[before.lane].name + "'s " + before.name + " is " + before.value + " in the trace and " +
           other->value + " in the model";
  }
  return "";
}

int StepMatch::likeness(const trace::Step& recorded, const trace::Step& now) const {
  int score = 0;
  if (same_lane(recorded.lane, now.lane)) score += 40;
  if (recorded.name == now.name) score += 40;
  if (recorded.kind == now.kind) score += 10;
  if (same_messages(recorded.received, now.received)) score += 10;
  if (recorded.choice == now.choice) score += 8;
  if (same_messages(recorded.sent, now.sent)) score += 4;
  if (std::ranges::equal(recorded.operations, now.operations, [](const auto& a, const auto& b) {
        return a.kind == b.kind && compatible_json(a.value, b.value);
      })) {
    score += 2;
  }
  const auto agrees = [&](const trace::Diff& now_diff) {
    return std::ranges::all_of(recorded.diffs, [&](const trace::Diff& diff) {
      return diff.name != now_diff.name || !same_lane(diff.lane, now_diff.lane) ||
             compatible_json(diff.after, now_diff.after);
    });
  };
  if (std::ranges::all_of(now.diffs, agrees)) score += 1;
  return score;
}

std::string step_phrase(const trace::Step& step, const std::vector<trace::Lane>& lanes) {
  std::string text = lanes[step.lane].name + ": ";
  if (step.kind != "step" && step.kind != step.name) text += step.kind + " ";
  text += step.name;
  if (!step.choice.empty()) text += ", choosing " + report::choice_phrase(step.choice);
  for (std::size_t i = 0; i < step.received.size(); ++i) {
    text += i == 0 ? ", receiving " : " and ";
    text += report::message_phrase(step.received[i]) + " from " + lanes[step.received[i].from].name;
  }
  return text;
}

}  // namespace heddle::explain
