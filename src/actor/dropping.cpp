// Drops dead messages in the actor door: tells dead_messages.h what it needs to know, and leaves the messages out.
//
// A message is dropped when it arrives (System::receive) or when its receiver moves on (make_cell). To find out
// whether a local state takes a message, the handlers are run on it (a *probe*). Of a quorum, a probe shows only
// the message in question. A handler that rejects before it looks at another message rejects every quorum with
// this message, because the order within a quorum is not a fact of the protocol. dropping_check.cpp checks that
// this is so.
#include <algorithm>

#include "actor/system.h"

namespace heddle::actor {
namespace {

// A probe costs about as much as finding a new state. Where most probes are in vain, the search is better off
// without dropping.
constexpr std::uint64_t free_probes = 1'000'000, probes_per_cell = 200;
// Pairs of local state and message are compared under all renamings, if these are at most so many.
constexpr std::size_t most_renamings = 720;
// A search that was mistaken continues for at least this many cells, to find other mistakes before it is repeated.
constexpr std::uint64_t further_cells = 1'000;
// Handlers run on so many dropped messages for coverage, which is a matter of a tenth of a second.
constexpr std::size_t most_noted = 200'000;

}  // namespace

void System::prepare_dropping() const {
  dropping_ = false;
  const Network& net = model_.network;
  // In FIFO channels a message that is never taken holds up those behind it. RM and bounded channels count
  // messages. To lose, duplicate or forge a message is a step. Without a memo, an outcome would be computed again
  // when more messages are known to be dead, and a state would not always have the same steps.
  bool possible = options_.memoise && net.order != Network::Order::Fifo && net.traffic == Network::Traffic::M &&
                  net.capacity == 0 && net.losses == 0 && net.duplications == 0 && model_.faults.byzantine.empty();
  for (const auto& kind : kinds_) {
    for (const TransitionInfo& t : kind->info->transitions) {
      possible &= t.spawns.empty();
      if (t.sender != nullptr) kind->by_sender.insert(t.consumes);
    }
  }
  if (!possible) return;
  std::vector<std::uint32_t> there, back;
  if (options_.drop_dead == ActorOptions::DropDead::UpToRenaming) {
    for (const std::vector<std::uint32_t>& to : all_renamings(most_renamings)) {
      std::vector<std::uint32_t> from(to.size());
      for (std::uint32_t s = 0; s < to.size(); ++s) from[to[s]] = s;
      there.push_back(renaming(to));
      back.push_back(renaming(from));
    }
    if (there.empty()) return;
  }
  for (const auto& kind : kinds_) {
    Kind* k = kind.get();
    const auto orbit = [this, k, there, back](std::uint32_t local) {
      if (there.empty()) return DeadMessages::Orbit{local, {0}, {0}};
      std::vector<std::uint32_t> images;
      for (const std::uint32_t number : there) images.push_back(renamed_local(*k, local, number));
      DeadMessages::Orbit found{*std::ranges::min_element(images), {}, {}};
      for (std::size_t i = 0; i < images.size(); ++i) {
        if (images[i] != found.representative) continue;
        found.there.push_back(there[i]);
        found.back.push_back(back[i]);
      }
      return found;
    };
    kind->dead = std::make_unique<DeadMessages>(
        DeadMessages::Door{[this, k](std::uint32_t local, MessageNumber m) { return may_take(*k, local, m); }, orbit,
                           [this, k, plain = there.empty()](MessageNumber m, std::uint32_t number) {
                             return plain ? m : whoever_sent(*k, renamed_message(m, number));
                           }});
  }
  dropping_ = true;
}

// Returns one message for all with this content, where no handler asks for the role of the sender.
MessageNumber System::whoever_sent(const Kind& kind, MessageNumber message) const {
  std::atomic_ref known(kind.whoever_sent[message]);
  if (const MessageNumber one = known.load(std::memory_order_relaxed); one != 0) return one;
  const Messages::Record& m = messages_[message];
  const MessageNumber one = kind.by_sender.contains(m.type) ? message : messages_.intern(m.type, 0, m.bytes());
  known.store(one, std::memory_order_relaxed);
  return one;
}

bool System::may_take(const Kind& kind, std::uint32_t local, MessageNumber message) const {
  const Messages::Record& m = messages_[message];
  const std::string_view bytes = kind.locals.content(local);
  for (const TransitionInfo& t : kind.info->transitions) {
    if (t.consumes != m.type) continue;
    if (t.sender != nullptr && processes_[m.sender].info->info->tag != t.sender) continue;
    if (t.ghost) return true;  // the handler may depend on the ghost variable
    for (const std::uint32_t p : kind.members) {
      if (may_take(t, p, bytes, message)) return true;
      if (!t.self) break;  // a handler without its own id treats all members alike
    }
  }
  return false;
}

bool System::may_take(const TransitionInfo& t, std::uint32_t p, std::string_view local, MessageNumber message) const {
  const std::size_t size = threshold(t);
  return size > 0 && may_take(t, p, local, std::vector<MessageNumber>(size, message), true);
}

bool System::may_take(const TransitionInfo& t, std::uint32_t p, std::string_view local,
                      std::span<const MessageNumber> messages, bool only_first, const Notes* notes) const {
  std::vector<detail::Received> received;
  for (const MessageNumber m : messages) {
    received.push_back({processes_[messages_[m].sender].info->index, messages_[m].bytes()});
  }
  std::vector<detail::HandlerCall::Chosen> script;
  for (;;) {
    detail::HandlerCall call;
    call.local = local;
    call.self = processes_[p].info->index;
    call.consumed = received;
    call.run = &model_.run();
    call.only_first = only_first;
    call.choices = script;
    try {
      std::optional<detail::Rejected> rejected;  // with these choices; others may follow
      const auto failure = run_transition(*processes_[p].info->info, t, call, rejected);
      if (failure || !rejected) return true;
      if (notes != nullptr) {
        notes->use.note(notes->handler, call.choices, false);
        notes->use.note_guard(notes->handler, rejected->where);
      }
    } catch (...) {
      return true;  // it looked at another message, or fails on this one: the message may be taken
    }
    script = call.choices;
    while (!script.empty() && script.back().taken + 1 >= script.back().options) script.pop_back();
    if (script.empty()) {
      if (notes != nullptr && notes->input) notes->use.note_input(notes->handler, false);
      return false;
    }
    ++script.back().taken;
  }
}

// Notes what handlers say to the messages that were dropped: each waited at its receiver in this local state, so it was
// an input, which the search did not try. Of a quorum one message is not an input, but the guard that rejects it rejects
// every quorum with it.
void System::note_dropped(const Kind& kind, HandlerUse& use) const {
  if (!kind.dead) return;
  std::size_t runs = 0;
  kind.dead->each_dropped([&](std::uint32_t local, MessageNumber message) {
    const Messages::Record& m = messages_[message];
    for (std::uint32_t t = 0; t < kind.info->transitions.size(); ++t) {
      const TransitionInfo& handler = kind.info->transitions[t];
      if (handler.consumes != m.type || handler.ghost) continue;
      if (handler.sender != nullptr && processes_[m.sender].info->info->tag != handler.sender) continue;
      // Beyond this many runs it is enough to know that there was something to take.
      if (runs >= most_noted && (use.tried(t) > 0 || !use.guards(t).empty())) continue;
      const std::size_t size = threshold(handler);
      if (size == 0) continue;
      ++runs;
      const Notes notes{use, t, size == 1};
      may_take(handler, kind.members.front(), kind.locals.content(local), std::vector<MessageNumber>(size, message),
               true, &notes);
    }
  });
}

bool System::is_dead(const Kind& kind, std::uint32_t local, MessageNumber message) const {
  return kind.dead->dead(local & ~crashed, whoever_sent(kind, message));
}

InboxNumber System::without_dead(const Kind& kind, std::uint32_t local, InboxNumber inbox) const {
  std::vector<std::uint32_t> alive;
  const auto entries = inboxes_[inbox];
  bool dead = false;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i == 0 || entries[i] != entries[i - 1]) dead = is_dead(kind, local, entries[i]);  // copies are neighbours
    if (!dead) alive.push_back(entries[i]);
  }
  return alive.size() == entries.size() ? inbox : inboxes_.intern(std::move(alive));
}

void System::note_step(const Kind& kind, std::uint32_t from, std::uint32_t to) const {
  if (kind.dead) kind.dead->step(from & ~crashed, to & ~crashed);
}

// Takes effect with the next search; the current one continues as it began.
void System::stop_dropping() const { stopped_dropping_ = true; }

bool System::mistaken() const {
  if (!dropping_) return false;
  return std::ranges::any_of(kinds_, [](const auto& k) { return k->dead->mistaken(); }) ||
         (stopped_dropping_ && !left_out().empty());
}

void System::reconsider() {
  if (stopped_dropping_) dropping_ = false;
  for (const auto& kind : kinds_) {
    if (kind->dead) kind->dead->reconsider();
    kind->received = std::make_unique<PairMap>();
  }
  for (Process& p : processes_) {
    p.outcomes = ReservedArray<Process::Entry>(Process::most_cells);
    if (p.with_ghost) p.with_ghost = std::make_unique<Process::GhostMemo>();
    p.effects = std::make_unique<Process::EffectsMemo>();
  }
  kept_.clear();
  kept_bytes_ = 0;
  cells_computed_ = cells_at_mistake_ = 0;
}

std::string System::left_out() const {
  const bool any = std::ranges::any_of(kinds_, [](const auto& k) { return k->dead && k->dead->dropped() > 0; });
  return any ? "dead messages" : "";
}

// Called for every new cell whose outcomes are computed. Ends dropping, or the search, where continuing does not pay.
void System::look_after_dropping() const {
  const std::uint64_t cells = ++cells_computed_;
  std::uint64_t probes = 0;
  bool wrong = false;
  for (const auto& kind : kinds_) {
    probes += kind->dead->probes();
    wrong |= kind->dead->mistaken();
  }
  if (probes > free_probes && probes > probes_per_cell * cells) stop_dropping();
  if (!wrong && !(stopped_dropping_ && !left_out().empty())) return;
  std::uint64_t none = 0;
  cells_at_mistake_.compare_exchange_strong(none, cells);
  if (cells > 2 * cells_at_mistake_ + further_cells) throw Mistaken{};
}

}  // namespace heddle::actor
