// A path that was saved as a test compiles against the library, and passes or fails as it should.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "exploration.h"
#include "request.h"
#include "run/check.h"
#include "run/doors.h"
#include "test_source.h"

namespace heddle::explorer::saved_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

struct Answer {
  int code = -1;
  std::string output;
};

Answer shell(const std::string& command) {
  Answer answer;
  FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return answer;
  char buffer[4096];
  while (const std::size_t size = fread(buffer, 1, sizeof buffer, pipe)) answer.output.append(buffer, size);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) answer.code = WEXITSTATUS(status);
  return answer;
}

class SlowSavedTest : public testing::Test {
 protected:
  SlowSavedTest() {
    fs::create_directories(folder);
    lock("!holder");
  }

  // Writes the model with another guard of the server.
  void lock(const std::string& guard) const {
    std::ofstream(folder / "guarded.cpp") << R"(#include <heddle/heddle.h>
namespace {
using namespace heddle;
struct Server;
struct Request {};
struct Grant {};
struct Client {
  bool asked = false, holds = false;
  void ask(To<Server, Request> out) { require(!asked); asked = true; out.send({}); }
  void enter(const Grant&) { holds = true; }
  static constexpr auto transitions = heddle::transitions<&Client::ask, &Client::enter>;
};
struct Server {
  bool holder = false;
  void grant(const Request&, Reply<Grant> out) { require()"
                                          << guard << R"(); holder = true; out.send({}); }
  static constexpr auto transitions = heddle::transitions<&Server::grant>;
};
const Register guarded({.name = "guarded", .summary = "", .build = [](Model& m) {
  m.add<Client>(2);
  m.add<Server>();
  m.always("mutual exclusion", [](const View& v) {
    int holders = 0;
    for (const Client& c : v.all<Client>()) holders += c.holds;
    return holders <= 1;
  });
}});
}
)";
  }

  trace::Trace violation(const run::Instance& instance) const {
    run::Listener nobody;
    const run::CheckResult found = run::check(instance, {}, nobody);
    return found.violations.at(0).trace;
  }

  // Compiles the test with this program's compiler, and returns how to run it.
  void compile(const trace::Trace& trace) const {
    std::ofstream(folder / "saved_test.cpp") << test_source(trace, false);
    const Answer compiled = shell(
        std::string(HEDDLE_TEST_COMPILER) + " -std=c++20 -Wall -Wextra -Werror -I " + HEDDLE_SOURCE_DIR + "/include " +
        (folder / "saved_test.cpp").string() + " -o " + (folder / "saved_test").string() + " " + HEDDLE_TEST_LIBRARY +
        " -lgtest_main -lgtest -lpthread -Wl,-rpath," + fs::path(HEDDLE_TEST_LIBRARY).parent_path().string());
    ASSERT_EQ(compiled.code, 0) << compiled.output;
  }
  Answer run() const { return shell("cd " + folder.string() + " && ./saved_test"); }

  // Its own: tests run side by side.
  const fs::path folder =
      fs::path(testing::TempDir()) /
      ("heddle-saved-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
};

TEST_F(SlowSavedTest, OfAViolationPassesOnceItIsRepaired) {
  lock("true");
  fs::current_path(folder);
  const run::Instance instance = run::open("guarded.cpp").instance({});
  compile(violation(instance));
  const Answer broken = run();
  EXPECT_EQ(broken.code, 1) << broken.output;
  EXPECT_THAT(broken.output, HasSubstr("violated: mutual exclusion"));
  lock("!holder");
  const Answer repaired = run();
  EXPECT_EQ(repaired.code, 0) << repaired.output;
  // A model that is not there is no repair.
  fs::remove(folder / "guarded.cpp");
  const Answer gone = run();
  EXPECT_EQ(gone.code, 1);
  EXPECT_THAT(gone.output, HasSubstr("is not there"));
}

TEST_F(SlowSavedTest, OfARunPassesAsLongAsItIsPossible) {
  fs::current_path(folder);
  Exploration exploration(run::open("guarded.cpp").instance({}), {}, "");
  compile(exploration.trace({.initial = 0, .choices = {0, 0, 0}}));
  const Answer possible = run();
  EXPECT_EQ(possible.code, 0) << possible.output;
  lock("false");
  const Answer impossible = run();
  EXPECT_EQ(impossible.code, 1) << impossible.output;
  EXPECT_THAT(impossible.output, HasSubstr("does not fit the model"));
}

TEST_F(SlowSavedTest, OfABugPassesAsLongAsItIsFound) {
  compile(violation(run::open("two_phase_commit").instance({.parameters = {}, .bug = "commit_early", .switches = {}})));
  const Answer found = run();
  EXPECT_EQ(found.code, 0) << found.output;
}

TEST(SavedTest, OfAProgramIsRefused) { EXPECT_THROW(test_source({}, true), Refusal); }

}  // namespace
}  // namespace heddle::explorer::saved_test
