#include "report/atomic_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "report/json_view.h"

namespace heddle::report::atomic_file_test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

std::string complaint(const fs::path& path, std::string_view text) {
  try {
    write_file_atomically(path.string(), text);
  } catch (const ReportError& error) {
    return error.what();
  }
  return "written";
}

class AtomicFile : public testing::Test {
 protected:
  void SetUp() override {
    directory = fs::temp_directory_path() / ("heddle_atomic_file_" + std::to_string(::getpid()));
    fs::create_directory(directory);
  }
  void TearDown() override { fs::remove_all(directory); }

  std::string content(const fs::path& path) const {
    std::ifstream in(path);
    std::stringstream out;
    out << in.rdbuf();
    return out.str();
  }
  std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(directory), fs::directory_iterator()); }

  fs::path directory;
};

TEST_F(AtomicFile, WritesAndReplaces) {
  const fs::path path = directory / "t.json";
  EXPECT_EQ(complaint(path, "one"), "written");
  EXPECT_EQ(complaint(path, "two"), "written");
  EXPECT_EQ(content(path), "two");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFile, FollowsSymbolicLinks) {
  fs::create_symlink("target", directory / "link");
  EXPECT_EQ(complaint(directory / "link", "text"), "written");
  EXPECT_TRUE(fs::is_symlink(directory / "link"));
  EXPECT_EQ(content(directory / "target"), "text");
}

TEST_F(AtomicFile, AFailedWriteLeavesTheOldFileAndNothingElse) {
  const fs::path path = directory / "t.json";
  ASSERT_EQ(complaint(path, "old"), "written");
  // A limit on the file size fails in the middle of writing, as a full disk does.
  rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small = {4096, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string answer = complaint(path, std::string(100000, 'x'));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_THAT(answer, AllOf(HasSubstr(path.string()), HasSubstr("File too large"), HasSubstr("free some space")));
  EXPECT_EQ(content(path), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFile, NamesThePathAndTheReason) {
  EXPECT_THAT(
      complaint(directory / "no" / "t.json", "x"),
      AllOf(HasSubstr("/no/t.json: "), HasSubstr("No such file or directory"), HasSubstr("create the directory")));
  EXPECT_THAT(complaint(directory, "x"), AllOf(HasSubstr(directory.string()), HasSubstr("Is a directory")));
  const std::string too_long = (directory / std::string(255, 't')).string();
  EXPECT_THAT(complaint(too_long, "x"), HasSubstr(too_long + ": cannot be written"));
}

// A pipe of our own stands for all that is not a regular file: were a device of the system used here, a mistake in the
// code under test would replace it, for everybody on the machine if the tests run as root.
TEST_F(AtomicFile, PipesAndDevicesAreWrittenToAndNotReplaced) {
  const fs::path pipe = directory / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  ASSERT_GE(reader, 0);
  EXPECT_EQ(complaint(pipe, "text"), "written");
  char buffer[16] = {};
  EXPECT_EQ(::read(reader, buffer, sizeof buffer), 4);
  EXPECT_STREQ(buffer, "text");
  ::close(reader);
  EXPECT_TRUE(fs::is_fifo(pipe));
  EXPECT_EQ(files(), 1);
}

}  // namespace
}  // namespace heddle::report::atomic_file_test
