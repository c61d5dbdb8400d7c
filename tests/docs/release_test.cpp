// scripts/release.sh in a small repository of its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace heddle::docs::release_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

class Release : public testing::Test {
 protected:
  Release() {
    std::string name = (fs::temp_directory_path() / "heddle-release-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "no temporary directory";
    home = name;
    fs::create_directories(home / "tree" / "scripts");
    fs::copy(fs::path(HEDDLE_SOURCE_DIR) / "scripts" / "release.sh", home / "tree" / "scripts" / "release.sh");
    write("CMakeLists.txt", "project(heddle VERSION 1.2.0 LANGUAGES CXX)\n");
    write("CITATION.cff", "title: x\nversion: 1.2.0\n");
    write("CHANGELOG.md", "# Changelog\n\n## 1.2.0\n\n- What is new.\n\n## 1.1.0\n\n- What was.\n");
    write("test", "#!/bin/sh\necho tested\nexit $(cat ../fails 2>/dev/null || echo 0)\n");
    fs::permissions(home / "tree" / "test", fs::perms::owner_all);
    EXPECT_EQ(shell("git init -q . && git config user.name x && git config user.email x@y").code, 0);
    commit();
  }
  ~Release() override { fs::remove_all(home); }

  struct Outcome {
    int code;
    std::string text;
  };
  Outcome shell(const std::string& command) const {
    // Of a test that git itself has started, nothing is inherited.
    const std::string line = "cd '" + (home / "tree").string() +
                             "' && unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE && (" + command + ") >'" +
                             (home / "out").string() + "' 2>&1";
    const int status = std::system(line.c_str());
    std::ifstream in(home / "out");
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()}};
  }
  Outcome release(const std::string& arguments = "") const { return shell("scripts/release.sh " + arguments); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(home / "tree" / name) << text; }
  void commit() const {
    const Outcome done = shell("git add -A && git -c commit.gpgsign=false commit -q -m x");
    EXPECT_EQ(done.code, 0) << done.text;
  }
  std::string tags() const { return shell("git tag").text; }
  void expect_refused(const std::string& because) const {
    for (const char* how : {"--dry-run", "--tested", ""}) {
      const Outcome run = release(how);
      EXPECT_EQ(run.code, 1) << how;
      EXPECT_THAT(run.text, HasSubstr(because)) << how;
    }
  }

  fs::path home;
};

TEST_F(Release, TagsWithTheSectionOfTheChangelog) {
  const Outcome dry = release("--dry-run");
  EXPECT_EQ(dry.code, 0) << dry.text;
  EXPECT_THAT(dry.text, HasSubstr("the tag would be v1.2.0"));
  EXPECT_THAT(tags(), IsEmpty());
  const Outcome run = release();
  EXPECT_EQ(run.code, 0) << run.text;
  EXPECT_THAT(run.text, HasSubstr("tested\n"));
  EXPECT_EQ(tags(), "v1.2.0\n");
  const std::string message = shell("git cat-file tag v1.2.0").text;
  EXPECT_THAT(message, HasSubstr("- What is new."));
  EXPECT_THAT(message, testing::Not(HasSubstr("- What was.")));
}

TEST_F(Release, RefusesATreeThatIsNotClean) {
  write("new", "");
  expect_refused("the tree is not clean");
  EXPECT_THAT(tags(), IsEmpty());
}

TEST_F(Release, RefusesAVersionTheChangelogDoesNotKnow) {
  write("CHANGELOG.md", "# Changelog\n\n## 1.2.0\n\n## 1.1.0\n\n- What was.\n");
  commit();
  expect_refused("CHANGELOG.md has no section '## 1.2.0' with something in it");
  write("CHANGELOG.md", "# Changelog\n\n## 1.2.01\n\n- What is new.\n");
  commit();
  expect_refused("CHANGELOG.md has no section");
}

TEST_F(Release, RefusesVersionsThatDiffer) {
  write("CITATION.cff", "version: 1.1.0\n");
  commit();
  expect_refused("CITATION.cff says version '1.1.0', CMakeLists.txt 1.2.0");
}

TEST_F(Release, RefusesATagThatExistsAndAVersionBelowTheLast) {
  ASSERT_EQ(release("--tested").code, 0);
  expect_refused("the tag v1.2.0 exists already");
  ASSERT_EQ(shell("git tag -d v1.2.0 && git tag v1.10.0").code, 0);
  expect_refused("version 1.2.0 is not above v1.10.0");
}

TEST_F(Release, RefusesWhenTestsFail) {
  std::ofstream(home / "fails") << "8";
  EXPECT_EQ(release().code, 1);
  EXPECT_THAT(tags(), IsEmpty());
  EXPECT_EQ(release("--tested").code, 0);
  EXPECT_EQ(release("--push").code, 3);
}

// The repository itself: what is said of the version in three places is the same.
TEST(Version, IsTheSameEverywhere) {
  const auto text = [](const char* file) {
    std::ifstream in(fs::path(HEDDLE_SOURCE_DIR) / file);
    return std::string{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  };
  const std::string cmake = text("CMakeLists.txt"), before = "project(heddle VERSION ";
  const std::size_t at = cmake.find(before) + before.size();
  const std::string version = cmake.substr(at, cmake.find(' ', at) - at);
  EXPECT_THAT(text("CITATION.cff"), HasSubstr("\nversion: " + version + "\n"));
  EXPECT_THAT(text("CHANGELOG.md"), HasSubstr("\n## " + version + "\n"));
}

}  // namespace
}  // namespace heddle::docs::release_test
