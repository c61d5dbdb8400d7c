// A beginner's mistakes: few lines, and the first one names the user's file, line, and field or handler.
#include "run/compiler_messages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.h"

namespace heddle::cli::compiler_messages_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr const char* source = R"(#include <heddle/heddle.h>
struct Server;
struct Server {
  int count = 0;
  std::unordered_map<int, int> table;
  int slots[3] = {};
  void pick(const Choice& choose) { count = choose.flip(); }
};
)";

std::vector<std::string> lines_for(const std::string& output) {
  return run::compiler_errors(output, "m.cpp", source, 8).lines;
}

TEST(CompilerMessages, OfGccNameTheFieldAndItsLine) {
  EXPECT_THAT(
      lines_for("In file included from m.cpp:1:\n"
                "/usr/include/heddle/mistakes.h: In instantiation of ‘struct heddle::detail::FieldOf<Server, "
                "heddle::detail::Text<6>{\"table\"}, std::unordered_map<int, int> >’:\n"
                "m.cpp:20:3:   required from here\n"
                "/usr/include/heddle/mistakes.h:1:2: error: static assertion failed: heddle: write std::map\n"
                "  115 |   static_assert(!hashed, \"heddle: write std::map\");\n"
                "/usr/include/boost/pfr.hpp:3:4: error: static assertion failed: ====> Boost.PFR: no\n"
                "/usr/include/heddle/detail/kinds.h:3:4: error: static assertion failed: heddle: unsupported\n"),
      ElementsAre("m.cpp:5: field 'table' of Server (std::unordered_map<int, int>): write std::map"));
}

TEST(CompilerMessages, OfClangNameTheFieldAndItsLine) {
  for (const char* name : {"{{\"table\"}}", "{{116, 97, 98, 108, 101}}"}) {
    EXPECT_THAT(lines_for("/usr/include/heddle/mistakes.h:1:2: error: static assertion failed due to requirement "
                          "'!hashed': heddle: write std::map\n"
                          "m.cpp:20:3: note: in instantiation of template class 'heddle::detail::FieldOf<(anonymous "
                          "namespace)::Server, " +
                          std::string(name) + ", std::unordered_map<int, int>>' requested here\n"),
                ElementsAre("m.cpp:5: field 'table' of Server (std::unordered_map<int, int>): write std::map"));
  }
}

TEST(CompilerMessages, NameHandlersAndStructs) {
  EXPECT_THAT(lines_for("x.h: In instantiation of ‘struct heddle::detail::ParameterOf<&{anonymous}::Server::pick, "
                        "const heddle::Choice&>’:\n"
                        "x.h:1:2: error: static assertion failed: heddle: by value\n"),
              ElementsAre("m.cpp:7: handler Server::pick, parameter const Choice&: by value"));
  EXPECT_THAT(lines_for("x.h: In instantiation of ‘struct heddle::detail::HandlerOf<&Server::pick, int "
                        "(Server::*)()>’:\nx.h:1:2: error: static assertion failed: heddle: void\n"),
              ElementsAre("m.cpp:7: handler Server::pick: void"));
  EXPECT_THAT(lines_for("x.h: In instantiation of ‘struct heddle::detail::StructOf<Server>’:\n"
                        "x.h:1:2: error: static assertion failed: heddle: this struct holds a C array; no\n"),
              ElementsAre("m.cpp:6: Server: this struct holds a C array; no"));
  EXPECT_THAT(lines_for("x.h: In instantiation of ‘struct heddle::detail::StructOf<Elsewhere>’:\n"
                        "x.h:1:2: error: static assertion failed: heddle: has a base\n"),
              ElementsAre("m.cpp: Elsewhere: has a base"));
}

TEST(CompilerMessages, FindFieldsThatATypeDoesNotShow) {
  const std::string text =
      "#include <heddle/heddle.h>\nstruct Server {\n  int count = 0;\n  unsigned few : 3 = 0;\n  int& other;\n};\n";
  for (const char* output :
       {"fields.h: In instantiation of ‘static constexpr decltype(auto) "
        "heddle::detail::Bindings<2>::visit(T&, F&&) [with T = {anonymous}::Server; F = X]’:\n"
        "fields.h:53:20: error: cannot bind bit-field ‘a’ to ‘unsigned int&’\n",
        "fields.h: In instantiation of ‘static constexpr std::string_view heddle::detail::Fields<T>::name() [with long "
        "unsigned int I = 0; T = Server; std::string_view = X]’:\n"
        "fields.h:135:108: error: the value of ‘heddle::detail::never_defined<Server>’ is not usable in a "
        "constant\n"}) {
    EXPECT_THAT(run::compiler_errors(output, "m.cpp", text, 8).lines,
                ElementsAre(StartsWith("m.cpp:4: Server: this struct holds a bit-field")));
  }
  EXPECT_THAT(run::compiler_errors("x.h: In instantiation of ‘struct heddle::detail::StructOf<Server>’:\n"
                                   "x.h:1:2: error: static assertion failed: heddle: it has no default value\n",
                                   "m.cpp", text, 8)
                  .lines,
              ElementsAre("m.cpp:5: Server: it has no default value"));
}

TEST(CompilerMessages, AForgottenIncludeIsNamed) {
  for (const char* what :
       {"m.cpp:3:17: error: ‘heddle’ is not a namespace-name", "m.cpp:3:38: error: ‘heddle’ has not been declared",
        "m.cpp:3:38: error: use of undeclared identifier 'heddle'"}) {
    EXPECT_THAT(lines_for(std::string(what) + "\nm.cpp:9:1: error: another\n"),
                ElementsAre("m.cpp:3: the compiler does not know heddle; write #include <heddle/heddle.h> above"));
  }
}

TEST(CompilerMessages, AnErrorThatBreaksTheStructGoesBeforeWhatFollowsFromIt) {
  const std::string follows =
      "x.h: In instantiation of ‘struct heddle::detail::StructOf<Server>’:\n"
      "x.h:1:2: error: static assertion failed: heddle: it has no default value\n";
  for (const char* what : {"could not convert ‘0’ from ‘int’ to ‘heddle::Id<{anonymous}::Server>’",
                           "no viable conversion from 'int' to 'Id<Server>'"}) {
    EXPECT_THAT(lines_for("m.cpp:4:13: error: " + std::string(what) + "\n" + follows),
                ElementsAre(StartsWith("m.cpp:4:13: an Id is no number")));
  }
  for (const char* what : {"unable to deduce ‘auto’ from ‘& {anonymous}::Server::take’",
                           "non-type template parameter 'Functions' with type 'auto' has incompatible initializer of "
                           "type '<overloaded function type>'"}) {
    EXPECT_THAT(lines_for("m.cpp:8:47: error: " + std::string(what) + "\n" + follows),
                ElementsAre(StartsWith("m.cpp:8:47: the name of a handler in this list stands for several")));
  }
}

TEST(CompilerMessages, OrdinaryErrorsStayWithTheirLinesThoseOfTheUserFirst) {
  EXPECT_THAT(lines_for("x.h:1:2: error: in a header\n"
                        "\x1b[01m\x1b[Km.cpp:3:4:\x1b[m\x1b[K \x1b[01;31m\x1b[Kerror: \x1b[m\x1b[Kbad\n"
                        "    3 | int x = ;\n"
                        "      |         ^\n"
                        "m.cpp:4:4: warning: not so bad\n"),
              ElementsAre("m.cpp:3:4: bad", "    3 | int x = ;", "      |         ^", "x.h:1:2: in a header"));
  EXPECT_THAT(lines_for("m.cpp:9:5:   required from here\nx.h:1:2: error: no match\n"),
              ElementsAre("m.cpp:9:5: leads to: x.h:1:2: no match"));
  EXPECT_THAT(lines_for("all is well\n"), IsEmpty());
  std::string many;
  for (int i = 0; i < 100; ++i) many += "m.cpp:1:1: error: e" + std::to_string(i) + "\n";
  const run::CompilerErrors errors = run::compiler_errors(many, "m.cpp", source, 8);
  EXPECT_EQ(errors.lines.size(), 8u);
  EXPECT_EQ(errors.left_out, 92u);
}

class Mistakes : public ProgramTest {
 protected:
  struct Case {
    const char* name;
    const char* before;   // of the role
    const char* field;    // line 9
    const char* handler;  // line 11
    const char* listed;   // in transitions; null: there is no list
    const char* wanted;   // how the closing line begins
  };
  // Does not make an object: errors are all that is wanted.
  Outcome compile(const Case& c) {
    environment["CXX"] = HEDDLE_TEST_COMPILER " -fsyntax-only";
    environment["XDG_CACHE_HOME"] = (home / "cache").string();
    const std::string list = c.listed == nullptr ? std::string()
                                                 : "  static constexpr auto transitions = heddle::transitions<" +
                                                       std::string(c.listed) + ">;\n";
    write("m.cpp",
          "#include <heddle/heddle.h>\n#include <functional>\n#include <string_view>\n#include "
          "<unordered_map>\nusing namespace heddle;\nstruct Ping { int n = 0; };\n" +
              std::string(c.before) + "\n  int count = 0;\n" + c.field +
              "\n  void serve(const Ping& p) { count = p.n; }\n" + c.handler + "\n" + list +
              "};\nconst Register r({.name = \"m\", .build = [](Model& m) { m.add<Server>(1); }});\n");
    return heddle({"check", "m.cpp"});
  }
  void expect(const Case& c) {
    const Outcome run = compile(c);
    EXPECT_EQ(run.code, 3) << c.name;
    EXPECT_THAT(run.last_line(), StartsWith("error: m.cpp:" + std::string(c.wanted))) << c.name;
    EXPECT_LE(std::ranges::count(run.err, '\n') + std::ranges::count(run.out, '\n'), 10) << run.out << run.err;
    // All of it is in the file that is named.
    const std::string line = run.last_line();
    const auto at = line.find(" are in ");
    if (at == line.npos) return;
    EXPECT_THAT(read(line.substr(at + 8, line.rfind(')') - at - 8)), HasSubstr("error:")) << line;
  }
};

constexpr const char* role = "struct Server {";

TEST_F(Mistakes, SlowAreOneLineWithThePlace) {
  expect({"unordered", role, "  std::unordered_map<int, int> table;", "", "&Server::serve",
          "9: field 'table' of Server (std::unordered_map<int, int>): "});
  expect({"odd", role, "", "  void odd(int x) { count = x; }", "&Server::serve, &Server::odd",
          "11: handler Server::odd, parameter int: "});
  expect({"syntax", role, "", "  void bad() { count = ; }", "&Server::serve", "11:24: "});
}

TEST_F(Mistakes, AModelWithoutItsIncludeIsStillAModel) {
  environment["XDG_CACHE_HOME"] = (home / "cache").string();
  write("m.cpp",
        "struct Server {\n  void go() {}\n  static constexpr auto transitions = heddle::transitions<&Server::go>;"
        "\n};\n");
  const Outcome run = heddle({"check", "m.cpp"});
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.last_line(), StartsWith("error: m.cpp:3: the compiler does not know heddle; write #include"));
}

TEST_F(Mistakes, AllSlow) {
  const Case cases[] = {
      {"function", role, "  std::function<void(int)> call;", "", "&Server::serve",
       "9: field 'call' of Server (std::function"},
      {"string_view", role, "  std::string_view label;", "", "&Server::serve",
       "9: field 'label' of Server (std::string_view): "},
      {"constructor", role, "  Server(int c = 0) : count(c) {}", "", "&Server::serve",
       "7: Server: this is no plain struct"},
      {"private", role, " private: int hidden = 0; public:", "", "&Server::serve",
       "7: Server: this is no plain struct"},
      {"base", "struct Common { int common = 0; }; struct Server : Common {", "", "", "&Server::serve",
       "7: Server: this struct has a base class"},
      {"C array", role, "  int slots[3] = {};", "", "&Server::serve", "9: Server: this struct holds a C array"},
      {"bit-field", role, "  unsigned few : 3 = 0;", "", "&Server::serve", "9: Server: this struct holds a bit-field"},
      {"reference", role, "  int& other;", "", "&Server::serve",
       "9: Server: a field of this struct has no default value"},
      {"only declared", "struct Later; struct Server {", "", "  void late(const Later&) {}", "&Server::late",
       "11: handler Server::late, parameter const Later&: this message is declared, but never defined"},
      {"union", "union Either { int a; bool b; }; struct Server {", "  Either either = {};", "", "&Server::serve",
       "9: field 'either' of Server (Either): "},
      {"pointer", role, "  int* next = nullptr;", "", "&Server::serve", "9: field 'next' of Server (int*): "},
      {"double", role, "  double weight = 0;", "", "&Server::serve", "9: field 'weight' of Server (double): "},
      {"inside", "struct Entry { int a = 0; float w = 0; }; struct Server {", "  std::vector<Entry> log;", "",
       "&Server::serve", "7: field 'w' of Entry (float): "},
      {"const Choice&", role, "", "  void pick(const Choice& c) { count = c.flip(); }", "&Server::serve, &Server::pick",
       "11: handler Server::pick, parameter const Choice&: take this parameter by value"},
      {"Ping&", role, "", "  void late(Ping& p) { count = p.n; }", "&Server::late",
       "11: handler Server::late, parameter Ping&: messages are taken by const reference"},
      {"two", role, "", "  void both(const Ping& p, const From<Ping, Server>& q) { count = p.n + q->n; }",
       "&Server::both", "11: handler Server::both: a transition consumes at most one kind"},
      {"returns", role, "", "  int value() { return count; }", "&Server::serve, &Server::value",
       "11: handler Server::value: a handler is a member function that returns void"},
      {"id of another role", "struct Client; struct Server {", "", "  void ask(Id<Client> c) { count = c == c; }",
       "&Server::serve, &Server::ask", "11: handler Server::ask: an Id among the parameters is the process itself"},
      {"no list", role, "", "", nullptr, "7: Server: this role has no public list of its handlers"},
      {"const", role, "  const int limit = 3;", "", "&Server::serve", "9: Server: a field of this struct is const"},
      {"volatile", role, "  volatile int x = 0;", "", "&Server::serve",
       "9: Server: a field of this struct is volatile"},
      {"Durable", role, "  Durable<int*> x;", "", "&Server::serve",
       "9: field 'x' of Server (int*): roles and messages"},
      {"map of ids", role, "  std::map<Id<Server>, int> x;", "", "&Server::serve",
       "9: field 'x' of Server (std::map<Id<Server>, int>): processes have no order; write IdSet"},
      {"set of ids", role, "  std::vector<std::set<Id<Server>>> x;", "", "&Server::serve",
       "9: field 'x' of Server (std::set<Id<Server>>): processes have no order; write IdSet"},
      {"id of int", role, "  Id<int> x;", "", "&Server::serve", "9: field 'x' of Server (Id<int>): Id, IdSet and Per"},
      {"id from int", role, "  Id<Server> x = 0;", "", "&Server::serve", "9:18: an Id is no number"},
      {"two serves", role, "", "  void serve() {}", "&Server::serve", "12:47: the name of a handler in this list"},
      {"private role", "class Server {", "", "", "&Server::serve", "7: Server: this is no plain struct"},
      {"Reply to nobody", role, "", "  void say(Reply<Ping> out) { out.send({}); }", "&Server::serve, &Server::say",
       "11: handler Server::say: a Reply goes to the sender of a message"},
      {"To<int>", role, "", "  void say(To<int, Ping> out) { out.send({}); }", "&Server::serve, &Server::say",
       "11: handler Server::say, parameter To<int, Ping>: messages go to and come from processes"},
      {"To swapped", role, "", "  void say(To<Ping, Server> out) { out.send({}); }", "&Server::serve, &Server::say",
       "11: handler Server::say, parameter To<Ping, Server>: a role stands where the message belongs"},
      {"Quorum swapped", role, "", "  void all(const Quorum<Server, Ping>&) {}", "&Server::serve, &Server::all",
       "11: handler Server::all, parameter const Quorum<Server, Ping>&: a role stands where the message belongs"},
      {"order with data", role, "  std::set<int, bool (*)(int, int)> x;", "", "&Server::serve",
       " the order of a set or a map must not depend on data"},
      {"unknown name", role, "", "  void bad() { cuont = 1; }", "&Server::serve", "11:16: "},
  };
  for (const Case& c : cases) expect(c);
}

}  // namespace
}  // namespace heddle::cli::compiler_messages_test
