// Components: got when they are first asked for, built again when they have changed, and clear errors for all that
// can go wrong. The tree is a copy of tests/support/component with Heddle's own scripts. Packages are those of a fake
// dpkg and a fake apt-get, so no test touches the machine's.
#include "run/component.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "run/component_directory.h"
#include "run/errors.h"
#include "run/subprocess.h"

namespace heddle::run::component_test {
namespace {

using namespace component_directory;
using State = ComponentState::State;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// --- Getting one, in a source tree.

class SourceTree : public Directory {
 protected:
  SourceTree() {
    const fs::path heddle = HEDDLE_SOURCE_DIR;
    tree = home / "tree";
    fs::copy(heddle / "tests" / "support" / "component", tree, fs::copy_options::recursive);
    for (const char* name : {"setup.sh", "component.sh", "packages.txt"}) {
      fs::copy(heddle / "scripts" / name, tree / "scripts" / name);
    }
    fs::create_directory(tree / "cmake");
    for (const char* name : {"heddle_components.cmake", "heddle_components.h.in"}) {
      fs::copy(heddle / "cmake" / name, tree / "cmake" / name);
    }
    own = {.table = {echo}, .prefix = tree / "build" / "release", .sources = tree, .preset = "release"};

    fake = home / "fake";
    fs::create_directory(fake);
    // All packages are installed but hello, which apt-get installs.
    program("dpkg-query", "shift 3\nfor name; do if [[ $name != hello* || -e " + (fake / "hello").string() +
                              " ]]; then printf 'installed:%s ' \"$name\"; fi; done\n");
    program("apt-get", "echo \"$*\" >>" + log().string() +
                           "\nif [[ $* == *' install '* ]]; then printf '#!/bin/sh\\n' >" + (fake / "hello").string() +
                           "; chmod +x " + (fake / "hello").string() + "; fi\n");
    program("sudo", "while [[ $1 == -* ]]; do shift; done\nexec \"$@\"\n");
    path = std::getenv("PATH");
    ::setenv("PATH", (fake.string() + ":" + path).c_str(), 1);
    ::unsetenv("HEDDLE_SKIP_PACKAGES");
  }
  ~SourceTree() override {
    ::setenv("PATH", path.c_str(), 1);
    ::unsetenv("HEDDLE_SKIP_PACKAGES");
  }

  void program(const std::string& name, const std::string& text) const {
    std::ofstream(fake / name) << "#!/usr/bin/env bash\n" << text;
    fs::permissions(fake / name, fs::perms(0755));
  }
  fs::path log() const { return fake / "log"; }
  fs::path source() const { return tree / "components" / "echo" / "main.cpp"; }
  fs::path product() const { return own.prefix / echo.product; }

  void replace(const fs::path& file, const std::string& from, const std::string& to) const {
    std::string text = read(file);
    ASSERT_NE(text.find(from), text.npos) << from;
    text.replace(text.find(from), from.size(), to);
    std::ofstream(file, std::ios::binary) << text;
  }

  // What find_component says on stderr; an error is part of it.
  std::string said_by_find() const {
    testing::internal::CaptureStderr();
    const std::string error = error_of([&] { EXPECT_EQ(find_component("echo", own), product()); });
    return testing::internal::GetCapturedStderr() + (error == "no error" ? "" : "thrown: " + error);
  }
  State state() const { return component_states(own).at(0).state; }

  // The script as a user without rights calls it. Tests of continuous integration run as root, whom nothing is
  // forbidden.
  Finished script_without_rights() const {
    std::vector<std::string> command = {"bash", (tree / "scripts" / "component.sh").string(), "echo"};
    if (::geteuid() == 0) {
      const std::vector<std::string> nobody = {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"};
      command.insert(command.begin(), nobody.begin(), nobody.end());
    }
    return run_subprocess({.command = command});
  }

  fs::path tree, fake;
  ComponentTree own;
  std::string path;
};

TEST_F(SourceTree, SlowIsGotOnFirstUseAndAgainWhenItHasChanged) {
  EXPECT_EQ(state(), State::PackagesMissing);
  EXPECT_THAT(component_states(own).at(0).missing, ElementsAre("hello"));
  const std::string first = said_by_find();
  EXPECT_THAT(first, HasSubstr("first use of the component echo"));
  EXPECT_THAT(first, HasSubstr("installing 1 packages: hello"));
  EXPECT_THAT(read(log()), HasSubstr("install --no-install-recommends --no-remove hello\n"));
  ASSERT_TRUE(fs::exists(product())) << first << read(tree / "build" / "release.log");
  EXPECT_EQ(state(), State::Ready);
  EXPECT_THAT(component_states(own).at(0).remedy, IsEmpty());
  const boost::json::value answer = call_component("echo", {"a", "b c"}, "in", {}, own).json();
  EXPECT_EQ(answer, boost::json::value({{"words", {"a", "b c"}}, {"input", "in"}}));

  fs::remove(log());
  const auto built = fs::last_write_time(product());
  EXPECT_EQ(said_by_find(), "") << "second use";
  EXPECT_EQ(fs::last_write_time(product()), built);
  EXPECT_FALSE(fs::exists(log())) << "packages are installed once";

  replace(source(), "hello\\n", "good evening\\n");
  EXPECT_EQ(state(), State::Stale);
  EXPECT_THAT(component_states(own).at(0).remedy, HasSubstr("scripts/component.sh echo"));
  EXPECT_THAT(said_by_find(), HasSubstr("the component echo has changed"));
  EXPECT_EQ(call_component("echo", {"--text"}, "", {}, own).output, "good evening\n");
  EXPECT_EQ(said_by_find(), "");

  // One that does not compile is not replaced by what was there before.
  replace(source(), "return exit_code", "return no_such_name");
  const std::string broken = said_by_find();
  EXPECT_THAT(broken, HasSubstr("no_such_name"));
  EXPECT_THAT(broken, HasSubstr("thrown: the component echo (repeats what it is told) is not there: the build failed"));
  replace(source(), "return no_such_name", "return exit_code");
  EXPECT_THAT(said_by_find(), Not(HasSubstr("thrown")));

  // A copied tree is not that which was built.
  fs::rename(tree, home / "moved");
  own.sources = home / "moved";
  own.prefix = own.sources / "build" / "release";
  EXPECT_EQ(state(), State::Stale);
  fs::remove(product());
  EXPECT_EQ(state(), State::NotBuilt);
}

// "package|command": many machines have some programs from elsewhere, so that dpkg does not know them.
TEST_F(SourceTree, PackagesOfCommandsThatAreThere) {
  std::ofstream(tree / "scripts" / "packages-echo.txt") << "hello|no-such-command  # a reason\nno-such-package|sh\n";
  EXPECT_EQ(state(), State::PackagesMissing);
  EXPECT_THAT(component_states(own).at(0).missing, ElementsAre("hello"));
}

TEST_F(SourceTree, SlowABuildSaysWhatToDo) {
  std::string text = read(tree / "components" / "echo" / "CMakeLists.txt");
  text +=
      "add_custom_target(fails COMMAND echo \"heddle-remedy: feed the cat\" && false VERBATIM)\n"
      "add_dependencies(heddle-echo fails)\n";
  std::ofstream(tree / "components" / "echo" / "CMakeLists.txt") << text;
  const std::string said = said_by_find();
  EXPECT_THAT(said,
              HasSubstr("thrown: the component echo (repeats what it is told) is not there: the build failed after"));
  EXPECT_THAT(said, HasSubstr("s; feed the cat (full log: "));
}

TEST_F(SourceTree, PackagesThatCannotBeInstalled) {
  program("apt-get", "echo 'E: Unable to locate package hello' >&2\nexit 100\n");
  const std::string said = said_by_find();
  EXPECT_THAT(said, HasSubstr("E: Unable to locate package hello"));
  EXPECT_THAT(said,
              HasSubstr("thrown: the component echo (repeats what it is told) is not there: could not install the "
                        "packages"));
  EXPECT_THAT(said, HasSubstr("apt-get update && apt-get install hello"));
  EXPECT_EQ(said.find('\n', said.find("thrown")), said.npos) << "an error is one line: " << said;
  EXPECT_EQ(state(), State::PackagesMissing);
  EXPECT_EQ(script_without_rights().exit_code, 3);
}

TEST_F(SourceTree, SlowPackagesThatAreNotLookedFor) {
  ::setenv("HEDDLE_SKIP_PACKAGES", "1", 1);
  for (const fs::path& file :
       {tree / "scripts" / "packages-echo.txt", tree / "components" / "echo" / "CMakeLists.txt"}) {
    std::string text = read(file);
    for (std::size_t at = 0; (at = text.find("hello", at)) != text.npos; at += 12) text.replace(at, 5, "hello-heddle");
    std::ofstream(file) << text;
  }
  EXPECT_THAT(said_by_find(),
              HasSubstr("the component echo needs the package hello-heddle, which CMake does not find"));
}

TEST_F(SourceTree, WithoutRights) {
  program("sudo", "echo 'sudo: a password is required' >&2\nexit 1\n");
  // A tree that somebody else owns.
  const Finished foreign = script_without_rights();
  if (::geteuid() == 0) {
    EXPECT_EQ(foreign.exit_code, 3);
    EXPECT_THAT(foreign.output, HasSubstr("cannot write to " + (tree / "build").string()));
  }
  // Their own tree, but packages are missing.
  fs::permissions(tree, fs::perms::all);
  fs::create_directory(tree / "build");
  fs::permissions(tree / "build", fs::perms::all);
  fs::remove_all(tree / "build" / ".lock");
  const Finished poor = script_without_rights();
  EXPECT_EQ(poor.exit_code, 3);
  EXPECT_THAT(poor.output, HasSubstr("could not install the packages"));
  EXPECT_THAT(poor.output, HasSubstr("apt-get install hello"));
}

TEST_F(SourceTree, InterruptedWhilePackagesAreInstalled) {
  const fs::path process = home / "process";
  program("apt-get", "echo $$ >" + process.string() + ".new; mv " + process.string() + ".new " + process.string() +
                         "\nexec sleep 100\n");
  for (const int signal : {SIGINT, SIGTERM}) {
    fs::remove(process);
    testing::internal::CaptureStderr();
    EXPECT_EQ(interrupted(process, signal, [&] { return find_component("echo", own).empty() ? 1 : 0; }), 50);
    testing::internal::GetCapturedStderr();
    EXPECT_TRUE(ends(process));
  }
  // There is no time for it, either.
  fs::remove(process);
  testing::internal::CaptureStderr();
  Limits limits;
  limits.seconds = 0.5;
  const Called late = call_component("echo", {}, "", limits, own);
  EXPECT_EQ(late.exit_code, 2);
  EXPECT_THAT(late.stopped_by, HasSubstr("time limit of 0.5 s, while the component echo was built"));
  testing::internal::GetCapturedStderr();
  if (fs::exists(process)) {
    EXPECT_TRUE(ends(process));
  }
  EXPECT_EQ(state(), State::PackagesMissing);
}

TEST_F(SourceTree, UnknownNames) {
  EXPECT_THAT(error_of([&] { find_component("ecco", own); }), HasSubstr("knows no component 'ecco'"));
  own.table.push_back({"ghost", "bin/heddle-ghost", "is not there", {}});
  testing::internal::CaptureStderr();
  EXPECT_THAT(error_of([&] { find_component("ghost", own); }),
              HasSubstr("there is no component ghost; there are: echo"));
  testing::internal::GetCapturedStderr();
}

// What CMake does with a component whose package is missing.
TEST_F(SourceTree, SlowMissingPackagesDisableOnlyWhatWasNotAskedFor) {
  replace(tree / "components" / "echo" / "CMakeLists.txt", "find_program(HELLO hello)", "find_program(HELLO no-hello)");
  const auto configure = [&](const std::string& asked) {
    return run_subprocess(
        {.command = {"cmake", "-S", tree.string(), "--preset", "release", "-DHEDDLE_COMPONENTS=" + asked},
         .both_outputs = true});
  };
  for (const std::string asked : {"", "available"}) {
    const Finished left_out = configure(asked);
    EXPECT_EQ(left_out.exit_code, 0) << left_out.output;
    EXPECT_THAT(left_out.output, HasSubstr("Component echo is left out: the package hello is missing"));
    EXPECT_EQ(read(own.prefix / "components" / "echo.state"), "missing hello\nbin/heddle-echo\n");
  }
  const Finished asked_for = configure("echo");
  EXPECT_NE(asked_for.exit_code, 0);
  EXPECT_THAT(asked_for.output, HasSubstr("component echo: the package hello is missing"));
  const Finished unknown = configure("ecco");
  EXPECT_NE(unknown.exit_code, 0);
  EXPECT_THAT(unknown.output, HasSubstr("there is no component ecco"));
  // The program knows it all the same.
  EXPECT_THAT(read(own.prefix / "generated" / "heddle_components.h"),
              HasSubstr("{\"echo\", \"bin/heddle-echo\", \"repeats what it is told\", \"hello\"}"));
}

TEST_F(SourceTree, SlowOnlyWhatIsAskedForIsPartOfAll) {
  replace(tree / "components" / "echo" / "CMakeLists.txt", "find_program(HELLO hello)", "set(HELLO ON)");
  for (const std::string asked : {"", "available", "echo"}) {
    fs::remove(product());
    const std::string option = "-DHEDDLE_COMPONENTS=" + asked;
    const Finished configured = run_subprocess(
        {.command = {"cmake", "-S", tree.string(), "--preset", "release", option}, .both_outputs = true});
    EXPECT_EQ(configured.exit_code, 0) << configured.output;
    const Finished built = run_subprocess({.command = {"cmake", "--build", own.prefix.string()}, .both_outputs = true});
    EXPECT_EQ(built.exit_code, 0) << built.output;
    EXPECT_EQ(fs::exists(product()), !asked.empty()) << asked;
  }
}

// --- Programs that have started others.

// Build tools give each of their commands a group of its own, as `set -m` does here.
TEST_F(Directory, AProgramIsStoppedWithAllThatItHasStarted) {
  const fs::path gentle = home / "gentle", stubborn = home / "stubborn";
  const auto script = [&](const fs::path& file, const std::string& work) {
    return fmt::format("set -m\n({0}) &\necho $! >{1}.new; mv {1}.new {1}\nwait\n", work, file.string());
  };
  const std::string works = script(gentle, "sleep 100"),
                    ignores = script(stubborn, "trap '' TERM; for i in {1..300}; do sleep 0.1; done");
  for (const auto& [file, text] : {std::pair(gentle, works), std::pair(stubborn, ignores)}) {
    const Finished late = run_subprocess({.command = {"bash", "-c", text}, .seconds = 0.5});
    EXPECT_EQ(late.stopped, Finished::Stopped::Time);
    EXPECT_TRUE(ends(file)) << file;
    fs::remove(file);
    const auto runs = [&] {
      return run_subprocess({.command = {"bash", "-c", text}}).stopped == Finished::Stopped::Interrupt ? 50 : 1;
    };
    EXPECT_EQ(interrupted(file, SIGTERM, runs), 50);
    EXPECT_TRUE(ends(file)) << file;
    fs::remove(file);
    // The program ends while it waits for another one.
    const auto leaves = [&] {
      std::thread([&] { run_subprocess({.command = {"bash", "-c", text}}); }).detach();
      while (!fs::exists(file)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      end_subprocesses();
      return 7;
    };
    EXPECT_EQ(interrupted(home / "never", SIGTERM, leaves), 7);
    EXPECT_TRUE(ends(file)) << file;
  }
}

// --- Other trees.

TEST_F(Directory, AnInstalledCopyWithoutIt) {
  const ComponentTree installed = {.table = {echo}, .prefix = home};
  const std::string error = error_of([&] { find_component("echo", installed); });
  EXPECT_THAT(error, HasSubstr("the component echo (repeats what it is told)"));
  EXPECT_THAT(error, HasSubstr((home / "bin" / "heddle-echo").string() + " is not there"));
  EXPECT_THAT(error, HasSubstr("scripts/component.sh echo && cmake --install build/release --prefix " + home.string()));
  EXPECT_THAT(error, HasSubstr("needs the packages hello"));
  EXPECT_EQ(component_states(installed).at(0).state, State::NotInstalled);
}

TEST_F(Directory, ATreeThatWasConfiguredByHand) {
  const ComponentTree by_hand = {.table = {echo}, .prefix = home, .sources = HEDDLE_SOURCE_DIR};
  EXPECT_THAT(error_of([&] { find_component("echo", by_hand); }),
              HasSubstr("cmake --build " + home.string() + " --target heddle-echo"));
  EXPECT_EQ(component_states(by_hand).at(0).state, State::NotBuilt);
}

TEST(OwnComponents, AreThoseOfThisTree) {
  const ComponentTree& own = own_components();
  EXPECT_EQ(own.sources, fs::path(HEDDLE_SOURCE_DIR));
  EXPECT_TRUE(fs::exists(own.prefix / "bin"));
  for (const Component& one : own.table) {
    EXPECT_TRUE(fs::exists(own.sources / "components" / one.name / "CMakeLists.txt")) << one.name;
    EXPECT_FALSE(one.purpose.empty()) << one.name;
  }
}

}  // namespace
}  // namespace heddle::run::component_test
