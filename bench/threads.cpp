// What the reductions for threads leave out, on the programs of examples/native/: the table of docs/threads.md.
//
//   bench_threads [--seconds 60] [--only TEXT]
//
// Every reduction has to give the verdict, the properties violated and the outcomes of the search without reduction;
// otherwise the program says so and fails. A search that does not end within the limit is a dash.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "run/lower_program.h"
#include "support/checked_program.h"

namespace heddle {
namespace {

struct Subject {
  const char* name;
  const char* file;
  std::vector<std::string> flags = {};
  const char* client = "";
  native::Races races = native::Races::Report;
};

const std::vector<Subject> subjects = {
    {"last zero, 5 counting threads", "lastzero.c", {"-DN=5"}},
    {"Michael-Scott queue, 6 calls",
     "michael_scott_queue.cpp",
     {},
     "enqueue(1); dequeue() | enqueue(2); dequeue() | enqueue(3); dequeue()"},
    {"Treiber stack, 6 calls", "treiber_stack.cpp", {}, "push(1); pop() | push(2); pop() | push(3); pop()"},
    {"hand-over-hand list, 6 calls",
     "hand_over_hand_list.cpp",
     {},
     "add(1); remove(2) | add(2); remove(1) | add(3); remove(3)"},
    {"the same, every access a step",
     "hand_over_hand_list.cpp",
     {},
     "add(1) | add(2) | remove(1)",
     native::Races::Allow},
    {"lazy list, 4 calls", "lazy_list.cpp", {}, "add(1); remove(1) | add(2) | remove(2)"},
    {"two-lock queue, 6 calls",
     "two_lock_queue.cpp",
     {},
     "enqueue(1); dequeue() | enqueue(2); dequeue() | enqueue(3); dequeue()"},
    {"Afek stack, 4 calls", "afek_stack.cpp", {}, "push(1) | push(2); pop() | pop()"},
    {"work queue", "work_queue.cpp"},
    {"bakery, 2 threads", "bakery.c"},
};

struct Way {
  const char* name;
  ReductionPlan plan = {};
  SearchOptions::Order order = SearchOptions::Order::BreadthFirst;
  SearchOptions::Dpor dpor = SearchOptions::Dpor::Source;
};

const std::vector<Way> ways = {
    {"none"},
    {"safe", {.safe = true}},
    {"futures", {.futures = true}},
    {"lazy", {.lazy = true}},
    {"eager", {.eager = true}},
    {"dpor source", {}, SearchOptions::Order::Dpor},
    {"dpor optimal", {}, SearchOptions::Order::Dpor, SearchOptions::Dpor::Optimal},
};

struct Answer {
  bool complete = false;
  Verdict verdict = Verdict::Unknown;
  std::set<std::string> violated, outcomes;
  std::uint64_t states = 0;
  double seconds = 0;
};

Answer ask(const std::shared_ptr<const native::Image>& image, const Subject& subject, const Way& way, double seconds) {
  native::SystemOptions how;
  if (*subject.client != '\0') how = options_of_client(*image, subject.client);
  how.races = subject.races;
  SearchOptions options;
  options.order = way.order;
  options.dpor = way.dpor;
  options.limits.seconds = seconds;
  ProgramAnswer found = checked_program(image, how, way.plan, options);
  const SearchResult& result = found.check.search;
  const bool stateless = way.order == SearchOptions::Order::Dpor;
  return {.complete = result.complete,
          .verdict = result.verdict,
          .violated = std::move(found.violated),
          .outcomes = std::move(found.outcomes),
          .states = stateless ? result.counters.nodes : result.counters.states,
          .seconds = result.seconds};
}

int print_table(const std::string& only, double seconds) {
  std::string head = "| program |", line = "|---|";
  for (const Way& way : ways) {
    head += fmt::format(" {} |", way.name);
    line += "---|";
  }
  std::cout << head << '\n' << line << std::endl;
  bool agree = true;
  for (const Subject& subject : subjects) {
    if (std::string_view(subject.name).find(only) == std::string_view::npos) continue;
    const std::filesystem::path folder = std::filesystem::path(HEDDLE_SOURCE_DIR) / "examples" / "native";
    const auto image = run::lower_program({.sources = {folder / subject.file}, .flags = subject.flags});
    std::cout << "| " << subject.name << " |" << std::flush;
    std::optional<Answer> full;
    for (const Way& way : ways) {
      const Answer answer = ask(image, subject, way, seconds);
      std::cout << (answer.complete ? fmt::format(" {} |", answer.states) : " - |") << std::flush;
      std::cerr << fmt::format("{}, {}: {:.2f} s\n", subject.name, way.name, answer.seconds);
      if (!full) full = answer;
      if (!answer.complete || !full->complete) continue;
      if (answer.verdict == full->verdict && answer.violated == full->violated && answer.outcomes == full->outcomes)
        continue;
      agree = false;
      std::cerr << subject.name << ": " << way.name << " differs from the search without reduction\n";
    }
    std::cout << std::endl;
  }
  return agree ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace heddle

int main(int argc, char** argv) {
  std::string only;
  double seconds = 60;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::string_view(argv[i]) == "--seconds") seconds = std::atof(argv[i + 1]);
    if (std::string_view(argv[i]) == "--only") only = argv[i + 1];
  }
  return heddle::print_table(only, seconds);
}
