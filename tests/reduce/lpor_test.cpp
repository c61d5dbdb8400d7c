// The worked examples of Bokor's thesis, chapter 4, with the pairs of `net` corrected (the thesis prints them
// reversed).
#include "reduce/lpor.h"

#include <gtest/gtest.h>

#include <set>

namespace heddle::lpor_test {
namespace {

BitSet bits(std::size_t size, std::initializer_list<std::size_t> members) {
  BitSet out(size);
  for (const std::size_t m : members) out.set(m);
  return out;
}

const BitSet never;

// Figure 4.1: t2 enables t3, which conflicts with t1. Transitions are numbered from 0 here.
TEST(Lpor, FigureOfTheThesis) {
  Relations r(3);
  r.can_enable.add(1, 2);
  r.dependent.add(0, 2);
  r.dependent.add(2, 0);
  for (const bool precompute : {true, false}) {
    Lpor lpor(r, {.precompute = precompute});
    EXPECT_EQ(lpor.stubborn(1, bits(3, {0, 1}), never), bits(3, {1}));
    EXPECT_EQ(lpor.stubborn(0, bits(3, {0, 1}), never), bits(3, {0, 1}));
  }
}

// The Petri net of the thesis: t1: p -> e; t2: p, c -> d; t3: a', b' -> c; t4: a -> a'; t5: b -> b'.
Relations petri_net() {
  Relations r(5);
  r.can_enable.add(2, 1);
  r.can_enable.add(3, 2);
  r.can_enable.add(4, 2);
  r.dependent.add(0, 1);
  r.dependent.add(1, 0);
  r.net = {{2, 3}, {2, 4}};
  return r;
}

TEST(Lpor, PetriNetOfTheThesis) {
  const Relations r = petri_net();
  const BitSet enabled = bits(5, {0, 3, 4});
  const BitSet at_the_start = bits(2, {0, 1});  // nothing has happened yet
  for (const bool precompute : {true, false}) {
    Lpor with(r, {.precompute = precompute});
    EXPECT_EQ(with.stubborn(0, enabled, at_the_start), bits(5, {0, 3}));
    Lpor without(r, {.net = false, .precompute = precompute});
    EXPECT_EQ(without.stubborn(0, enabled, at_the_start), bits(5, {0, 3, 4}));
  }
}

// If the dependence is transitive, members added because of it are not processed, and only those.
TEST(Lpor, MembersAddedByATransitiveDependenceAreNotProcessed) {
  Relations r(4);
  for (std::size_t a : {0, 1}) {
    for (std::size_t b : {0, 1}) {
      if (a != b) r.dependent.add(a, b);
    }
  }
  r.can_enable.add(2, 3);
  Lpor lpor(r);
  EXPECT_EQ(lpor.stubborn(0, bits(4, {0, 1, 2}), never), bits(4, {0, 1}));
}

TEST(Lpor, DependenceMayBeMadeSymmetric) {
  Relations r(2);
  r.dependent.add(0, 1);
  Lpor plain(r);
  EXPECT_EQ(plain.stubborn(0, bits(2, {0, 1}), never), bits(2, {0}));
  EXPECT_EQ(plain.stubborn(1, bits(2, {0, 1}), never), bits(2, {0, 1}));
  Lpor symmetric(r, {.symmetric_dependence = true});
  EXPECT_EQ(symmetric.stubborn(0, bits(2, {0, 1}), never), bits(2, {0, 1}));
}

}  // namespace
}  // namespace heddle::lpor_test
