// The tables of options in docs/cli.md are those of the program. HEDDLE_REFRESH_GOLDEN=1 writes them anew.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include "cli/option_manual.h"
#include "cli/option_table.h"
#include "support/golden.h"

namespace heddle::docs::options_test {
namespace {

const std::filesystem::path page = std::filesystem::path(HEDDLE_SOURCE_DIR) / "docs" / "cli.md";

std::string text_of_page() {
  std::ifstream file(page);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(Options, TablesAreThoseOfTheProgram) {
  support::expect_golden("../docs/cli.md", cli::refresh_tables(text_of_page(), cli::option_table()));
}

TEST(Options, EveryOneIsInATable) {
  const std::string text = text_of_page();
  for (const cli::Option& option : cli::option_table()) {
    if (option.is_argument()) continue;
    for (const std::string& name : cli::split(option.names, ',')) {
      EXPECT_TRUE(std::regex_search(text, std::regex("\n\\| [^|]*`" + name + "[` ]"))) << name;
    }
  }
}

// Marks that promise what no command has are mistakes of the page.
TEST(Options, MarksMakeSense) {
  const auto refreshed = [](const std::string& text) { return cli::refresh_tables(text, cli::option_table()); };
  const std::string end = "<!-- end of options -->\n";
  EXPECT_THROW(refreshed("<!-- options of chek -->\n" + end), std::invalid_argument);
  EXPECT_THROW(refreshed("<!-- options of check: Weather -->\n" + end), std::invalid_argument);
  EXPECT_THROW(refreshed("<!-- options of check -->\n"), std::invalid_argument);
  EXPECT_THROW(refreshed(end), std::invalid_argument);
  EXPECT_EQ(refreshed("no table\n"), "no table\n");
}

}  // namespace
}  // namespace heddle::docs::options_test
