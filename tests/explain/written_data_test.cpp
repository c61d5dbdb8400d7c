// What nobody writes is no data: whoever reads it conflicts with nobody.
#include "explain/written_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "explain/conflict_graph.h"
#include "support/flat_execution.h"

namespace heddle::explain::written_data_test {
namespace {

using heddle::testing::FlatExecution;
using heddle::testing::random_execution;

TEST(WrittenData, AFieldThatNobodyWritesIsLeftOut) {
  FlatExecution f;
  f.execution.actions.push_back({.kind = Action::Kind::Call, .thread = 0, .invocation = 0});
  f.add(0, 0, {{1, 0, 4, false}});                    // nobody writes these bytes of the object
  f.add(0, 0, {{1, 0, 8, false}});                    // half of these is written
  f.add(0, 0, {{2, 0, 8, false}});                    // another object
  f.add(0, 0, {{2, 4, 8, false}, {1, 6, 7, false}});  // one of the two
  f.add(1, 1, {{1, 4, 8, true}});
  f.add(0, 0, {{3, 4, 8, false}});  // written up to here
  f.add(1, 1, {{3, 0, 4, true}});
  f.execution.actions.push_back({.kind = Action::Kind::Return, .thread = 0, .invocation = 0});
  drop_unwritten(f.execution);
  const auto& left = f.execution.actions;
  ASSERT_EQ(left.size(), 6u) << "calls and returns stay";
  EXPECT_EQ(left[0].kind, Action::Kind::Call);
  EXPECT_EQ(left[1].accesses[0].end, 8u);
  ASSERT_EQ(left[2].accesses.size(), 1u);
  EXPECT_EQ(left[2].accesses[0].object, 1u);
  EXPECT_TRUE(left[3].accesses[0].write);
  EXPECT_TRUE(left[4].accesses[0].write);
  EXPECT_EQ(left[5].kind, Action::Kind::Return);
}

// So no conflict is lost. Actions are known by their instances.
TEST(WrittenData, ConflictsStay) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 500; ++i) {
    FlatExecution f = random_execution(random, 2 + random() % 12);
    // Most accesses are reads, so that some bytes are never written.
    for (Action& action : f.execution.actions) {
      for (DataAccess& x : action.accesses) x.write = x.write && random() % 4 == 0;
    }
    const auto conflicts = [&] {
      std::vector<std::pair<std::uint32_t, std::uint32_t>> out;
      for (const ConflictEdge& edge : all_conflicts(f.execution, RealTime::Ignored)) {
        out.emplace_back(f.execution.actions[edge.from].instance, f.execution.actions[edge.to].instance);
      }
      return out;
    };
    const auto before = conflicts();
    drop_unwritten(f.execution);
    ASSERT_EQ(conflicts(), before) << "case " << i;
  }
}

}  // namespace
}  // namespace heddle::explain::written_data_test
