// On arbitrary texts the reader of executions returns some or throws its error. Those that were read and written are
// read again, and are the same ones.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "explain/trace_hash.h"
#include "history/source_text.h"
#include "run/executions_file.h"
#include "run/executions_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heddle;
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    run::ExecutionFiles files(explain::RealTime::Ignored);
    history::LineReader lines(text, "fuzz");
    files.read(lines);
    const run::ReadExecutions read = files.executions(0);
    const auto calls = [](std::uint32_t) { return std::string("f()"); };
    const std::string again = run::executions_text(files.tree(), files.source_files(), read.list, calls);
    run::ExecutionFiles second(explain::RealTime::Ignored);
    history::LineReader second_lines(again, "again");
    second.read(second_lines);
    if (second.executions(0).list.size() != read.list.size()) std::abort();
  } catch (const history::HistoryError&) {
  }
  return 0;
}
