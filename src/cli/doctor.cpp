// Tries each thing that Heddle needs here, and puts what came out into words, JSON and a closing line.
#include "cli/doctor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>

#include "cli/command.h"
#include "cli/command_arguments.h"

#include "cli/errors.h"
#include "cli/output.h"
#include "core/verdict.h"
#include "heddle_paths.h"
#include "report/json_text.h"
#include "report/numbers.h"
#include "run/compile_model.h"
#include "run/subprocess.h"
#include "run/words.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;
using State = run::ComponentState::State;

// A directory that is removed with all its contents.
struct TemporaryDirectory {
  TemporaryDirectory() {
    std::error_code error;
    std::string name = (fs::temp_directory_path(error) / "heddle-doctor-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw UsageError("no temporary directory can be made; free some space, or set TMPDIR");
    }
    path = name;
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  fs::path path;
};

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// Returns the first line of a compiler's output that says what is wrong.
std::string first_error(const std::string& output) {
  for (std::size_t at = 0; at < output.size();) {
    const std::size_t end = std::min(output.find('\n', at), output.size());
    const std::string line = output.substr(at, end - at);
    if (line.find("error") != line.npos || line.find("cannot") != line.npos) return line;
    at = end + 1;
  }
  return first_line(output);
}

// A file that makes the compiler say, among its messages, which version of Boost it includes.
constexpr const char* probe = R"(#include <heddle/heddle.h>

#include <boost/version.hpp>
#pragma message("<boost " BOOST_LIB_VERSION ">")
)";

std::string boost_version(const std::string& output) {
  const std::string mark = "<boost ";
  const std::size_t at = output.find(mark);
  if (at == output.npos) return "";
  const std::size_t begin = at + mark.size();
  std::string version = output.substr(begin, output.find('>', begin) - begin);
  std::ranges::replace(version, '_', '.');
  return version;
}

void try_compiler(Diagnosis& diagnosis) {
  const run::ModelCompiler found = run::model_compiler();
  diagnosis.compiler = fmt::format("{}", fmt::join(found.compiler, " "));
  diagnosis.headers = found.headers.string();
  std::vector<std::string> command = found.compiler;
  command.emplace_back("--version");
  diagnosis.compiler_version = first_line(run::run_program(command).output);

  const TemporaryDirectory place;
  command = found.compiler;
  command.insert(command.end(), found.flags.begin(), found.flags.end());
  command.insert(command.end(), {"-shared", "-o", (place.path / "model.so").string(), "-x", "c++", "-"});
  const run::Finished finished = run::run_subprocess({.command = command, .input = probe, .both_outputs = true});
  if (finished.stopped != run::Finished::Stopped::No) throw Interrupted();
  diagnosis.boost = boost_version(finished.output);
  if (finished.exit_code != 0) {
    const std::string why = finished.output.empty() ? fmt::format("it ended with exit code {}", finished.exit_code)
                                                    : first_error(finished.output);
    diagnosis.problem = fmt::format(
        "{} cannot compile a model: {}; install what scripts/packages.txt lists, or name another compiler in the "
        "environment variable CXX",
        diagnosis.compiler, why);
  }
}

std::string quoted_list(const std::vector<std::string>& texts) {
  std::string json;
  for (const std::string& one : texts) json += (json.empty() ? "" : ", ") + report::quoted(one);
  return "[" + json + "]";
}

}  // namespace

Diagnosis diagnose(const run::ComponentTree& tree) {
  Diagnosis diagnosis;
  diagnosis.installed = tree.sources.empty();
  diagnosis.home = (diagnosis.installed ? tree.prefix : tree.sources).string();
  try {
    try_compiler(diagnosis);
  } catch (const UsageError& error) {
    diagnosis.problem = error.what();
  }
  try {
    diagnosis.components = run::component_states(tree);
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception& error) {
    diagnosis.components_problem = error.what();
  }
  return diagnosis;
}

std::string text(const Diagnosis& d) {
  const auto known = [](const std::string& value) { return value.empty() ? "not found" : value; };
  std::string lines = fmt::format("Heddle {}, {} {}\n", paths::version,
                                  d.installed ? "installed in" : "built in the source tree", d.home);
  lines += "\nmodels of your own\n";
  lines += fmt::format("  compiler   {}{}\n", known(d.compiler),
                       d.compiler_version.empty() ? "" : fmt::format(" ({})", d.compiler_version));
  lines += fmt::format("  headers    {}\n", known(d.headers));
  lines += fmt::format("  Boost      {}\n", known(d.boost));
  lines += fmt::format("  compiling  {}\n", d.problem.empty() ? "works" : "does not work");
  lines += "\ncomponents\n";
  if (!d.components_problem.empty()) lines += fmt::format("  {}\n", d.components_problem);
  if (d.components.empty() && d.components_problem.empty()) lines += "  none in this version\n";
  std::size_t names = 0, states = 0;
  for (const run::ComponentState& one : d.components) {
    names = std::max(names, one.component.name.size());
    states = std::max(states, run::text(one.state).size());
  }
  for (const run::ComponentState& one : d.components) {
    lines += fmt::format("  {:{}}  {:{}}  {}\n", one.component.name, names, run::text(one.state), states,
                         one.component.purpose);
    const std::string packages = one.missing.empty() ? "" : fmt::format("without {}; ", fmt::join(one.missing, ", "));
    if (!one.remedy.empty()) lines += fmt::format("  {:{}}  {}get it with: {}\n", "", names, packages, one.remedy);
  }
  return lines;
}

std::string closing_line(const Diagnosis& d) {
  if (!d.problem.empty()) return "error: " + d.problem;
  const auto ready = std::ranges::count(d.components, State::Ready, &run::ComponentState::state);
  if (d.components.empty()) return "models can be compiled";
  return fmt::format("models can be compiled; {} of {} ready", ready,
                     report::counted(d.components.size(), "component"));
}

std::string to_json(const Diagnosis& d) {
  std::string components;
  for (const run::ComponentState& one : d.components) {
    components += fmt::format(
        "{}\n    {{\"name\": {}, \"product\": {}, \"purpose\": {}, \"state\": {}, \"packages\": {}, \"missing\": {}, "
        "\"get\": {}}}",
        components.empty() ? "" : ",", report::quoted(one.component.name), report::quoted(one.component.product),
        report::quoted(one.component.purpose), report::quoted(run::text(one.state)),
        quoted_list(one.component.packages), quoted_list(one.missing), report::quoted_or_null(one.remedy));
  }
  return fmt::format(
      "{{\n  \"error\": {},\n  \"installed\": {},\n  \"home\": {},\n"
      "  \"compiler\": {},\n  \"compiler_version\": {},\n  \"headers\": {},\n  \"boost\": {},\n"
      "  \"components\": [{}],\n  \"components_error\": {},\n  \"command\": \"doctor\",\n  \"version\": {}\n}}",
      report::quoted_or_null(d.problem), d.installed, report::quoted(d.home), report::quoted_or_null(d.compiler),
      report::quoted_or_null(d.compiler_version), report::quoted_or_null(d.headers), report::quoted_or_null(d.boost),
      components, report::quoted_or_null(d.components_problem), report::quoted(paths::version));
}

namespace {

// What programs in C and C++ may call: heddle-lower knows.
int list_externals(const Output& output) {
  const run::Called called = run::call_component("lower", {"--list-runtime"}, "", {});
  if (called.exit_code != 0 || !called.stopped_by.empty()) {
    throw UsageError(called.stopped_by.empty() ? "heddle-lower failed" : called.stopped_by);
  }
  std::string json;
  std::size_t count = 0;
  for (const std::string& name : run::split(called.output, '\n')) {
    if (name.empty()) continue;
    json += fmt::format("{}{}", json.empty() ? "" : ", ", report::quoted(name));
    ++count;
  }
  if (!output.json()) output.say("\n" + called.output);
  return output.finish(fmt::format("{} functions that programs in C and C++ may call", count),
                       fmt::format("{{\n  \"externals\": [{}],\n  \"command\": \"doctor\",\n  \"version\": {}\n}}",
                                   json, report::quoted(paths::version)));
}

}  // namespace

int command_doctor(const Arguments& given) {
  if (given.of<DoctorOptions>().list_externals) {
    return run_plainly(Output(given.of<OutputOptions>()), "doctor", list_externals);
  }
  return run_plainly(Output(given.of<OutputOptions>()), "doctor", [&](const Output& output) {
    const Diagnosis diagnosis = diagnose(run::own_components());
    if (!output.json()) output.say(text(diagnosis));
    const int code = output.finish(closing_line(diagnosis), to_json(diagnosis));
    return diagnosis.problem.empty() ? code : exit_code(Verdict::Error);
  });
}

}  // namespace heddle::cli
