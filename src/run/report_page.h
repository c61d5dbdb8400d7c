// Writes the HTML page of a finding (report/page.h). The page comes from the component `web`.
#pragma once

#include <string>

#include "report/page.h"

namespace heddle::run {

// Returns the page without a finding. Throws ComponentError if it is not there and cannot be built, and Interrupted.
std::string report_page();

// Adds the sources that the content mentions, and writes the page. Throws as report_page does, and ReportError if the
// file cannot be written.
void write_report(const std::string& file, report::PageContent content);

}  // namespace heddle::run
