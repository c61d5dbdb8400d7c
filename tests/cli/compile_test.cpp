// Single-file models: compiling, the cache, and everything that can be wrong with a file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <regex>

#include "cli/program.h"
#include "cli/starting_file.h"
#include "run/compile_model.h"
#include "run/model_cache.h"
#include "run/precompiled_header.h"

namespace heddle::cli::compile_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Compile : public ProgramTest {
 protected:
  // The smallest model; `extra` goes in front.
  static std::string tiny(const std::string& name, const std::string& extra = "", int limit = 3) {
    return "#include <heddle/heddle.h>\n" + extra +
           "struct Counter {\n  int n = 0;\n  void count() { heddle::require(n < 3); ++n; }\n"
           "  static constexpr auto transitions = heddle::transitions<&Counter::count>;\n};\n"
           "const heddle::Register r({.name = \"" +
           name +
           "\", .summary = \"counts\", .build = [](heddle::Model& m) {\n"
           "  m.add<Counter>();\n"
           "  m.always(\"small\", [](const heddle::View& v) { return v.all<Counter>()[0].n <= " +
           std::to_string(limit) + "; });\n}});\n";
  }
  void use_cache_of_its_own() { environment["XDG_CACHE_HOME"] = (home / "cache").string(); }
};

TEST_F(Compile, TheStartingFileChecksAndItsBugIsFound) {
  ASSERT_EQ(heddle({"new", "lock"}).code, 0);
  const Outcome sound = heddle({"check", "lock.cpp"});
  EXPECT_EQ(sound.code, 0) << sound.out << sound.err;
  EXPECT_THAT(sound.last_line(), StartsWith("holds: "));
  EXPECT_EQ(sound.err, "");
  const Outcome broken = heddle({"check", "lock.cpp", "--bug", "forgetful"});
  EXPECT_EQ(broken.code, 1) << broken.out << broken.err;
  EXPECT_THAT(broken.last_line(), StartsWith("violated: mutual exclusion"));
  const Outcome again = heddle({"replay", "heddle-trace.json"});
  EXPECT_EQ(again.code, 1) << again.out << again.err;
  EXPECT_EQ(heddle({"models", "lock.cpp", "--json"}).json().at("name").as_string(), "lock");
}

// What people begin with leaves the names that every protocol has to the model: the file that `heddle new` writes, and
// the model that README shows.
TEST_F(Compile, NamesThatHeddleHasTooBelongToTheModel) {
  const std::string page = read(fs::path(HEDDLE_SOURCE_DIR) / "README.md");
  const std::size_t from = page.find("```cpp\n") + 7;
  for (std::string text : {starting_file("lock"), page.substr(from, page.find("```", from) - from)}) {
    // Here Heddle's are meant.
    for (const auto& [theirs, said] : {std::pair("Reply<", "heddle::Reply<"), std::pair("View& ", "heddle::View& "),
                                       std::pair("Register ", "heddle::Register ")}) {
      ASSERT_NE(text.find(theirs), text.npos) << text;
      text = std::regex_replace(text, std::regex("\\b" + std::string(theirs)), said);
    }
    const std::size_t at = text.find("struct Server;");
    ASSERT_NE(at, text.npos) << text;
    text.insert(
        at,
        "struct Register { int value = 0; };\nstruct View { int number = 1; };\nstruct Timer { int left = 2; };\n"
        "struct Reply { Register value; };\nstruct Answer { View view; Reply reply; Timer timer; };\n"
        "Answer answer(View view, Reply reply) { return {view, reply, Timer{}}; }\n"
        "static_assert(sizeof(Answer) == sizeof(View) + sizeof(Register) + sizeof(Timer));\n");
    text.replace(text.find("out.send({})"), 12, "if (answer({}, {}).timer.left == 2) out.send({})");
    write("names.cpp", text);
    const Outcome run = heddle({"check", "names.cpp"});
    EXPECT_EQ(run.code, 0) << run.out << run.err;
    EXPECT_THAT(run.last_line(), StartsWith("holds: "));
  }
}

// It takes two systems: one that forgets the data for the search, one that keeps it for traces.
TEST_F(Compile, AModelWithAuxiliaryDataIsSearchedWithoutIt) {
  std::string text = tiny("tiny");
  text.replace(text.find("int n = 0;"), 10, "int n = 0;\n  heddle::Auxiliary<int> log;");
  write("tiny.cpp", text);
  const Outcome run = heddle({"check", "tiny.cpp"});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_THAT(run.last_line(), HasSubstr("auxiliary data"));
}

TEST_F(Compile, SlowTheSecondRunNeedsNoCompiler) {
  use_cache_of_its_own();
  write("tiny.cpp", tiny("tiny"));
  ASSERT_EQ(heddle({"check", "tiny.cpp"}).code, 0);
  environment["CXX"] = "/bin/false";
  EXPECT_EQ(heddle({"check", "tiny.cpp"}).code, 0);
  write("tiny.cpp", tiny("tiny", "", 2));  // other content: compiled again
  EXPECT_EQ(heddle({"check", "tiny.cpp"}).code, 3);
  environment["CXX"] = "";
  EXPECT_EQ(heddle({"check", "tiny.cpp"}).code, 1);
}

TEST_F(Compile, SlowAChangedIncludeIsNoticedAndADamagedObjectToo) {
  use_cache_of_its_own();
  write("limit.h", "#pragma once\ninline constexpr int limit = 3;\n");
  std::string text = tiny("tiny", "#include \"limit.h\"\n");
  text.replace(text.find("<= 3"), 4, "<= limit");
  write("tiny.cpp", text);
  ASSERT_EQ(heddle({"check", "tiny.cpp"}).code, 0);
  write("limit.h", "#pragma once\ninline constexpr int limit = 2;\n");
  EXPECT_EQ(heddle({"check", "tiny.cpp"}).code, 1);
  for (const auto& entry : fs::directory_iterator(home / "cache" / "heddle")) {
    if (entry.path().extension() == ".so") fs::resize_file(entry.path(), 100);
  }
  EXPECT_EQ(heddle({"check", "tiny.cpp"}).code, 1);
}

TEST_F(Compile, SlowHeadersAreParsedOnceAndADamagedResultIsNoObstacle) {
  use_cache_of_its_own();
  write("tiny.cpp", tiny("tiny"));
  ASSERT_EQ(heddle({"check", "tiny.cpp"}).code, 0);
  const auto precompiled = [&] {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(home / "cache" / "heddle")) {
      if (entry.path().extension() == ".pch") found.push_back(entry.path() / "model.h.gch");
    }
    return found;
  };
  const bool is_clang = std::string_view(HEDDLE_TEST_COMPILER).find("clang") != std::string_view::npos;
  ASSERT_EQ(precompiled().empty(), is_clang) << "clang's precompiled headers are not used, g++'s are";
  if (is_clang) return;
  const fs::path header = precompiled().at(0);
  const auto made = fs::last_write_time(header);
  const auto size = fs::file_size(header);
  write("tiny.cpp", tiny("tiny", "", 2));
  EXPECT_EQ(heddle({"check", "tiny.cpp"}).code, 1);
  EXPECT_EQ(fs::last_write_time(header), made);
  int limit = 4;
  for (const std::uintmax_t left : {std::uintmax_t{100}, size / 2}) {
    fs::resize_file(header, left);
    for (int edit = 0; edit < 2; ++edit) {  // the second makes it anew
      write("tiny.cpp", tiny("tiny", "", ++limit));
      const Outcome run = heddle({"check", "tiny.cpp"});
      EXPECT_EQ(run.code, 0) << left << run.out << run.err;
      EXPECT_EQ(run.err, "");
    }
    EXPECT_GT(fs::file_size(header), size / 10 * 9);
  }
}

TEST(PrecompiledHeader, IsForFilesThatBeginWithHeddle) {
  EXPECT_TRUE(run::begins_with_heddle("// A lock.\n\n#include <vector>\n  /* a\n b */\n#include <heddle/heddle.h>\n"));
  EXPECT_TRUE(run::begins_with_heddle("#include \"heddle/heddle.h\""));
  EXPECT_FALSE(run::begins_with_heddle("#define N 3\n#include <heddle/heddle.h>\n"));
  EXPECT_FALSE(run::begins_with_heddle("/* x */ int y;\n#include <heddle/heddle.h>\n"));
  EXPECT_FALSE(run::begins_with_heddle("#include <heddle/specification.h>\n"));
  EXPECT_FALSE(run::begins_with_heddle("/* #include <heddle/heddle.h>"));
}

TEST_F(Compile, AnUnusableCacheIsNoObstacle) {
  write("file", "");
  environment["XDG_CACHE_HOME"] = (home / "file" / "nowhere").string();
  write("tiny.cpp", tiny("tiny"));
  EXPECT_EQ(heddle({"check", "tiny.cpp"}).code, 0);
  environment["TMPDIR"] = (home / "file" / "nowhere").string();
  const Outcome run = heddle({"check", "tiny.cpp"});
  EXPECT_THAT(run.code, testing::AnyOf(0, 3));  // /tmp is the last resort
}

TEST_F(Compile, CompilerErrorsArriveWithTheirPlace) {
  write("wrong.cpp", "#include <heddle/heddle.h>\nint x = ;\n");
  const Outcome run = heddle({"check", "wrong.cpp"});
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.err, HasSubstr("wrong.cpp:2:9"));
  EXPECT_THAT(run.last_line(), StartsWith("error: wrong.cpp:2:9: "));
  EXPECT_THAT(heddle({"check", "missing.cpp"}).last_line(), HasSubstr("missing.cpp"));
}

// The compiler is slow here and then gives up, so that nothing else takes time.
TEST_F(Compile, TakesTimeThatIsCountedAndIsAnnouncedOnATerminal) {
  use_cache_of_its_own();
  write("m.cpp", "#include <heddle/heddle.h>\n");
  write("slow", "#!/bin/sh\nsleep 1\necho 'm.cpp:1:1: error: no' >&2\nexit 1\n");
  fs::permissions(home / "slow", fs::perms::owner_all);
  environment["CXX"] = (home / "slow").string();
  const Outcome run = heddle({"check", "m.cpp", "--json"});
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.err, Not(HasSubstr("compiling")));
  EXPECT_GE(run.json().at("seconds").to_number<double>(), 1.0);

  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  ASSERT_TRUE(terminal >= 0 && ::grantpt(terminal) == 0 && ::unlockpt(terminal) == 0);
  const std::string command = "cd '" + home.string() +
                              "' && CXX=./slow XDG_CACHE_HOME=cache '" HEDDLE_EXECUTABLE "' check m.cpp >out 2>" +
                              ::ptsname(terminal);
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 3);
  std::string shown(200, ' ');
  ASSERT_GT(::read(terminal, shown.data(), shown.size()), 0);
  ::close(terminal);
  EXPECT_THAT(shown, StartsWith("compiling m.cpp ..."));
}

TEST_F(Compile, AFileWithoutAModelSaysWhatToAdd) {
  write("empty.cpp", "#include <heddle/heddle.h>\n");
  const Outcome run = heddle({"check", "empty.cpp"});
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.last_line(), HasSubstr("heddle::Register"));
}

TEST_F(Compile, AMissingDefinitionIsNamed) {
  write("half.cpp", tiny("half", "int elsewhere(int);\nstatic int y = elsewhere(1);\n"));
  const Outcome run = heddle({"check", "half.cpp"});
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.last_line(), HasSubstr("elsewhere(int) is declared but not defined"));
}

TEST_F(Compile, AMissingCompilerIsNamed) {
  use_cache_of_its_own();
  environment["CXX"] = "no-such-compiler";
  write("tiny.cpp", tiny("tiny"));
  const Outcome run = heddle({"check", "tiny.cpp"});
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.last_line(), HasSubstr("no-such-compiler"));
  EXPECT_THAT(run.last_line(), HasSubstr("CXX"));
}

TEST_F(Compile, OneOfSeveralModelsIsChosen) {
  write("two.cpp", tiny("one") +
                       "const heddle::Register s({.name = \"other\", .summary = \"\", .build = [](heddle::Model& m) {\n"
                       "  m.add<Counter>(2);\n}});\n");
  const Outcome unclear = heddle({"check", "two.cpp"});
  EXPECT_EQ(unclear.code, 3);
  EXPECT_THAT(unclear.last_line(), HasSubstr("one, other"));
  EXPECT_THAT(heddle({"check", "two.cpp", "--model", "other", "--reduce", "none"}).last_line(),
              StartsWith("holds: 16 states"));
  EXPECT_EQ(heddle({"check", "two.cpp", "--model", "third"}).code, 3);
}

TEST_F(Compile, AModelMayShareNamesWithTheLibrary) {
  // Same model name and same role name as the library's Paxos, and a different meaning.
  std::string text = tiny("paxos");
  for (std::size_t at; (at = text.find("Counter")) != text.npos;) text.replace(at, 7, "Acceptor");
  write("paxos.cpp", text);
  EXPECT_THAT(heddle({"check", "paxos.cpp"}).last_line(), StartsWith("holds: 4 states"));
}

TEST_F(Compile, AHandlerThatThrowsIsAnError) {
  std::string text = tiny("throws");
  text.replace(text.find("++n;"), 4, "if (n == 1) throw std::runtime_error(\"boom\"); ++n;");
  write("throws.cpp", "#include <stdexcept>\n" + text);
  const Outcome run = heddle({"check", "throws.cpp"});
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.last_line(), HasSubstr("boom"));
}

TEST_F(Compile, WhateverIsThrownEndsInAClosingLine) {
  write("early.cpp", tiny("early", "static int early = [] { throw 42; return 0; }();\n"));
  const Outcome early = heddle({"check", "early.cpp", "--json"});
  EXPECT_EQ(early.code, 3);
  EXPECT_THAT(std::string(early.json().at("error").as_string()), StartsWith("early.cpp: a global variable threw"));
  std::string text = tiny("late");
  text.replace(text.find("m.add<Counter>();"), 17, "throw 42;");
  write("late.cpp", text);
  const Outcome late = heddle({"check", "late.cpp"});
  EXPECT_EQ(late.code, 3);
  EXPECT_THAT(late.last_line(), StartsWith("error: "));
}

TEST(ModelCache, ReadsDependencyLists) {
  EXPECT_THAT(run::parse_dependencies("model.so: a.cpp \\\n  /usr/b\\ c.h \\\n d$$e.h\n"),
              ElementsAre("a.cpp", "/usr/b c.h", "d$e.h"));
  EXPECT_TRUE(run::parse_dependencies("").empty());
}

TEST_F(Compile, AuxiliaryDataCannotBeCarriedAwayByReference) {
  const auto model = [](const std::string& argument, const std::string& parameter) {
    return "#include <heddle/heddle.h>\n#include <functional>\n#include <memory>\n#include <span>\n"
           "namespace {\nusing namespace heddle;\nstruct Holder { int* at; };\nstruct S {\n  int n = 0;\n  "
           "Auxiliary<int> log;\n"
           "  void look() {\n    int x = 0;\n    log.update([](int& v, " +
           parameter + ") { v = 1; }, " + argument +
           ");\n    n = x;\n  }\n  static constexpr auto transitions = heddle::transitions<&S::look>;\n};\n"
           "const Register s({.name = \"s\", .summary = \"\", .build = [](Model& m) { m.add<S>(); }});\n}\n";
  };
  const std::vector<std::pair<std::string, std::string>> ways = {{"std::ref(x)", "std::reference_wrapper<int>"},
                                                                 {"std::span<int>(&x, 1)", "std::span<int>"},
                                                                 {"Holder{&x}", "Holder"},
                                                                 {"std::make_shared<int>(1)", "std::shared_ptr<int>"}};
  for (const auto& [argument, parameter] : ways) {
    write("aux.cpp", model(argument, parameter));
    const Outcome run = heddle({"check", "aux.cpp"});
    EXPECT_EQ(run.code, 3) << argument << run.out << run.err;
    EXPECT_THAT(run.out + run.err, testing::HasSubstr("pass plain values")) << argument;
  }
  write("aux.cpp", model("std::pair{std::vector{x}, std::optional<int>(1)}", "const auto&"));
  const Outcome fine = heddle({"check", "aux.cpp"});
  EXPECT_EQ(fine.code, 0) << fine.out << fine.err;
}

// What would be told apart by its name alone, or is there twice.
TEST_F(Compile, ThingsThatAreSaidTwiceAreErrors) {
  const auto model = [](const std::string& list, const std::string& rest) {
    return "#include <heddle/heddle.h>\nnamespace {\nusing namespace heddle;\nstruct S {\n  int n = 0;\n"
           "  void go() { require(n < 1); ++n; }\n  static constexpr auto transitions = heddle::transitions<" +
           list +
           ">;\n};\nvoid build(Model& m) { m.add<S>(); m.always(\"small\", [](const View&) { return true; }); }\n" +
           rest + "}\n";
  };
  const std::string plain = "const Register s({.name = \"s\", .summary = \"\", .build = build});\n";
  const std::vector<std::tuple<std::string, std::string, std::string>> mistakes = {
      {"&S::go, &S::go", plain, "handler S::go is listed twice"},
      {"&S::go", plain + "const Register t({.name = \"s\", .summary = \"\", .build = build});\n",
       "two models named 's'"},
      {"&S::go",
       "const Register s({.name = \"s\", .summary = \"\", .parameters = {{\"a\", 1, 0, 2, \"\"}, {\"a\", 1, 0, 2, "
       "\"\"}}, .build = build});\n",
       "two parameters named 'a'"},
      {"&S::go",
       "const Register s({.name = \"s\", .summary = \"\", .bugs = {{\"b\", \"small\", {{\"c\", \"1\"}}, \"\"}}, .build "
       "= build});\n",
       "sets the parameter 'c'"},
      {"&S::go", "const Register s({.name = \"s\", .summary = \"\"});\n", "has no .build"}};
  for (const auto& [list, rest, what] : mistakes) {
    write("twice.cpp", model(list, rest));
    const Outcome run = heddle({"check", "twice.cpp"});
    EXPECT_EQ(run.code, 3) << what << run.out << run.err;
    EXPECT_THAT(run.out + run.err, testing::HasSubstr(what));
  }
}

}  // namespace
}  // namespace heddle::cli::compile_test
