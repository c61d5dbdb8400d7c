// heddle doctor: what it says of the compiler and of components in every state.
#include "cli/doctor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.h"

namespace heddle::cli::doctor_test {
namespace {

using State = run::ComponentState::State;
using testing::HasSubstr;

class Doctor : public ProgramTest {};

TEST_F(Doctor, TheBasicsWorkHere) {
  const Outcome run = heddle({"doctor"});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr(std::string("built in the source tree ") + HEDDLE_SOURCE_DIR));
  EXPECT_THAT(run.out, HasSubstr("\n  compiling  works\n"));
  EXPECT_THAT(run.last_line(), testing::StartsWith("models can be compiled"));
  const auto json = heddle({"doctor", "--json"}).json();
  EXPECT_TRUE(json.at("error").is_null());
  EXPECT_TRUE(json.at("boost").as_string().starts_with("1."));
  EXPECT_EQ(json.at("headers").as_string(), HEDDLE_SOURCE_DIR "/include");
}

TEST_F(Doctor, ASignalEndsItWithoutWordsAboutStates) {
  write("slow", "#!/bin/sh\nexec sleep 60\n");
  fs::permissions(home / "slow", fs::perms::owner_all);
  environment["CXX"] = (home / "slow").string();
  const Outcome run = heddle({"doctor"}, 0.5, SIGTERM);
  EXPECT_EQ(run.code, 2) << run.out << run.err;
  EXPECT_EQ(run.last_line(), "unknown: interrupted");
  EXPECT_EQ(heddle({"doctor", "--json"}, 0.5, SIGTERM).json().at("stopped_by").as_string(), "interrupted");
}

TEST_F(Doctor, ACompilerThatIsNotThereOrDoesNotWork) {
  environment["CXX"] = "no-such-compiler";
  const Outcome none = heddle({"doctor"});
  EXPECT_EQ(none.code, 3);
  EXPECT_THAT(none.out, HasSubstr("\n  compiling  does not work\n"));
  EXPECT_THAT(none.last_line(), HasSubstr("error: cannot run the compiler 'no-such-compiler'"));
  environment["CXX"] = "false";
  const Outcome broken = heddle({"doctor", "--json"});
  EXPECT_EQ(broken.code, 3);
  EXPECT_THAT(std::string(broken.json().at("error").as_string()), HasSubstr("false cannot compile a model"));
}

Diagnosis sample() {
  Diagnosis d;
  d.compiler = "g++";
  d.headers = "/h";
  d.boost = "1.81";
  d.home = "/tree";
  const auto add = [&](const std::string& name, State state, const std::string& remedy) {
    run::Component component = {name, "bin/heddle-" + name, "does \"" + name + "\"", {"lib-" + name}};
    d.components.push_back({component, state, {}, remedy});
  };
  add("sql", State::Ready, "");
  add("trace", State::Stale, "get trace");
  add("belt", State::NotBuilt, "get belt");
  add("symbolic", State::PackagesMissing, "get symbolic");
  d.components.back().missing = {"lib-symbolic"};
  return d;
}

TEST(Diagnoses, SayHowToGetWhatIsMissing) {
  EXPECT_THAT(text(sample()), HasSubstr(R"(components
  sql       ready             does "sql"
  trace     stale             does "trace"
            get it with: get trace
  belt      not built         does "belt"
            get it with: get belt
  symbolic  packages missing  does "symbolic"
            without lib-symbolic; get it with: get symbolic
)"));
  EXPECT_EQ(closing_line(sample()), "models can be compiled; 1 of 4 components ready");
  Diagnosis broken = sample();
  broken.problem = "no compiler";
  EXPECT_EQ(closing_line(broken), "error: no compiler");
  EXPECT_THAT(text(broken), HasSubstr("does not work"));
}

TEST(Diagnoses, AreJson) {
  const boost::json::value json = boost::json::parse(to_json(sample()));
  const auto& components = json.at("components").as_array();
  ASSERT_EQ(components.size(), 4u);
  EXPECT_EQ(components[3], boost::json::value({{"name", "symbolic"},
                                               {"product", "bin/heddle-symbolic"},
                                               {"purpose", "does \"symbolic\""},
                                               {"state", "packages missing"},
                                               {"packages", boost::json::array{"lib-symbolic"}},
                                               {"missing", boost::json::array{"lib-symbolic"}},
                                               {"get", "get symbolic"}}));
  EXPECT_TRUE(components[0].at("get").is_null());
  EXPECT_TRUE(json.at("error").is_null());
}

}  // namespace
}  // namespace heddle::cli::doctor_test
