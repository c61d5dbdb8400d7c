// compile_commands.json: entries of both forms, folders, quotes, and what is wrong with others.
#include "run/compile_commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "run/errors.h"
#include "run/words.h"

namespace heddle::run::compile_commands_test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<std::string> flags(const std::vector<std::string>& arguments) {
  return flags_of({.file = "/src/queue.cpp", .folder = "/build", .arguments = arguments});
}

TEST(ShellWords, AreThoseOfAShell) {
  EXPECT_THAT(shell_words(R"(a  'b c' "d \"e\" $f" g\ h '' i"j"k)"),
              ElementsAre("a", "b c", "d \"e\" $f", "g h", "", "ijk"));
  EXPECT_THAT(shell_words(R"(-DTEXT=\"x\" '-DPATH="a\b"' "\n")"),
              ElementsAre("-DTEXT=\"x\"", "-DPATH=\"a\\b\"", "\\n"));
  EXPECT_TRUE(shell_words(" \n\t ").empty());
}

TEST(CompileCommands, OnlyWhatTheProgramIsMatters) {
  EXPECT_THAT(flags({"/usr/bin/g++", "-DX=1", "-I../include", "-isystem", "/opt/include", "-O3", "-g", "-Wall",
                     "-Werror=format", "-std=c++17", "-fPIC", "-o", "queue.o", "-c", "../src/queue.cpp"}),
              ElementsAre("-DX=1", "-I../include", "-isystem", "/opt/include", "-std=c++17", "-fPIC"));
  EXPECT_THAT(flags({"ccache", "clang++", "-MD", "-MT", "queue.o", "-MF", "queue.d", "-x", "c++", "-pthread",
                     "-fsanitize=thread", "-flto=auto", "-Wp,-DY", "-include", "config.h", "--", "/src/queue.cpp"}),
              ElementsAre("-pthread", "-DY", "-include", "config.h"));
  EXPECT_TRUE(flags({}).empty());
  EXPECT_TRUE(flags({"ccache"}).empty());
  EXPECT_TRUE(flags({"g++", "-o"}).empty());
}

TEST(CompileCommands, HaveTwoForms) {
  const auto commands = parse_compile_commands(R"([
    {"directory": "/build", "file": "../src/a.cpp", "command": "g++ -DNAME=\"\\\"x y\\\"\" -c ../src/a.cpp"},
    {"directory": "sub", "file": "b.c", "arguments": ["cc", "-DA B", "b.c"], "output": "b.o"}])",
                                               "/home/compile_commands.json");
  ASSERT_EQ(commands.size(), 2u);
  EXPECT_EQ(commands[0].file, "/src/a.cpp");
  EXPECT_EQ(commands[0].folder, "/build");
  EXPECT_THAT(flags_of(commands[0]), ElementsAre("-DNAME=\"x y\""));
  EXPECT_EQ(commands[1].file, "/home/sub/b.c");
  EXPECT_THAT(flags_of(commands[1]), ElementsAre("-DA B"));
}

TEST(CompileCommands, SayWhatIsWrong) {
  const auto refused = [](std::string_view text, const char* why) {
    EXPECT_THAT([&] { parse_compile_commands(text, "x.json"); }, ThrowsMessage<UsageError>(HasSubstr(why))) << text;
  };
  refused("", "x.json: not JSON");
  refused("[{]", "x.json: not JSON");
  refused("{}", "x.json: not a list of compile commands; `cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON` writes it");
  refused("[1]", "entry 1: it is no object");
  refused(R"([{"directory": "/", "file": "a.c", "command": "cc"}, {"file": "b.c"}])",
          "entry 2: there is no \"directory\"");
  refused(R"([{"directory": "/", "file": 3, "command": "cc"}])", "\"file\" is no text");
  refused(R"([{"directory": "/", "file": "a.c"}])", "there is no \"command\" and no \"arguments\"");
  refused(R"([{"directory": "/", "file": "a.c", "arguments": "cc"}])", "\"arguments\" is no list");
  refused(R"([{"directory": "/", "file": "a.c", "arguments": ["cc", 1]}])", "\"arguments\" is no list of texts");
}

class CompileCommandsFile : public testing::Test {
 protected:
  CompileCommandsFile() {
    std::string name = (fs::temp_directory_path() / "heddle-commands-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) ADD_FAILURE();
    home = name;
    fs::create_directories(home / "build");
    fs::create_directories(home / "src");
    write("src/queue.cpp", "");
    write("build/compile_commands.json", R"([{"directory": ")" + (home / "build").string() +
                                             R"(", "file": "../src/queue.cpp", "command": "g++ -DFIRST"},
      {"directory": ")" + (home / "build").string() +
                                             R"(", "file": "../src/queue.cpp", "command": "g++ -DSECOND"}])");
  }
  ~CompileCommandsFile() override { fs::remove_all(home); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(home / name) << text; }

  fs::path home;
};

TEST_F(CompileCommandsFile, IsFoundByFolderOrName) {
  const fs::path source = home / "src" / "queue.cpp";
  EXPECT_THAT(flags_of(compile_command(home / "build", source)), ElementsAre("-DFIRST"));
  EXPECT_THAT(flags_of(compile_command(home / "build" / "compile_commands.json", source)), ElementsAre("-DFIRST"));
  fs::create_directories(home / "other");
  fs::create_symlink(source, home / "other" / "queue.cpp");
  EXPECT_THAT(flags_of(compile_command(home / "build", home / "other" / "queue.cpp")), ElementsAre("-DFIRST"));
}

TEST_F(CompileCommandsFile, MayBeMissingOrHaveOtherFiles) {
  EXPECT_THAT(
      [&] { compile_command(home / "src", home / "src" / "queue.cpp"); },
      ThrowsMessage<UsageError>(HasSubstr("compile_commands.json; `cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON`")));
  EXPECT_THAT(
      [&] { compile_command(home / "build", home / "src" / "queues.cpp"); },
      ThrowsMessage<UsageError>(testing::AllOf(HasSubstr("there is no entry for"), HasSubstr("did you mean queue.cpp?"),
                                               HasSubstr("give its flags after --"))));
}

}  // namespace
}  // namespace heddle::run::compile_commands_test
