// What checking programs of C and C++ costs (docs/native.md): searches next to the actor engine's, what remembering
// segments and leaving out steps are worth, how cost grows, what the machine and the compiler need; and the same
// programs checked by GenMC, where there is a `genmc` on the PATH.
//
//   bench_native            the tables of docs/native-figures.md (minutes)
//   bench_native --quick    small instances
//
// Times are processor time of one thread, children included. Compare ratios: machines are noisy. Measured is the search
// alone (reduce/), below the call that checks models.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "actor/actor_system.h"
#include "core/budget.h"
#include "explore/search.h"
#include "heddle_paths.h"
#include "native/client.h"
#include "native/run_alone.h"
#include "native/system.h"
#include "processor_seconds.h"
#include "reduce/reduced_search.h"
#include "run/component.h"
#include "run/errors.h"
#include "run/lower_program.h"
#include "run/subprocess.h"

namespace {

using namespace heddle;
namespace fs = std::filesystem;

const fs::path source(paths::source_dir);

double geometric_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return values.empty() ? 0 : std::exp(sum / static_cast<double>(values.size()));
}

template <class... Arguments>
void print(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  fmt::print(text, std::forward<Arguments>(arguments)...);
  std::fflush(stdout);
}

struct Measured {
  SearchResult result;
  double seconds = 0;
  std::uint64_t runs = 0;  // of the machine

  double rate() const { return static_cast<double>(result.counters.transitions) / seconds; }
  double bytes_per_state() const {
    return static_cast<double>(result.counters.store_bytes) / static_cast<double>(result.counters.states);
  }
};

Measured measure(TransitionSystem& system, const ReductionPlan& plan = {}) {
  SearchOptions options;
  options.stop_at_violation = false;
  ReductionReport report;
  Measured m;
  const double start = processor_seconds();
  m.result = reduced_search(system, options, plan, report);
  m.seconds = processor_seconds() - start;
  if (!m.result.exhausted) print("(not complete)\n");
  return m;
}

// A subject of examples/native with one client.
struct Subject {
  std::string name, file, client;
  native::Races races = native::Races::Report;
};

Measured measure(const Subject& subject, native::SystemOptions options = {}, const ReductionPlan& plan = {}) {
  const auto image = run::lower_program({.sources = {source / "examples" / "native" / subject.file}});
  options.clients = {native::parse_client(subject.client, native::harness_of(*image).value())};
  options.races = subject.races;
  native::System system(image, options);
  Measured m = measure(system, plan);
  m.runs = system.runs();
  return m;
}

// Three threads that make the calls one after the other, as evenly as can be: "a; b; a | b; a; b | a; b; a".
std::string client_of(std::uint32_t calls,
                      const std::function<std::string(std::uint32_t thread, std::uint32_t call)>& call) {
  std::string text;
  for (std::uint32_t t = 0; t < 3; ++t) {
    const std::uint32_t own = calls / 3 + (t < calls % 3 ? 1 : 0);
    if (t > 0) text += " | ";
    for (std::uint32_t c = 0; c < own; ++c) text += (c > 0 ? "; " : "") + call(t, c);
  }
  return text;
}

Subject queue(std::uint32_t calls) {
  const auto call = [](std::uint32_t t, std::uint32_t c) {
    return c % 2 == 0 ? fmt::format("enqueue({})", t + 1) : "dequeue()";
  };
  return {fmt::format("Michael-Scott queue, {} calls", calls), "michael_scott_queue.cpp", client_of(calls, call)};
}

Subject list(const std::string& name, const std::string& file, std::uint32_t calls) {
  const auto call = [](std::uint32_t t, std::uint32_t c) {
    const char* const methods[] = {"add", "remove", "contains"};
    return fmt::format("{}({})", methods[c % 3], (t + c / 2) % 3);
  };
  return {fmt::format("{}, {} calls", name, calls), file, client_of(calls, call)};
}

std::vector<Subject> list_sets(std::uint32_t calls) {
  return {list("coarse list", "coarse_list.cpp", calls), list("hand-over-hand list", "hand_over_hand_list.cpp", calls),
          list("optimistic list", "optimistic_list.cpp", calls), list("lazy list", "lazy_list.cpp", calls)};
}

void rates(bool quick) {
  print("## Next to the actor engine\n\n");
  print(
      "| search, no reductions | states | transitions | M transitions/s | x actors | without memo | runs of code | "
      "B/state |\n");
  print("|---|---|---|---|---|---|---|---|\n");
  struct Model {
    std::string name;
    std::map<std::string, std::string> parameters;
  };
  const std::vector<Model> models = {
      {"two_phase_commit", {{"managers", quick ? "6" : "7"}}},
      {"paxos", {{"proposers", "2"}, {"acceptors", "3"}, {"learners", quick ? "2" : "3"}}},
      {"abd_register", {{"clients", "3"}, {"servers", "2"}}},
  };
  std::vector<double> actor_rates;
  for (const Model& model : models) {
    const auto system = make_actor_system(heddle::Model(*find_model(model.name), model.parameters), {});
    const Measured m = measure(*system);
    actor_rates.push_back(m.rate());
    print("| {} | {} | {} | {:.2f} | | | | {:.1f} |\n", model.name, m.result.counters.states,
          m.result.counters.transitions, m.rate() / 1e6, m.bytes_per_state());
  }
  const double actors = geometric_mean(actor_rates);
  std::vector<Subject> subjects = {queue(6), queue(8)};
  if (!quick) subjects.push_back(queue(9));
  // Locks leave few steps to be seen; every access being one, there are as many as in the other searches.
  for (Subject& subject : list_sets(quick ? 6 : 9)) {
    subject.name += ", all accesses";
    subject.races = native::Races::Allow;
    subjects.push_back(std::move(subject));
  }
  std::vector<double> ratios, memo, bytes;
  for (const Subject& subject : subjects) {
    const Measured m = measure(subject);
    const Measured plain = measure(subject, {.memoise = false});
    ratios.push_back(m.rate() / actors);
    memo.push_back(plain.seconds / m.seconds);
    bytes.push_back(m.bytes_per_state());
    print("| {} | {} | {} | {:.2f} | {:.2f} | {:.1f}x slower | {} | {:.1f} |\n", subject.name, m.result.counters.states,
          m.result.counters.transitions, m.rate() / 1e6, ratios.back(), memo.back(), m.runs, bytes.back());
  }
  print(
      "\nGeometric means: {:.2f} of the actor engine's transitions a second (its mean: {:.2f} M), {:.1f} times as fast "
      "as without memo, {:.1f} B a state.\n",
      geometric_mean(ratios), actors / 1e6, geometric_mean(memo), geometric_mean(bytes));
}

void safe_sets(bool quick) {
  print("\n## Safe sets\n\n");
  print("| subject with locks | all accesses: states | races reported: states | with safe sets | fewer |\n");
  print("|---|---|---|---|---|\n");
  std::vector<Subject> subjects = list_sets(quick ? 4 : 6);
  subjects.push_back({"two-lock queue", "two_lock_queue.cpp", "enqueue(1); dequeue() | enqueue(2); dequeue()"});
  subjects.push_back({"reader-writer lock", "reader_writer_lock.cpp", ""});
  subjects.push_back({"work queue", "work_queue.cpp", ""});
  std::vector<double> ratios;
  for (const Subject& subject : subjects) {
    const auto states = [&](native::Races races, bool safe) {
      native::SystemOptions options{.races = races};
      const auto image = run::lower_program({.sources = {source / "examples" / "native" / subject.file}});
      if (!subject.client.empty()) {
        options.clients = {native::parse_client(subject.client, native::harness_of(*image).value())};
      }
      native::System system(image, options);
      return measure(system, {.safe = safe}).result.counters.states;
    };
    const std::uint64_t all = states(native::Races::Allow, false), race_free = states(native::Races::Report, false),
                        safe = states(native::Races::Report, true);
    ratios.push_back(static_cast<double>(all) / static_cast<double>(safe));
    print("| {} | {} | {} | {} | {:.1f}x |\n", subject.name, all, race_free, safe, ratios.back());
  }
  print("\nGeometric mean: {:.1f} times fewer states than with all accesses and no reduction.\n",
        geometric_mean(ratios));
}

void growth(bool quick) {
  print("\n## Growth\n\n");
  print(
      "| client | states | transitions | ns a state | a transition | runs of code | B/state "
      "|\n|---|---|---|---|---|---|---|\n");
  for (std::uint32_t calls = 3; calls <= (quick ? 7u : 9u); ++calls) {
    const Subject subject = queue(calls);
    const Measured m = measure(subject);
    const Counters& c = m.result.counters;
    print("| {} | {} | {} | {:.0f} | {:.0f} | {} | {:.1f} |\n", subject.name, c.states, c.transitions,
          m.seconds * 1e9 / static_cast<double>(c.states), m.seconds * 1e9 / static_cast<double>(c.transitions), m.runs,
          m.bytes_per_state());
  }
}

double children_seconds() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct Ran {
  run::Finished finished;
  double seconds = 0;
};
constexpr double patience = 300;  // seconds for a run

// The least of several runs.
Ran run_child(const std::vector<std::string>& command, int times = 1) {
  Ran least;
  for (int i = 0; i < times; ++i) {
    const double start = children_seconds();
    run::Finished finished = run::run_subprocess({.command = command, .seconds = patience, .both_outputs = true});
    if (finished.stopped == run::Finished::Stopped::Interrupt) throw run::Interrupted();
    const double seconds = children_seconds() - start;
    if (i == 0 || seconds < least.seconds) least = {std::move(finished), seconds};
  }
  return least;
}

class Workplace {
 public:
  Workplace() : path_(fs::temp_directory_path() / fmt::format("bench_native.{}", ::getpid())) {
    fs::create_directories(path_);
  }
  ~Workplace() { fs::remove_all(path_); }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  fs::path file(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return path_ / name;
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

fs::path heddle_program() { return fs::read_symlink("/proc/self/exe").parent_path() / "heddle"; }

void machine(const Workplace& place) {
  print("\n## The machine and the compiler\n\n| what | |\n|---|---|\n");
  const fs::path loop = place.file("loop.c",
                                   "int main(void) {\n  unsigned x = 1;\n"
                                   "  for (;;) x = (x << 3 ^ x >> 5) + 7 * (x & 15);\n}\n");
  native::AloneSettings settings;
  const double start = processor_seconds();
  const native::AloneResult result = run_alone(*run::lower_program({.sources = {loop}}), settings);
  if (result.failure != native::Failure::Endless) print("(not the loop that was wanted)\n");
  // The machine stops after so many operations.
  print("| straight code, M operations/s | {:.0f} |\n",
        static_cast<double>(settings.machine.longest_segment) / (processor_seconds() - start) / 1e6);

  std::vector<double> ratios;
  const fs::path lower = run::find_component("lower");
  for (const char* name : {"peterson.c", "michael_scott_queue.cpp", "work_queue.cpp"}) {
    const fs::path file = source / "examples" / "native" / name;
    const std::string headers = "-I" + (source / "include").string();
    const std::string compiler = file.extension() == ".c" ? "clang-19" : "clang++-19";
    const std::string standard = file.extension() == ".c" ? "-std=c11" : "-std=c++20";
    const Ran clang = run_child(
        {compiler, standard, "-O1", "-g", headers, "-c", file.string(), "-o", (place.path() / "clang.o").string()}, 3);
    const Ran ours =
        run_child({lower.string(), "--output", (place.path() / "x.image").string(), file.string(), "--", headers}, 3);
    if (clang.finished.exit_code != 0 || ours.finished.exit_code != 0) print("(failed: {})\n", name);
    ratios.push_back(ours.seconds / clang.seconds);
    print("| {}: compile and lower, ms | {:.0f}, {:.1f} times clang -O1 -c ({:.0f}) |\n", name, ours.seconds * 1e3,
          ratios.back(), clang.seconds * 1e3);
  }
  const fs::path small = source / "examples" / "native" / "peterson.c";
  const std::string heddle = heddle_program().string();
  run_child({heddle, "check", small.string(), "--quiet", "--no-trace"});  // compiles it
  const Ran nothing = run_child({heddle, "--version"}, 5);
  const Ran cached = run_child({heddle, "check", small.string(), "--quiet", "--no-trace"}, 5);
  print("| peterson.c, cached: whole check, ms | {:.0f} ({:.0f} of them to start the program) |\n",
        cached.seconds * 1e3, nothing.seconds * 1e3);
}

// A program of bench/peers/native.
struct PeerProgram {
  std::string name, file;
  std::vector<std::string> flags;
  bool counts = true;  // in the mean
};

std::vector<PeerProgram> peer_programs(bool quick) {
  std::vector<PeerProgram> programs;
  for (const int calls : quick ? std::vector{2} : std::vector{2, 3}) {
    const std::vector<std::string> flags = {fmt::format("-DCALLS={}", calls)};
    const auto named = [&](const char* name) { return fmt::format("{}, {} calls", name, 3 * calls); };
    programs.push_back({named("Michael-Scott queue"), "ms_queue.c", flags});
    programs.push_back({named("Treiber stack"), "treiber.c", flags});
    programs.push_back({named("hand-over-hand list"), "list.c", flags});
    programs.push_back({named("striped map"), "striped_map.c", flags});
  }
  const int threads = quick ? 5 : 8;
  programs.push_back({fmt::format("lastzero({})", threads), "lastzero.c", {fmt::format("-DN={}", threads)}, false});
  return programs;
}

std::string first_match(const std::string& text, const char* pattern) {
  std::smatch match;
  return std::regex_search(text, match, std::regex(pattern)) ? match[1].str() : "-";
}

// Returns how many times more processor time GenMC needs; none if there is no comparison.
std::optional<double> compare(const PeerProgram& program) {
  const std::string file = (source / "bench" / "peers" / "native" / program.file).string();
  const auto run_genmc = [&](std::vector<std::string> flags, int times) {
    std::vector<std::string> command = {
        "genmc", "--sc", "--v1", "--disable-estimation", "--disable-warn-on-unfreed-memory", "--"};
    command.insert(command.end(), flags.begin(), flags.end());
    command.push_back(file);
    return run_child(command, times);
  };
  std::vector<std::string> nothing = program.flags,
                           command = {heddle_program().string(), "check", file, "--no-trace", "--"};
  nothing.emplace_back("-DNOTHING");
  command.insert(command.end(), program.flags.begin(), program.flags.end());
  run_child(command);  // compiles it
  const Ran ours = run_child(command, 3);
  // What GenMC needs to start and to compile is taken off.
  const double start = run_genmc(nothing, 3).seconds;
  const Ran theirs = run_genmc(program.flags, 1);
  const bool stopped = theirs.finished.stopped == run::Finished::Stopped::Time;
  if (ours.finished.exit_code != 0 || (theirs.finished.exit_code != 0 && !stopped)) {
    print("| {} | no verdict: heddle {}, genmc {} |\n", program.name, ours.finished.exit_code,
          theirs.finished.exit_code);
    return std::nullopt;
  }
  constexpr double least = 0.001;  // seconds: less cannot be told from nothing
  const double their_seconds = std::max(theirs.seconds - start, least), ratio = their_seconds / ours.seconds;
  const char* const more = stopped ? "> " : "";
  print("| {} | {} | {} | {}{:.3f} | {} | {:.3f} | {}{:.1f} |\n", program.name,
        first_match(theirs.finished.output, "complete executions explored: (\\d+)"),
        first_match(theirs.finished.output, "blocked executions seen: (\\d+)"), more, their_seconds,
        first_match(ours.finished.output, "([\\d,]+) states"), ours.seconds, more, ratio);
  return ratio;
}

void genmc(bool quick) {
  print("\n## Next to GenMC\n\n");
  std::string version;
  try {
    version = first_match(run_child({"genmc", "--version"}).finished.output, "(GenMC v[0-9.]+)");
  } catch (const std::exception&) {
    print("There is no genmc on the PATH.\n");
    return;
  }
  print("| program | executions: complete | blocked | {} s | Heddle's states | Heddle s | x |\n", version);
  print("|---|---|---|---|---|---|---|\n");
  std::vector<double> ratios;
  for (const PeerProgram& program : peer_programs(quick)) {
    const std::optional<double> ratio = compare(program);
    if (ratio && program.counts) ratios.push_back(*ratio);
  }
  print(
      "\nGeometric mean, lastzero apart: Heddle needs {:.1f} times less processor time. Its time includes its start; "
      "compiling is "
      "left out on both sides. GenMC also covers memory that is weaker than sequentially consistent; Heddle does "
      "not.\n",
      geometric_mean(ratios));
}

}  // namespace

int main(int argc, char** argv) {
  bool quick = false;
  std::vector<std::string> wanted;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--quick") == 0) {
      quick = true;
    } else {
      wanted.emplace_back(argv[i]);
    }
  }
  Budget::install_interrupt_handler();
  const auto chosen = [&](const char* name) {
    return wanted.empty() || std::ranges::find(wanted, name) != wanted.end();
  };
  const Workplace place;
  try {
    if (chosen("rates")) rates(quick);
    if (chosen("safe")) safe_sets(quick);
    if (chosen("growth")) growth(quick);
    if (chosen("machine")) machine(place);
    if (chosen("genmc")) genmc(quick);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_native: {}\n", error.what());
    return 3;
  }
}
