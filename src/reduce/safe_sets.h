// Safe sets: a thread that is about to do something that concerns nobody else goes first, alone (Cirisci 2022,
// Algorithm 1: S-POR).
//
//   options.selector = safe_sets(system);
//
// Where an enabled thread's pending action is safe, the steps of the lowest such thread are kept, with all its choices,
// and all other steps are left out. Elsewhere all steps are kept.
//
// Cirisci counts taking and releasing a lock as visible. Here the release of a lock is safe where whoever could notice
// it waits for it (the door says where). Releases::Visible is the rule of the thesis, to compare with.
//
// Why nothing is lost. A safe action conflicts with nothing that other threads ever do, so the thread is a persistent
// set, and no property sees the action (Threads, 4). What others do from here on, they can do after it as well, and
// properties see the same. A cycle of safe actions could put others off forever: the searches' cycle proviso
// (reduction.h) prevents that. So all deadlocks, all local states of threads and the verdicts of all properties are
// preserved.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "explore/reduction.h"

namespace heddle {

enum class Releases : std::uint8_t { MayBeSafe, Visible };

// REQUIRES: the system has Threads and outlives the selectors.
std::function<std::unique_ptr<Selector>()> safe_sets(const TransitionSystem& system,
                                                     Releases releases = Releases::MayBeSafe);

}  // namespace heddle
