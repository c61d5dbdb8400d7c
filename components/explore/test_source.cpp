#include "test_source.h"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

#include "report/trace_json.h"
#include "request.h"

namespace heddle::explorer {
namespace {

// "two_phase_commit", "my lock.cpp" -> "TwoPhaseCommit", "MyLock"
std::string identifier(std::string_view text, std::string_view otherwise) {
  std::string out;
  bool first = true;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'), digit = c >= '0' && c <= '9';
    if (letter || (digit && !out.empty())) {
      out += first && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      first = false;
    } else {
      first = true;
    }
  }
  return out.empty() ? std::string(otherwise) : out;
}

// With a delimiter that the text does not have.
std::string raw_string(std::string_view text) {
  std::string delimiter = "json";
  while (text.find(")" + delimiter + "\"") != std::string_view::npos) delimiter += "_";
  return fmt::format("R\"{0}({1}){0}\"", delimiter, text);
}

}  // namespace

std::string test_source(const trace::Trace& trace, bool of_program) {
  if (of_program) {
    throw Refusal(409,
                  "A test in C++ can run protocols and nets. Save the path as a trace: heddle replay runs it again.");
  }
  const bool violated = trace.verdict == "violated";
  std::string name =
      violated ? identifier(trace.property, "Property") : "RunOf" + std::to_string(trace.steps.size()) + "Steps";
  std::string about, expects;
  if (violated && trace.bug.empty()) {
    about = "A run that violates \"" + trace.property + "\". The test passes once the model cannot do that any more.";
    expects =
        "  EXPECT_NE(run.verdict, \"error\") << run.message;\n"
        "  EXPECT_FALSE(run.violated()) << run.message << \"\\n\" << run.trace;\n";
  } else if (violated) {
    about = "A run that violates \"" + trace.property + "\" with the bug " + trace.bug +
            ". The test passes as long as the model finds it.";
    expects = "  EXPECT_TRUE(run.violated()) << run.message << \"\\n\" << run.trace;\n";
  } else {
    about = "A run of the model. The test passes as long as the model can do the same, and violates nothing by it.";
    expects = "  EXPECT_TRUE(run.holds()) << run.message << \"\\n\" << run.trace;\n";
  }
  for (char& c : about) {
    if (c == '\n' || c == '\r' || c == '\\') c = ' ';  // it stays a comment
  }
  const auto file = trace.options.find("file");
  const std::string where =
      file == trace.options.end()
          ? ""
          : "// The model is read from the file that the trace names (options), which has to be there where the test "
            "runs. Of a\n"
            "// model that is linked into the test, give its name: heddle::replay(trace, \"NAME\").\n";
  const std::string suite = identifier(
      file == trace.options.end() ? trace.model : std::filesystem::path(trace.model).stem().string(), "Model");
  return fmt::format(
      "// {}\n{}// Link heddle::check and GTest::gtest_main (docs/library.md).\n"
      "#include <gtest/gtest.h>\n#include <heddle/check.h>\n\n"
      "namespace {{\n\nconstexpr const char* trace = {};\n\n"
      "TEST({}, {}) {{\n  const heddle::Checked run = heddle::replay(trace);\n{}}}\n\n}}  // namespace\n",
      about, where, raw_string(report::to_json(trace)), suite, name, expects);
}

}  // namespace heddle::explorer
