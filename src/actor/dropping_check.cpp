// Checks after a search what dropping.cpp takes for granted of handlers:
//
//   1. The order within a quorum does not matter, in any call that was executed (handler_symmetry.cpp).
//   2. A message that was dropped in a local state is rejected there by every handler, under every name, and at
//      every place of a quorum, not only as its first message. The other messages of the quorum are all those
//      known by then. The first step that a wrong guess hides takes only known messages, so it is among these.
#include <algorithm>
#include <map>
#include <unordered_set>

#include "actor/symmetry_tables.h"
#include "actor/system.h"

namespace heddle::actor {

namespace {
constexpr std::size_t drops_between_questions = 64;
constexpr std::size_t most_quorums = 10'000;  // that are tried for one message, local state and handler
}  // namespace

class System::DroppedPairs {
 public:
  DroppedPairs(const System& system, const std::function<bool()>& go_on) : system_(system), go_on_(go_on) {
    if (system.options_.drop_dead == ActorOptions::DropDead::UpToRenaming) exchanges_ = system.exchanges();
    for (MessageNumber m = 1; m <= system.messages_.last(); ++m) {
      for (const Exchange& e : exchanges_) system.renamed_message(m, e.number);
      known_[system.messages_[m].type].push_back(m);
    }
    for (auto& [type, messages] : known_) {
      std::sort(messages.begin(), messages.end(),
                [&](MessageNumber a, MessageNumber b) { return system.messages_.before(a, b); });
    }
  }

  // Returns the name of a handler that takes a dropped message; an empty text if there is none.
  std::string taker(Kind& kind, bool& finished) {
    std::vector<std::uint64_t> todo;
    std::unordered_set<std::uint64_t> met;
    const auto meet = [&](std::uint32_t local, MessageNumber message) {
      const std::uint64_t pair = make_pair_key(local, system_.whoever_sent(kind, message));
      if (met.insert(pair).second) todo.push_back(pair);
    };
    kind.dead->each_dropped(meet);
    for (std::size_t n = 0; n < todo.size(); ++n) {
      if (n % drops_between_questions == 0 && !go_on_()) {
        finished = false;
        return {};
      }
      const std::uint32_t local = left_of(todo[n]);
      const MessageNumber message = right_of(todo[n]);
      for (const Exchange& e : exchanges_) {
        meet(system_.renamed_local(kind, local, e.number), system_.renamed_message(message, e.number));
      }
      for (std::uint32_t t = 0; t < kind.info->transitions.size(); ++t) {
        for (const std::uint32_t p : kind.members) {
          if (takes(kind, t, p, local, message)) return system_.handler_name(p, t);
          if (!kind.info->transitions[t].self) break;  // a handler without its own id treats all members alike
        }
      }
    }
    return {};
  }

 private:
  bool takes(const Kind& kind, std::uint32_t t, std::uint32_t p, std::uint32_t local, MessageNumber message) {
    const TransitionInfo& handler = kind.info->transitions[t];
    const Messages::Record& m = system_.messages_[message];
    if (handler.consumes != m.type || handler.ghost) return false;
    if (handler.sender != nullptr && system_.processes_[m.sender].info->info->tag != handler.sender) return false;
    const std::string_view bytes = kind.locals.content(local);
    if (system_.may_take(handler, p, bytes, message)) return true;
    if (handler.quorum == nullptr) return false;
    const std::size_t size = system_.threshold(handler);
    quorum_.clear();
    left_ = most_quorums;
    return size > 1 && in_some_place(handler, p, bytes, message, size, 0);
  }

  // Tries quorums, in the order of their senders, that have `message` behind others.
  bool in_some_place(const TransitionInfo& handler, std::uint32_t p, std::string_view local, MessageNumber message,
                     std::size_t size, std::size_t from) {
    if (quorum_.size() == size) {
      return std::ranges::find(quorum_, message) != quorum_.end() && left_-- > 0 &&
             system_.may_take(handler, p, local, quorum_, false);
    }
    const std::vector<MessageNumber>& known = known_[handler.consumes];
    const bool has_it = std::ranges::find(quorum_, message) != quorum_.end();
    for (std::size_t i = from; i < known.size() && left_ > 0; ++i) {
      const MessageNumber next = known[i];
      const Messages::Record& m = system_.messages_[next];
      if (system_.processes_[m.sender].info->info->tag != handler.sender) continue;
      if (quorum_.empty() && (next == message || !system_.may_take(handler, p, local, next))) continue;
      if (next != message && m.sender == system_.messages_[message].sender) continue;
      if (!quorum_.empty() && m.sender == system_.messages_[quorum_.back()].sender) continue;
      if (!has_it && next != message && quorum_.size() + 1 == size) continue;  // this would leave no room for `message`
      quorum_.push_back(next);
      const bool taken = in_some_place(handler, p, local, message, size, i + 1);
      quorum_.pop_back();
      if (taken) return true;
    }
    return false;
  }

  const System& system_;
  const std::function<bool()>& go_on_;
  std::vector<Exchange> exchanges_;
  std::map<const detail::TypeInfo*, std::vector<MessageNumber>> known_;
  std::vector<MessageNumber> quorum_;
  std::size_t left_ = 0;
};

std::string System::why_not_dropped(const std::function<bool()>& go_on, bool& finished) const {
  std::string why = order_matters(go_on, finished);
  if (!why.empty()) return why;
  DroppedPairs dropped(*this, go_on);
  for (const auto& kind : kinds_) {
    if (!finished || !kind->dead) continue;
    const std::string handler = dropped.taker(*kind, finished);
    if (!handler.empty()) {
      return "handler " + handler + " rejects a message under some names, or in some places of a quorum, only";
    }
  }
  return {};
}

}  // namespace heddle::actor
