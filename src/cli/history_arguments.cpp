#include "cli/history_arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/errors.h"

namespace heddle::cli {

void add_history_arguments(CLI::App& app, HistoryArguments& arguments) {
  const std::string group = "Reading";
  app.add_option("--format", arguments.format, "edn, json, jepsen-log or trace; default: by content")
      ->type_name("NAME")
      ->group(group);
  CLI::Option* keyed =
      app.add_flag("--keyed", arguments.keyed, "Values are pairs [key value]; default: by content")->group(group);
  app.add_flag("--no-keyed", arguments.not_keyed, "They are not, even if they look like it")
      ->excludes(keyed)
      ->group(group);
}

history::Format format_given(const std::string& name, std::string_view option) {
  if (const auto format = history::format_named(name)) return *format;
  throw UsageError(fmt::format("{}: there is no format '{}'; there are edn, json, jepsen-log and trace", option, name));
}

history::ReadOptions read_options(const HistoryArguments& arguments) {
  history::ReadOptions options;
  if (!arguments.format.empty()) options.format = format_given(arguments.format, "--format");
  if (arguments.keyed || arguments.not_keyed) options.keyed = arguments.keyed;
  return options;
}

}  // namespace heddle::cli
