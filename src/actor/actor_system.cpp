// Builds the actor door from a model, and contains its hot loop.
#include "actor/actor_system.h"

#include <algorithm>
#include <set>

#include "actor/system.h"

namespace heddle {

std::unique_ptr<TransitionSystem> make_actor_system(Model model, const ActorOptions& options) {
  return std::make_unique<actor::System>(std::move(model), options);
}

namespace actor {
namespace {

// Counts the transitions of all processes, an upper bound on those of all kinds of processes.
std::size_t count_transitions(const Model& model) {
  std::size_t count = 0;
  for (const ProcessInfo& p : model.processes()) count += p.info->transitions.size();
  return count;
}

}  // namespace

System::System(Model model, const ActorOptions& options)
    : model_(std::move(model)),
      options_(options),
      messages_(options.forget_auxiliary),
      inboxes_(model_.network, messages_),
      purity_(count_transitions(model_), options.audit_handlers),
      predicates_sample_(model_.properties().size(), options.audit_handlers) {
  check_switches();
  std::vector<std::uint32_t> clients;
  std::size_t transitions = 0;
  const InboxNumber no_messages = inboxes_.empty();
  processes_.reserve(model_.processes().size());
  for (const ProcessInfo& info : model_.processes()) {
    Kind* kind = nullptr;
    for (const auto& k : kinds_) {
      if (k->info == info.info) kind = k.get();
    }
    if (kind == nullptr) {
      kinds_.push_back(std::make_unique<Kind>());
      kind = kinds_.back().get();
      kind->info = info.info;
      for (std::size_t t = 1; t < info.info->transitions.size(); ++t) {
        for (std::size_t u = 0; u < t; ++u) {
          if (info.info->transitions[t].run != info.info->transitions[u].run) continue;
          throw ModelError("handler " + std::string(info.info->name) +
                           "::" + std::string(info.info->transitions[t].name) +
                           " is listed twice in `transitions`; list it once");
        }
      }
      kind->first_transition = transitions;
      transitions += info.info->transitions.size();
      kind->use.make_room(info.info->transitions.size());
    }
    Process& process = processes_.emplace_back();
    process.info = &info;
    process.kind = kind;
    kind->members.push_back(static_cast<std::uint32_t>(processes_.size() - 1));
    const auto byzantine = model_.faults.byzantine.find(std::string(info.info->tag->name));
    process.byzantine = byzantine != model_.faults.byzantine.end() &&
                        info.index + byzantine->second >= model_.run().count(info.info->tag);
    process.initial =
        info.present ? kind->cells.insert(make_pair_key(intern_local(*kind, info.initial), no_messages)).number : 0;
    may_be_absent_ |= !info.present;
    for (const TransitionInfo& t : info.info->transitions) may_be_absent_ |= t.exits;
    for (const TransitionInfo& t : info.info->transitions) {
      if (!t.operation) continue;
      clients.push_back(static_cast<std::uint32_t>(processes_.size() - 1));
      break;
    }
  }
  find_machines();
  allow_faults();
  find_thresholds();
  find_domains();
  make_transitions();
  find_places();

  slots_ = static_cast<std::uint32_t>(processes_.size());
  const Network& net = model_.network;
  if (model_.faults.crashing() || net.losses + net.duplications + net.partitions > 0) fault_slot_ = slots_++;
  if (net.partitions > 0) partition_slot_ = slots_++;
  if (model_.ghost_info()) {
    ghost_slot_ = slots_++;
    for (Process& p : processes_) p.with_ghost = std::make_unique<Process::GhostMemo>();
  }
  if (!clients.empty() && !model_.specifications().empty()) history_slot_ = slots_++;
  passing_history_ = history_slot_ != 0 && std::ranges::any_of(model_.specifications(), [](const auto& specification) {
                       return specification.order != detail::HistoryOrder::RealTime;
                     });
  histories_.set_clients(std::move(clients),
                         net.duplications > 0 || net.order == Network::Order::Soup || model_.faults.recovery);
  if (model_.refined().info) object_slot_ = slots_++;
  if (options_.watch_failures) failure_slot_ = slots_++;

  for (const detail::PropertyInfo& p : model_.properties()) {
    properties_.push_back({p.name, static_cast<Property::Kind>(p.kind)});
  }
  for (const detail::SpecificationInfo& s : model_.specifications())
    properties_.push_back({s.name, Property::Kind::Always});
  if (object_slot_ != 0) {
    properties_.push_back({"refines " + model_.refined().info->name, Property::Kind::Always});
  }
  for (const Property& p : properties_) {
    if (about_failures(p) == AboutFailures::No) continue;
    throw ModelError("the property '" + p.name + "' of " + model_.name() +
                     " has a name that Heddle needs itself; call it something else");
  }
  if (failure_slot_ != 0) add_failure_properties();
  if (properties_.size() > 64) throw ModelError(model_.name() + " has more than 64 properties");
  std::vector<const PairTable*> cells(slots_, nullptr);
  for (std::size_t p = 0; p < processes_.size(); ++p) cells[p] = &processes_[p].kind->cells;
  // A property of final states is judged only in states without steps, so its reads need not be watched on the way.
  std::vector<bool> unwatched;
  for (std::size_t i = 0; i < model_.properties().size(); ++i) unwatched.push_back(properties_[i].of_final_states());
  predicates_ =
      std::make_unique<Predicates>(std::move(unwatched), std::move(cells),
                                   [this](std::size_t i, std::span<const Slot> state, std::vector<Read>& reads) {
                                     return run_predicate(i, state, reads);
                                   });
  if (object_slot_ != 0) prepare_refinement();
  if (options_.drop_dead != ActorOptions::DropDead::No) prepare_dropping();
}

System::~System() = default;

// Replaces the states by those after the step that Model::start_after asks of process p, if p has that handler: one for
// every outcome of its choices, in the order of the outcomes: paths say by number where they begin.
void System::take_first_step(std::uint32_t p, void (*run)(detail::HandlerCall&),
                             std::vector<SlotVector>& states) const {
  constexpr std::size_t most_states = 10'000;
  const auto& transitions = processes_[p].info->info->transitions;
  const auto t =
      std::find_if(transitions.begin(), transitions.end(), [&](const auto& info) { return info.run == run; });
  if (t == transitions.end()) return;
  const std::uint32_t wanted = processes_[p].first_of_handler[static_cast<std::size_t>(t - transitions.begin())];
  std::vector<SlotVector> after;
  std::set<SlotVector> known;
  const auto add = [&](SlotVector state) {
    if (known.insert(state).second) after.push_back(std::move(state));
  };
  StepBuffer steps;
  for (SlotVector& state : states) {
    if (state[p] == 0) {
      add(std::move(state));
      continue;
    }
    steps.clear();
    expand(state, steps);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (steps.step(i).transition == wanted) add(apply_changes(state, steps.changes(i)));
    }
  }
  if (after.empty()) {
    throw ModelError(lane_name(p) + " cannot take the step " + std::string(t->name) +
                     " that Model::start_after asks for");
  }
  if (after.size() > most_states) {
    throw ModelError("the choices of " + std::string(t->name) + " make more than " + std::to_string(most_states) +
                     " initial states; drop Model::start_after, and the search finds them as it goes");
  }
  states = std::move(after);
}

std::vector<SlotVector> System::initial_states() const {
  SlotVector state(slots_);
  for (std::size_t p = 0; p < processes_.size(); ++p) state[p] = processes_[p].initial;
  if (fault_slot_ != 0) state[fault_slot_] = FaultBudget::none;
  if (partition_slot_ != 0) state[partition_slot_] = 1;
  if (ghost_slot_ != 0) state[ghost_slot_] = intern_ghost(model_.ghost_info()->initial);
  if (history_slot_ != 0) state[history_slot_] = histories_.empty();
  if (object_slot_ != 0) state[object_slot_] = object_->initial();
  std::vector<SlotVector> states{std::move(state)};
  for (const auto run : model_.first_steps()) {
    for (std::uint32_t p = 0; p < processes_.size(); ++p) take_first_step(p, run, states);
  }
  return states;
}

void System::expand(std::span<const Slot> state, StepBuffer& out) const {
  if (failed(state)) [[unlikely]]
    return;
  const auto count = static_cast<std::uint32_t>(processes_.size());
  for (std::uint32_t p = 0; p < count; ++p) expand_process(state, p, out);
  if (partition_slot_ != 0) emit_partitions(state, out);
}

bool System::steps_of(std::span<const Slot> state, std::uint32_t process, StepBuffer& out) const {
  if (!failed(state)) expand_process(state, process, out);
  return true;
}

bool System::execute(std::span<const Slot> state, Step step, SlotVector& to) const {
  if (failed(state) || step.transition >= transition_count()) return false;
  thread_local StepBuffer steps;
  steps.clear();
  if (step.transition + 2 >= transition_count()) {  // the network splits or heals
    if (partition_slot_ != 0) emit_partitions(state, steps);
  } else {
    expand_process(state, transitions_[step.transition].process, steps);
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps.step(i) != step) continue;
    to = apply_changes(state, steps.changes(i));
    return true;
  }
  return false;
}

// Inlined by force: it has several callers, and a call for each process of each state would be felt.
[[gnu::always_inline]] inline void System::expand_process(std::span<const Slot> state, std::uint32_t p,
                                                          StepBuffer& out) const {
  const Slot cell = state[p];
  if (cell == 0) return;
  if (!options_.memoise) {
    // Nothing is kept: the lists live only during this call.
    std::vector<DetailedOutcome> detailed = compute_outcomes(p, cell, std::nullopt);
    if (ghost_slot_ != 0) {
      for (auto& d : compute_outcomes(p, cell, state[ghost_slot_])) detailed.push_back(std::move(d));
    }
    for (DetailedOutcome& d : detailed) {
      d.outcome.sends = d.sends.data();
      d.outcome.send_count = static_cast<std::uint32_t>(d.sends.size());
      d.outcome.extra = d.extra ? &*d.extra : nullptr;
      emit(state, p, d.outcome, out);
    }
    return;
  }
  for (const Outcome& outcome : outcomes(p, cell)) emit(state, p, outcome, out);
  if (ghost_slot_ != 0) {
    for (const Outcome& outcome : ghost_outcomes(p, cell, state[ghost_slot_])) emit(state, p, outcome, out);
  }
}

// The hot path: one change for the mover and one for each receiver.
inline void System::emit(std::span<const Slot> state, std::uint32_t p, const Outcome& outcome, StepBuffer& out) const {
  if (outcome.extra != nullptr && !outcome.extra->only_calls) [[unlikely]] {
    emit_extra(state, p, outcome, out);
    return;
  }
  out.begin(outcome.step);
  out.change(p, outcome.next);
  std::uint32_t last = ~std::uint32_t{0};
  for (const Send* s = outcome.sends; s != outcome.sends + outcome.send_count; ++s) {
    if (s->process == last) {
      // This is a second message to the same receiver.
      Change& change = out.open_changes().back();
      change.value = receive(last, change.value, s->message);
      if (change.value == blocked) return out.abandon();
      continue;
    }
    const Slot before = state[s->process];
    if (before == 0) continue;  // the process does not exist
    const Slot after = receive(s->process, before, s->message);
    if (after == blocked) [[unlikely]]
      return out.abandon();
    last = s->process;
    out.change(last, after);
  }
  if (outcome.extra != nullptr) emit_calls(state, *outcome.extra, out);
}

Slot System::receive(std::uint32_t q, Slot cell, MessageNumber message) const {
  if (processes_[q].byzantine) return cell;  // it may send anything, whatever it receives
  Kind& kind = *processes_[q].kind;
  const auto compute = [&]() -> Slot {
    messages_.note_arrival(message);
    const std::uint64_t key = kind.cells.key(cell);
    if (dropping_.load(std::memory_order_relaxed) && is_dead(kind, left_of(key), message)) return cell;
    const InboxNumber inbox = inboxes_.append(right_of(key), message);
    return inbox == 0 ? blocked : kind.cells.insert(make_pair_key(left_of(key), inbox)).number;
  };
  if (!options_.memoise) return compute();
  return kind.received->get(cell, message, compute);
}

// Emits steps that cost a fault, wait for a partition to heal, extend the history, touch the ghost variable,
// fail, or spawn.
void System::emit_extra(std::span<const Slot> state, std::uint32_t p, const Outcome& outcome, StepBuffer& out) const {
  const Extra& extra = *outcome.extra;
  if (partition_slot_ != 0 && extra.senders != 0) {
    // Messages do not cross a split: all senders have to be on the receiver's side.
    const std::uint32_t far = state[partition_slot_] - 1;
    const std::uint32_t own = (far & machine_bit(p)) != 0 ? far : ~far;
    if ((extra.senders & ~own) != 0) return;
  }
  const std::vector<std::uint32_t>& companions = processes_[p].companions;
  if (extra.of_machine && std::ranges::any_of(companions, [&](std::uint32_t q) { return q < p && state[q] != 0; })) {
    return;
  }
  if (extra.failure != 0) return emit_failure(state, p, outcome, out);
  Slot faults = 0;
  if (extra.cost != Extra::Cost::None) {
    faults = faults_after(state[fault_slot_], p, extra.cost);
    if (faults == 0) return;
  }
  if (extra.spawning) {
    if (!apply_spawn(state, p, outcome, out)) return;
  } else {
    out.begin(outcome.step);
    if (outcome.next != state[p] || extra.send_once) out.change(p, outcome.next);
    const auto value_of = [&](std::uint32_t q) {
      for (const Change& c : out.open_changes()) {
        if (c.slot == q) return c.value;
      }
      return state[q];
    };
    const auto set = [&](std::uint32_t q, Slot value) {
      for (Change& c : out.open_changes()) {
        if (c.slot == q) {
          c.value = value;
          return;
        }
      }
      out.change(q, value);
    };
    for (std::uint32_t i = 0; i < outcome.send_count; ++i) {
      const Send& s = outcome.sends[i];
      const Slot before = value_of(s.process);
      // The receiver does not exist. If the step ends in a crash, the outcome that does not send this message
      // covers the case.
      if (before == 0 && (extra.send_once || extra.crash_group)) return out.abandon();
      if (before == 0) continue;
      if (extra.send_once && inboxes_.contains(inbox_of(s.process, before), s.message)) return out.abandon();
      const Slot after = receive(s.process, before, s.message);
      if (after == blocked) return out.abandon();
      set(s.process, after);
    }
    if (extra.crash_group || extra.recover_group) {
      for (const std::uint32_t q : companions) {
        if (state[q] == 0) continue;
        const Slot before = value_of(q);
        set(q, extra.crash_group ? crash_cell(q, before) : recover_cell(q, before));
      }
    }
  }
  if (extra.cost != Extra::Cost::None) out.change(fault_slot_, faults);
  if (extra.next_ghost != 0 && extra.next_ghost != state[ghost_slot_]) out.change(ghost_slot_, extra.next_ghost);
  if (history_slot_ != 0 && (!extra.events.empty() || extra.crash_group)) {
    std::uint32_t history = history_after(state[history_slot_], outcome.step.transition, extra.events);
    if (extra.crash_group && forgets_operations(p)) {
      history = histories_.give_up(history, p);
      for (const std::uint32_t q : companions) history = histories_.give_up(history, q);
    }
    if (history != state[history_slot_]) out.change(history_slot_, history);
  }
  if ((extra.calls | extra.situation) != 0) emit_calls(state, extra, out);
}

// Returns the history after the events of a step. Events that became part of it are added to `recorded`.
std::uint32_t System::history_after(std::uint32_t history, std::uint32_t transition,
                                    std::span<const std::uint32_t> events, std::vector<std::uint32_t>* recorded) const {
  for (const std::uint32_t event : events) {
    try {
      const std::uint32_t after = histories_.append(history, event);
      if (recorded != nullptr && after != history) recorded->push_back(event);
      history = after;
    } catch (const HistoryTable::Mistake mistake) {
      const std::string who = lane_name(transitions_[transition].process);
      const std::string what = "handler " + transition_name(transition) + " ";
      if (mistake == HistoryTable::Mistake::InvokesWhileOpen) {
        throw ModelError(what + "invokes an operation while the last one of " + who +
                         " is open; call Return first, or let a process of its own ask");
      }
      throw ModelError(what + "returns from an operation, but " + who +
                       " has none open; call Invoke when it asks, and require() that it waits for what it takes");
    }
  }
  return history;
}

// The network may split in two in every possible way, and heal. The slot holds one more than the mask of the side
// without the first machine.
void System::emit_partitions(std::span<const Slot> state, StepBuffer& out) const {
  const Slot now = state[partition_slot_];
  if (now != 1) {
    out.begin({transition_count() - 1, 0});
    out.change(partition_slot_, 1);
    return;
  }
  const Slot faults = budget_.after(state[fault_slot_], std::span(&partitions_, 1));
  if (faults == 0) return;
  for (std::uint32_t mask = 2; mask < (std::uint32_t{1} << machines_); mask += 2) {
    out.begin({transition_count() - 2, mask});
    out.change(partition_slot_, mask + 1);
    out.change(fault_slot_, faults);
  }
}

std::span<const Outcome> System::outcomes(std::uint32_t p, Slot cell) const {
  if (cell >= processes_[p].outcomes.capacity()) [[unlikely]]
    throw TableFull();
  return known_or_computed(processes_[p].outcomes[cell], p, cell, std::nullopt);
}

std::span<const Outcome> System::ghost_outcomes(std::uint32_t p, Slot cell, std::uint32_t ghost) const {
  Process::GhostMemo& memo = *processes_[p].with_ghost;
  const std::uint32_t number = memo.numbers.get(cell, ghost, [&] { return ++memo.used; });
  if (number >= memo.outcomes.capacity()) throw TableFull();
  return known_or_computed(memo.outcomes[number], p, cell, ghost);
}

std::span<const Outcome> System::known_or_computed(Process::Entry& entry, std::uint32_t p, Slot cell,
                                                   std::optional<std::uint32_t> ghost) const {
  const Outcome* first = std::atomic_ref(entry.first).load(std::memory_order_acquire);
  if (first == nullptr) [[unlikely]] {
    if (dropping_.load(std::memory_order_relaxed)) look_after_dropping();
    const Process::Entry computed = keep(compute_outcomes(p, cell, ghost));
    // Two racing threads store lists of equal length and content, so a mix of both is right.
    std::atomic_ref(entry.count).store(computed.count, std::memory_order_relaxed);
    std::atomic_ref(entry.first).store(computed.first, std::memory_order_release);
    return {computed.first, computed.count};
  }
  return {first, std::atomic_ref(entry.count).load(std::memory_order_relaxed)};
}

System::Process::Entry System::keep(std::vector<DetailedOutcome> detailed) const {
  static const Outcome none{};
  if (detailed.empty()) return {&none, 0};
  auto kept = std::make_unique<Kept>();
  std::size_t sends = 0;
  for (const DetailedOutcome& d : detailed) sends += d.sends.size();
  kept->sends.reserve(sends);
  kept->outcomes.reserve(detailed.size());
  for (DetailedOutcome& d : detailed) {
    Outcome outcome = d.outcome;
    outcome.sends = kept->sends.data() + kept->sends.size();
    outcome.send_count = static_cast<std::uint32_t>(d.sends.size());
    kept->sends.insert(kept->sends.end(), d.sends.begin(), d.sends.end());
    if (d.extra) {
      const Extra& x = *d.extra;
      d.extra->only_calls = (x.calls | x.situation) != 0 && x.cost == Extra::Cost::None && !x.send_once &&
                            !x.crash_group && !x.recover_group && x.senders == 0 && x.next_ghost == 0 &&
                            x.failure == 0 && x.events.empty() && !x.spawning;
      if (d.extra->only_calls) {
        // These are of few kinds and are read in the hot loop. Each is kept only once, so that they stay in the cache.
        const std::lock_guard lock(kept_mutex_);
        auto& shared = extras_of_calls_[{x.calls, x.situation}];
        if (!shared) shared = std::make_unique<Extra>(std::move(*d.extra));
        outcome.extra = shared.get();
      } else {
        kept->extras.push_back(std::make_unique<Extra>(std::move(*d.extra)));
        outcome.extra = kept->extras.back().get();
      }
    }
    kept->outcomes.push_back(outcome);
  }
  const Process::Entry entry{kept->outcomes.data(), static_cast<std::uint32_t>(kept->outcomes.size())};
  kept_bytes_ +=
      sizeof(Kept) + detailed.size() * sizeof(Outcome) + sends * sizeof(Send) + kept->extras.size() * sizeof(Extra);
  std::lock_guard lock(kept_mutex_);
  kept_.push_back(std::move(kept));
  return entry;
}

std::uint32_t System::process_named(const detail::RoleTag* role, std::uint16_t index) const {
  for (std::uint32_t p = 0; p < processes_.size(); ++p) {
    if (processes_[p].info->info->tag == role && processes_[p].info->index == index) return p;
  }
  if (index == detail::nobody) {
    throw ModelError("an Id<" + std::string(role->name) + "> that names nobody is used; test it first: if (id) ...");
  }
  throw ModelError("there is no " + std::string(role->name) + " number " + std::to_string(index + 1) +
                   "; an id names a process that was never added");
}

std::size_t System::bytes() const {
  std::size_t total = messages_.bytes() + inboxes_.bytes() + histories_.bytes() + ghosts_.bytes() + labels_.bytes() +
                      keys_.bytes() + handlers_.keys.bytes() + kept_bytes_ + predicates_->bytes() + symmetry_bytes();
  if (object_) total += object_->bytes() + situations_.bytes();
  if (looking_around_) total += looking_around_->bytes();
  for (const auto& kind : kinds_) total += kind->locals.bytes() + kind->cells.bytes() + kind->received->bytes();
  for (const auto& kind : kinds_) total += kind->dead ? kind->dead->bytes() : 0;
  {
    const std::shared_lock lock(mentions_.mutex);
    total += mentions_.of.size() * (sizeof(BitSet) + processes_.size() / 8 + 4 * sizeof(void*));
  }
  for (const Process& p : processes_) total += p.kind->cells.last() * sizeof(Process::Entry);
  return total;
}

}  // namespace actor
}  // namespace heddle
