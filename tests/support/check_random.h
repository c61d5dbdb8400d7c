// Runs a RapidCheck property as many times as asked for, with shrinking, and reports through GoogleTest.
//
//   check_random(count_of(300, 10'000), [] { ... RC_ASSERT(...); });
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <sstream>

#include "support/long_run.h"  // heddle::testing beside GoogleTest's

namespace heddle::testing {

// With a `seed` the cases are the same in every run. Without one they are those of RC_PARAMS, or new ones each time.
template <class Property>
void check_random(std::size_t count, const Property& property, std::optional<std::uint64_t> seed = std::nullopt) {
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = static_cast<int>(count);
  if (seed) params.seed = *seed;
  const auto result = rc::detail::checkTestable(property, rc::detail::TestMetadata(), params);
  EXPECT_TRUE(result.template is<rc::detail::SuccessResult>()) << [&] {
    std::ostringstream text;
    rc::detail::printResultMessage(result, text);
    return text.str();
  }();
}

}  // namespace heddle::testing
