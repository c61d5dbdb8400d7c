// Measures how many calls per second the Quorum Tree takes, on one core, for trees of up to 16 nodes.
//
//   bench_qtree
//
// The goal is ten million. Measured in processor time, which other work on the machine distorts less.
#include "heddle/qtree.h"

#include <cstdio>

#include "processor_seconds.h"

namespace {

using namespace heddle;

// Grows a tree of `rounds` nodes: a trunk with a dead branch beside every other round, and every trunk round committed.
unsigned long grow(QTree& tree, long rounds) {
  tree.nodes.clear();
  unsigned long calls = 0, accepted = 0;
  const auto count = [&](const Answer& a) {
    ++calls;
    accepted += a.kind == Answer::Kind::accepted;
  };
  Round trunk{};
  for (long r = 1; r <= rounds; ++r) {
    if (r % 4 == 2 && trunk != Round{}) {
      count(tree.add({r}, 1, trunk));  // overtaken by r + 1
      continue;
    }
    count(tree.add({r}, 1, trunk));
    count(tree.commit({r}));
    trunk = {r};
  }
  count(tree.decided(trunk, 1));
  if (accepted == 0) std::printf("nothing was accepted\n");
  return calls;
}

}  // namespace

int main() {
  std::printf("%-8s %16s\n", "nodes", "calls a second");
  for (const long rounds : {2L, 4L, 8L, 16L}) {
    QTree tree;
    unsigned long calls = 0;
    const double start = processor_seconds();
    double elapsed = 0;
    do {
      for (int i = 0; i < 10000; ++i) calls += grow(tree, rounds);
      elapsed = processor_seconds() - start;
    } while (elapsed < 1);
    std::printf("%-8ld %16.0f\n", rounds, static_cast<double>(calls) / elapsed);
  }
}
