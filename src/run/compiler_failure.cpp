// Reads a source, and keeps a compiler's messages as one error.
#include "run/compiler_failure.h"

#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "core/model_error.h"
#include "run/compiler_messages.h"
#include "run/errors.h"

namespace heddle::run {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_lines = 8;  // of errors; at most ten lines with those that follow them

}  // namespace

std::string read_source(const fs::path& source) {
  std::error_code error;
  std::ifstream file(source, std::ios::binary);
  if (!file || fs::is_directory(source, error)) {
    throw UsageError(fmt::format("{}: the file cannot be read; check its name and its permissions", source.string()));
  }
  std::ostringstream text;
  text << file.rdbuf();  // in blocks: an image has megabytes
  return std::move(text).str();
}

void fail_to_compile(const fs::path& source, const std::string& text, const std::string& output,
                     const ModelCache& cache, const std::string& otherwise) {
  const CompilerErrors errors = compiler_errors(output, source.string(), text, most_lines);
  if (errors.lines.empty()) {
    std::fwrite(output.data(), 1, output.size(), stderr);
    throw ModelError(otherwise);
  }
  for (const std::string& line : errors.lines) fmt::print(stderr, "{}\n", line);
  std::string more;
  if (errors.left_out > 0) {
    if (const auto file = cache.keep_messages(source.filename().string(), output)) {
      more = fmt::format(" (all {} lines of the compiler are in {})", errors.left_out + errors.lines.size(),
                         file->string());
    }
  }
  throw ModelError(errors.lines[0] + more);
}

}  // namespace heddle::run
