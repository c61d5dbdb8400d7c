// How a command ends: what the sections of its report say comes before the closing line, and with --json to stderr.
#include "cli/output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <exception>
#include <stdexcept>

namespace heddle::cli::output_test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct NewEngine final : report::SectionOf<NewEngine> {
  std::vector<report::JsonField> fields(const report::RunReport&) const override { return {{"engine", "\"new\""}}; }
  std::string text(const report::RunReport&) const override { return "the new engine speaks"; }
  report::ClosingWords closing_words(const report::RunReport&) const override {
    return {.remark = "by the new engine"};
  }
};

struct Said {
  std::string out, err;
};

Said finish(const OutputOptions& options, const std::function<void(report::RunReport&)>& work) {
  const std::terminate_handler before = std::get_terminate();
  const Output output(options);
  report::RunReport report;
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  run_and_finish(output, report, [&] { work(report); });
  std::set_terminate(before);
  return {testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
}

TEST(Finishing, ASectionSpeaksBeforeTheClosingLineAndInIt) {
  const auto add = [](report::RunReport& report) {
    report.verdict = Verdict::Holds;
    report.sections.at<NewEngine>();
  };
  const Said text = finish({}, add);
  EXPECT_THAT(text.out, StartsWith("the new engine speaks\nholds: "));
  EXPECT_THAT(text.out, HasSubstr("; by the new engine; "));
  EXPECT_EQ(text.err, "");
  const Said quiet = finish({.quiet = true}, add);
  EXPECT_THAT(quiet.out, StartsWith("holds: "));
  const Said json = finish({.json = true}, add);
  EXPECT_EQ(boost::json::parse(json.out).at("engine").as_string(), "new");
  EXPECT_EQ(json.err, "the new engine speaks\n");
}

TEST(Finishing, ASectionIsSilentWhereAnErrorEndedTheRun) {
  const Said text = finish({}, [](report::RunReport& report) {
    report.sections.at<NewEngine>();
    throw std::runtime_error("no more");
  });
  EXPECT_THAT(text.out, StartsWith("error: no more"));
  EXPECT_THAT(text.out, Not(HasSubstr("speaks")));
  EXPECT_THAT(text.out, EndsWith("\n"));
}

}  // namespace
}  // namespace heddle::cli::output_test
