// Histories whose verdict is known, read and checked from the file on.
//
// Our own are in tests/history/corpus; each was written for its verdict. The others are no part of the project (Jepsen's runs of
// etcd with the verdicts of Porcupine's tests, and Porcupine's own key-value histories): HEDDLE_HISTORIES names their folder, else
// it is looked for beside the source tree, and the test is skipped where it is absent.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "check/check_history.h"
#include "history/input_file.h"
#include "history/read_history.h"
#include "history/write_history.h"

namespace heddle::history::verdicts_test {
namespace {

namespace fs = std::filesystem;

fs::path given_histories() {
  const char* named = std::getenv("HEDDLE_HISTORIES");
  return named != nullptr ? fs::path(named)
                          : fs::path(HEDDLE_SOURCE_DIR).parent_path() / "shared" / "data" / "histories";
}

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

void expect_known_verdicts(const std::string& folder, const std::string& specification) {
  const fs::path histories = given_histories() / folder;
  if (!fs::exists(histories / "verdicts.tsv")) {
    GTEST_SKIP() << "the histories of others are not here (" << histories << "); HEDDLE_HISTORIES names their folder";
  }
  const auto rows = table(histories / "verdicts.tsv");
  EXPECT_GE(rows.size(), 4u);
  for (const auto& row : rows) {
    const HistoryResult result = check(histories / row[0], specification);
    EXPECT_EQ(name(result.verdict), row[1] == "true" ? "holds" : "violated") << row[0];
  }
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

TEST(Verdicts, JepsenEtcd) { expect_known_verdicts("etcd", "cas_register"); }
TEST(Verdicts, PorcupineKeyValue) { expect_known_verdicts("kv", "map"); }

}  // namespace
}  // namespace heddle::history::verdicts_test
