// Histories whose verdict is known, read and checked from the file on.
//
// Those in tests/history/corpus were each written for their verdict. Those in tests/history/recorded come from real
// servers (README.md there says how); a naive checker, which shares no code with src/check but the history itself,
// confirms their verdicts.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "check/check_history.h"
#include "history/input_file.h"
#include "history/read_history.h"
#include "history/write_history.h"
#include "support/plain_wgl.h"
#include "support/reference_objects.h"

namespace heddle::history::verdicts_test {
namespace {

namespace fs = std::filesystem;

std::vector<std::vector<std::string>> table(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::vector<std::string>> rows;
  std::string line;
  std::getline(in, line);  // names of the columns
  while (std::getline(in, line)) {
    std::stringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, '\t');) rows.back().push_back(cell);
  }
  return rows;
}

HistoryResult check(const fs::path& path, const std::string& specification,
                    FailedCas failed_cas = FailedCas::Mismatch) {
  const InputFile file(path.string());
  RecordedHistory history;
  read_history(file.text(), path.filename().string(), {.failed_cas = failed_cas}, history);
  const HistoryResult result = check_history(history, *find_specification(specification));
  if (result.verdict == Verdict::Violated) {
    // What is called the cause is a violation alone, also after it was written and read again.
    RecordedHistory part, again;
    sub_history(history, result.failed.front().operations, part);
    read_history(write_history(part, Format::Edn), "witness", {.keyed = false, .failed_cas = failed_cas}, again);
    EXPECT_EQ(check_history(again, *find_specification(specification)).verdict, Verdict::Violated) << path;
  }
  return result;
}

// The object of tests/support/reference_objects.h, whose states are numbered as they come.
class PlainObject final : public Object {
 public:
  PlainObject(RecordedHistory& history, std::string_view kind) : history_(history), kind_(kind) {}

  State initial() override { return number({}); }
  State apply(State state, const RecordedOperation& operation) override {
    reference::State after = *states_[state - 1];
    return reference::may_follow(kind_, after, history_, operation) ? number(after) : impossible;
  }
  StateText describe(State) const override { return {}; }

 private:
  State number(const reference::State& state) {
    const auto [it, is_new] = numbers_.try_emplace(state, static_cast<State>(states_.size() + 1));
    if (is_new) states_.push_back(&it->first);
    return it->second;
  }

  RecordedHistory& history_;
  std::string_view kind_;
  std::map<reference::State, State> numbers_;
  std::vector<const reference::State*> states_;
};

// Key by key, by the textbook's search.
std::string plain_verdict(const fs::path& path, const std::string& kind) {
  const InputFile file(path.string());
  RecordedHistory history;
  read_history(file.text(), path.filename().string(), {.failed_cas = FailedCas::Mismatch}, history);
  std::map<Value, std::vector<std::uint32_t>> keys;
  for (std::uint32_t i = 0; i < history.operations.size(); ++i) keys[history.operations[i].key].push_back(i);
  for (const auto& [key, operations] : keys) {
    RecordedHistory part;
    sub_history(history, operations, part);
    PlainObject object(part, kind);
    const auto holds = reference::PlainWgl(part, object).run(2'000'000);
    if (!holds) return "too large";
    if (!*holds) return "violated";
  }
  return "holds";
}

void expect_recorded_verdicts(const std::string& specification, std::size_t holding, std::size_t violated) {
  const fs::path folder = fs::path(HEDDLE_SOURCE_DIR) / "tests" / "history" / "recorded";
  std::map<std::string, std::size_t> verdicts;
  for (const auto& row : table(folder / "verdicts.tsv")) {
    if (row[1] != specification) continue;
    EXPECT_EQ(name(check(folder / row[0], row[1]).verdict), row[2]) << row[0];
    EXPECT_EQ(plain_verdict(folder / row[0], row[1]), row[2]) << row[0];
    ++verdicts[row[2]];
  }
  EXPECT_EQ(verdicts["holds"], holding);
  EXPECT_EQ(verdicts["violated"], violated);
}

TEST(Verdicts, Corpus) {
  const fs::path corpus = fs::path(HEDDLE_SOURCE_DIR) / "tests" / "history" / "corpus";
  const auto rows = table(corpus / "verdicts.tsv");
  EXPECT_EQ(rows.size(), 9u);
  for (const auto& row : rows)
    EXPECT_EQ(name(check(corpus / row[0], row[1]).verdict), row[2]) << row[0] << " as " << row[1];
}

TEST(Verdicts, WhatAFailedCompareAndSetSaysDecides) {
  const fs::path log = fs::path(HEDDLE_SOURCE_DIR) / "tests" / "history" / "corpus" / "cas_should_have_matched.log";
  EXPECT_EQ(check(log, "cas_register", FailedCas::Mismatch).verdict, Verdict::Violated);
  EXPECT_EQ(check(log, "cas_register", FailedCas::Ignored).verdict, Verdict::Holds);
}

TEST(Verdicts, RecordedLogsOfARegister) { expect_recorded_verdicts("cas_register", 4, 2); }
TEST(Verdicts, RecordedKeysAndValues) { expect_recorded_verdicts("map", 3, 2); }

}  // namespace
}  // namespace heddle::history::verdicts_test
