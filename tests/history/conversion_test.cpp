// A history converted to any format and from there to any other means the same: the verdict under every specification
// that has its operations, and between EDN and JSON every field.
//
// Recordings are written by hand here, as text, with all that recordings have: failures with and without an error,
// `info` in the midst and at the end, operations left open, events of the nemesis, times, and fields that mean nothing
// to a checker.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "check/check_history.h"
#include "history/event_log.h"
#include "history/read_history.h"
#include "support/long_run.h"

namespace heddle::history::conversion_test {
namespace {

using ::testing::HasSubstr;

struct Read {
  RecordedHistory history;
  EventLog log;
  ReadSummary summary;
};

void read_all(const std::string& text, Read& out) {
  ReadOptions options;
  options.log = &out.log;
  out.summary = read_history(text, "h", options, out.history);
}

std::string convert(const std::string& text, Format format) {
  Read from;
  read_all(text, from);
  NotWritten lost;
  return write_events(from.history, from.log, format, lost);
}

// The verdict of every specification of the library, a letter each.
std::string verdicts(const std::string& text) {
  RecordedHistory history;
  read_history(text, "h", {}, history);
  std::string out;
  for (const Specification* one : specifications()) {
    HistoryCheckOptions options;
    options.limits.seconds = 10;
    const HistoryResult r = check_history(history, *one, options);
    out += std::string(one->name()) + "=" + std::string(name(r.verdict)) + " ";
  }
  return out;
}

class RandomRecording {
 public:
  explicit RandomRecording(unsigned seed) : random_(seed) {}

  std::string edn() {
    struct Kind {
      const char* function;
      int argument;  // 0: none, 1: a value, 2: [old new]
    };
    static const std::vector<std::vector<Kind>> kinds = {{{"read", 0}, {"write", 1}, {"cas", 2}},
                                                         {{"read", 0}, {"write", 1}},
                                                         {{"enqueue", 1}, {"dequeue", 0}},
                                                         {{"add", 1}, {"read", 0}},
                                                         {{"push", 1}, {"pop", 0}},
                                                         {{"acquire", 0}, {"release", 0}}};
    const auto& mine = kinds[below(kinds.size())];
    const bool keyed = below(3) == 0, timed = below(2) == 0, extras = below(2) == 0;
    std::vector<std::optional<Kind>> open(1 + below(4));
    std::vector<std::string> key(open.size()), argument(open.size());
    const std::size_t events = 4 + below(20);
    std::string out;
    for (std::size_t i = 0; i < events; ++i) {
      if (below(8) == 0) {
        event(out, i, ":nemesis", below(2) == 0 ? ":info" : ":invoke", "kill", "",
              below(2) == 0 ? "{\"n1\" :killed}" : "nil", timed, extras, "");
        continue;
      }
      const std::size_t p = below(open.size());
      const std::string process = p == 3 ? "\"a b\"" : std::to_string(p);
      if (!open[p]) {
        open[p] = mine[below(mine.size())];
        key[p] = keyed ? std::to_string(below(2)) : "";
        argument[p] = open[p]->argument == 0   ? "nil"
                      : open[p]->argument == 1 ? std::to_string(below(3))
                                               : "[" + std::to_string(below(3)) + " " + std::to_string(below(3)) + "]";
        event(out, i, process, ":invoke", open[p]->function, key[p], argument[p], timed, extras, "");
        continue;
      }
      const std::size_t end = below(10);
      const std::string answer = open[p]->argument == 0 ? std::to_string(below(3)) : argument[p];
      const std::string type = end < 6 ? ":ok" : end < 8 ? ":fail" : ":info";
      static const std::vector<std::string> errors = {"", "", ":conn-refused", "\"no \\\"leader\\\"\"", "[:timeout 5]"};
      event(out, i, process, type, open[p]->function, key[p], end < 6 ? answer : argument[p], timed, extras,
            end < 6 ? "" : errors[below(errors.size())]);
      open[p].reset();
    }
    return out;
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  void event(std::string& out, std::size_t i, const std::string& process, const std::string& type,
             const std::string& function, const std::string& key, const std::string& value, bool timed, bool extras,
             const std::string& error) {
    out += "{:process " + process + ", :type " + type + ", :f :" + function;
    if (!key.empty()) out += ", :key " + key;
    out += ", :value " + value;
    if (timed) out += ", :time " + std::to_string(10 * i);
    if (!error.empty()) out += ", :error " + error;
    // Names that mean something in JSON, too.
    if (extras) out += ", :index " + std::to_string(i) + ", :node \"n1\", :thread 7, :argument 9, :op :x, :k 5";
    out += "}\n";
  }
  std::mt19937_64 random_;
};

TEST(Conversion, KeepsTheVerdictUnderEverySpecification) {
  const std::size_t histories = heddle::testing::count_of(150, 20'000);
  const Format formats[] = {Format::Edn, Format::Json, Format::JepsenLog};
  std::size_t compared = 0, with_error = 0;
  for (unsigned seed = 0; seed < histories; ++seed) {
    const std::string text = RandomRecording(seed).edn();
    std::string expected;
    try {
      expected = verdicts(text);
    } catch (const HistoryError&) {
      continue;  // nothing but the nemesis
    }
    ++compared;
    with_error += text.find(":fail, :f :cas") != std::string::npos && text.find(":error") != std::string::npos ? 1 : 0;
    for (const Format first : formats) {
      const std::string once = convert(text, first);
      ASSERT_EQ(verdicts(once), expected) << seed << " to " << name(first) << "\n" << text << once;
      for (const Format second : formats) {
        const std::string twice = convert(once, second);
        ASSERT_EQ(verdicts(twice), expected) << seed << " " << name(first) << " to " << name(second) << "\n" << twice;
      }
    }
  }
  EXPECT_GT(compared, histories * 9 / 10);
  EXPECT_GT(with_error, histories / 100);
}

// Whatever was written once in one of them comes back byte by byte from the other.
TEST(Conversion, LosesNothingBetweenEdnAndJson) {
  const std::size_t histories = heddle::testing::count_of(300, 20'000);
  for (unsigned seed = 0; seed < histories; ++seed) {
    const std::string text = RandomRecording(seed).edn();
    std::string edn;
    try {
      edn = convert(text, Format::Edn);
    } catch (const HistoryError&) {
      continue;
    }
    const std::string json = convert(text, Format::Json);
    ASSERT_EQ(convert(edn, Format::Edn), edn);
    ASSERT_EQ(convert(json, Format::Json), json);
    ASSERT_EQ(convert(json, Format::Edn), edn) << json;
    ASSERT_EQ(convert(edn, Format::Json), json) << edn;
    ASSERT_EQ(std::count(edn.begin(), edn.end(), '\n'), std::count(text.begin(), text.end(), '\n')) << text;
  }
}

TEST(Conversion, KeepsWhatAFailedCompareAndSetMeans) {
  const std::string text =
      "{:process 0, :type :invoke, :f :write, :value 1}\n{:process 0, :type :ok, :f :write, :value 1}\n"
      "{:process 0, :type :invoke, :f :cas, :value [1 2]}\n"
      "{:process 0, :type :fail, :f :cas, :value [1 2], :error :conn-refused}\n"
      "{:process 0, :type :invoke, :f :read, :value nil}\n{:process 0, :type :ok, :f :read, :value 1}\n";
  for (const Format format : {Format::Edn, Format::Json, Format::JepsenLog}) {
    EXPECT_THAT(verdicts(convert(text, format)), HasSubstr("cas_register=holds")) << name(format);
    EXPECT_THAT(convert(text, format), HasSubstr("conn-refused"));
  }
}

TEST(Conversion, KeepsPlacesAndTheNemesis) {
  const std::string text =
      "{:process 0, :type :invoke, :f :write, :value 1, :time 5, :index 0, :node \"n1\"}\n"
      "{:process :nemesis, :type :info, :f :kill, :value [\"n1\"], :time 6, :index 1}\n"
      "{:process 0, :type :info, :f :write, :value 1, :time 7, :error :timeout, :index 2}\n"
      "{:process 1, :type :invoke, :f :read, :value nil, :time 8, :index 3}\n";
  EXPECT_EQ(convert(convert(text, Format::Json), Format::Edn), text);
  const std::string log = convert(text, Format::JepsenLog);
  EXPECT_EQ(log,
            "INFO  jepsen.util - 0\t:invoke\t:write\t1\nINFO  jepsen.util - :nemesis\t:info\t:kill\t[\"n1\"]\n"
            "INFO  jepsen.util - 0\t:info\t:write\t1\t:timeout\nINFO  jepsen.util - 1\t:invoke\t:read\tnil\n");
  Read from;
  read_all(text, from);
  NotWritten lost;
  write_events(from.history, from.log, Format::JepsenLog, lost);
  EXPECT_TRUE(lost.times && lost.extras && !lost.process_names);
}

// Logs have no place for a key but the value; the log says so, since not every pair is one.
TEST(Conversion, KeepsKeysInLogs) {
  const std::string text =
      "{:process 0, :type :invoke, :f :put, :key 1, :value 5}\n{:process 0, :type :ok, :f :put, :key 1, :value 5}\n";
  const std::string log = convert(text, Format::JepsenLog);
  EXPECT_EQ(convert(log, Format::Edn), text);
  EXPECT_THAT(verdicts(log), HasSubstr("map=holds"));
}

TEST(Times, ThatGoBackwardsAreTold) {
  const auto told = [](const std::string& text) {
    RecordedHistory history;
    return backwards_text(read_history(text, "h", {}, history));
  };
  const std::string invoke = "{:process 0, :type :invoke, :f :read, :time 10}\n";
  EXPECT_EQ(told(invoke + "{:process 0, :type :ok, :f :read, :value 1, :time 10}"), "");
  const std::string early = told(invoke + "{:process 0, :type :ok, :f :read, :value 1, :time 5}");
  EXPECT_THAT(early, HasSubstr("the time 5 of process 0 in line 2 is before its time 10 in line 1"));
  // Those of different processes are taken by different clocks.
  EXPECT_EQ(told(invoke + "{:process 1, :type :invoke, :f :read, :time 5}"), "");
}

}  // namespace
}  // namespace heddle::history::conversion_test
