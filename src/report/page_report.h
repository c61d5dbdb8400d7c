// What goes into the page that --html writes, as a section of the report of a run: the trace that the page shows, and
// afterwards the name of the file.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/trace.h"
#include "report/json_text.h"
#include "report/section.h"

namespace heddle::report {

struct PageReport final : SectionOf<PageReport> {
  std::string file;                           // that was asked for
  std::shared_ptr<const trace::Trace> trace;  // that the page shows; none: the run has none
  bool written = false;

  // The first trace is the one that is shown.
  void keep(const trace::Trace& shown) {
    if (trace == nullptr) trace = std::make_shared<const trace::Trace>(shown);
  }

  std::vector<JsonField> fields(const RunReport& /*run*/) const override {
    return {{"html", quoted_or_null(written ? file : "")}};
  }
  ClosingWords closing_words(const RunReport& /*run*/) const override {
    return {.subject = "", .remark = "", .files = written ? "report in " + file : ""};
  }
};

}  // namespace heddle::report
