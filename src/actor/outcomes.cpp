// Computes what a process can do in its cell: every transition, every set of messages it can consume, every choice.
//
// A quorum is enumerated by senders: all sets of as many distinct senders as the threshold says, and for each set
// one message of every sender. Handlers run once for each distinct (process, transition, local state, consumed
// messages, ghost variable). Their results are kept apart from the outcomes of a cell, because many inboxes offer
// the same messages.
#include <algorithm>

#include "actor/system.h"

namespace heddle::actor {

using detail::HandlerCall;

Slot System::make_cell(std::uint32_t p, std::uint32_t local, InboxNumber inbox) const {
  Kind& kind = *processes_[p].kind;
  if (dropping_.load(std::memory_order_relaxed)) inbox = without_dead(kind, local, inbox);
  return kind.cells.insert(make_pair_key(local, inbox)).number;
}

std::vector<DetailedOutcome> System::compute_outcomes(std::uint32_t p, Slot cell,
                                                      std::optional<std::uint32_t> ghost) const {
  std::vector<DetailedOutcome> out;
  const bool down = (local_of(p, cell) & crashed) != 0;
  const auto& transitions = processes_[p].info->info->transitions;
  if (!down && !processes_[p].byzantine) {
    for (std::uint32_t t = 0; t < transitions.size(); ++t) {
      if (transitions[t].ghost == ghost.has_value()) handler_outcomes(p, cell, t, ghost, out);
    }
  }
  if (!processes_[p].crash_kinds.empty()) add_crash_outcomes(p, cell, out);
  if (!ghost) {
    if (!processes_[p].crash_kinds.empty()) add_machine_outcomes(p, cell, out);
    if (processes_[p].byzantine && !down) add_byzantine_outcomes(p, cell, out);
    add_network_outcomes(p, cell, out);
  }
  if (any_step_.takes.view) {
    for (DetailedOutcome& d : out) {
      if (d.extra && d.extra->situation != 0) continue;
      if (!d.extra) d.extra.emplace();
      d.extra->situation = situation_of_no_handler();
      d.extra->looks_around = true;
    }
  }
  // A step's detail is the position of the outcome. The top bit tells apart the two lists of a cell, with and
  // without the ghost variable.
  for (std::uint32_t i = 0; i < out.size(); ++i) {
    out[i].outcome.step = {transition_of(p, out[i]), i | (ghost ? std::uint32_t{1} << 31 : 0)};
  }
  return out;
}

void System::handler_outcomes(std::uint32_t p, Slot cell, std::uint32_t t, std::optional<std::uint32_t> ghost,
                              std::vector<DetailedOutcome>& out) const {
  const Process& process = processes_[p];
  const TransitionInfo& transition = process.info->info->transitions[t];
  const std::uint32_t local = local_of(p, cell);
  for (const std::vector<std::uint32_t>& consumed : consumable(p, cell, transition)) {
    std::vector<MessageNumber> messages;
    for (const std::uint32_t entry : consumed) messages.push_back(entry & ~Inboxes::delivered);
    std::vector<HandlerResult> scratch;
    for (const HandlerResult& result : handler_results(p, t, local, messages, ghost.value_or(0), scratch)) {
      DetailedOutcome& d = out.emplace_back();
      d.transition = static_cast<std::int32_t>(t);
      d.consumed = consumed;
      d.choices = result.choices;
      Extra extra;
      bool needs_extra = false;
      if (partition_slot_ != 0 && model_.network.traffic == Network::Traffic::M) {
        for (const MessageNumber m : messages) extra.senders |= machine_bit(messages_[m].sender);
        needs_extra |= extra.senders != 0;
      }
      extra.events = result.events;
      needs_extra |= history_slot_ != 0 && !result.events.empty();
      extra.next_ghost = result.ghost;
      needs_extra |= result.ghost != 0;
      extra.calls = result.calls;
      extra.situation = result.situation;
      extra.looks_around = result.looks_around;
      needs_extra |= (result.calls | result.situation) != 0;
      const InboxNumber rest = inboxes_.remove(inbox_of(p, cell), consumed);
      if (result.failure != 0) {
        extra.failure = result.failure;
        d.outcome.next = make_cell(p, local, rest);
        d.extra = std::move(extra);
        continue;
      }
      if (result.spawning) {
        auto spawning = std::make_shared<Spawning>(*result.spawning);
        spawning->consumed = messages;
        spawning->remembered = remembered_after(p, *spawning, rest);
        extra.spawning = std::move(spawning);
        d.outcome.next = make_cell(p, local, rest);  // the inbox is right; apply_spawn puts in the local state
        d.extra = std::move(extra);
        continue;
      }
      resolve_sends(p, transition, messages, result.sent, d.sends);
      note_step(*process.kind, local, result.local);
      Slot next = result.exited ? 0 : make_cell(p, result.local, rest);
      const bool may_crash = !process.crash_kinds.empty() && !result.exited;
      if (may_crash) {
        d.before_sending = next;
        d.all_sends = d.sends;
      }
      // A message to oneself does not need the rest of the state. A process that has ended gets none.
      std::erase_if(d.sends, [&](const Send& s) {
        if (s.process != p) return false;
        if (next != 0) d.own.push_back(s.message);
        if (next != 0 && next != blocked) next = receive(p, next, s.message);
        return true;
      });
      if (next == blocked && !may_crash) {
        out.pop_back();
        continue;
      }
      d.outcome.next = next;
      if (needs_extra) d.extra = std::move(extra);
    }
  }
}

// Returns every set of inbox entries that the transition could consume, in an order that depends on contents only.
std::vector<std::vector<std::uint32_t>> System::consumable(std::uint32_t p, Slot cell, const TransitionInfo& t) const {
  const bool buffered = model_.network.traffic != Network::Traffic::M;
  std::vector<std::uint32_t> waiting;  // what may be received now, each distinct entry once
  std::size_t all_delivered = 0;
  const auto entries = inboxes_[inbox_of(p, cell)];
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::uint32_t entry = entries[i];
    if (buffered && (entry & Inboxes::delivered) == 0) continue;
    ++all_delivered;
    if (model_.network.order == Network::Order::Fifo) {
      if (i > 0 && messages_[entries[i - 1]].sender == messages_[entry].sender) continue;  // not at the head
    } else if (i > 0 && entries[i - 1] == entry) {
      continue;
    }
    waiting.push_back(entry);
  }
  std::vector<std::vector<std::uint32_t>> sets;
  if (t.consumes == nullptr) {
    sets.emplace_back();
  } else {
    std::erase_if(waiting, [&](std::uint32_t entry) {
      const Messages::Record& m = messages_[entry & ~Inboxes::delivered];
      return m.type != t.consumes || (t.sender != nullptr && processes_[m.sender].info->info->tag != t.sender);
    });
    std::sort(waiting.begin(), waiting.end(), [&](std::uint32_t a, std::uint32_t b) {
      return messages_.before(a & ~Inboxes::delivered, b & ~Inboxes::delivered);
    });
    const std::size_t size = threshold(t);
    // The entries are sorted by sender first, so the messages of one sender are neighbours.
    std::vector<std::uint32_t> chosen;
    const auto sender = [&](std::size_t i) { return messages_[waiting[i] & ~Inboxes::delivered].sender; };
    const auto choose = [&](auto&& self, std::size_t from) -> void {
      if (chosen.size() == size) {
        sets.push_back(chosen);
        return;
      }
      for (std::size_t i = from; i < waiting.size(); ++i) {
        std::size_t after = i + 1;
        while (after < waiting.size() && sender(after) == sender(i)) ++after;
        chosen.push_back(waiting[i]);
        self(self, after);
        chosen.pop_back();
      }
    };
    if (size > 0) choose(choose, 0);
    if (size == 0) sets.emplace_back();
  }
  // The textbook model RM wants clean channels: a step takes everything that was delivered.
  if (model_.network.traffic == Network::Traffic::RM) {
    std::erase_if(sets, [&](const auto& set) { return set.size() != all_delivered; });
  }
  return sets;
}

const std::vector<HandlerResult>& System::handler_results(std::uint32_t p, std::uint32_t t, std::uint32_t local,
                                                          std::span<const std::uint32_t> consumed, std::uint32_t ghost,
                                                          std::vector<HandlerResult>& scratch) const {
  std::vector<std::uint32_t> key{p, t, local, ghost};
  key.insert(key.end(), consumed.begin(), consumed.end());
  const std::uint32_t number = handlers_.keys.intern(std::span<const std::uint32_t>(key));
  if (!options_.memoise) {
    scratch = run_handler(p, t, local, consumed, ghost);
    return scratch;
  }
  std::atomic_ref slot(handlers_.results[number]);
  if (const auto* known = slot.load(std::memory_order_acquire); known != nullptr) return *known;
  auto results = std::make_unique<std::vector<HandlerResult>>(run_handler(p, t, local, consumed, ghost));
  std::lock_guard lock(handlers_.mutex);
  if (const auto* known = slot.load(std::memory_order_acquire); known != nullptr) return *known;
  slot.store(results.get(), std::memory_order_release);
  kept_bytes_ += sizeof(HandlerResult) * (1 + results->size());
  handlers_.owned.push_back(std::move(results));
  return *handlers_.owned.back();
}

// Runs the handler for every script of choices. A handler that calls Choice runs again with the next script,
// until all options of all choices were taken.
std::vector<HandlerResult> System::run_handler(std::uint32_t p, std::uint32_t t, std::uint32_t local,
                                               std::span<const std::uint32_t> consumed, std::uint32_t ghost,
                                               std::vector<std::source_location>* guards) const {
  const Process& process = processes_[p];
  const TransitionInfo& transition = process.info->info->transitions[t];
  std::vector<detail::Received> received;
  for (const MessageNumber m : consumed) {
    received.push_back({processes_[messages_[m].sender].info->index, messages_[m].bytes()});
  }
  std::vector<HandlerResult> results;
  std::vector<HandlerCall::Chosen> script;
  for (;;) {
    HandlerCall call;
    call.local = process.kind->locals.content(local & ~crashed);
    call.self = process.info->index;
    call.consumed = received;
    call.run = &model_.run();
    call.choices = script;
    if (ghost != 0) call.ghost = ghosts_.content(ghost);
    const HandlerCall fresh = call;
    std::optional<detail::Rejected> rejected;
    std::optional<UserFailure> failure;
    try {
      failure = run_transition(*process.info->info, transition, call, rejected);
    } catch (const ModelError&) {
      throw;
    } catch (const std::exception& e) {
      failure = UserFailure{.what = "threw: " + one_line(e.what())};
    } catch (...) {
      failure = UserFailure{.what = "threw something that is no std::exception"};
    }
    if (!failure && purity_.wants(process.kind->first_transition + t, rejected.has_value()))
      audit(p, t, call, rejected.has_value(), fresh);
    if (failure) {
      HandlerResult& r = results.emplace_back();
      r.local = local & ~crashed;
      r.choices = call.choices;
      r.failure = intern_failure(transition, p, *failure);
    } else if (!rejected) {
      HandlerResult& r = results.emplace_back();
      r.choices = call.choices;
      if (call.spawned.size() > most_spawned_at_once) {
        throw ModelError(CodeName{"handler", process.info->info->name, transition.name}.text() + " of " + lane_name(p) +
                         " spawns " + std::to_string(call.spawned.size()) + " processes in one step; " +
                         std::to_string(most_spawned_at_once) + " is the most, spawn the others in another step");
      }
      if (!call.spawned.empty()) {
        r.spawning = std::make_shared<Spawning>(Spawning{call.spawned,
                                                         call.next_local,
                                                         call.sent,
                                                         call.events,
                                                         ghost != 0 ? call.next_ghost : "",
                                                         call.exited,
                                                         {},
                                                         {}});
      } else {
        r.local = intern_local(*process.kind, call.next_local);
        r.sent = call.sent;
        for (const detail::Event& e : call.events) r.events.push_back(histories_.intern_event(p, e));
        r.exited = call.exited;
        if (ghost != 0) r.ghost = intern_ghost(call.next_ghost);
      }
      if (object_) annotate(p, t, local, consumed, r);
    }
    if (guards != nullptr) {
      if (rejected) guards->push_back(rejected->where);
    } else if (!checking_) {
      process.kind->use.note(t, call.choices, !rejected);
      if (rejected) process.kind->use.note_guard(t, rejected->where);
    }
    // To get the next script, advance the last choice that has another option.
    script = call.choices;
    while (!script.empty() && script.back().taken + 1 >= script.back().options) script.pop_back();
    if (script.empty()) {
      if (!checking_ && guards == nullptr) process.kind->use.note_input(t, !results.empty());
      return results;
    }
    ++script.back().taken;
  }
}

// Resolves targets such as "all acceptors" to process numbers. The result is sorted by process; the order of
// sending is kept for each receiver.
void System::resolve_sends(std::uint32_t p, const TransitionInfo& t, std::span<const std::uint32_t> consumed,
                           const std::vector<detail::Sent>& sent, std::vector<Send>& out) const {
  const auto who_sends = [&](const detail::Sent& s) {
    return "handler " + std::string(processes_[p].info->info->name) + "::" + std::string(t.name) + " of " +
           lane_name(p) + " sends " + std::string(s.type->name);
  };
  for (const detail::Sent& s : sent) {
    const MessageNumber message = messages_.intern(s.type, p, s.body);
    if (s.target == detail::Target::Reply) {
      for (const MessageNumber m : consumed) out.push_back({messages_[m].sender, message});
    } else if (s.target == detail::Target::All) {
      for (std::uint32_t q = 0; q < processes_.size(); ++q) {
        if (q != p && processes_[q].info->info->tag == s.role) out.push_back({q, message});
      }
    } else if (s.target == detail::Target::Only) {
      if (model_.run().count(s.role) != 1) {
        throw ModelError(who_sends(s) + " to role " + std::string(s.role->name) +
                         " without saying to whom, but there are " + std::to_string(model_.run().count(s.role)) +
                         " of them; use send(id, message)");
      }
      out.push_back({process_named(s.role, 0), message});
    } else if (s.index == detail::nobody) {
      throw ModelError(who_sends(s) + " to an Id<" + std::string(s.role->name) +
                       "> that names nobody; set it before, or test it first: if (id) ...");
    } else {
      out.push_back({process_named(s.role, s.index), message});
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const Send& a, const Send& b) { return a.process < b.process; });
}

}  // namespace heddle::actor
