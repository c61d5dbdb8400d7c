// examples/record/run.sh with a real Redis, started on a free port of the loopback interface, with a real PostgreSQL,
// started in a temporary directory, and with SQLite. Nothing is installed here; ./test installs what
// scripts/packages-examples.txt lists.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

namespace heddle::example_test {
namespace {

namespace fs = std::filesystem;

using testing::HasSubstr;

bool works(const std::string& command) { return std::system(("{ " + command + "; } >/dev/null 2>&1").c_str()) == 0; }

class Example : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "heddle-example-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    home = name;
  }
  void TearDown() override {
    if (!home.empty()) fs::remove_all(home);
  }

  void needs(bool is_there, const std::string& what) {
    ASSERT_TRUE(is_there) << what << " is not installed; ./test does that, or: apt-get install the packages of "
                          << "scripts/packages-examples.txt";
  }

  // Returns the exit code.
  int shell(const std::string& command) const {
    const int status = std::system(("cd '" + home.string() + "' && " + command + " >out 2>&1").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  static std::string script(const std::string& arguments) {
    return "env HEDDLE_SKIP_PACKAGES=1 HEDDLE='" HEDDLE_EXECUTABLE "' '" HEDDLE_SOURCE_DIR "/examples/record/run.sh' " +
           arguments;
  }
  std::string output() const {
    std::ifstream in(home / "out", std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }
  // The verdict on what was recorded.
  int verdict_for(const std::string& level) const {
    return shell("'" HEDDLE_EXECUTABLE "' serializable history.edn --no-witness --level " + level);
  }

  fs::path home;
};

class RedisExample : public Example {
 protected:
  void SetUp() override {
    Example::SetUp();
    needs(works("command -v redis-server") && fs::exists("/usr/include/hiredis/hiredis.h"), "redis-server");
  }
  int run(const std::string& arguments) const { return shell(script("redis --seconds 60 --clients 4 " + arguments)); }
};

TEST_F(RedisExample, SlowIsLinearizable) { EXPECT_EQ(run("--operations 2000"), 0) << output(); }

TEST_F(RedisExample, SlowThatWritesToDiskFirstSurvivesKills) {
  EXPECT_EQ(run("--operations 400 --pause 10 --kill 2 --every 0.3 --durability always"), 0) << output();
}

TEST_F(RedisExample, SlowWithoutPersistenceLosesWritesWhenKilled) {
  EXPECT_EQ(run("--operations 600 --pause 10 --kill 3 --every 0.3 --durability none"), 1) << output();
}

// Each level of isolation is what it says, no less and no more: the scripts of examples/record/transactions.h do what
// the weaker levels allow, and random load is there to do what none of them may.
class PostgresExample : public Example {
 protected:
  void SetUp() override {
    Example::SetUp();
    needs(works("ls /usr/lib/postgresql/*/bin/initdb") && works("pkg-config --exists libpq"),
          "postgresql or libpq-dev");
  }
  int run(const std::string& arguments) const {
    return shell(script("postgres --seconds 60 --clients 4 --operations 600 " + arguments));
  }
};

TEST_F(PostgresExample, SlowReadCommittedIsNoSnapshotIsolation) {
  EXPECT_EQ(run("--isolation read-committed --level snapshot-isolation"), 1) << output();
  EXPECT_EQ(verdict_for("read-committed"), 0) << output();
  EXPECT_EQ(verdict_for("repeatable-read"), 1) << output();
}

TEST_F(PostgresExample, SlowRepeatableReadIsSnapshotIsolationAndNoMore) {
  EXPECT_EQ(run("--isolation repeatable-read"), 1) << output();
  EXPECT_THAT(output(), HasSubstr("violated: history.edn: not serializable"));
  EXPECT_EQ(verdict_for("snapshot-isolation"), 0) << output();
}

TEST_F(PostgresExample, SlowSerializableHolds) {
  EXPECT_EQ(run("--isolation serializable"), 0) << output();
  EXPECT_THAT(output(), HasSubstr("serializable, in an order that was replayed"));
}

// The scripts alone are enough, and a history of them is the same every time: so nothing rests on luck.
TEST_F(PostgresExample, SlowScriptsNeedNoLuck) {
  EXPECT_EQ(run("--operations 0 --rounds 1 --isolation repeatable-read"), 1) << output();
  EXPECT_THAT(output(), HasSubstr("recorded 12 transactions"));
  EXPECT_THAT(output(), HasSubstr("10 ok, 2 failed, 0 unknown"));
  EXPECT_THAT(output(), HasSubstr("write skew: line 9 rw line 10 rw line 9"));
}

// A server that runs already is neither used nor disturbed, whatever the environment says about it.
TEST_F(PostgresExample, SlowServersThatRunAreNotTouched) {
  const std::string own = "'" HEDDLE_SOURCE_DIR "/tests/support/postgres.sh' ";
  std::ofstream(home / "inside.sh") << "set -e\n"
                                       "psql -qc 'create table kept (x int)'\n"
                                    << script("postgres --operations 0 --no-check --isolation serializable") << "\n"
                                    << "psql -Atc \"select tablename from pg_tables where schemaname = 'public'\"\n";
  EXPECT_EQ(shell(own + "bash inside.sh"), 0) << output();
  EXPECT_THAT(output(), testing::EndsWith("\nkept\n"));
}

// What was started is stopped and removed, also if the script is interrupted or something fails.
TEST_F(PostgresExample, SlowNothingIsLeftBehind) {
  EXPECT_EQ(run("--isolation chaos"), 3) << output();
  EXPECT_THAT(output(), HasSubstr("--isolation is read-committed, repeatable-read or serializable"));
  std::ofstream(home / "inside.sh") << "echo $PGHOST >place\nexec sleep 60\n";
  std::thread interrupted([&] {
    shell("sh -c 'echo $$ >process; exec \"" HEDDLE_SOURCE_DIR "/tests/support/postgres.sh\" bash inside.sh'");
  });
  for (int i = 0; i < 600 && !fs::exists(home / "place"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  std::string place;
  std::ifstream(home / "place") >> place;
  int process = 0;
  std::ifstream(home / "process") >> process;
  int server = 0;
  std::ifstream(fs::path(place) / "data" / "postmaster.pid") >> server;
  ASSERT_GT(server, 0) << place << output();
  EXPECT_EQ(::kill(server, 0), 0);
  ASSERT_GT(process, 0);
  ::kill(process, SIGTERM);
  interrupted.join();
  EXPECT_FALSE(fs::exists(place)) << place;
  EXPECT_EQ(::kill(server, 0), -1);
}

class SqliteExample : public Example {
 protected:
  void SetUp() override {
    Example::SetUp();
    needs(fs::exists("/usr/include/sqlite3.h"), "libsqlite3-dev");
  }
  int run(const std::string& arguments) const {
    return shell(script("sqlite --seconds 60 --clients 3 --operations 1000 " + arguments));
  }
};

TEST_F(SqliteExample, SlowHolds) {
  EXPECT_EQ(run("--level strict-serializable"), 0) << output();
  EXPECT_EQ(verdict_for("serializable"), 0) << output();
}

// A client that is wrong on purpose is caught: by the scripts alone, too.
TEST_F(SqliteExample, SlowReadsOutsideTheirTransactionAreCaught) {
  EXPECT_EQ(run("--broken reads-outside"), 1) << output();
  EXPECT_EQ(run("--broken reads-outside --operations 0 --rounds 1 --level repeatable-read"), 1) << output();
}

TEST_F(SqliteExample, SlowLostUpdatesAreCaught) {
  EXPECT_EQ(run("--broken lost-update"), 1) << output();
  EXPECT_EQ(run("--broken lost-update --operations 0 --rounds 1 --level repeatable-read"), 1) << output();
}

TEST_F(Example, OptionsOfOtherSystemsAreRefused) {
  EXPECT_EQ(shell(script("postgres --kill 3")), 3);
  EXPECT_THAT(output(), HasSubstr("postgres has no --kill"));
  EXPECT_EQ(shell(script("redis --isolation serializable")), 3);
  EXPECT_EQ(shell(script("mysql")), 3);
}

}  // namespace
}  // namespace heddle::example_test
