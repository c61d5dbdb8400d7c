// heddle new: writes a starting file.
#include <fmt/format.h>

#include <filesystem>

#include "cli/command.h"
#include "cli/command_arguments.h"
#include "cli/errors.h"
#include "cli/output.h"
#include "cli/starting_file.h"
#include "report/atomic_file.h"
#include "report/json_text.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

bool is_name(const std::string& text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (text.empty() || !is_letter(text.front())) return false;
  for (const char c : text) {
    if (!is_letter(c) && !(c >= '0' && c <= '9') && c != '-') return false;
  }
  return true;
}

int run_new(const NewOptions& a, const Output& output) {
  fs::path file = a.name;
  if (file.extension() != ".cpp") file += ".cpp";
  const std::string name = file.stem().string();
  if (!is_name(name)) {
    throw UsageError(
        fmt::format("'{}' is no name for a model; use letters, digits, _ and -, and start with a letter", name));
  }
  std::error_code error;
  if (!a.force && fs::exists(file, error)) {
    throw UsageError(fmt::format("{} exists already; --force overwrites it", file.string()));
  }
  report::write_file_atomically(file.string(), starting_file(name));
  return output.finish(fmt::format("wrote {}; next: heddle check {}", file.string(), file.string()),
                       fmt::format("{{\"command\": \"new\", \"model\": {}, \"file\": {}}}", report::quoted(name),
                                   report::quoted(file.string())));
}

}  // namespace

int command_new(const Arguments& given) {
  return run_plainly(Output(given.of<OutputOptions>()), "new",
                     [&](const Output& output) { return run_new(given.of<NewOptions>(), output); });
}

}  // namespace heddle::cli
