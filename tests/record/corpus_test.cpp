// Histories recorded from real servers (corpus/README.md says how) keep their verdicts, whatever reads and checks them.
#include <algorithm>
#include <fstream>
#include <iterator>

#include "record/recorded.h"

namespace heddle::corpus_test {
namespace {

struct Known {
  const char* file;
  Verdict verdict;
  std::ptrdiff_t unknown;  // operations whose outcome the client never learned
};

class Corpus : public testing::TestWithParam<Known> {};

TEST_P(Corpus, HasItsVerdict) {
  const std::string path = std::string(HEDDLE_SOURCE_DIR "/tests/record/corpus/") + GetParam().file;
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  RecordedHistory history;
  history::read_history(text, path, {}, history);
  EXPECT_EQ(std::ranges::count(history.operations, Outcome::Unknown, &RecordedOperation::outcome), GetParam().unknown);
  EXPECT_EQ(verdict_of(history, "map"), GetParam().verdict);
}

INSTANTIATE_TEST_SUITE_P(Recorded, Corpus,
                         testing::Values(Known{"redis.edn", Verdict::Holds, 0},
                                         Known{"redis_killed_with_fsync.jsonl", Verdict::Holds, 8},
                                         Known{"redis_killed_without_persistence.edn", Verdict::Violated, 4},
                                         Known{"etcd.edn", Verdict::Holds, 0},
                                         Known{"etcd_killed.jsonl", Verdict::Holds, 5}),
                         [](const auto& known) {
                           std::string name = known.param.file;
                           return name.substr(0, name.find('.'));
                         });

}  // namespace
}  // namespace heddle::corpus_test
