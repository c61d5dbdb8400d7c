// Turns --format, --keyed and --failed-cas into what the readers of histories take.
#include "cli/history_arguments.h"

#include <fmt/format.h>

#include "cli/errors.h"

namespace heddle::cli {

history::Format format_given(const std::string& name, std::string_view option) {
  if (const auto format = history::format_named(name)) return *format;
  throw UsageError(fmt::format("{}: there is no format '{}'; there are edn, json, jepsen-log and trace", option, name));
}

history::ReadOptions read_options(const HistoryArguments& arguments) {
  history::ReadOptions options;
  if (!arguments.format.empty()) options.format = format_given(arguments.format, "--format");
  if (arguments.keyed || arguments.not_keyed) options.keyed = arguments.keyed;
  options.failed_cas = arguments.failed_cas;
  return options;
}

}  // namespace heddle::cli
