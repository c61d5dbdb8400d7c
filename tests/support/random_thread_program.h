// Random thread programs that shrink: instructions and threads are left out, numbers become smaller.
#pragma once

#include <rapidcheck.h>

#include "support/thread_program.h"

namespace heddle::testing {

inline rc::Gen<Instruction> random_instruction() {
  using enum Instruction::Op;
  const auto below = [](std::uint32_t n) { return rc::gen::resize(100, rc::gen::inRange(0u, n)); };
  return rc::gen::build<Instruction>(
      rc::gen::set(&Instruction::op,
                   rc::gen::element(Load, Store, Add, Cas, Lock, Load, Store, Cas, Lock, Unlock, Unlock, StoreRegister,
                                    TryLock, Choose, Skip, Back, Assert, Assert, Private, Spawn)),
      rc::gen::set(&Instruction::target, below(2)), rc::gen::set(&Instruction::reg, below(2)),
      rc::gen::set(&Instruction::value, below(3)),
      rc::gen::set(&Instruction::distance, rc::gen::map(below(3), [](std::uint32_t d) { return d + 1; })));
}

// Draws some threads of at most so many instructions.
inline rc::Gen<std::vector<std::vector<Instruction>>> random_threads(std::size_t count, int length) {
  return rc::gen::container<std::vector<std::vector<Instruction>>>(
      count, rc::gen::resize(length, rc::gen::container<std::vector<Instruction>>(random_instruction())));
}

// Draws two threads of some instructions, or three of few, so that every run can be walked. `watched`: with properties
// that make all steps dependent on each other.
inline rc::Gen<Program> random_program(bool watched) {
  const int less = watched ? 1 : 0;
  return rc::gen::build<Program>(
      rc::gen::set(&Program::threads, rc::gen::oneOf(random_threads(2, 7 - 2 * less), random_threads(3, 4 - less))),
      rc::gen::set(&Program::asleep, rc::gen::resize(100, rc::gen::element(0u, 0u, 0u, 1u))),
      rc::gen::set(&Program::fuel, rc::gen::resize(100, rc::gen::inRange(0u, 3u))),
      rc::gen::set(&Program::watches_in_passing, rc::gen::just(watched)),
      rc::gen::set(&Program::wanted, rc::gen::resize(100, rc::gen::inRange(0u, 3u))));
}

}  // namespace heddle::testing
