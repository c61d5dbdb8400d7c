// Runs user code again in poisoned memory and compares the results (purity.h says which runs).
#include <malloc.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>

#include "actor/system.h"

namespace heddle::actor {
namespace {

using detail::HandlerCall;

// Leaves a pattern where the locals of the next call will lie, so that an uninitialised variable reads
// differently in each run.
[[gnu::noinline]] void scribble_on_stack(unsigned char pattern) {
  unsigned char memory[4096];
  std::memset(memory, pattern, sizeof memory);
  asm volatile("" : : "r"(memory) : "memory");
}

// Does the same for the heap: malloc hands out first what was freed last.
[[gnu::noinline]] void scribble_on_blocks(std::span<const std::size_t> sizes, unsigned char pattern) {
  void* blocks[128];
  assert(sizes.size() <= std::size(blocks));
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    blocks[i] = std::malloc(sizes[i]);
    if (blocks[i] != nullptr) std::memset(blocks[i], pattern, sizes[i]);
  }
  asm volatile("" : : "r"(blocks) : "memory");
  for (std::size_t i = 0; i < sizes.size(); ++i) std::free(blocks[i]);
}

constexpr std::size_t common_sizes[] = {24, 40, 56, 72, 104};

// Malloc keeps freed blocks of up to 1,032 bytes ready for each thread, by size: two of each.
constexpr std::size_t largest_kept = 1032, kept_step = 16;
constexpr auto kept_sizes = [] {
  std::array<std::size_t, 2 * (largest_kept / kept_step)> sizes{};
  for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = largest_kept - i / 2 * kept_step;
  return sizes;
}();

// Makes rand() and random() go on from another place. Seeding the usual generator of the C library takes longer than
// most handlers run; its smallest one is seeded at once.
void seed_random_numbers(unsigned seed) {
  alignas(std::int32_t) static char state[8];
  [[maybe_unused]] static const char* const usual = ::initstate(seed, state, sizeof state);
  std::srand(seed);
}

// Calls `run` once or several times in memory with other contents than before. The pattern always changes,
// because the memory that one poisoning leaves is the memory in which the next run, the one to compare with, starts.
template <class Run>
void in_poisoned_memory(bool thoroughly, Run&& run) {
  static std::atomic<unsigned> poisonings{0};
  // A coin that is tossed once a run shows the same side eight times in one of 256.
  for (unsigned times = thoroughly ? 8 : 1; times > 0; --times) {
    const unsigned number = poisonings.fetch_add(1, std::memory_order_relaxed) + 1;
    // Zero once: code may only ask whether something is there.
    const auto pattern = static_cast<unsigned char>(times == 2 ? 0 : number * 0x65 + 0x40);
    // M_PERTURB fills the blocks that malloc does not keep ready. Setting it costs more than most handlers.
    if (thoroughly) mallopt(M_PERTURB, pattern);
    scribble_on_blocks(thoroughly ? std::span<const std::size_t>(kept_sizes) : common_sizes, pattern);
    seed_random_numbers(number + 1);
    errno = pattern;
    scribble_on_stack(pattern);
    run();
    if (thoroughly) mallopt(M_PERTURB, 0);
  }
}

constexpr const char* advice =
    "run twice on the same input it did different things. Look for static variables, random numbers, clocks, addresses "
    "or uninitialised variables; use Choice for non-determinism";

bool same_effect(const HandlerCall& a, const HandlerCall& b) {
  const auto same_sent = [](const detail::Sent& x, const detail::Sent& y) {
    return x.type == y.type && x.target == y.target && x.role == y.role && x.index == y.index && x.body == y.body;
  };
  const auto same_event = [](const detail::Event& x, const detail::Event& y) {
    return x.is_return == y.is_return && x.type == y.type && x.value == y.value;
  };
  return a.next_local == b.next_local && a.next_ghost == b.next_ghost && a.exited == b.exited &&
         a.choices.size() == b.choices.size() &&
         std::equal(a.sent.begin(), a.sent.end(), b.sent.begin(), b.sent.end(), same_sent) &&
         std::equal(a.events.begin(), a.events.end(), b.events.begin(), b.events.end(), same_event) &&
         a.spawned.size() == b.spawned.size();
}

}  // namespace

void System::audit(std::uint32_t p, std::uint32_t t, const HandlerCall& first, bool rejected,
                   const HandlerCall& again) const {
  const Process& process = processes_[p];
  const TransitionInfo& transition = process.info->info->transitions[t];
  in_poisoned_memory(!rejected && purity_.thoroughly(process.kind->first_transition + t), [&] {
    HandlerCall call = again;
    std::optional<detail::Rejected> rejected_now;
    bool failed_now = false;
    try {
      failed_now = run_transition(*process.info->info, transition, call, rejected_now).has_value();
    } catch (...) {
      failed_now = true;
    }
    call.choices.resize(std::min(call.choices.size(), first.choices.size()));
    if (!failed_now && rejected == rejected_now.has_value() && (rejected || same_effect(first, call))) return;
    mallopt(M_PERTURB, 0);
    const CodeName name{"handler", process.info->info->name, transition.name};
    throw ModelError(name.text() + " is not a pure function of its process's fields and parameters: " + advice);
  });
}

void System::audit_predicate(std::size_t i, std::span<const Slot> state, bool holds) const {
  in_poisoned_memory(predicates_sample_.thoroughly(i), [&] {
    std::vector<Read> reads;
    bool holds_now = false;
    const bool failed_now = try_predicate(i, state, reads, holds_now).has_value();
    if (!failed_now && holds == holds_now) return;
    mallopt(M_PERTURB, 0);
    throw ModelError("property '" + model_.properties()[i].name + "' is not a pure function of the state: " + advice);
  });
}

}  // namespace heddle::actor
