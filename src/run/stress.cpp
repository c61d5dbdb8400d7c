// Compiles the harness with clang++, runs each client in a process of its own for its share of the time, and counts
// outcomes.
#include "run/stress.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <map>
#include <sstream>
#include <thread>

#include "core/model_error.h"
#include "run/client_outcomes.h"
#include "run/compile_model.h"
#include "run/compiler_failure.h"
#include "run/errors.h"
#include "run/harness_clients.h"
#include "run/lower_program.h"
#include "run/model_cache.h"
#include "run/native_door.h"
#include "run/subprocess.h"

namespace heddle::run {
namespace {

namespace fs = std::filesystem;

constexpr const char* native_compiler = "clang++-19";

// A program that did not end by itself is given this much longer than it was told to run.
constexpr double stress_patience = 1;
constexpr double least_seconds = 0.05;  // of a client

fs::path compile_natively(const ProgramFiles& program, ModelCache& cache) {
  const fs::path executable = cache.workplace() / "stress";
  std::vector<std::string> command = {native_compiler,
                                      "-std=c++20",
                                      "-O2",
                                      "-pthread",
                                      "-w",
                                      "-DHEDDLE_STRESS",
                                      "-I" + model_compiler().headers.string()};
  command.insert(command.end(), program.flags.begin(), program.flags.end());
  for (const fs::path& source : program.sources) command.push_back(source.string());
  command.insert(command.end(), {"-o", executable.string()});
  const Finished finished = run_program(command);
  if (finished.exit_code != 0) {
    const fs::path& first = program.sources.front();
    fail_to_compile(
        first, read_source(first), finished.output, cache,
        fmt::format("{}: {} failed with exit code {}", first.string(), native_compiler, finished.exit_code));
  }
  return executable;
}

std::string encoded(const native::Client& client) {
  std::string out = std::to_string(client.threads.size());
  for (const auto& thread : client.threads) {
    out += fmt::format("\n{}", thread.size());
    for (const native::ClientCall& call : thread) {
      out += fmt::format("\n{}", call.method);
      for (std::size_t i = 0; i < native::Client::most_arguments; ++i) {
        out += fmt::format(" {}", i < call.arguments.size() ? call.arguments[i] : 0);
      }
    }
  }
  return out + "\n";
}

struct Counted {
  std::map<std::string, std::uint64_t> outcomes;
  bool hangs = false;
};

Counted read_counts(const std::string& output) {
  Counted out;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (line == "hangs") out.hangs = true;
    std::uint64_t count = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), count);
    if (error == std::errc() && *end == ' ')
      out.outcomes[line.substr(static_cast<std::size_t>(end + 1 - line.data()))] += count;
  }
  return out;
}

bool mentions_waiting(const std::set<std::string>& admitted) {
  return std::ranges::any_of(admitted, [](const std::string& one) { return one.find("waits") != one.npos; });
}

report::StressedClient run_client(const fs::path& executable, const native::Client& client,
                                  const native::Harness& harness, const std::set<std::string>& admitted, double seconds,
                                  std::uint64_t seed, bool& interrupted) {
  report::StressedClient out;
  out.client = text(client, harness);
  const Finished finished =
      run_subprocess({.command = {executable.string(), fmt::format("{:.3f}", seconds), std::to_string(seed)},
                      .input = encoded(client),
                      .seconds = seconds + stress_patience,
                      .kind = "stress program"});
  interrupted = finished.stopped == Finished::Stopped::Interrupt;
  const Counted counted = read_counts(finished.output);
  for (const auto& [outcome, count] : counted.outcomes) {
    out.outcomes.push_back({outcome, count, !admitted.contains(outcome)});
    out.runs += count;
  }
  std::ranges::stable_sort(out.outcomes, std::greater<>(), &report::StressedClient::Outcome::count);
  if (interrupted) return out;
  if (counted.hangs || finished.stopped == Finished::Stopped::Time) {
    out.failure = "a run did not end";
    out.failure_is_bad = !mentions_waiting(admitted);
  } else if (finished.exit_code > 128) {
    const int signal = finished.exit_code - 128;
    out.failure = fmt::format("a run crashed: signal {}{}", signal,
                              signal == SIGSEGV   ? " (an invalid address)"
                              : signal == SIGABRT ? " (an assertion, or abort)"
                                                  : "");
    out.failure_is_bad = true;
  } else if (finished.exit_code != 0) {
    throw ModelError(fmt::format("the stress program ended with exit code {}", finished.exit_code));
  }
  return out;
}

}  // namespace

StressResult stress(const StressRequest& request) {
  const ProgramFiles program = program_files(request.file, request.switches);
  const std::shared_ptr<const native::Image> image = lower_program(program);
  const std::optional<native::Harness> harness = native::harness_of(*image);
  if (!harness) throw UsageError(fmt::format("{} has no harness; drop --stress", request.file));
  const ChosenClients clients = choose_clients(request.file, harness, request.switches);
  native::SystemOptions options;
  options.clients = clients.list;
  const std::vector<std::set<std::string>> admitted = sequential_outcomes(image, options);

  ModelCache cache(".stress");
  const fs::path executable = compile_natively(program, cache);
  StressResult result;
  result.report.processors = std::max(1u, std::thread::hardware_concurrency());
  const auto begin = std::chrono::steady_clock::now();
  const auto spent = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  bool interrupted = false;
  for (std::size_t i = 0; i < clients.list.size() && !interrupted; ++i) {
    const double left = request.seconds - spent();
    if (left <= 0 && i > 0) {
      result.report.left_out = clients.list.size() - i;
      break;
    }
    const double share = std::max(least_seconds, left / static_cast<double>(clients.list.size() - i));
    result.report.clients.push_back(
        run_client(executable, clients.list[i], *harness, admitted[i], share, request.seed + i, interrupted));
    if (interrupted) result.report.left_out = clients.list.size() - i - 1;
  }
  result.report.seconds = spent();
  std::error_code ignored;
  fs::remove(executable, ignored);
  if (result.report.bad() != 0) {
    result.verdict = Verdict::Violated;
    const auto any_bad = [](const report::StressedClient& one) {
      return std::ranges::any_of(one.outcomes, &report::StressedClient::Outcome::bad);
    };
    result.property = std::ranges::any_of(result.report.clients, any_bad) ? "linearizability" : "terminate";
  } else {
    result.stopped_by = interrupted ? "interrupted" : "runs on real threads prove nothing";
  }
  return result;
}

}  // namespace heddle::run
