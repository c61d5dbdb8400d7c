// examples/record/run.sh with a real Redis, started on a free port of the loopback interface. Nothing is installed
// here; ./test installs what scripts/packages-examples.txt lists.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace heddle::example_test {
namespace {

namespace fs = std::filesystem;

class Example : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(std::system("command -v redis-server >/dev/null") == 0 && fs::exists("/usr/include/hiredis/hiredis.h"))
        << "redis-server and libhiredis-dev are not installed; ./test does that, or: apt-get install the packages of "
           "scripts/packages-examples.txt";
    std::string name = (fs::temp_directory_path() / "heddle-example-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    home = name;
  }
  void TearDown() override {
    if (!home.empty()) fs::remove_all(home);
  }

  int run(const std::string& arguments) const {
    const std::string command = "cd '" + home.string() +
                                "' && HEDDLE_SKIP_PACKAGES=1 HEDDLE='" HEDDLE_EXECUTABLE "' '" HEDDLE_SOURCE_DIR
                                "/examples/record/run.sh' redis --seconds 60 --clients 4 " +
                                arguments + " >out 2>&1";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string output() const {
    std::ifstream in(home / "out", std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }

  fs::path home;
};

TEST_F(Example, SlowRedisIsLinearizable) { EXPECT_EQ(run("--operations 2000"), 0) << output(); }

TEST_F(Example, SlowRedisThatWritesToDiskFirstSurvivesKills) {
  EXPECT_EQ(run("--operations 400 --pause 10 --kill 2 --every 0.3 --durability always"), 0) << output();
}

TEST_F(Example, SlowRedisWithoutPersistenceLosesWritesWhenKilled) {
  EXPECT_EQ(run("--operations 600 --pause 10 --kill 3 --every 0.3 --durability none"), 1) << output();
}

}  // namespace
}  // namespace heddle::example_test
