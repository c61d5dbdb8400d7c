// bench/peers/README.md shows every count of bench/peers/expected.txt, in its order.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace heddle::peer_counts_test {
namespace {

std::vector<std::string> lines_of(const std::string& file, const std::string& containing) {
  std::ifstream stream(HEDDLE_SOURCE_DIR "/bench/peers/" + file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    if (line.find(containing) != line.npos) lines.push_back(line);
  }
  return lines;
}

// "two_phase_commit 8 1745408 18507777 0" as "| two_phase_commit | 8 | 1,745,408 | 18,507,777 | 0 |"
std::string table_row(const std::string& expected) {
  std::istringstream words(expected);
  std::string row = "|", word;
  for (int column = 0; words >> word; ++column) {
    if (column >= 2) {
      for (int digits = static_cast<int>(word.size()) - 3; digits > 0; digits -= 3)
        word.insert(static_cast<std::size_t>(digits), ",");
    }
    row += " " + word + " |";
  }
  return row;
}

TEST(PeerCounts, TheTableIsComplete) {
  std::vector<std::string> rows;
  for (const std::string& line : lines_of("expected.txt", " ")) rows.push_back(table_row(line));
  const std::string heading = "| protocol | size | states | transitions | deadlocks |";
  std::vector<std::string> table = lines_of("README.md", "|");
  const auto begin = std::find(table.begin(), table.end(), heading);
  ASSERT_NE(begin, table.end());
  ASSERT_GT(table.end() - begin, 2 + static_cast<std::ptrdiff_t>(rows.size()));
  table.erase(table.begin(), begin + 2);
  EXPECT_EQ(table[rows.size()].rfind("| field |", 0), 0u) << "the next table begins";
  table.resize(rows.size());
  EXPECT_EQ(table, rows);
}

}  // namespace
}  // namespace heddle::peer_counts_test
