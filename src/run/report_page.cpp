// Finds the page of the component, adds the lines of source, and writes the file.
#include "run/report_page.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "report/atomic_file.h"
#include "report/page_sources.h"
#include "run/component.h"
#include "run/errors.h"

namespace heddle::run {

std::string report_page() {
  const std::filesystem::path page = find_component("web");
  std::ifstream stream(page, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (text.empty()) {
    throw ComponentError(
        fmt::format("{} cannot be read; build the component web again: scripts/component.sh web", page.string()));
  }
  return text;
}

void write_report(const std::string& file, report::PageContent content) {
  const std::string page = report_page();
  if (content.sources.empty()) content.sources = report::page_sources(content.trace, content.run);
  report::write_file_atomically(file, report::with_finding(page, report::page_document(content)));
}

}  // namespace heddle::run
