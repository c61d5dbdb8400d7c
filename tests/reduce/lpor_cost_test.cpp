// What choosing stubborn sets costs where there are many transitions and little can be left out. No test asserts a
// time. What is counted is the rows of relations that are read to choose sets (Lpor::rows_read), for each step of the
// search without reductions.
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <string>

#include "actor/actor_system.h"
#include "explore/search.h"
#include "heddle/model.h"
#include "reduce/stubborn_selector.h"

namespace heddle::lpor_cost_test {
namespace {

// A set that cannot be used is given up as soon as that is known. Without this, 85 rows a step would be read here; 44,
// if ways were looked for although the members that are sure are too many.
TEST(LporCost, HopelessSetsAreGivenUpEarly) {
  const std::map<std::string, std::string> parameters = {{"hr", "3"}, {"hi", "1"}, {"br", "1"}, {"bi", "2"}};
  const auto system = make_actor_system(Model(*find_model("echo_multicast"), parameters), {.split = Split::Combined});
  const SearchResult plain = search(*system, {});
  ASSERT_EQ(plain.counters.states, 20'625u);
  ASSERT_EQ(plain.counters.transitions, 119'425u);

  const auto rows = std::make_shared<std::atomic<std::uint64_t>>(0);
  SearchOptions options;
  options.selector = stubborn_selector(*system, {.rows_read = rows});
  EXPECT_EQ(search(*system, options).counters.states, 17'753u);
  EXPECT_GT(*rows, plain.counters.transitions);  // they are counted
  EXPECT_LT(*rows, 42 * plain.counters.transitions);
}

}  // namespace
}  // namespace heddle::lpor_cost_test
