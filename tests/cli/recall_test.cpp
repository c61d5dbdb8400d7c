// What is found with something left out of states is a run of the model, or is not reported.
#include <gmock/gmock.h>

#include "cli/program.h"

namespace heddle::cli::recall_test {
namespace {

using testing::HasSubstr;
using testing::Not;

class Recall : public ProgramTest {};

constexpr const char* two_messages = R"(#include <heddle/heddle.h>
using namespace heddle;
struct Number { int value = 0; };
struct Taker {
  bool first = false, second = false;
  void any(const Number&) { require(!first); first = true; }
  void two(const Number& n) { require(first && n.value == 2); second = true; }
  static constexpr auto transitions = heddle::transitions<&Taker::any, &Taker::two>;
};
struct Sender {
  bool sent = false;
  void go(To<Taker, Number> out) { require(!sent); sent = true; out.send({1}); out.send({2}); }
  static constexpr auto transitions = heddle::transitions<&Sender::go>;
};
const Register two({.name = "two_messages", .summary = "", .build = [](Model& m) {
  m.add<Sender>();
  m.add<Taker>();
  m.deadlock_free([](const View& v) { return v.all<Taker>()[0].second; });
}});
)";

TEST_F(Recall, ADeadlockIsFoundWhateverIsLeftOut) {
  write("two_messages.cpp", two_messages);
  for (const std::string reduce : {"auto", "dead", "none"}) {
    for (const bool minimise : {true, false}) {
      std::vector<std::string> arguments{"check", "two_messages.cpp", "--reduce", reduce};
      if (!minimise) arguments.emplace_back("--no-minimise");
      const Outcome run = heddle(arguments);
      EXPECT_EQ(run.code, 1) << reduce << run.out << run.err;
      EXPECT_EQ(heddle({"replay", "heddle-trace.json"}).code, 1) << reduce << run.out;
    }
  }
}

// The property looks at auxiliary data behind the library's back. What a search without it finds is not so.
TEST_F(Recall, WhatDoesNotExistIsSearchedForAgain) {
  write("peeks.cpp", R"(#include <heddle/heddle.h>
using namespace heddle;
struct Writer {
  int steps = 0;
  Auxiliary<int> log;
  void go() { require(steps < 3); ++steps; log = 7; }
  static constexpr auto transitions = heddle::transitions<&Writer::go>;
};
const Register peeks({.name = "peeks", .summary = "", .build = [](Model& m) {
  m.add<Writer>();
  m.always("logged", [](const View& v) {
    const Writer w = v.all<Writer>()[0];
    return w.steps == 0 || detail::AuxiliaryAccess::raw(w.log) == 7;
  });
}});
)");
  const Outcome run = heddle({"check", "peeks.cpp"});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("a run that was found without auxiliary data does not exist with it"));
  EXPECT_THAT(run.last_line(), HasSubstr("holds: 4 states"));
  EXPECT_THAT(run.last_line(), Not(HasSubstr("auxiliary")));
}

}  // namespace
}  // namespace heddle::cli::recall_test
