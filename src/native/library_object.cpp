// Runs calls one at a time through the machine, and remembers what each gives in each state.
#include "native/library_object.h"

#include <algorithm>
#include <cassert>

#include "core/model_error.h"
#include "native/system.h"

namespace heddle::native {
namespace {

// Every call is a client whose threads all make it, and would make another one: no thread ends after its call.
SystemOptions one_at_a_time(std::uint32_t threads, const std::vector<ClientCall>& calls) {
  SystemOptions options;
  options.calls = Calls::Atomic;
  for (const ClientCall& call : calls) {
    options.clients.push_back({std::vector<std::vector<ClientCall>>(threads, {call, call})});
  }
  return options;
}

std::vector<ClientCall> sorted(std::vector<ClientCall> calls) {
  std::ranges::sort(calls);
  calls.erase(std::unique(calls.begin(), calls.end()), calls.end());
  return calls;
}

}  // namespace

LibraryObject::LibraryObject(std::shared_ptr<const Image> image, std::uint32_t threads, std::vector<ClientCall> calls)
    : threads_(threads),
      calls_(sorted(std::move(calls))),
      system_(std::make_unique<System>(std::move(image), one_at_a_time(threads, calls_))) {
  assert(!calls_.empty());
}

LibraryObject::~LibraryObject() = default;

std::size_t LibraryObject::bytes() const {
  std::lock_guard lock(mutex_);
  const std::size_t state = states_.empty() ? 0 : states_.front().size() * sizeof(Slot);
  return system_->bytes() + states_.size() * 2 * state + applied_.size() * (sizeof(Applied) + 64);
}

std::uint32_t LibraryObject::number_of(const ClientCall& call) const {
  return static_cast<std::uint32_t>(std::ranges::lower_bound(calls_, call) - calls_.begin());
}

// Main runs up to where it waits for the threads, and each thread up to its first call.
SlotVector LibraryObject::initial_state() {
  SlotVector state = system_->initial_states().front(), next;
  for (std::uint32_t t = 0; t <= threads_; ++t) {
    while (t == 0 || system_->is_fresh(state, t)) {
      if (system_->execute(state, {t, 1}, next)) {
        throw ModelError("the constructor of the class makes a choice: the object has no single initial state");
      }
      if (!system_->execute(state, {t, 0}, next)) break;
      std::swap(state, next);
    }
  }
  return state;
}

bool LibraryObject::step(const SlotVector& from, std::uint32_t thread, std::uint32_t call, SlotVector& to) {
  SlotVector before = from;
  before[Layout::client] = call + 1;
  if (system_->chooses(before, thread)) {
    throw ModelError(
        "a call of the class makes a choice (HEDDLE_CHOOSE), so that the class is no object to compare histories with; "
        "outcomes can be compared, without --history");
  }
  return system_->execute(before, {thread, 0}, to);
}

void LibraryObject::make_anew() {
  for (;;) {
    try {
      numbers_.clear();
      for (State s = 0; s < states_.size(); ++s) {
        if (made_[s].thread == 0) {
          states_[s] = initial_state();
        } else {
          SlotVector to;
          step(states_[made_[s].from], made_[s].thread, made_[s].call, to);
          system_->take_result(to, made_[s].thread);
          to[Layout::client] = 1;
          states_[s] = std::move(to);
        }
        numbers_.emplace(states_[s], s);
      }
      return;
    } catch (const Mistaken&) {
      system_->assumptions()->reconsider();
    }
  }
}

LibraryObject::State LibraryObject::initial() {
  std::lock_guard lock(mutex_);
  if (states_.empty()) {
    states_.emplace_back();
    made_.emplace_back();
    make_anew();
  }
  return 0;
}

LibraryObject::Applied LibraryObject::apply(State state, std::uint32_t thread, std::uint32_t call) {
  std::lock_guard lock(mutex_);
  const auto [known, is_new] = applied_.try_emplace({state, std::uint64_t{thread} << 32 | call});
  Applied& out = known->second;
  if (!is_new) return out;
  for (;;) {
    try {
      SlotVector to;
      if (!step(states_[state], thread, call, to)) {
        out.how = Applied::How::Waits;
      } else if (system_->ending(to)) {
        out.how = Applied::How::Fails;
      } else {
        out.result = system_->take_result(to, thread);
        to[Layout::client] = 1;
        const auto [number, fresh] = numbers_.emplace(to, static_cast<State>(states_.size()));
        out.next = number->second;
        if (fresh) {
          states_.push_back(std::move(to));
          made_.push_back({state, thread, call});
        }
      }
      return out;
    } catch (const Mistaken&) {
      system_->assumptions()->reconsider();
      make_anew();
    } catch (...) {
      applied_.erase(known);
      throw;
    }
  }
}

}  // namespace heddle::native
