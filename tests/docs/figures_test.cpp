// Figures that a manual shows without the command that gives them: a search that remembers no states visits as many
// nodes as docs/reductions-figures.md says. The properties count, as they do in every check.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/program.h"

namespace heddle::docs::figures_test {
namespace {

class Figures : public cli::ProgramTest {
 protected:
  // The cells of the row that begins with these.
  std::vector<std::string> row(const std::string& protocol, const std::string& reduction) const {
    const std::string page = read(std::filesystem::path(HEDDLE_SOURCE_DIR) / "docs" / "reductions-figures.md");
    const std::string start = "\n| " + protocol + " | " + reduction + " | ";
    std::vector<std::string> cells = {protocol, reduction};
    const std::size_t at = page.find(start);
    if (at == page.npos) return cells;
    std::string rest = page.substr(at + start.size(), page.find('\n', at + 1) - at - start.size());
    for (std::size_t end; (end = rest.find(" | ")) != rest.npos; rest.erase(0, end + 3))
      cells.push_back(rest.substr(0, end));
    return cells;
  }
};

TEST_F(Figures, StatelessNodes) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> protocols = {
      {"Register(3,1)", {"storage"}},
      {"Multicast(4,1,1,0)", {"echo_multicast", "-p", "hr=4", "-p", "hi=1", "-p", "br=1", "-p", "bi=0"}}};
  for (const auto& [protocol, model] : protocols) {
    for (const std::string split : {"none", "combined"}) {
      std::vector<std::string> arguments = {"check"};
      arguments.insert(arguments.end(), model.begin(), model.end());
      for (const char* word : {"--search", "dfs", "--store", "none", "--reduce", "por", "--por-start", "smallest"})
        arguments.emplace_back(word);
      arguments.insert(arguments.end(), {"--split", split, "--json"});
      const std::vector<std::string> cells = row(protocol, split == "none" ? "LPOR, unsplit" : "LPOR, combined");
      ASSERT_GT(cells.size(), 4u) << protocol << " " << split;
      EXPECT_EQ(std::to_string(heddle(arguments).json().at("nodes").as_int64()), cells[4]) << protocol << " " << split;
    }
  }
}

}  // namespace
}  // namespace heddle::docs::figures_test
