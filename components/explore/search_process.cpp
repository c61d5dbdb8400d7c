#include "search_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "cli/run_arguments.h"
#include "cli/standard_output.h"
#include "core/user_code.h"
#include "explain/make_trace.h"
#include "heddle_paths.h"
#include "report/closing_line.h"
#include "report/json_text.h"
#include "report/json_view.h"
#include "report/trace_json.h"
#include "run/check.h"
#include "run/errors.h"
#include "run/exceptions.h"
#include "run/failures.h"

namespace heddle::explorer {
namespace {

constexpr const char* search_variable = "HEDDLE_EXPLORE_SEARCHES";
constexpr std::string_view variable_of_the_server = "HEDDLE_EXPLORE_LISTENS=";

std::string compact(const std::string& json) {
  const report::JsonDocument document(json, "");
  return document.root().compact();
}

std::string figures_of(const Counters& counters, double seconds) {
  std::string out = fmt::format("{{\"seconds\": {:.1f}", seconds);
  for (const auto& [name, value] :
       {std::pair{"states", counters.states}, std::pair{"transitions", counters.transitions},
        std::pair{"depth", counters.depth}, std::pair{"queue", counters.queue}}) {
    out += fmt::format(", \"{}\": {}", name, value);
  }
  return out + "}";
}

void print_line(std::string_view key, const std::string& json) {
  fmt::print(cli::standard_output(), "{{\"{}\": {}}}\n", key, json);
  std::fflush(cli::standard_output());
}

class Teller final : public run::Listener {
 public:
  explicit Teller(report::RunReport& report) : report_(report) {}
  void built(const run::Instance& instance) override { instance.describe(report_); }
  void progress(const Counters& counters, double seconds) override {
    print_line("progress", figures_of(counters, seconds));
  }
  void failed(const run::CheckResult& result) override { run::describe(result, report_); }

 private:
  report::RunReport& report_;
};

}  // namespace

bool is_search_process() { return std::getenv(search_variable) != nullptr; }

int run_search_process(const cli::Arguments& given) {
  const cli::RunArguments arguments = cli::run_arguments(given);
  report::RunReport report;
  report.command = "check";
  report.version = paths::version;
  std::string runs;
  const Budget clock;
  run::conclude_exceptions(report, [&] {
    const run::Instance instance = cli::open_instance(arguments, report);
    run::CheckRequest request;
    request.build = cli::build_options(arguments);
    Teller teller(report);
    const run::CheckResult result = run::check(instance, request, teller);
    run::describe(result, report);
    print_line("progress", figures_of(result.counters, clock.seconds()));
    for (std::size_t i = 0; i < result.violations.size(); ++i) {
      const run::Violation& violation = result.violations[i];
      // A smaller instance than the one that people look at is shown elsewhere.
      trace::Trace trace = violation.trace;
      if (!violation.reduced_from.empty()) {
        const Finding& finding = result.search.violations[i];
        trace = explain::make_trace(*result.system, finding.path, finding.property);
        instance.describe(trace);
      }
      runs += (runs.empty() ? "" : ", ") + compact(report::to_json(trace));
      if (i == 0) report.trace_steps = trace.steps.size();
    }
  });
  run::report_earlier_crash(report);
  report.seconds = clock.seconds();
  report.peak_bytes = peak_resident_bytes();
  print_line("result",
             fmt::format("{{\"verdict\": {}, \"line\": {}, \"runs\": [{}]}}", report::quoted(name(report.verdict)),
                         report::quoted(report::closing_line(report)), runs));
  return 0;
}

SearchProcess::~SearchProcess() {
  stop();
  if (listener_.joinable()) listener_.join();
}

void SearchProcess::start() {
  {
    const std::lock_guard lock(mutex_);
    if (process_ != 0) return;
  }
  if (listener_.joinable()) listener_.join();
  std::array<int, 2> ends = {-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw run::UsageError("no process can be started: there are too many open files");
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);  // the server's socket among them
  std::vector<char*> words, environment;
  std::string program = "heddle-explore", mark = std::string(search_variable) + "=1";
  words.push_back(program.data());
  for (const std::string& word : words_) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  for (char** one = environ; *one != nullptr; ++one) {
    if (!std::string_view(*one).starts_with(variable_of_the_server)) environment.push_back(*one);
  }
  environment.push_back(mark.data());
  environment.push_back(nullptr);
  pid_t process = 0;
  const int error = ::posix_spawn(&process, "/proc/self/exe", &actions, nullptr, words.data(), environment.data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (error != 0) {
    ::close(ends[0]);
    throw run::UsageError(fmt::format("the search cannot be started: {}", std::strerror(error)));
  }
  const std::lock_guard lock(mutex_);
  process_ = process;
  ever_ = true;
  figures_.clear(), result_.clear(), trouble_.clear(), traces_.clear();
  listener_ = std::jthread([this, pipe = ends[0], process] { listen(pipe, process); });
}

void SearchProcess::stop() {
  const std::lock_guard lock(mutex_);
  if (process_ != 0) ::kill(process_, SIGTERM);
}

void SearchProcess::listen(int pipe, pid_t process) {
  std::string text;
  std::array<char, 1 << 16> piece = {};
  for (;;) {
    const ssize_t size = ::read(pipe, piece.data(), piece.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    text.append(piece.data(), static_cast<std::size_t>(size));
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n')) {
      note(text.substr(0, end));
      text.erase(0, end + 1);
    }
  }
  ::close(pipe);
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  const std::lock_guard lock(mutex_);
  process_ = 0;
  if (!result_.empty()) return;
  trouble_ = WIFSIGNALED(status) ? fmt::format("The search was ended by signal {}.", WTERMSIG(status))
                                 : "The search ended without a result; the terminal may say why.";
}

void SearchProcess::note(const std::string& line) {
  try {
    const report::JsonDocument document(line, "search");
    if (const auto figures = document.root().find("progress")) {
      const std::lock_guard lock(mutex_);
      figures_ = std::string(figures->text());
    }
    const auto result = document.root().find("result");
    if (!result) return;
    std::vector<trace::Trace> traces;
    std::string runs;
    for (const report::JsonView& one : result->member("runs").elements()) {
      const trace::Trace& trace = traces.emplace_back(report::trace_from_json(one.text(), "search"));
      runs += fmt::format("{}{{\"property\": {}, \"steps\": {}}}", runs.empty() ? "" : ", ",
                          report::quoted(trace.property), trace.steps.size());
    }
    const std::lock_guard lock(mutex_);
    traces_ = std::move(traces);
    result_ = fmt::format("{{\"verdict\": {}, \"line\": {}, \"runs\": [{}]}}", result->member("verdict").text(),
                          result->member("line").text(), runs);
  } catch (const report::ReportError&) {
    // Something else has written to the pipe.
  }
}

std::string SearchProcess::progress() const {
  const std::lock_guard lock(mutex_);
  const auto or_null = [](const std::string& json) { return json.empty() ? std::string("null") : json; };
  return fmt::format("{{\"state\": \"{}\", \"progress\": {}, \"result\": {}, \"trouble\": {}}}\n",
                     process_ != 0 ? "running"
                     : ever_       ? "ended"
                                   : "idle",
                     or_null(figures_), or_null(result_), report::quoted(trouble_));
}

std::optional<trace::Trace> SearchProcess::found(std::size_t n) const {
  const std::lock_guard lock(mutex_);
  if (n >= traces_.size()) return std::nullopt;
  return traces_[n];
}

}  // namespace heddle::explorer
