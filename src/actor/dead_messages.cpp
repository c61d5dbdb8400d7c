// Asks whether a message is alive by walking the local states that may follow, and keeps the answers by pair of local
// state and message, up to renaming.
#include "actor/dead_messages.h"

#include <algorithm>

namespace heddle::actor {

const DeadMessages::Orbit& DeadMessages::orbit(Local local) {
  const auto known = orbits_.find(local);
  if (known != orbits_.end()) return known->second;
  const Orbit& made = orbits_.emplace(local, door_.orbit(local)).first->second;
  bytes_ += sizeof(Orbit) + made.there.size() * 2 * sizeof(std::uint32_t);
  return made;
}

std::uint32_t DeadMessages::index(Message message) {
  const auto [known, is_new] = indices_.try_emplace(message, static_cast<std::uint32_t>(messages_.size()));
  if (is_new) messages_.push_back(message);
  return known->second;
}

std::uint32_t DeadMessages::renamed(std::uint32_t message, std::uint32_t renaming) {
  if (renaming >= renamed_.size()) renamed_.resize(renaming + 1);
  std::vector<std::uint32_t>& images = renamed_[renaming];
  if (message >= images.size()) {
    bytes_ += (message + 1 - images.size()) * sizeof(std::uint32_t);
    images.resize(message + 1, unknown);
  }
  if (images[message] == unknown) {
    const std::uint32_t image = index(door_.renamed(messages_[message], renaming));
    images[message] = image;
  }
  return images[message];
}

// Returns the same pair for every renaming of both: it tries all renamings that lead to the representative.
DeadMessages::Pair DeadMessages::representative(Local local, std::uint32_t message) {
  const Orbit& o = orbit(local);
  std::uint32_t least = renamed(message, o.there.front());
  for (std::size_t i = 1; i < o.there.size(); ++i) least = std::min(least, renamed(message, o.there[i]));
  return {o.representative, least};
}

template <class F>
void DeadMessages::each_original(Local local, std::uint32_t message, F&& f) {
  for (const std::uint32_t back : orbit(local).back) f(renamed(message, back));
}

// Asks whether the message is alive. Where no handler takes it, the question moves on to the local states that
// follow. Where some handler does, the answer is known, and the local states behind it need not be visited yet.
void DeadMessages::meet(Pair pair) {
  std::vector<Pair> todo{pair};
  while (!todo.empty()) {
    const auto [l, m] = todo.back();
    todo.pop_back();
    Facts& here = facts_[l];
    if (here.met.test(m)) continue;
    bytes_ += here.met.set(m);
    ++probes_;
    bool alive = door_.takes(l, messages_[m]);
    for (std::size_t i = 0; !alive && i < here.next.size(); ++i) {
      const Step step = here.next[i];
      each_original(step.from, m, [&](std::uint32_t original) {
        const Pair next = representative(step.to, original);
        alive |= facts_[next.first].alive.test(next.second);
        todo.push_back(next);
      });
    }
    if (alive) revive({l, m});
  }
}

// The message is alive here, so it is alive wherever this local state can be reached from.
void DeadMessages::revive(Pair pair) {
  std::vector<Pair> todo{pair};
  while (!todo.empty()) {
    const auto [l, m] = todo.back();
    todo.pop_back();
    Facts& here = facts_[l];
    if (!here.met.test(m) || here.alive.test(m)) continue;
    bytes_ += here.alive.set(m);
    if (here.dropped.test(m)) mistaken_ = true;
    for (const Step& step : here.before) {
      each_original(step.to, m, [&](std::uint32_t original) { todo.push_back(representative(step.from, original)); });
    }
  }
}

bool DeadMessages::dead(Local local, Message message) {
  const std::lock_guard lock(mutex_);
  const Pair pair = representative(local, index(message));
  meet(pair);
  Facts& here = facts_[pair.first];
  if (here.alive.test(pair.second)) return false;
  if (!here.dropped.test(pair.second)) {
    bytes_ += here.dropped.set(pair.second);
    ++dropped_;
  }
  return true;
}

void DeadMessages::step(Local from, Local to) {
  if (from == to) return;
  const std::lock_guard lock(mutex_);
  if (!steps_.insert(std::uint64_t{from} << 32 | to).second) return;
  bytes_ += 2 * sizeof(Step) + sizeof(std::uint64_t) + sizeof(Facts);
  const Step step{from, to};
  facts_[orbit(to).representative].before.push_back(step);
  Facts& here = facts_[orbit(from).representative];
  here.next.push_back(step);
  std::vector<std::uint32_t> waiting;
  here.met.each([&](std::uint32_t m) {
    if (!here.alive.test(m)) waiting.push_back(m);
  });
  for (const std::uint32_t m : waiting) {
    each_original(from, m, [&](std::uint32_t original) {
      const Pair next = representative(to, original);
      meet(next);
      if (facts_[next.first].alive.test(next.second)) revive({orbit(from).representative, m});
    });
  }
}

void DeadMessages::reconsider() {
  const std::lock_guard lock(mutex_);
  for (auto& [local, known] : facts_) known.dropped.clear();
  dropped_ = 0;
  mistaken_ = false;
}

}  // namespace heddle::actor
