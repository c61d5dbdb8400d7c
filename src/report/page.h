// A finding as one HTML file: the page of the component `web`, with the finding inside it.
//
//   const std::string document = page_document({.trace = &trace, .run = to_json(report)});
//   write_file_atomically("finding.html", with_finding(page, document));
//
// The page holds one mark. In its place comes the finding as JSON, compressed (gzip) and in base64: no text of a
// finding can ever be markup, whatever it says, because base64 has no character that HTML knows. The page unpacks it.
//
// The document: {"format": "heddle-report", "version": 1, "heddle": version, "command": the command line,
// "trace": a trace or null, "run": the JSON of a run or null, "sources": [{"file", "first", "lines"}],
// "left_out": sentences that say what is not shown}.
// Pure functions, thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace.h"

namespace heddle::report {

// Some lines of a file that the finding mentions.
struct PageSource {
  std::string file;
  std::uint32_t first = 1;  // the number of the first line
  std::vector<std::string> lines;
};

struct PageContent {
  const trace::Trace* trace = nullptr;  // none: null
  std::string run = {};                 // JSON; empty: there is none
  std::string command = {};             // as the user can type it again
  std::string version = {};             // of heddle
  std::vector<PageSource> sources = {};
  std::vector<std::string> left_out = {};
};

// More steps than these are too many for a browser; the last ones are shown.
inline constexpr std::size_t most_steps_of_a_page = 100'000;

// Returns the trace without its first steps: what they changed is in the values at the beginning. All of it if it has
// no more than `most` steps.
trace::Trace last_steps(const trace::Trace& trace, std::size_t most);

std::string page_document(const PageContent& content);

// Returns the page with the document in it. Throws ReportError if `page` is not the page of the component.
std::string with_finding(std::string_view page, std::string_view document);

// Base64 of gzip.
std::string packed(std::string_view text);

}  // namespace heddle::report
