// Budgets are hard: every command ends soon after its time is up, or a signal came, with a verdict, its exit code and
// whole JSON.
//
// A job here would run for minutes. How soon is soon depends on the machine, so no time is asserted but a generous one
// that no unlimited job would meet.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <deque>
#include <optional>
#include <random>
#include <thread>

#include "program.h"

namespace heddle::cli::budget_test {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

struct Job {
  const char* name;
  std::vector<std::string> arguments;
  bool limited = true;  // has --time
};

class Budgets : public ProgramTest, public testing::WithParamInterface<Job> {
 protected:
  Budgets() {
    write("queue.edn", hard_queue());
    write("endless.net", endless_net);
    if (::mkfifo((home / "pipe").c_str(), 0600) != 0) ADD_FAILURE() << "no pipe";  // nobody writes to it
  }
  // A queue with few values and always eight operations under way: no monitor applies, and the search is hopeless.
  static std::string hard_queue() {
    struct Operation {
      bool enqueues = false, happened = false;
      std::string value;
    };
    std::mt19937_64 random(5);
    std::vector<std::optional<Operation>> open(8);
    std::deque<std::string> queue;
    std::string out;
    for (int n = 0; n < 3000; ++n) {
      const std::size_t p = random() % open.size();
      const auto event = [&](const char* type, const std::string& value) {
        out += "{:process " + std::to_string(p) + ", :type :" + type +
               ", :f :" + (open[p]->enqueues ? "enqueue" : "dequeue") + ", :value " + value + "}\n";
      };
      if (!open[p]) {
        open[p] = Operation{random() % 2 == 0, false, std::to_string(random() % 3)};
        event("invoke", open[p]->enqueues ? open[p]->value : "nil");
      } else if (!open[p]->happened) {
        open[p]->happened = true;
        if (open[p]->enqueues) {
          queue.push_back(open[p]->value);
        } else {
          open[p]->value = queue.empty() ? "nil" : queue.front();
          if (!queue.empty()) queue.pop_front();
        }
      } else {
        event("ok", open[p]->value);
        open[p].reset();
      }
    }
    return out;
  }

  struct Ended {
    Outcome outcome;
    double seconds = 0;  // after the signal, or in all
  };
  Ended run(const std::vector<std::string>& arguments, int signal, double after) {
    const auto start = std::chrono::steady_clock::now();
    Ended out;
    out.outcome = heddle(arguments, after, signal);
    out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() - after;
    return out;
  }
  static void expect_whole(const Ended& ended, const char* what) {
    EXPECT_THAT(ended.outcome.code, AnyOf(1, 2)) << what << ": " << ended.outcome.out << ended.outcome.err;
    const auto json = ended.outcome.json();
    EXPECT_EQ(json.at("verdict").as_string(), ended.outcome.code == 1 ? "violated" : "unknown") << what;
    EXPECT_LT(ended.seconds, 20) << what;
  }
};

TEST_P(Budgets, SlowAreKept) {
  std::vector<std::string> arguments = GetParam().arguments;
  arguments.emplace_back("--json");
  expect_whole(run(arguments, SIGINT, 0.7), "SIGINT");
  expect_whole(run(arguments, SIGTERM, 0.7), "SIGTERM");
  if (!GetParam().limited) return;
  arguments.insert(arguments.end(), {"--time", "0.5"});
  expect_whole(run(arguments, 0, 0), "--time");
}

std::vector<Job> jobs() {
  std::vector<Job> all = {
      {"check", {"check", "paxos", "-p", "proposers=4", "--reduce", "none", "--no-trace"}},
      {"check_dfs", {"check", "paxos", "-p", "proposers=4", "--search", "dfs", "--reduce", "none", "--no-trace"}},
      {"check_random", {"check", "paxos", "--search", "random", "--walks", "1000000000", "--no-trace"}},
      {"check_threads", {"check", "paxos", "-p", "proposers=4", "--reduce", "none", "--threads", "2", "--no-trace"}},
      {"check_stateless", {"check", "paxos", "-p", "proposers=4", "--search", "dfs", "--store", "none", "--no-trace"}},
      {"check_dpor", {"check", "paxos", "-p", "proposers=4", "--search", "dpor", "--no-trace"}},
      {"check_dpor_optimal",
       {"check", "paxos", "-p", "proposers=4", "--search", "dpor", "--dpor", "optimal", "--no-trace"}},
      {"check_linearizable", {"check", "distributed_register", "-p", "harness=3R+3W", "--no-trace"}},
      {"verify_reduction",
       {"check", "paxos", "-p", "proposers=3", "-p", "acceptors=5", "--verify-reduction", "--no-trace"}},
      {"verify_reduction_unreduced",
       {"check", "two_phase_commit", "-p", "managers=9", "--verify-reduction", "--no-trace"}},
      {"classify",
       {"check", "paxos", "--bug", "wrong_safety", "-p", "proposers=4", "-p", "acceptors=5", "--refines", "qtree",
        "--classify", "--no-trace"}},
      {"audit", {"audit", "raft", "--time", "1000"}, false},
      {"simulate", {"simulate", "endless.net", "--steps", "100000000"}, false},
      {"lin", {"lin", "queue.edn", "--spec", "queue", "--no-witness"}},
      {"lin_reading", {"lin", "pipe", "--spec", "queue"}},
      {"serializable_reading", {"serializable", "pipe"}},
      {"refine_reading", {"refine", "pipe"}},
      {"convert_reading", {"convert", "pipe", "out.json"}, false},
      {"replay_reading", {"replay", "pipe"}, false},
      {"report_reading", {"report", "pipe"}, false},
      {"exclusions", {"schedules", "another_register", "--harness", "3R+3W", "--verify-exclusions"}}};
  for (const char* scheduler : {"EX", "SR", "DB", "DP", "TD", "IR", "LV", "PC", "SL"}) {
    all.push_back({scheduler,
                   {"schedules", "another_register", "--harness", "3R+3W", "--scheduler", scheduler, "--cutoff",
                    "2000000000", "--no-trace"}});
  }
  // Looking for what commutes, and looking for races.
  all.push_back({"commuting",
                 {"schedules", "multi_paxos", "--harness", "2R+2W", "--scheduler", "OD", "--cutoff", "2000000000",
                  "--no-trace"}});
  for (const char* scheduler : {"SD", "OD"}) {
    all.push_back({scheduler,
                   {"schedules", "viewstamped_replication", "--harness", "1R+1W", "--scheduler", scheduler, "--cutoff",
                    "2000000000", "--no-trace"}});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Every, Budgets, testing::ValuesIn(jobs()), [](const auto& job) { return job.param.name; });

using WholeBudget = ProgramTest;

// A compiler that hangs, and gives what it starts a group of its own, as build tools do.
TEST_F(WholeBudget, EndsWhatTheProgramHasStarted) {
  write("slow",
        "#!/bin/bash\nset -m\n(trap '' TERM; exec sleep 60) &\necho $! >" + (home / "process").string() + "\nwait\n");
  fs::permissions(home / "slow", fs::perms::owner_all);
  write("model.cpp", "#include <heddle/heddle.h>\n");
  environment["CXX"] = (home / "slow").string();
  environment["XDG_CACHE_HOME"] = (home / "cache").string();
  const Outcome r = heddle({"check", "model.cpp", "--time", "1"});
  EXPECT_EQ(r.code, 2) << r.out << r.err;
  EXPECT_THAT(r.last_line(), HasSubstr("time limit of 1 s"));
  const std::string process = read(home / "process");
  ASSERT_NE(process, "");
  // What was killed has ended a little later.
  const auto status = [&] { return read("/proc/" + process.substr(0, process.find('\n')) + "/stat"); };
  const auto has_ended = [&] { return status().empty() || status().find(") Z") != std::string::npos; };
  for (int tries = 0; tries < 100 && !has_ended(); ++tries) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_TRUE(has_ended()) << status();
}

// The time is for all schedulers together.
TEST_F(WholeBudget, SlowIsSharedBySchedulers) {
  const auto start = std::chrono::steady_clock::now();
  const Outcome r = heddle({"schedules", "multi_paxos", "--harness", "2R+2W", "--scheduler", "EX,DP,SL,SD,OD",
                            "--cutoff", "2000000000", "--unfolded", "--time", "3", "--json", "--no-trace"});
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_EQ(r.code, 2);
  EXPECT_EQ(r.json().at("schedulers").as_array().size(), 5u);
  EXPECT_LT(seconds, 20);
}

// Reading is work, too. The trace is long enough that nobody reads it within the time the signal leaves.
TEST_F(WholeBudget, SlowHoldsWhileATraceIsRead) {
  std::string trace =
      R"({"format": "heddle-trace", "version": 1, "model": "paxos", "lanes": [{"name": "proposer 1", "role": "Proposer",)"
      R"( "process": "proposer 1"}], "initial": [], "steps": [)";
  const std::string step = R"({"lane": 0, "name": "start", "kind": "step", "sent": [], "diffs": []},)";
  while (trace.size() < 200'000'000) trace += step;
  trace.back() = ']';
  write("long.json", trace + "}");
  const Outcome r = heddle({"replay", "long.json", "--json"}, 0.3, SIGTERM);
  EXPECT_EQ(r.code, 2) << r.out << r.err;
  EXPECT_EQ(r.json().at("verdict").as_string(), "unknown");
}

// A violation is known from the moment it is found: explaining one of huge values takes no longer than there is time.
TEST_F(WholeBudget, SlowHoldsForExplanations) {
  std::string log, list;
  for (int i = 0; i < 4000; ++i) {
    const std::string value = std::to_string(i);
    list += " " + value;
    log += "{:process " + std::to_string(i % 20) + ", :type :invoke, :f :append, :value " + value + "}\n";
    log += "{:process " + std::to_string(i % 20) + ", :type :ok, :f :append, :value " + value + "}\n";
    log += "{:process 99, :type :invoke, :f :read, :value nil}\n";
    log += "{:process 99, :type :ok, :f :read, :value [" + (i == 3999 ? list + " 7" : list) + "]}\n";
  }
  write("log.edn", log);
  const auto start = std::chrono::steady_clock::now();
  const Outcome r = heddle({"lin", "log.edn", "--spec", "log", "--json"});
  EXPECT_EQ(r.code, 1) << r.out;
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 60);
  const Outcome limited = heddle({"lin", "log.edn", "--spec", "log", "--json", "--time", "1"});
  EXPECT_THAT(limited.code, AnyOf(1, 2));
  limited.json();
}

}  // namespace
}  // namespace heddle::cli::budget_test
