// Histories without real time can be wrong for a moment. Searches of whole runs see that as the full search does.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "actor/actor_system.h"
#include "explore/search.h"
#include "heddle/heddle.h"
#include "random_store.h"
#include "stateless/dpor.h"
#include "stateless/optimal_dpor.h"
#include "stateless/source_dpor.h"

namespace heddle::schedule::history_order_test {
namespace {

RC_GTEST_PROP(HistoryOrder, EverySearchGivesTheSameVerdict, ()) {
  const auto seed = *rc::gen::inRange<long>(0, 1'000'000'000);
  const int order = *rc::gen::inRange(0, 3);
  const std::string harness = *rc::gen::element<std::string>("1R+1W", "2R+1W");
  const auto system = make_actor_system(random_store::make(seed, 2, harness, order));
  const bool violated = !search(*system, {}).violations.empty();
  RC_TAG(violated);
  for (const auto run : {source_dpor, optimal_dpor, dpor}) {
    RC_ASSERT(run(*system, StatelessOptions{}).violations.empty() == !violated);
  }
}

}  // namespace
}  // namespace heddle::schedule::history_order_test
