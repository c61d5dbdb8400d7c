// Whatever a trace file contains, the reader either refuses it with a position or returns a trace that can be rendered
// and survives being written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "report/text.h"
#include "report/trace_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heddle;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  trace::Trace trace;
  try {
    trace = report::trace_from_json(text, "input");
  } catch (const report::ReportError& error) {
    if (!std::string_view(error.what()).starts_with("input:")) std::abort();
    return 0;
  }
  const std::string written = report::to_json(trace);
  if (report::to_json(report::trace_from_json(written, "written")) != written) std::abort();
  report::render_text(trace);
  report::render_text(trace, {.width = 40, .ascii = true});
  return 0;
}
