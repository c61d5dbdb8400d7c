// lin and convert, from the outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "check/specification.h"
#include "cli/program.h"
#include "report/schema.h"
#include "support/unpacked_page.h"

namespace heddle::cli::lin_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class Lin : public ProgramTest {
 protected:
  Lin() {
    for (const auto& entry : fs::directory_iterator(fs::path(HEDDLE_SOURCE_DIR) / "tests" / "history" / "corpus")) {
      fs::copy(entry.path(), home / entry.path().filename());
    }
  }
};

// What was read, the witness and the closing line; the explanation between them has tests of its own.
std::string without_explanation(const std::string& output) {
  std::vector<std::string> lines;
  std::stringstream in(output);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  if (lines.size() < 3) return output;
  return lines.front() + "\n" + lines[lines.size() - 2] + "\n" + lines.back() + "\n";
}

TEST_F(Lin, Holds) {
  const Outcome run = heddle({"lin", "register_ok.edn", "--spec", "register", "--method", "wgl"});
  EXPECT_EQ(run.code, 0) << run.err;
  expect_golden("lin_holds", run.out);
}

TEST_F(Lin, AViolationAndItsWitness) {
  const Outcome run = heddle({"lin", "keyed.edn", "--spec", "register", "--method", "wgl"});
  EXPECT_EQ(run.code, 1) << run.err;
  expect_golden("lin_violated", without_explanation(run.out));
  EXPECT_THAT(run.out, HasSubstr("keyed.edn: 1 operation of key 2 cannot be put in any order"));
  expect_golden("lin_witness", read(home / "heddle-witness.edn"));
  const Outcome again = heddle({"lin", "heddle-witness.edn", "--spec", "register", "--no-witness"});
  EXPECT_EQ(again.code, 1);
  EXPECT_THAT(again.last_line(), HasSubstr("heddle-witness.edn: 1 operation of key 2 is not"));
}

TEST_F(Lin, ASpecificationOfOnesOwn) {
  const fs::path folder = fs::path(HEDDLE_SOURCE_DIR) / "examples" / "specifications";
  const Outcome run =
      heddle({"lin", (folder / "bank.edn").string(), "--spec", (folder / "bank.cpp").string(), "--no-witness"});
  EXPECT_EQ(run.code, 1) << run.err;
  EXPECT_THAT(run.out, HasSubstr("transfer(alice, carol, 7)"));
  std::ofstream(home / "none.cpp") << "#include <heddle/specification.h>\n";
  const Outcome none = heddle({"lin", "keyed.edn", "--spec", "none.cpp"});
  EXPECT_EQ(none.code, 3);
  EXPECT_THAT(none.last_line(), HasSubstr("no specification in this file"));
}

TEST_F(Lin, WitnessesInOtherFormatsAndOfSeveralFiles) {
  const Outcome run = heddle({"lin", "keyed.edn", "register_ok.edn", "register_stale_read.edn", "--spec", "register",
                              "--witness", "w.json", "--json"});
  EXPECT_EQ(run.code, 1);
  const auto object = run.json().as_object();
  EXPECT_EQ(object.at("witness").as_string(), "w.json");
  ASSERT_EQ(object.at("files").as_array().size(), 3u);
  EXPECT_EQ(object.at("files").at(1).at("verdict").as_string(), "holds");
  EXPECT_EQ(object.at("files").at(2).at("witness").as_string(), "w-2.json");
  for (const char* witness : {"w.json", "w-2.json"}) {
    EXPECT_EQ(heddle({"lin", witness, "--spec", "register", "--no-witness"}).code, 1) << witness;
  }
  EXPECT_EQ(heddle({"lin", "keyed.edn", "--spec", "register", "--witness", "no/such/w.edn"}).code, 3);
  EXPECT_EQ(heddle({"lin", "keyed.edn", "--spec", "register", "--witness", "."}).code, 3);
}

TEST_F(Lin, JsonHasTheFieldsOfTheSchema) {
  const report::Schema schema(HEDDLE_SOURCE_DIR "/docs/run.schema.json");
  struct Case {
    std::vector<std::string> arguments;
    int code;
  };
  const Case cases[] = {{{"register_ok.edn", "--spec", "register"}, 0},
                        {{"register_stale_read.edn", "--spec", "register"}, 1},
                        {{"register_ok.edn", "--spec", "queue"}, 3},
                        {{"missing.edn", "--spec", "queue"}, 3},
                        {{"register_ok.edn"}, 3},
                        {{"register_ok.edn", "--spec", "regster"}, 3}};
  for (const Case& one : cases) {
    std::vector<std::string> arguments = {"lin", "--json"};
    arguments.insert(arguments.end(), one.arguments.begin(), one.arguments.end());
    const Outcome run = heddle(arguments);
    EXPECT_EQ(run.code, one.code) << run.out << run.err;
    EXPECT_THAT(schema.complaints(run.out), IsEmpty()) << run.out;
  }
  // Also where nothing was checked.
  EXPECT_TRUE(
      heddle({"lin", "--json", "register_ok.edn", "--spec", "regster"}).json().as_object().contains("operations"));
  const auto object = heddle({"lin", "--json", "register_stale_read.edn", "--spec", "register"}).json().as_object();
  for (const char* field :
       {"verdict", "spec", "operations", "partitions", "seconds", "peak_bytes", "method", "witness"}) {
    EXPECT_TRUE(object.contains(field)) << field;
  }
  EXPECT_EQ(object.at("operations").to_number<int>(), 4);
  EXPECT_EQ(object.at("witness").as_string(), "heddle-witness.edn");
}

// A violated history of each specification of the library. The objects on the way are values, texts that need to be
// escaped, and what is said in words.
const std::map<std::string, std::string>& violated() {
  static const std::map<std::string, std::string> all = {
      {"register", "write \"a\\\"b\\\\\" -> nil; read nil -> 2"},
      {"cas_register", "cas [nil :word] -> true; read nil -> 2"},
      {"map",
       R"(get nil -> nil; put "a\"b\\c" -> nil; append "\n\"" -> nil; delete nil -> nil; put 3 -> nil; get nil -> 4)"},
      {"set", R"(add "a\"b" -> true; read nil -> [])"},
      {"counter", "add 5 -> nil; read nil -> 6"},
      {"queue", R"(enqueue "a\"b" -> nil; enqueue [1 "\""] -> nil; dequeue nil -> 2)"},
      {"stack", R"(push "a\"b" -> nil; push :word -> nil; pop nil -> 2)"},
      {"priority_queue", R"(insert "a\"b" -> nil; insert 2 -> nil; extract_min nil -> 3)"},
      {"deque", R"(push_back "a\"b" -> nil; push_front 2 -> nil; pop_back nil -> 2)"},
      {"lock", R"(acquire nil -> nil; release nil -> nil; acquire "me \"too\"" -> nil; acquire nil -> true)"},
      {"mutex", "acquire nil -> nil; release nil -> nil; acquire nil -> nil; acquire nil -> nil"},
      {"log", R"(append "a\"b" -> 0; append [] -> 1; read nil -> nil)"},
  };
  return all;
}

// "write 3 -> nil; read nil -> 3" as EDN, by one process, one operation after the other.
std::string as_edn(std::string text, const std::string& more) {
  std::string out;
  for (text += "; "; !text.empty();) {
    const std::string one = text.substr(0, text.find("; "));
    text.erase(0, one.size() + 2);
    const std::size_t space = one.find(' '), arrow = one.find(" -> ");
    const std::string begin = "{:process 0, :f :" + one.substr(0, space) + more + ", :type ";
    out += begin + ":invoke, :value " + one.substr(space + 1, arrow - space - 1) + "}\n";
    out += begin + ":ok, :value " + one.substr(arrow + 4) + "}\n";
  }
  return out;
}

TEST_F(Lin, EverySpecificationShowsItsObjectsAsJson) {
  const report::Schema schema(HEDDLE_SOURCE_DIR "/docs/run.schema.json");
  std::map<std::string, std::string> objects;  // of the order, by specification
  for (const Specification* specification : specifications()) {
    const std::string name(specification->name());
    ASSERT_TRUE(violated().contains(name)) << name << " needs a history here";
    write(name + ".edn", as_edn(violated().at(name), name == "map" ? ", :key \"k\"" : ""));
    for (const bool whole : {false, true}) {
      std::vector<std::string> arguments = {"lin", name + ".edn", "--spec",       name,     "--method",
                                            "wgl", "--json",      "--no-witness", "--html", "page.html"};
      if (whole) arguments.emplace_back("--no-partition");
      const Outcome run = heddle(arguments);
      ASSERT_EQ(run.code, 1) << name << run.out << run.err;
      boost::json::error_code error;
      const auto json = boost::json::parse(run.out, error);
      ASSERT_FALSE(error) << name << ": " << run.out;
      EXPECT_THAT(schema.complaints(run.out), IsEmpty()) << run.out;
      const auto& order = json.at("history").at("order").as_array();
      ASSERT_FALSE(order.empty()) << run.out;
      if (!whole) {
        for (const auto& one : order) objects[name] += serialize(one.at("object")) + " ";
      }
      const auto page = boost::json::parse(support::unpacked_page(read(home / "page.html")), error);
      ASSERT_FALSE(error) << name;
      EXPECT_EQ(page.at("run").at("history").at("order"), order) << name;
    }
  }
  EXPECT_EQ(objects["register"], R"("a\"b\\" )");
  EXPECT_EQ(objects["map"], R"("absent" "a\"b\\c" "a\"b\\c\n\"" "absent" 3 )");
  EXPECT_EQ(objects["counter"], "5 ");
  EXPECT_EQ(objects["deque"], R"(["a\"b"] [2,"a\"b"] )");
  EXPECT_EQ(objects["lock"], R"("held by process 0" "free" "held by \"me \\\"too\\\"\"" )");
  EXPECT_EQ(objects["mutex"], R"("held" "free" "held" )");
  EXPECT_EQ(objects["log"], R"(["a\"b"] ["a\"b",[]] )");
}

TEST_F(Lin, StandardInput) {
  const int saved = ::dup(STDIN_FILENO);
  const int file = ::open((home / "register_ok.edn").c_str(), O_RDONLY);
  ::dup2(file, STDIN_FILENO);
  const Outcome run = heddle({"lin", "-", "--spec", "register"});
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
  ::close(file);
  EXPECT_EQ(run.code, 0) << run.out << run.err;
}

// A pipe that never ends is left at Ctrl-C.
TEST_F(Lin, AnInterruptedReadIsUnknown) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const int saved = ::dup(STDIN_FILENO);
  ::dup2(ends[0], STDIN_FILENO);
  const Outcome run = heddle({"lin", "-", "--spec", "register"}, 0.5);
  ::dup2(saved, STDIN_FILENO);
  for (const int end : {saved, ends[0], ends[1]}) ::close(end);
  EXPECT_EQ(run.code, 2) << run.out << run.err;
  EXPECT_THAT(run.last_line(), StartsWith("unknown: interrupted, while reading; no violation in 0 of 0 partitions"));
}

TEST_F(Lin, ErrorsSayWhereAndWhatToDo) {
  write("cut.edn", "{:process 0, :type :invoke, :f :read, :value nil}\n{:process 0, :type :ok, :f");
  const Outcome cut = heddle({"lin", "cut.edn", "--spec", "register"});
  EXPECT_EQ(cut.code, 3);
  EXPECT_THAT(cut.last_line(), StartsWith("error: cut.edn:2:1: the map that begins here is not closed"));
  const Outcome other = heddle({"lin", "register_ok.edn", "--spec", "queue"});
  EXPECT_EQ(other.code, 3);
  EXPECT_THAT(other.last_line(), StartsWith("error: register_ok.edn:2: a queue has no operation 'write'"));
  EXPECT_THAT(other.last_line(), HasSubstr("--spec register or cas_register"));
  EXPECT_THAT(heddle({"lin", "register_ok.edn"}).last_line(), HasSubstr("register or cas_register would fit"));
  EXPECT_THAT(heddle({"lin", "register_ok.edn", "--spec", "regster"}).last_line(), HasSubstr("did you mean register"));
  EXPECT_THAT(heddle({"lin", "nothing.edn", "--spec", "map"}).last_line(), HasSubstr("nothing.edn: cannot be read"));
  EXPECT_THAT(heddle({"lin", "register_ok.edn", "--spec", "map", "--format", "yaml"}).last_line(),
              HasSubstr("no format 'yaml'"));
  EXPECT_EQ(heddle({"lin"}).code, 3);
}

// Of several files, one that cannot be read does not hide what is known of the others.
TEST_F(Lin, OneBadFileAmongSeveral) {
  write("bad.edn", "{");
  const Outcome run = heddle({"lin", "bad.edn", "register_stale_read.edn", "--spec", "register"});
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.last_line(), StartsWith("error: bad.edn:1:1: "));
  EXPECT_THAT(run.last_line(), HasSubstr("register_stale_read.edn: violated"));
}

TEST_F(Lin, FailedCompareAndSet) {
  EXPECT_EQ(heddle({"lin", "cas_should_have_matched.log", "--spec", "cas_register"}).code, 1);
  EXPECT_EQ(heddle({"lin", "cas_should_have_matched.log", "--spec", "cas-register", "--failed-cas", "ignored"}).code,
            0);
}

TEST_F(Lin, KeysAndPartitions) {
  const auto partitions = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"lin", "map_append.edn", "--spec", "map", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome run = heddle(arguments);
    EXPECT_EQ(run.code, 0) << run.out;
    return run.json().at("partitions").to_number<int>();
  };
  EXPECT_EQ(partitions({}), 2);
  EXPECT_EQ(partitions({"--no-partition"}), 1);
}

TEST_F(Lin, ABudgetOfNoTimeIsUnknown) {
  const Outcome run = heddle({"lin", "register_ok.edn", "--spec", "register", "--time", "0", "--json"});
  EXPECT_EQ(run.code, 2) << run.out;
  EXPECT_EQ(run.json().at("verdict").as_string(), "unknown");
  EXPECT_EQ(run.json().at("stopped_by").as_string().find("time limit of 0 s"), 0u);
}

TEST_F(Lin, ListsTheSpecifications) {
  const Outcome run = heddle({"lin", "--specs"});
  EXPECT_EQ(run.code, 0);
  for (const char* name : {"register", "cas_register", "map", "set", "queue", "stack", "lock", "log"}) {
    EXPECT_THAT(run.out, HasSubstr(name));
  }
  EXPECT_GE(heddle({"lin", "--list-specs", "--json"}).json().as_array().size(), 11u);
}

TEST_F(Lin, QuietLeavesTheClosingLine) {
  const Outcome run = heddle({"lin", "keyed.edn", "--spec", "register", "-q"});
  EXPECT_EQ(run.out, run.last_line() + "\n");
}

// A trace of a model is a history, too.
TEST_F(Lin, TracesOfModels) {
  ASSERT_EQ(heddle({"check", "single_copy_register", "--bug", "two_copies", "-q"}).code, 1);
  const Outcome run = heddle({"lin", "heddle-trace.json", "--spec", "register"});
  EXPECT_EQ(run.code, 1) << run.out;
  EXPECT_THAT(run.out, HasSubstr("heddle-trace.json (trace): 2 operations of 1 process"));
}

TEST_F(Lin, ConvertThereAndBack) {
  for (const char* file :
       {"register_ok.edn", "keyed.edn", "map_append.edn", "queue_reordered.json", "stack_ok.jsonl"}) {
    ASSERT_EQ(heddle({"convert", file, "first.edn"}).code, 0);
    ASSERT_EQ(heddle({"convert", "first.edn", "there.jsonl"}).code, 0);
    ASSERT_EQ(heddle({"convert", "there.jsonl", "back", "--to", "edn"}).code, 0);
    EXPECT_EQ(read(home / "back"), read(home / "first.edn")) << file;
    EXPECT_THAT(read(home / "back"), Not(IsEmpty()));
  }
  ASSERT_EQ(heddle({"convert", "keyed.edn", "keyed.log"}).code, 0);
  ASSERT_EQ(heddle({"convert", "keyed.log", "again.edn"}).code, 0);
  ASSERT_EQ(heddle({"convert", "keyed.edn", "keyed2.edn"}).code, 0);
  EXPECT_EQ(read(home / "again.edn"), read(home / "keyed2.edn"));
}

TEST_F(Lin, ConvertSaysWhatItDid) {
  const Outcome run = heddle({"convert", "keyed.edn", "k.jsonl"});
  EXPECT_EQ(run.last_line(), "3 operations from keyed.edn (edn) to k.jsonl (json)");
  const auto object = heddle({"convert", "keyed.edn", "k.jsonl", "--json"}).json().as_object();
  EXPECT_EQ(object.at("nemesis_events").to_number<int>(), 1);
  const Outcome printed = heddle({"convert", "stack_ok.jsonl", "-", "--to", "jepsen-log"});
  EXPECT_THAT(printed.out, StartsWith("INFO  jepsen.util - 1\t:invoke\t:push\t10\n"));
  EXPECT_EQ(heddle({"convert", "keyed.edn", "k.what"}).code, 3);
  EXPECT_EQ(heddle({"convert", "keyed.edn", "k.edn", "--to", "trace"}).code, 3);
  EXPECT_EQ(heddle({"convert", "none.edn", "k.edn"}).code, 3);
}

TEST_F(Lin, AWitnessThatCannotBeWrittenHidesNoViolation) {
  write("bad.edn", "{:process 0, :type :invoke, :f :read}\n{:process 0, :type :ok, :f :read, :value 7}\n");
  const Outcome run = heddle({"lin", "bad.edn", "--spec", "register", "--witness", "/dev/full", "--json"});
  ASSERT_EQ(run.code, 1) << run.out << run.err;
  EXPECT_THAT(std::string(run.json().at("files").at(0).at("warning").as_string()),
              HasSubstr("the witness was not written"));
}

// Lists as values: a pair whose first half is a list may be one value, so nothing is taken for a key.
TEST_F(Lin, ListsAreNotTakenForKeys) {
  write("pairs.edn", R"({:process 0, :type :invoke, :f :write, :value [1 2]}
{:process 0, :type :ok, :f :write, :value [1 2]}
{:process 0, :type :invoke, :f :cas, :value [[1 2] [3 4]]}
{:process 0, :type :ok, :f :cas, :value true}
)");
  const Outcome run = heddle({"lin", "pairs.edn", "--spec", "cas_register"});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
}

TEST_F(Lin, TheLimitOfNestingIsTheSameInEveryFormat) {
  for (const std::size_t levels : {100, 101}) {
    const std::string value = std::string(levels, '[') + "1" + std::string(levels, ']');
    write("deep.edn", "{:process 0, :type :invoke, :f :write, :value " + value +
                          "}\n{:process 0, :type :ok, :f :write, :value " + value + "}\n");
    write("deep.jsonl", R"({"process": 0, "type": "invoke", "f": "write", "value": )" + value + "}\n" +
                            R"({"process": 0, "type": "ok", "f": "write", "value": )" + value + "}\n");
    for (const std::string file : {"deep.edn", "deep.jsonl"}) {
      const Outcome run = heddle({"lin", file, "--spec", "register", "--no-keyed"});
      EXPECT_EQ(run.code, levels == 100 ? 0 : 3) << file << " " << levels << run.out << run.err;
    }
  }
}

TEST_F(Lin, AHistoryAndAnObjectDoNotShareStandardOutput) {
  write("ok.edn", "{:process 0, :type :invoke, :f :write, :value 1}\n{:process 0, :type :ok, :f :write, :value 1}\n");
  const Outcome run = heddle({"convert", "ok.edn", "-", "--to", "json", "--json"});
  EXPECT_EQ(run.code, 3) << run.out << run.err;
  EXPECT_EQ(run.json().at("verdict").as_string(), "error");
}

}  // namespace
}  // namespace heddle::cli::lin_test
