// Checks that handlers treat members alike, and quorums as sets. Ids have neither order nor arithmetic, but a
// handler can name a member by its position (Model::id<Role>(0)), leave a loop early, or prefer the first message
// of a quorum.
//
// A *call* is a handler with everything it gets: process, local state, messages, ghost variable. Its *effects*
// are the set of its results for all scripts of choices; a set, because an option like Choice::member(0) means
// another member after renaming. Calls that were executed are renamed by every exchange of two neighbouring
// members, and the effects of the renamed call must be the renamed effects. Renamed calls are renamed in turn, so
// that whole orbits are compared, as long as they are not too many.
#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "actor/symmetry_tables.h"
#include "actor/system.h"

namespace heddle::actor {

namespace {

using Words = std::vector<std::uint32_t>;
constexpr std::size_t calls_between_questions = 256;
// Beyond this many calls, only calls that were executed are compared with their images.
constexpr std::size_t most_calls = 1'000'000, calls_for_each = 4;
// Quorums of up to this size are tried in all orders; in larger ones two messages are exchanged, or all reversed.
constexpr std::size_t all_orders = 4;

std::string order_text(const std::string& handler) {
  return "handler " + handler + " does something else when the messages of a quorum come in another order";
}

}  // namespace

// Numbers effects, so that equal effects have equal numbers.
class System::HandlerEffects {
 public:
  explicit HandlerEffects(const System& system) : system_(system) {}

  // Runs the call and returns the number of its set of effects.
  std::uint32_t of(std::span<const std::uint32_t> call) {
    try {
      return of(call, system_.run_handler(call[0], call[1], call[2], call.subspan(first_message), call[3]));
    } catch (const ModelError&) {
      return sets_.intern(std::span<const std::uint32_t>(&threw, 1));
    }
  }

  std::uint32_t of(std::span<const std::uint32_t> call, const std::vector<HandlerResult>& results) {
    Words set;
    for (const HandlerResult& r : results) set.push_back(r.failure != 0 ? threw : number(call, r));
    return intern_set(set);
  }

  std::uint32_t renamed(std::uint32_t set, const Exchange& exchange) {
    std::uint32_t& image = renamed_sets_[make_pair_key(set, exchange.number)];
    if (image == 0) {
      Words images;
      for (const std::uint32_t effect : sets_.words(set)) {
        images.push_back(effect == threw ? threw : renamed_effect(effect, exchange));
      }
      image = intern_set(images);
    }
    return image;
  }

  static constexpr std::size_t first_message = 4;  // position in the words of a call

 private:
  static constexpr std::uint32_t threw = 0, spawns = 2;

  std::uint32_t intern_set(Words& set) {
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
    return sets_.intern(std::span<const std::uint32_t>(set));
  }

  // The words of an effect: a process of the kind, whether it ends, local state, ghost variable, calls on the
  // abstract object, events, sends.
  std::uint32_t number(std::span<const std::uint32_t> call, const HandlerResult& r) {
    if (r.spawning) return effects_.intern(std::span<const std::uint32_t>(spawning_words(call, *r.spawning)));
    Words words{system_.processes_[call[0]].kind->members[0], r.exited ? 1u : 0u, r.local, r.ghost, r.calls};
    words.push_back(static_cast<std::uint32_t>(r.events.size()));
    words.insert(words.end(), r.events.begin(), r.events.end());
    sends_.clear();
    const TransitionInfo& transition = system_.processes_[call[0]].info->info->transitions[call[1]];
    system_.resolve_sends(call[0], transition, call.subspan(first_message), r.sent, sends_);
    put_sends(words);
    return effects_.intern(std::span<const std::uint32_t>(words));
  }

  // The words of a step that spawns: placeholders stay, contents are numbers of texts.
  Words spawning_words(std::span<const std::uint32_t> call, const Spawning& s) {
    Words words{call[0],
                spawns | (s.exits ? 1u : 0u),
                texts_.intern(s.local),
                texts_.intern(s.ghost),
                static_cast<std::uint32_t>(s.spawned.size()),
                static_cast<std::uint32_t>(s.sent.size()),
                static_cast<std::uint32_t>(s.events.size())};
    for (const detail::Spawned& born : s.spawned) {
      words.insert(words.end(), {number_in(roles_, born.role), texts_.intern(born.local)});
    }
    for (const detail::Sent& sent : s.sent) {
      words.insert(words.end(), {number_in(types_, sent.type), static_cast<std::uint32_t>(sent.target),
                                 number_in(roles_, sent.role), sent.index, texts_.intern(sent.body)});
    }
    for (const detail::Event& e : s.events) {
      words.insert(words.end(), {e.is_return ? 1u : 0u, number_in(types_, e.type), texts_.intern(e.value)});
    }
    const auto senders = static_cast<std::ptrdiff_t>(words.size());  // replies go to the senders
    for (const MessageNumber m : call.subspan(first_message)) words.push_back(system_.messages_[m].sender);
    std::sort(words.begin() + senders, words.end());
    return words;
  }

  Words renamed_spawning(std::span<const std::uint32_t> in, const Exchange& exchange,
                         const detail::Renaming& renaming) {
    const auto renamed_text = [&](const auto& info, std::uint32_t text) {
      return texts_.intern(info.rename(texts_.content(text), renaming));
    };
    Words out(in.begin(), in.end());
    out[0] = exchange.to[in[0]];
    out[2] = renamed_text(*system_.processes_[in[0]].info->info, in[2]);
    if (!texts_.content(in[3]).empty()) out[3] = renamed_text(*system_.model_.ghost_info()->info, in[3]);
    std::size_t at = 7;
    for (std::uint32_t n = 0; n < in[4]; ++n, at += 2) {
      const auto born = std::ranges::find_if(system_.processes_,
                                             [&](const Process& p) { return p.info->info->tag == roles_[in[at]]; });
      out[at + 1] = renamed_text(*born->info->info, in[at + 1]);
    }
    for (std::uint32_t n = 0; n < in[5]; ++n, at += 5) {
      const auto index = static_cast<std::uint16_t>(in[at + 3]);
      const bool named = static_cast<detail::Target>(in[at + 1]) == detail::Target::One && index != detail::nobody;
      if (named) out[at + 3] = renaming(roles_[in[at + 2]], index);
      out[at + 4] = renamed_text(*types_[in[at]], in[at + 4]);
    }
    for (std::uint32_t n = 0; n < in[6]; ++n, at += 3) out[at + 2] = renamed_text(*types_[in[at + 1]], in[at + 2]);
    for (std::size_t sender = at; sender < out.size(); ++sender) out[sender] = exchange.to[in[sender]];
    std::sort(out.begin() + static_cast<std::ptrdiff_t>(at), out.end());
    return out;
  }

  void put_sends(Words& words) {
    const bool in_order = system_.model_.network.order == Network::Order::Fifo;
    std::stable_sort(sends_.begin(), sends_.end(), [&](const Send& a, const Send& b) {
      return a.process != b.process ? a.process < b.process : !in_order && a.message < b.message;
    });
    for (const Send& s : sends_) words.insert(words.end(), {s.process, s.message});
  }

  std::uint32_t renamed_effect(std::uint32_t effect, const Exchange& exchange) {
    std::uint32_t& image = renamed_effects_[make_pair_key(effect, exchange.number)];
    if (image != 0) return image;
    const auto in = effects_.words(effect);
    // Placeholders for spawned processes are not names yet.
    const detail::Renaming renaming = [&](const detail::RoleTag* role, std::uint16_t index) -> std::uint16_t {
      if (index >= system_.model_.run().count(role)) return index;
      return system_.processes_[exchange.to[system_.process_named(role, index)]].info->index;
    };
    if ((in[1] & spawns) != 0) {
      image = effects_.intern(std::span<const std::uint32_t>(renamed_spawning(in, exchange, renaming)));
      return image;
    }
    Kind& kind = *system_.processes_[in[0]].kind;
    Words out{in[0],
              in[1],
              system_.renamed_local(kind, in[2], exchange.number),
              in[3] == 0 ? 0 : system_.renamed(system_.ghost_slot_, in[3], exchange.number),
              in[4] == 0 ? 0 : system_.object_->renamed_calls(in[4], renaming),
              in[5]};
    std::size_t at = 6;
    for (; at < 6 + in[5]; ++at) {
      const HistoryTable::Event event = system_.histories_.event(in[at]);
      out.push_back(system_.histories_.intern_event(
          exchange.to[event.process], {event.is_return, event.type, event.type->rename(event.value, renaming)}));
    }
    sends_.clear();
    for (; at < in.size(); at += 2) {
      sends_.push_back({exchange.to[in[at]], system_.renamed_message(in[at + 1], exchange.number)});
    }
    put_sends(out);
    image = effects_.intern(std::span<const std::uint32_t>(out));
    return image;
  }

  template <class T>
  static std::uint32_t number_in(std::vector<const T*>& all, const T* one) {
    const auto it = std::find(all.begin(), all.end(), one);
    if (it != all.end()) return static_cast<std::uint32_t>(it - all.begin());
    all.push_back(one);
    return static_cast<std::uint32_t>(all.size() - 1);
  }

  const System& system_;
  ContentTable effects_, sets_, texts_;
  std::vector<const detail::RoleTag*> roles_;
  std::vector<const detail::TypeInfo*> types_;
  std::unordered_map<std::uint64_t, std::uint32_t> renamed_effects_, renamed_sets_;
  std::vector<Send> sends_;
};

std::string System::handler_name(std::uint32_t p, std::uint32_t t) const {
  const RoleInfo& info = *processes_[p].info->info;
  return std::string(info.name) + "::" + std::string(info.transitions[t].name);
}

std::optional<SymmetryCheck::Fault> System::handlers_fault(std::span<const Exchange> exchanges,
                                                           const std::function<bool()>& go_on,
                                                           SymmetryCheck& check) const {
  HandlerEffects effects(*this);
  ContentTable calls;
  std::vector<std::uint32_t> sets{0};  // by call
  const std::uint32_t executed = handlers_.keys.last();
  for (std::uint32_t n = 1; n <= executed; ++n) {
    const auto words = handlers_.keys.words(n);
    calls.intern(words);
    sets.push_back(handlers_.results[n] != nullptr ? effects.of(words, *handlers_.results[n]) : effects.of(words));
  }
  const std::size_t most = std::max(most_calls, calls_for_each * std::size_t{executed});
  Words image;
  for (ContentTable::Number n = 1; n <= calls.last(); ++n) {
    if (n % calls_between_questions == 0 && !go_on()) {
      check.finished = false;
      return std::nullopt;
    }
    if (n > executed && calls.last() >= most) break;
    const auto call = calls.words(n);
    for (const Exchange& exchange : exchanges) {
      Kind& kind = *processes_[call[0]].kind;
      image.assign({exchange.to[call[0]], call[1], renamed_local(kind, call[2], exchange.number),
                    call[3] == 0 ? 0 : renamed(ghost_slot_, call[3], exchange.number)});
      for (const MessageNumber m : call.subspan(HandlerEffects::first_message)) {
        image.push_back(renamed_message(m, exchange.number));
      }
      // Quorums are presented in the order of their senders.
      std::sort(image.begin() + HandlerEffects::first_message, image.end(),
                [&](MessageNumber a, MessageNumber b) { return messages_.before(a, b); });
      const auto [number, is_new] = calls.intern_new(std::span<const std::uint32_t>(image));
      if (is_new) sets.push_back(effects.of(image));
      if (sets[number] == effects.renamed(sets[n], exchange)) continue;
      const std::string handler = handler_name(call[0], call[1]);
      return SymmetryCheck::Fault{exchange.symmetry_class,
                                  matters_in(call, sets[n], effects)
                                      ? order_text(handler) + ", and so tells members of " + exchange.name + " apart"
                                      : "handler " + handler + " tells members of " + exchange.name + " apart"};
    }
  }
  return std::nullopt;
}

// Returns whether the call has other effects when its messages come in another order.
bool System::matters_in(std::span<const std::uint32_t> call, std::uint32_t effects_of_it, HandlerEffects& effects) {
  const std::size_t size = call.size() - HandlerEffects::first_message;
  if (size < 2) return false;
  const auto other = [&](const std::vector<std::size_t>& order) {
    Words words(call.begin(), call.begin() + HandlerEffects::first_message);
    for (const std::size_t i : order) words.push_back(call[HandlerEffects::first_message + i]);
    return effects.of(words) != effects_of_it;
  };
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (size <= all_orders) {
    while (std::next_permutation(order.begin(), order.end())) {
      if (other(order)) return true;
    }
    return false;
  }
  for (std::size_t a = 0; a < size; ++a) {
    for (std::size_t b = a + 1; b < size; ++b) {
      std::swap(order[a], order[b]);
      if (other(order)) return true;
      std::swap(order[a], order[b]);
    }
  }
  std::reverse(order.begin(), order.end());
  return other(order);
}

std::string System::order_matters(const std::function<bool()>& go_on, bool& finished) const {
  HandlerEffects effects(*this);
  const std::uint32_t executed = handlers_.keys.last();
  for (std::uint32_t n = 1; n <= executed; ++n) {
    if (n % calls_between_questions == 0 && !go_on()) {
      finished = false;
      return {};
    }
    const auto call = handlers_.keys.words(n);
    if (call.size() < HandlerEffects::first_message + 2) continue;
    const auto* results = handlers_.results[n];
    if (!matters_in(call, results != nullptr ? effects.of(call, *results) : effects.of(call), effects)) continue;
    return order_text(handler_name(call[0], call[1]));
  }
  return {};
}

}  // namespace heddle::actor
