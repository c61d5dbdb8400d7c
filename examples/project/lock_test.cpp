// The model in lock.cpp as unit tests: it is linked in and goes by the name it is registered under.
#include <gtest/gtest.h>
#include <heddle/check.h>

TEST(Lock, ExcludesEachOther) {
  const heddle::Checked lock = heddle::check("lock", {.parameters = {{"clients", "3"}}});
  EXPECT_TRUE(lock.holds()) << lock.message << "\n" << lock.trace;
}

// A model that cannot find a mistake is not worth much.
TEST(Lock, AForgetfulServerIsFound) {
  const heddle::Checked lock = heddle::check("lock", {.bug = "forgetful"});
  EXPECT_TRUE(lock.violated()) << lock.message;
  EXPECT_EQ(lock.property, "mutual exclusion");
  EXPECT_NE(lock.trace.find("mutual exclusion is violated"), std::string::npos) << lock.trace;
}
