// Explains lanes, steps, states and growth in the words of the model.
#include <algorithm>
#include <map>

#include "actor/system.h"

namespace heddle::actor {
namespace {

// "Acceptor" becomes "acceptor".
std::string lower_first(std::string_view name) {
  std::string text(name);
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

constexpr std::string_view special_names[] = {"deliver", "lose", "duplicate", "crash", "recover", "byzantine"};

}  // namespace

std::string System::lane_name(std::uint32_t p) const {
  const ProcessInfo& info = *processes_[p].info;
  std::string name = lower_first(info.info->tag->name);
  if (model_.run().count(info.info->tag) > 1) name += " " + std::to_string(info.index + 1);
  if (processes_[p].byzantine) name += " (Byzantine)";
  return name;
}

std::vector<trace::Lane> System::lanes() const {
  std::vector<trace::Lane> lanes;
  for (std::uint32_t p = 0; p < processes_.size(); ++p) {
    const auto first = static_cast<std::uint32_t>(processes_[p].info->group);
    lanes.push_back({lane_name(p), std::string(processes_[p].info->info->name), lane_name(first)});
  }
  lanes.push_back({"network", "", "network"});
  if (object_) lanes.push_back({object_->name(), "", object_->name()});
  return lanes;
}

std::string System::transition_name(std::uint32_t transition) const {
  if (transition == transition_count() - 1) return "heal";
  if (transition == transition_count() - 2) return "partition";
  const StaticTransition& t = transitions_[transition];
  if (t.handler < 0)
    return std::string(special_names[static_cast<std::size_t>(t.special)]) + " at " + lane_name(t.process);
  std::string name = lane_name(t.process) + "." + std::string(handler_of(t).name);
  if (t.crashing) name += ", crashing";
  for (std::size_t i = 0; t.split && i < t.senders.size(); ++i)
    name += (i == 0 ? " from " : ", ") + lane_name(t.senders[i]);
  return name;
}

DetailedOutcome System::find_outcome(std::span<const Slot> state, std::uint32_t p, Step step) const {
  const bool ghost = (step.detail >> 31) != 0;
  auto all = compute_outcomes(p, state[p], ghost ? std::optional(state[ghost_slot_]) : std::nullopt);
  return all.at(step.detail & 0x7FFFFFFF);
}

trace::Message System::describe_message(MessageNumber number, std::uint32_t to) const {
  const Messages::Record& m = messages_[number & ~Inboxes::delivered];
  trace::Message out{std::string(m.type->name), m.sender, to, {}};
  m.type->json(m.bytes(), out.body);
  return out;
}

// Tells which of several equal messages in a queue is lost or duplicated. Returns an empty text if there is only one.
std::string System::describe_place(std::uint32_t p, Slot cell, const DetailedOutcome& d) const {
  if (model_.network.order != Network::Order::Fifo || d.transition >= 0) return {};
  const auto entries = inboxes_[inbox_of(p, cell)];
  if (std::ranges::count(entries, d.consumed[0]) < 2) return {};
  const std::uint32_t sender = messages_[d.consumed[0]].sender;
  const auto waiting = std::ranges::count_if(entries, [&](std::uint32_t e) { return messages_[e].sender == sender; });
  return "[\"place " + std::to_string(d.place + 1) + " of " + std::to_string(waiting) + "\"]";
}

trace::Step System::describe_step(std::span<const Slot> from, Step step, std::span<const Slot> to) const {
  trace::Step out;
  if (step.transition >= transition_count() - 2) {
    out.lane = network_lane();
    out.kind = out.name = transition_name(step.transition);
    if (out.kind == "partition") {
      std::string near, far;
      for (std::uint32_t p = 0; p < processes_.size(); ++p) {
        std::string& side = (step.detail & machine_bit(p)) != 0 ? far : near;
        side += (side.empty() ? "" : ", ") + lane_name(p);
      }
      out.choice = "[";
      detail::put_json_string(out.choice, near);
      out.choice += ",";
      detail::put_json_string(out.choice, far);
      out.choice += "]";
    }
    return out;
  }
  const std::uint32_t p = transitions_[step.transition].process;
  const DetailedOutcome d = find_outcome(from, p, step);
  out.lane = p;
  if (d.transition >= 0) {
    const TransitionInfo& t = processes_[p].info->info->transitions[static_cast<std::size_t>(d.transition)];
    out.name = t.name;
    out.kind = d.extra && d.extra->crash_group ? "crash" : t.timeout ? "timeout" : "step";
  } else {
    out.kind = out.name = special_names[static_cast<std::size_t>(d.special)];
  }
  for (const std::uint32_t entry : d.consumed) out.received.push_back(describe_message(entry, p));
  if (d.special == Special::Lose || d.special == Special::Duplicate) out.choice = describe_place(p, from[p], d);
  if (!d.choices.empty()) {
    out.choice = "[";
    for (const auto& c : d.choices) {
      out.choice += (out.choice.size() > 1 ? "," : "") + (c.json.empty() ? std::to_string(c.taken) : c.json);
    }
    out.choice += "]";
  }
  if (d.extra && d.extra->spawning) {
    // Only the target state has the bodies with real ids: list what is new in the inboxes.
    for (std::uint32_t q = 0; q < processes_.size(); ++q) {
      if (to[q] == 0) continue;
      const auto after = inboxes_[inbox_of(q, to[q])];
      std::vector<std::uint32_t> fresh(after.begin(), after.end());
      if (from[q] != 0) {
        for (const std::uint32_t entry : inboxes_[inbox_of(q, from[q])]) {
          if (auto it = std::find(fresh.begin(), fresh.end(), entry); it != fresh.end()) fresh.erase(it);
        }
      }
      for (const std::uint32_t entry : fresh) {
        if (messages_[entry].sender == p) out.sent.push_back(describe_message(entry, q));
      }
    }
  }
  for (const Send& s : d.sends) {
    if (from[s.process] != 0) out.sent.push_back(describe_message(s.message, s.process));
  }
  for (const MessageNumber m : d.own) out.sent.push_back(describe_message(m, p));
  if (d.extra) {
    const std::vector<std::uint32_t> events = events_of(from, p, *d.extra);
    std::vector<std::uint32_t> recorded;
    if (history_slot_ != 0) {
      history_after(from[history_slot_], step.transition, events, &recorded);
    } else {
      recorded = events;
    }
    for (const std::uint32_t number : recorded) {
      const HistoryTable::Event e = histories_.event(number);
      trace::Operation op{e.is_return ? trace::Operation::Kind::Return : trace::Operation::Kind::Invoke, p, {}};
      e.type->json(e.value, op.value);
      out.operations.push_back(std::move(op));
    }
  }
  if (d.extra && object_slot_ != 0) out.calls = describe_calls(from, *d.extra, to);
  for (std::uint32_t q = 0; q < processes_.size(); ++q) {
    if (from[q] == to[q]) continue;
    std::vector<trace::Field> before, after;
    if (from[q] != 0) lane_fields(q, from[q], before);
    if (to[q] != 0) lane_fields(q, to[q], after);
    for (const trace::Field& field : after) {
      const auto old = std::find_if(before.begin(), before.end(), [&](const auto& f) { return f.name == field.name; });
      const std::string value = old == before.end() ? "null" : old->value;
      if (value != field.value) out.diffs.push_back({q, field.name, value, field.value});
    }
    if (to[q] == 0) out.diffs.push_back({q, "alive", "true", "false"});
  }
  if (ghost_slot_ != 0 && from[ghost_slot_] != to[ghost_slot_]) {
    trace::Diff diff{network_lane(), "ghost", {}, {}};
    model_.ghost_info()->info->json(ghosts_.content(from[ghost_slot_]), diff.before);
    model_.ghost_info()->info->json(ghosts_.content(to[ghost_slot_]), diff.after);
    out.diffs.push_back(std::move(diff));
  }
  if (object_slot_ != 0 && from[object_slot_] != to[object_slot_] && !object_->rejected(to[object_slot_])) {
    out.diffs.push_back(
        {object_lane(), object_->name(), object_->json(from[object_slot_]), object_->json(to[object_slot_])});
  }
  return out;
}

// Appends the fields of one process. `up` is there only where processes may crash, and is called `running` if the
// model has a field `up`.
void System::lane_fields(std::uint32_t p, Slot cell, std::vector<trace::Field>& out) const {
  std::vector<std::pair<std::string_view, std::string>> fields;
  processes_[p].info->info->fields(local_bytes(p, cell), fields);
  const bool own_up = std::ranges::any_of(fields, [](const auto& field) { return field.first == "up"; });
  for (auto& [name, value] : fields) out.push_back({p, std::string(name), std::move(value)});
  if (!model_.faults.crashing()) return;
  out.push_back({p, own_up ? "running" : "up", (local_of(p, cell) & crashed) != 0 ? "false" : "true"});
}

std::string System::inbox_json(std::uint32_t p, Slot cell) const {
  const auto entries = inboxes_[inbox_of(p, cell)];
  std::vector<std::uint32_t> sorted(entries.begin(), entries.end());
  if (model_.network.order != Network::Order::Fifo) {
    std::sort(sorted.begin(), sorted.end(), [&](std::uint32_t a, std::uint32_t b) {
      return messages_.before(a & ~Inboxes::delivered, b & ~Inboxes::delivered);
    });
  }
  std::string out = "[";
  for (const std::uint32_t entry : sorted) {
    if (out.size() > 1) out += ",";
    const trace::Message m = describe_message(entry, p);
    out += "{";
    detail::put_json_string(out, m.type);
    out += ":" + m.body + ",\"from\":";
    detail::put_json_string(out, lane_name(m.from));
    if ((entry & Inboxes::delivered) != 0) out += ",\"delivered\":true";
    out += "}";
  }
  return out + "]";
}

std::vector<trace::Field> System::describe_state(std::span<const Slot> state) const {
  std::vector<trace::Field> out;
  for (std::uint32_t p = 0; p < processes_.size(); ++p) {
    if (state[p] == 0) continue;
    lane_fields(p, state[p], out);
    out.push_back({p, "inbox", inbox_json(p, state[p])});
  }
  if (ghost_slot_ != 0) {
    std::string value;
    model_.ghost_info()->info->json(ghosts_.content(state[ghost_slot_]), value);
    out.push_back({network_lane(), "ghost", std::move(value)});
  }
  if (history_slot_ != 0) out.push_back({network_lane(), "history", histories_.json(state[history_slot_])});
  if (failed(state)) {
    out.push_back({process_failed(state[failure_slot_]), "failure", {}});
    detail::put_json_string(out.back().value, failure_text(state[failure_slot_]));
  }
  if (object_slot_ != 0) {
    const Slot content = state[object_slot_];
    out.push_back({object_lane(), object_->name(), object_->json(content)});
    if (object_->rejected(content)) {
      out.push_back({object_lane(), "rejected", {}});
      detail::put_json_string(out.back().value, object_->failure(content).call);
    }
  }
  return out;
}

std::vector<trace::Field> System::describe_property(std::size_t index, std::span<const Slot> state) const {
  if (about_failures(properties_[index]) != AboutFailures::No) return describe_failed_code(index, state);
  if (is_refinement(index)) return describe_failure(state);
  std::vector<trace::Field> out = describe_assertion(index, state);
  if (index >= model_.properties().size()) {
    if (history_slot_ != 0) out.push_back({network_lane(), "history", histories_.json(state[history_slot_])});
    return out;
  }
  const std::vector<Read> reads = predicates_->reads(index, state);
  for (const Read& read : reads) {
    if (read.part == Read::Part::Whole) {
      std::string value;
      model_.ghost_info()->info->json(ghosts_.content(state[read.slot]), value);
      out.push_back({network_lane(), "ghost", std::move(value)});
    } else if (state[read.slot] == 0) {
      continue;
    } else if (read.part == Read::Part::Local) {
      lane_fields(read.slot, state[read.slot], out);
    } else if (read.part == Read::Part::Up) {
      if (std::ranges::find(reads, Read{read.slot, Read::Part::Local}) != reads.end()) continue;
      std::vector<trace::Field> fields;
      lane_fields(read.slot, state[read.slot], fields);
      if (model_.faults.crashing()) out.push_back(std::move(fields.back()));
    } else {
      out.push_back({read.slot, "inbox", inbox_json(read.slot, state[read.slot])});
    }
  }
  return out;
}

std::vector<std::string> System::growth() const {
  std::vector<std::pair<long long, std::string>> found;
  // Find the number or container in local states that takes the largest values.
  for (const auto& kind : kinds_) {
    std::map<std::string, long long> largest;
    const std::uint32_t last = kind->locals.last();
    const std::uint32_t stride = std::max<std::uint32_t>(1, last / 5000);
    for (std::uint32_t i = last; i > 0; i = i > stride ? i - stride : 0) {
      std::vector<detail::FieldSize> sizes;
      run_or_throw<ModelError>({"size() of a field of", kind->info->name},
                               [&] { kind->info->sizes(kind->locals.content(i), sizes); });
      for (const auto& s : sizes) largest[s.name] = std::max(largest[s.name], s.size);
    }
    for (const auto& [field, size] : largest) {
      if (size < 8) continue;
      found.emplace_back(size, std::string(kind->info->name) + "." + field + " has reached " + std::to_string(size) +
                                   " (" + std::to_string(last) + " different local states of " +
                                   std::string(kind->info->name) + ")");
    }
  }
  // Find the longest inbox and the most frequent type of message in it.
  const std::uint32_t last = inboxes_.last();
  const std::uint32_t stride = std::max<std::uint32_t>(1, last / 20000);
  std::span<const std::uint32_t> longest;
  for (std::uint32_t i = last; i > 0; i = i > stride ? i - stride : 0) {
    if (inboxes_[i].size() > longest.size()) longest = inboxes_[i];
  }
  if (longest.size() >= 4) {
    std::map<std::string_view, std::size_t> types;
    for (const std::uint32_t entry : longest) ++types[messages_[entry & ~Inboxes::delivered].type->name];
    const auto most =
        std::max_element(types.begin(), types.end(), [](auto& a, auto& b) { return a.second < b.second; });
    found.emplace_back(longest.size(), "an inbox holds " + std::to_string(longest.size()) + " messages, " +
                                           std::to_string(most->second) + " of them " + std::string(most->first));
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> sentences;
  for (const auto& f : found) sentences.push_back(f.second);
  if (sentences.size() > 5) sentences.resize(5);
  return sentences;
}

void System::footprint(std::span<const Slot> state, Step step, std::vector<Access>& out) const {
  out.clear();
  const auto add = [&](std::uint32_t slot, Access::Kind kind) {
    for (Access& a : out) {
      if (a.slot != slot) continue;
      if (a.kind != kind) a.kind = Access::Kind::Write;
      return;
    }
    out.push_back({slot, kind});
  };
  if (step.transition >= transition_count() - 2) {
    add(partition_slot_, Access::Kind::Write);
    add(fault_slot_, Access::Kind::Write);
    if (failure_slot_ != 0) add(failure_slot_, Access::Kind::Read);
    return;
  }
  const std::uint32_t p = transitions_[step.transition].process;
  const DetailedOutcome d = find_outcome(state, p, step);
  add(p, Access::Kind::Write);
  if (failure_slot_ != 0) {
    const bool fails = d.extra && d.extra->failure != 0;
    add(failure_slot_, fails ? Access::Kind::Write : Access::Kind::Read);
  }
  // Appending commutes with appending, unless the order or the fullness of a channel can be observed.
  const bool commutes = appends_blindly(d);
  for (const Send& s : d.sends) add(s.process, commutes ? Access::Kind::Append : Access::Kind::Write);
  if (!d.extra) return;
  if (partition_slot_ != 0) add(partition_slot_, Access::Kind::Read);
  if (d.extra->cost != Extra::Cost::None) add(fault_slot_, Access::Kind::Write);
  // A ghost variable that is forgotten connects nothing.
  const bool ghost_kept =
      d.extra->next_ghost != 0 && !(options_.forget_auxiliary && model_.ghost_info()->info->only_auxiliary);
  if (ghost_kept) add(ghost_slot_, Access::Kind::Write);
  if (history_slot_ != 0 && !d.extra->events.empty()) add(history_slot_, Access::Kind::Write);
  if ((d.extra->calls | d.extra->situation) != 0) {
    add(object_slot_, Access::Kind::Write);
    if (d.extra->looks_around) {
      for (std::uint32_t s = 0; s < object_slot_; ++s) add(s, Access::Kind::Read);
    }
  }
  if (d.extra->crash_group && forgets_operations(p)) add(history_slot_, Access::Kind::Write);
  if (d.extra->crash_group || d.extra->recover_group) {
    for (const std::uint32_t q : processes_[p].companions) add(q, Access::Kind::Write);
  }
  if (d.extra->spawning) {
    // Which place is free, and whose id nobody remembers, depends on the whole state.
    for (std::uint32_t q = 0; q < processes_.size(); ++q) add(q, Access::Kind::Write);
    for (const std::uint32_t slot : {partition_slot_, ghost_slot_, history_slot_, object_slot_}) {
      if (slot != 0) add(slot, Access::Kind::Write);
    }
  }
}

}  // namespace heddle::actor
