// Runs a trace again and compares places, or reads executions; RepairSearch does the rest.
#include "run/recorded_cause.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <random>
#include <utility>

#include "core/facets/assumptions.h"
#include "core/model_error.h"
#include "explain/compatible_json.h"
#include "explain/make_trace.h"
#include "explain/replay.h"
#include "run/client_executions.h"
#include "run/errors.h"
#include "run/executions_file.h"
#include "run/harness_clients.h"
#include "run/native_door.h"
#include "run/recorded_run.h"
#include "run/repair_search.h"
#include "run/replay.h"

namespace heddle::run {
namespace {

// Throws UsageError unless the trace says where its steps are in a source and what they access.
void need_places(const trace::Trace& recorded, const std::string& file) {
  if (!recorded.options.contains("file")) {
    throw UsageError(fmt::format(
        "{}: the trace is of the model {}. A root cause is found in traces of programs, whose steps have the "
        "fields `place` and `accesses`: heddle check FILE.cpp writes one",
        file, recorded.model));
  }
  const auto lacks = [&](const char* field) {
    throw UsageError(fmt::format(
        "{}: no step has the field `{}`. Only traces of programs in C and C++ have it: make one with heddle check {}",
        file, field, recorded.options.at("file")));
  };
  if (std::ranges::none_of(recorded.steps, [](const trace::Step& step) { return step.place.known(); })) lacks("place");
  if (std::ranges::all_of(recorded.steps, [](const trace::Step& step) { return step.accesses.empty(); })) {
    lacks("accesses");
  }
}

std::string place_text(const trace::Place& place) {
  if (!place.known()) return "an unknown place";
  return fmt::format("{}:{}{}{}", place.file, place.line, place.column == 0 ? "" : fmt::format(":{}", place.column),
                     place.function.empty() ? "" : " in " + place.function);
}

// The folder may be another one: it depends on from where the file was named.
bool same_place(const trace::Place& a, const trace::Place& b) {
  const auto name = [](const trace::Place& place) { return std::filesystem::path(place.file).filename(); };
  return a.line == b.line && a.column == b.column && a.function == b.function && name(a) == name(b);
}

[[noreturn]] void fail_as_changed(const std::string& source, const std::string& what) {
  throw ModelError(fmt::format(
      "{}: the source has changed since the trace was made, or the trace has: {}; make the trace again with heddle "
      "check",
      source, what));
}

// Throws UsageError if a step does not say where it was, ModelError if it is not there, or does not do what it did.
void need_same_source(const trace::Trace& recorded, const trace::Trace& now, const std::string& file,
                      const std::string& source) {
  const auto same_access = [](const trace::Access& a, const trace::Access& b) {
    return a.object == b.object && a.part == b.part && a.kind == b.kind && same_place(a.place, b.place);
  };
  const auto same_operation = [&](const trace::Operation& a, const trace::Operation& b) {
    return a.kind == b.kind && recorded.lanes[a.lane].name == now.lanes[b.lane].name &&
           explain::compatible_json(a.value, b.value);
  };
  for (std::size_t i = 0; i < recorded.steps.size(); ++i) {
    const trace::Step &was = recorded.steps[i], &is = now.steps.at(i);
    if (is.place.known() && !was.place.known()) {
      throw UsageError(
          fmt::format("{}: step {} has no field `place`, or no file and line in it: make one with heddle check {}",
                      file, i + 1, recorded.options.at("file")));
    }
    if (!same_place(was.place, is.place)) {
      fail_as_changed(
          source, fmt::format("step {} was at {} and is at {}", i + 1, place_text(was.place), place_text(is.place)));
    }
    if (!std::ranges::equal(was.accesses, is.accesses, same_access)) {
      fail_as_changed(source, fmt::format("step {}, at {}, does not access what it did", i + 1, place_text(is.place)));
    }
    if (!std::ranges::equal(was.operations, is.operations, same_operation)) {
      fail_as_changed(source, fmt::format("step {}, at {}, does not begin or end the call that it did", i + 1,
                                          place_text(is.place)));
    }
  }
}

// The run of a trace that shows no violation. Throws ModelError if the trace says that there is one, UsageError if the
// run has no results.
void need_results(const native::System& system, const trace::Trace& recorded, const Path& path, const std::string& file,
                  const std::string& source) {
  if (recorded.verdict == "violated") {
    fail_as_changed(source, fmt::format("its run no longer ends in a violation of {}",
                                        recorded.property.empty() ? "anything" : recorded.property));
  }
  StepBuffer further;
  system.expand(explain::states_of(system, path).back(), further);
  if (further.size() == 0) return;
  throw UsageError(fmt::format(
      "{}: the run stops before all its calls have returned, so it has no results to explain: record one that ends",
      file));
}

// All repairs, in the order of their ranks, and the cycle of the first.
void describe(const RepairSearch& search, RootCause& out) {
  out.all_repairs = search.complete();
  for (const explain::RankedRepair& one : search.ranked()) {
    out.repairs.push_back({.blocks = search.blocks_of(one.repair),
                           .excluded_good = one.excluded_good,
                           .statements = one.statements,
                           .rank = one.rank});
  }
  if (!search.ranked().empty()) search.draw_cycle(search.ranked().front().repair, out);
}

// Keeps `most` elements of the list, chosen by the seed, in their order.
template <class... Lists>
void sample(std::size_t most, std::uint64_t seed, std::size_t size, Lists&... lists) {
  if (size <= most) return;
  std::vector<std::size_t> chosen, all(size);
  for (std::size_t i = 0; i < size; ++i) all[i] = i;
  std::mt19937_64 generator(seed);
  std::ranges::sample(all, std::back_inserter(chosen), static_cast<std::ptrdiff_t>(most), generator);
  const auto keep = [&](auto& list) {
    for (std::size_t i = 0; i < most; ++i) {
      if (chosen[i] != i) list[i] = std::move(list[chosen[i]]);
    }
    list.resize(most);
  };
  (keep(lists), ...);
}

}  // namespace

RootCause root_cause_of_trace(const trace::Trace& recorded, const std::string& file, const RootCauseRequest& request,
                              Budget& budget) {
  need_places(recorded, file);
  const std::string source =
      recorded_file(recorded, file, "go to the folder where it is, or make the trace again with heddle check");
  const Program program = load_program(source, settings_of(recorded).switches);
  need_harness(program, source);
  RootCause out{.source = RootCause::Source::Trace};
  native::System system(program.image, with_clients(program.image, program.how, program.clients.list));
  const explain::ReplayResult run = until_not_mistaken(system, [&] { return explain::replay(system, recorded); });
  if (!run.fits && !run.difference.empty()) {
    throw ModelError(
        fmt::format("{}: the source has changed since the trace was made, or the trace has: {}; make the trace again "
                    "with heddle check",
                    source, run.difference));
  }
  if (!run.fits) {
    fail_as_changed(source, fmt::format("step {} was {}, which is not possible now", run.step + 1, run.expected));
  }
  need_same_source(recorded, explain::make_trace(system, run.path, run.property), file, source);
  const native::Client client = system.clients()[run.path.initial];
  out.client = native::text(client, *program.harness);
  out.states = run.path.steps.size() + 1;
  if (!run.property || !run.shown) {
    need_results(system, recorded, run.path, file, source);
    out.outcome = RootCause::Outcome::NothingToRepair;
    return out;
  }
  out.property = system.properties()[*run.property].name;
  if (out.property != "linearizability") {
    out.outcome = RootCause::Outcome::NotExplained;
    out.why = why_no_section(out.property);
    out.violation = violation_text(system, run.path, *run.property);
    return out;
  }
  const explain::StatementTree tree = statement_tree(*program.image);
  CodeEventMemo events(system);
  const explain::RealTime real_time = real_time_of(system);
  RepairSearch search(tree, program.image->files, real_time, request.most_repairs, budget);
  const auto calls = [&](std::uint32_t invocation) { return call_text(client, *program.harness, invocation); };
  // Nobody tries these repairs, so each is one by the definition: accesses count one by one.
  const RepairSearch::Added added = search.add_bad(recorded_run(system, tree, run.path, events), calls);
  if (added == RepairSearch::Added::Serializable) {
    out.outcome = RootCause::Outcome::NotExplained;
    out.why = why_serializable(program);
    return out;
  }
  if (added == RepairSearch::Added::Stopped || !search.compute()) return out;
  out.bad = "1";
  describe(search, out);
  out.outcome = RootCause::Outcome::Explained;
  return out;
}

RootCause root_cause_of_files(const RecordedFiles& files, const RootCauseRequest& request, Budget& budget) {
  RootCause out{.source = RootCause::Source::Files};
  out.property = "linearizability";
  const explain::RealTime real_time = files.histories ? explain::RealTime::Respected : explain::RealTime::Ignored;
  ExecutionFiles reader(real_time);
  std::vector<std::string> names = {files.bad};
  if (!files.good.empty()) names.push_back(files.good);
  for (const std::string& name : names) {
    if (!budget.check(0)) return out;
    history::LineReader lines(name);
    reader.read(lines);
  }
  ReadExecutions bad = reader.executions(0);
  ReadExecutions good = files.good.empty() ? ReadExecutions{} : reader.executions(1);
  const std::size_t all_bad = bad.list.size(), all_good = good.list.size();
  if (all_bad == 0) {
    out.outcome = RootCause::Outcome::NothingToRepair;
    return out;
  }
  sample(request.executions.bad, request.executions.seed, all_bad, bad.list, bad.calls, bad.lines);
  sample(request.executions.good, request.executions.seed, all_good, good.list);
  const explain::StatementTree& tree = reader.tree();
  RepairSearch search(tree, reader.source_files(), real_time, request.most_repairs, budget);
  out.good = ExecutionCount{good.list.size(), all_good}.text();
  out.bad = ExecutionCount{bad.list.size(), all_bad}.text();
  search.add_good(std::move(good.list));
  for (std::size_t i = 0; i < bad.list.size(); ++i) {
    const auto calls = [texts = std::move(bad.calls[i])](std::uint32_t invocation) { return texts.at(invocation); };
    const RepairSearch::Added added = search.add_bad(std::move(bad.list[i]), calls);
    if (added == RepairSearch::Added::Stopped) return out;
    if (added == RepairSearch::Added::Serializable) {
      out.outcome = RootCause::Outcome::NotExplained;
      out.why = fmt::format(
          "{}:{}: this execution is serializable by whole calls: either it is not bad, or the calls are wrong also one "
          "at "
          "a time, or accesses are missing in the file",
          files.bad, bad.lines[i]);
      return out;
    }
  }
  if (!search.compute()) return out;
  describe(search, out);
  out.outcome = RootCause::Outcome::Explained;
  return out;
}

}  // namespace heddle::run
