// What lin says of odd files, initial values, and which object a model's clients are compared with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "program.h"

namespace heddle::cli::lin_options_test {
namespace {

using testing::HasSubstr;
using testing::Not;

class LinOptions : public ProgramTest {
 protected:
  static std::string event(const std::string& process, const std::string& type, const std::string& f,
                           const std::string& value, const std::string& more = "") {
    return "{:process " + process + ", :type :" + type + ", :f :" + f + ", :value " + value + more + "}\n";
  }
  static std::string done(const std::string& process, const std::string& f, const std::string& argument,
                          const std::string& result) {
    return event(process, "invoke", f, argument) + event(process, "ok", f, result);
  }
};

TEST_F(LinOptions, TheInitialValueOfARegister) {
  write("r.edn", done("0", "read", "nil", "0") + done("0", "cas", "[0 3]", "true") + done("1", "read", "nil", "3"));
  EXPECT_EQ(heddle({"lin", "r.edn", "--spec", "cas_register", "--no-witness"}).code, 1);
  const Outcome r = heddle({"lin", "r.edn", "--spec", "cas_register", "--initial", "0"});
  EXPECT_EQ(r.code, 0) << r.out;
  EXPECT_THAT(r.last_line(), HasSubstr("3 operations are linearizable"));
  EXPECT_EQ(heddle({"lin", "r.edn", "--spec", "cas_register", "--initial", "1", "--no-witness"}).code, 1);
}

TEST_F(LinOptions, TheInitialValueOfOtherObjects) {
  write("q.edn", done("0", "dequeue", "nil", "1") + done("0", "dequeue", "nil", "2"));
  EXPECT_EQ(heddle({"lin", "q.edn", "--spec", "queue", "--initial", "[1 2]"}).code, 0);
  EXPECT_EQ(heddle({"lin", "q.edn", "--spec", "queue", "--initial", "[2 1]", "--no-witness"}).code, 1);
  EXPECT_THAT(heddle({"lin", "q.edn", "--spec", "queue", "--initial", "1"}).last_line(), HasSubstr("give a list"));
  write("c.edn", done("0", "read", "nil", "7"));
  EXPECT_EQ(heddle({"lin", "c.edn", "--spec", "counter", "--initial", "7"}).code, 0);
  write("m.edn",
        "{:process 0, :type :invoke, :f :get, :key 1}\n{:process 0, :type :ok, :f :get, :key 1, :value 4}\n"
        "{:process 0, :type :invoke, :f :get, :key 2}\n{:process 0, :type :ok, :f :get, :key 2, :value 4}\n");
  EXPECT_EQ(heddle({"lin", "m.edn", "--spec", "map", "--initial", "4"}).code, 0);
  write("l.edn", done("0", "acquire", "nil", "nil"));
  const Outcome lock = heddle({"lin", "l.edn", "--spec", "lock", "--initial", "1"});
  EXPECT_EQ(lock.code, 3);
  EXPECT_THAT(lock.last_line(), HasSubstr("a lock has no initial value"));
}

// The witness holds what was there at first, so that it is a violation by itself.
TEST_F(LinOptions, AWitnessHasTheInitialValue) {
  write("r.edn", done("0", "read", "nil", "0") + done("0", "read", "nil", "5"));
  EXPECT_EQ(heddle({"lin", "r.edn", "--spec", "register", "--initial", "0"}).code, 1);
  EXPECT_EQ(heddle({"lin", "heddle-witness.edn", "--spec", "register", "--no-witness"}).code, 1);
  EXPECT_THAT(read(home / "heddle-witness.edn"), HasSubstr("initial"));
}

TEST_F(LinOptions, TransactionsAreNotSupported) {
  write("t.edn", event("0", "invoke", "txn", "[[:append 1 2]]") + event("0", "ok", "txn", "[[:append 1 2]]"));
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"lin", "t.edn"}, {"lin", "t.edn", "--spec", "register"}}) {
    const Outcome r = heddle(arguments);
    EXPECT_EQ(r.code, 3);
    EXPECT_THAT(r.last_line(), HasSubstr("transactions (:f :txn) are checked by `heddle serializable`"));
    EXPECT_THAT(r.last_line(), Not(HasSubstr("say with --spec")));
  }
}

TEST_F(LinOptions, TimesThatGoBackwards) {
  write("b.edn", event("0", "invoke", "read", "nil", ", :time 10") + event("0", "ok", "read", "nil", ", :time 5"));
  const Outcome text = heddle({"lin", "b.edn", "--spec", "register"});
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(text.out, HasSubstr("warning: times go backwards: the time 5 of process 0 in line 2"));
  const auto json = heddle({"lin", "b.edn", "--spec", "register", "--json"}).json();
  EXPECT_THAT(std::string(json.at("files").at(0).at("warning").as_string()), HasSubstr("backwards"));
  EXPECT_THAT(heddle({"convert", "b.edn", "b.json"}).out, HasSubstr("warning: times go backwards"));
}

TEST_F(LinOptions, TheClosingLineCountsOnce) {
  write("f.edn", done("0", "read", "nil", "7"));
  EXPECT_THAT(heddle({"lin", "f.edn", "--spec", "register", "--no-witness"}).last_line(),
              HasSubstr("1 operation is not linearizable as register; 1 partition"));
  write("g.edn", done("0", "read", "nil", "7") + event("0", "invoke", "write", "1") + event("0", "fail", "write", "1"));
  EXPECT_THAT(heddle({"lin", "g.edn", "--spec", "register", "--no-witness"}).last_line(),
              HasSubstr("1 operation is not linearizable as register; 2 operations in all; 1 partition"));
}

TEST_F(LinOptions, ConvertKeepsTheErrorOfAFailure) {
  write("c.edn", done("0", "write", "1", "1") + event("0", "invoke", "cas", "[1 2]") +
                     event("0", "fail", "cas", "[1 2]", ", :error :conn-refused") + done("0", "read", "nil", "1"));
  EXPECT_EQ(heddle({"lin", "c.edn", "--spec", "cas_register"}).code, 0);
  for (const char* to : {"d.edn", "d.json", "d.jsonl", "d.log"}) {
    EXPECT_EQ(heddle({"convert", "c.edn", to}).code, 0);
    EXPECT_EQ(heddle({"lin", to, "--spec", "cas_register"}).code, 0) << to;
  }
}

TEST_F(LinOptions, ATraceWithoutNamesOfOperations) {
  EXPECT_EQ(heddle({"check", "erroneous_register"}).code, 1);
  const std::string trace = std::regex_replace(read(home / "heddle-trace.json"), std::regex("\"op\":"), "\"what\":");
  write("unnamed.json", trace);
  const Outcome r = heddle({"lin", "unnamed.json", "--spec", "register"});
  EXPECT_EQ(r.code, 3);
  EXPECT_THAT(r.last_line(), HasSubstr("does not say what it is called"));
  EXPECT_THAT(r.last_line(), HasSubstr("`op` or `kind`"));
}

using Linearizable = ProgramTest;

TEST_F(Linearizable, TheObjectIsTheModels) {
  const auto run = [&](const std::string& model, const std::string& object) {
    return heddle({"check", model, "--linearizable", object, "--no-trace"});
  };
  EXPECT_EQ(run("distributed_register", "register").code, 0);
  EXPECT_EQ(run("abd_register", "register").code, 0);
  EXPECT_EQ(run("single_copy_register", "register").code, 0);
  EXPECT_EQ(run("open_chord", "map").code, 1);
  EXPECT_EQ(run("multi_paxos", "map").code, 3);  // without clients there is nothing to compare
  EXPECT_EQ(heddle({"check", "multi_paxos", "-p", "harness=1R+1W", "--linearizable", "map"}).code, 0);
  const Outcome queue = run("distributed_register", "queue");
  EXPECT_EQ(queue.code, 3);
  EXPECT_THAT(queue.last_line(), HasSubstr("SequentialRegister, which is no queue; --linearizable register would fit"));
  EXPECT_THAT(run("single_copy_register", "queue").last_line(), HasSubstr("which is no queue"));
  EXPECT_THAT(run("distributed_register", "quue").last_line(), HasSubstr("queue"));
}

}  // namespace
}  // namespace heddle::cli::lin_options_test
