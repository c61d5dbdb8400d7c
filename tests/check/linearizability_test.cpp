#include "check/linearizability.h"

#include <gtest/gtest.h>

namespace heddle::linearizability_test {
namespace {

// A register: "w1" writes 1 and returns "ok", "r" returns the value.
const SequentialSpecification register_object{"0", [](std::string& state, std::string_view operation) -> std::string {
                                                if (operation[0] == 'w') {
                                                  state = operation.substr(1);
                                                  return "ok";
                                                }
                                                return state;
                                              }};

HistoryOperation done(std::string operation, std::string result, std::vector<std::uint32_t> before) {
  return {std::move(operation), std::move(result), true, std::move(before)};
}
HistoryOperation pending(std::string operation, std::vector<std::uint32_t> before) {
  return {std::move(operation), "", false, std::move(before)};
}

TEST(Linearizability, SequentialHistory) {
  EXPECT_TRUE(is_linearizable({{done("w1", "ok", {0, 0})}, {done("r", "1", {1, 0})}}, register_object));
  EXPECT_FALSE(is_linearizable({{done("w1", "ok", {0, 0})}, {done("r", "0", {1, 0})}}, register_object));
}

TEST(Linearizability, ConcurrentReadMaySeeEitherValue) {
  EXPECT_TRUE(is_linearizable({{done("w1", "ok", {0, 0})}, {done("r", "0", {0, 0})}}, register_object));
  EXPECT_TRUE(is_linearizable({{done("w1", "ok", {0, 0})}, {done("r", "1", {0, 0})}}, register_object));
  EXPECT_FALSE(is_linearizable({{done("w1", "ok", {0, 0})}, {done("r", "2", {0, 0})}}, register_object));
}

TEST(Linearizability, APendingWriteMayOrMayNotHaveHappened) {
  EXPECT_TRUE(
      is_linearizable({{pending("w1", {0, 0})}, {done("r", "1", {0, 0}), done("r", "1", {0, 0})}}, register_object));
  EXPECT_TRUE(is_linearizable({{pending("w1", {0, 0})}, {done("r", "0", {0, 0})}}, register_object));
  // But not have happened and then not.
  EXPECT_FALSE(
      is_linearizable({{pending("w1", {0, 0})}, {done("r", "1", {0, 0}), done("r", "0", {0, 0})}}, register_object));
}

TEST(Linearizability, NewOldInversion) {
  // Two readers, one after the other, during one write: the later must not see the older value.
  EXPECT_FALSE(is_linearizable(
      {{done("w1", "ok", {0, 0, 0})}, {done("r", "1", {0, 0, 0})}, {done("r", "0", {0, 1, 0})}}, register_object));
  EXPECT_TRUE(is_linearizable({{done("w1", "ok", {0, 0, 0})}, {done("r", "1", {0, 0, 0})}, {done("r", "0", {0, 0, 0})}},
                              register_object));
}

}  // namespace
}  // namespace heddle::linearizability_test
