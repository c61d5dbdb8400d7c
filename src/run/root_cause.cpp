#include "run/root_cause.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "core/facets/describer.h"
#include "core/model_error.h"
#include "core/remaining.h"
#include "explain/eliminators.h"
#include "explain/trace_hash.h"
#include "reduce/reduced_search.h"
#include "run/harness_clients.h"
#include "run/native_door.h"
#include "run/recorded_run.h"

namespace heddle::run {
namespace {

using explain::CodeBlocks;
using explain::ConflictGraph;
using explain::RecordedExecution;
using explain::Repair;

struct Failure {
  std::string property;
  Finding finding;
};

// "pop" of "Stack::pop"
std::string without_class(const std::string& function) {
  const auto colons = function.rfind("::");
  return colons == function.npos ? function : function.substr(colons + 2);
}

class RootCauseSearch {
 public:
  RootCauseSearch(const RootCauseRequest& request, Budget& budget)
      : request_(request),
        budget_(budget),
        program_(load_program(request.file, request.switches)),
        tree_(statement_tree(*program_.image)),
        blocks_(tree_) {}

  RootCause run() {
    using enum RootCause::Outcome;
    if (!program_.harness) {
      throw ModelError(
          fmt::format("{}: a root cause is explained for classes with a harness, whose calls have results to compare: "
                      "HEDDLE_HARNESS(Queue, push, pop), after #include <heddle/native.h>",
                      request_.file));
    }
    out_.clients_text = program_.clients.text;
    const auto system = make_system(program_.clients.list, {});
    std::optional<Failure> failure = search(*system);
    if (stopped()) return std::move(out_);
    if (!failure) {
      out_.outcome = NothingToRepair;
      return std::move(out_);
    }
    out_.property = failure->property;
    if (failure->property != "linearizability") {
      out_.outcome = NotExplained;
      out_.client = text_of(system->clients()[failure->finding.path.initial]);
      out_.why = why_not(failure->property);
      return std::move(out_);
    }
    if (!explain_client(smallest(system->clients()[failure->finding.path.initial]))) return std::move(out_);
    if (request_.verify) {
      if (!verify()) return std::move(out_);
    }
    describe();
    out_.outcome = Explained;
    return std::move(out_);
  }

 private:
  // A bad execution, with its repairs.
  struct BadExecution {
    RecordedExecution execution;
    native::Client client;
    explain::Eliminators eliminators;
  };

  void say(const std::string& sentence) const {
    if (request_.says) request_.says(sentence);
  }
  bool stopped() { return !budget_.check(0); }
  std::string text_of(const native::Client& client) const { return native::text(client, *program_.harness); }

  std::unique_ptr<native::System> make_system(std::vector<native::Client> clients, const Repair& repair) const {
    HarnessSettings how = program_.how;
    for (const explain::CodeBlock& block : repair) how.system.sections.push_back(section_of(tree_, block));
    return std::make_unique<native::System>(program_.image, with_clients(program_.image, how, std::move(clients)));
  }

  // A violation, of linearizability if there is one. None: there is none, or the budget has ended.
  std::optional<Failure> search(native::System& system) {
    SearchOptions options;
    options.stop_at_violation = false;
    options.limits = remaining(budget_);
    ReductionPlan plan;
    plan.safe = true;
    ReductionReport report;
    const SearchResult result = reduced_search(system, options, plan, report);
    out_.states += result.counters.states;
    if (!result.exhausted) budget_.check(0);
    std::optional<Failure> out;
    for (const Finding& one : result.violations) {
      const std::string& name = system.properties()[one.property].name;
      if (!out || name == "linearizability") out = Failure{name, one};
    }
    return out;
  }

  native::Client smallest(const native::Client& client) {
    if (request_.switches.contains("client")) return client;
    say(fmt::format("{} fails; looking for a smaller one", text_of(client)));
    auto found = smallest_client(program_.image, program_.how, client, "linearizability", remaining(budget_));
    return found ? found->client : client;
  }

  static std::string why_not(const std::string& property) {
    if (property == "race") {
      return "a data race is undefined behaviour, whatever is atomic; look at it with `heddle check`, or take every "
             "access "
             "as atomic with --races allow";
    }
    if (property == "deadlock" || property == "spin") {
      return "threads wait for ever, and more atomicity does not wake them; look at it with `heddle check`";
    }
    return fmt::format(
        "the violation is of the kind {}, which is not about results of calls; look at it with "
        "`heddle check`",
        property);
  }

  // Collects the executions of a client and adds its bad ones. Returns false if that cannot be done, or explains
  // nothing.
  bool explain_client(const native::Client& client) {
    const auto system = make_system({client}, {});
    if (out_.client.empty()) out_.client = text_of(client);
    say(fmt::format("collecting executions of {}", text_of(client)));
    ClientExecutions found = client_executions(*system, 0, request_.executions, budget_);
    out_.cycles |= found.cycles;
    if (!found.complete) return false;
    real_time_ = real_time_of(*system);
    if (out_.bad.empty()) {
      out_.bad = found.bad.count_text();
      out_.good = found.good.count_text();
      first_client_ = client;
    }
    // Graphs refer to their executions.
    good_executions_.push_back(std::make_unique<std::vector<RecordedExecution>>(std::move(found.good.list)));
    for (const RecordedExecution& one : *good_executions_.back()) good_.emplace_back(one, real_time_);
    return add_bad(client, std::move(found.bad.list)) && compute();
  }

  bool add_bad(const native::Client& client, std::vector<RecordedExecution> executions) {
    for (RecordedExecution& one : executions) {
      if (stopped()) return false;
      const ConflictGraph graph(one, real_time_);
      if (!known_.insert(explain::trace_hash(graph)).second) continue;
      explain::Eliminators found = eliminators(
          graph, blocks_, {.most = request_.most_repairs, .go_on = [&] { return budget_.check(0); }, .edges = {}});
      out_.all_repairs &= found.complete;
      if (found.repairs.empty()) {
        if (!found.complete) return false;
        if (program_.how.specification != nullptr) {
          out_.outcome = RootCause::Outcome::NotExplained;
          out_.why = fmt::format(
              "a bad run is serializable by whole calls, so the code breaks the specification {} when its calls are "
              "made "
              "one at a time; no atomic section helps",
              program_.how.specification->name());
          return false;
        }
        throw ModelError(
            "a bad run is serializable by whole calls, though the class is its own specification; this is an "
            "error in heddle");
      }
      bad_.push_back({std::move(one), client, std::move(found)});
    }
    return true;
  }

  // The repairs of all bad executions so far, ranked.
  bool compute() {
    std::vector<std::vector<Repair>> choices;
    for (const BadExecution& one : bad_) choices.push_back(one.eliminators.repairs);
    std::ranges::sort(choices, {}, &std::vector<Repair>::size);
    choices.erase(std::ranges::unique(choices).begin(), choices.end());
    std::set<std::vector<Repair>> seen;
    std::erase_if(choices, [&](const auto& one) { return !seen.insert(one).second; });
    const explain::CombinedRepairs all =
        explain::combined(choices, blocks_, request_.most_repairs, [&] { return budget_.check(0); });
    if (stopped()) return false;
    out_.all_repairs &= all.complete;
    ranked_ = explain::ranked(all.repairs, good_, blocks_);
    return true;
  }

  // Tries the best repair until one works. Returns false if the budget has ended, or none works.
  bool verify() {
    for (;;) {
      ++out_.rounds;
      const auto best = std::ranges::find_if(ranked_, [&](const auto& one) { return !rejected_.contains(one.repair); });
      if (best == ranked_.end()) {
        out_.why = "every repair makes a thread wait for ever";
        out_.outcome = RootCause::Outcome::NotExplained;
        describe();
        return false;
      }
      const Repair repair = best->repair;
      say(fmt::format("trying {}", text_of(repair)));
      std::vector<std::vector<native::Client>> stages = {{*first_client_}};
      if (program_.clients.list.size() != 1 || program_.clients.list[0] != *first_client_) {
        stages.push_back(program_.clients.list);
      }
      bool works = true;
      for (const auto& clients : stages) {
        const auto system = make_system(clients, repair);
        const std::optional<Failure> failure = search(*system);
        if (stopped()) {
          describe();
          return false;
        }
        if (!failure) continue;
        works = false;
        const std::size_t number = failure->finding.path.initial;
        if (failure->property != "linearizability") {
          rejected_[repair] = fmt::format("{}: {}", text_of(system->clients()[number]), failure->property);
          break;
        }
        // Bad executions that this repair leaves possible.
        const std::size_t before = bad_.size();
        const native::Client client = system->clients()[number];
        if (client != *first_client_ && !explain_client(client)) return false;
        ClientExecutions left = client_executions(*system, number, request_.executions, budget_);
        if (!left.complete || !add_bad(client, std::move(left.bad.list)) || !compute()) {
          describe();
          return false;
        }
        if (bad_.size() == before) {
          throw ModelError(
              fmt::format("{} leaves a run possible that it rules out; this is an error in heddle", text_of(repair)));
        }
        break;
      }
      if (!works) continue;
      verified_ = repair;
      out_.clients = program_.clients.list.size();
      return true;
    }
  }

  std::vector<AtomicBlock> blocks_of(const Repair& repair) const {
    std::vector<AtomicBlock> out;
    for (const explain::CodeBlock& block : repair) {
      const explain::CodeStatement &first = tree_[block.first], &last = tree_[block.last];
      AtomicBlock one{first.function, first.file, first.first_line, last.last_line};
      // Instantiations of a template are one source.
      if (std::ranges::none_of(out, [&](const AtomicBlock& other) { return other.where() == one.where(); })) {
        out.push_back(std::move(one));
      }
    }
    return out;
  }
  std::string text_of(const Repair& repair) const {
    std::string out;
    for (const AtomicBlock& block : blocks_of(repair)) out += (out.empty() ? "" : ", ") + block.where();
    return out;
  }

  void describe() {
    out_.repairs.clear();
    for (const explain::RankedRepair& one : ranked_) {
      ExplainedRepair repair{.blocks = blocks_of(one.repair),
                             .excluded_good = one.excluded_good,
                             .statements = one.statements,
                             .rank = one.rank};
      if (verified_ == one.repair) repair.standing = ExplainedRepair::Standing::Verified;
      if (const auto rejected = rejected_.find(one.repair); rejected != rejected_.end()) {
        repair.standing = ExplainedRepair::Standing::Rejected;
        repair.why = rejected->second;
      }
      out_.repairs.push_back(std::move(repair));
    }
    // The best one that can be used comes first.
    std::ranges::stable_partition(
        out_.repairs, [](const ExplainedRepair& one) { return one.standing != ExplainedRepair::Standing::Rejected; });
    draw_cycle();
  }

  // Of the shortest cycle that proves a part of the best repair.
  void draw_cycle() {
    const auto best = std::ranges::find_if(ranked_, [&](const auto& one) { return !rejected_.contains(one.repair); });
    if (best == ranked_.end()) return;
    const BadExecution* shown = nullptr;
    std::size_t which = 0;
    const auto cost = [](const BadExecution& bad, std::size_t i) {
      return std::pair(bad.eliminators.cycles[i].size(), bad.execution.actions.size());
    };
    for (const BadExecution& bad : bad_) {
      for (std::size_t i = 0; i < bad.eliminators.repairs.size(); ++i) {
        if (!blocks_.subsumes(best->repair, bad.eliminators.repairs[i])) continue;
        if (shown == nullptr || cost(bad, i) < cost(*shown, which)) {
          shown = &bad;
          which = i;
        }
      }
    }
    if (shown == nullptr) return;
    std::map<std::uint32_t, CycleAccess> accesses;  // by action
    const auto& actions = shown->execution.actions;
    const auto writes = [&](std::uint32_t at, std::uint32_t other) {
      // Of the accesses in conflict.
      for (const explain::DataAccess& x : actions[at].accesses) {
        for (const explain::DataAccess& y : actions[other].accesses) {
          if (x.object == y.object && x.begin < y.end && y.begin < x.end && x.write) return true;
        }
      }
      return false;
    };
    out_.conflicts.clear();
    for (const explain::ConflictEdge& edge : shown->eliminators.cycles[which]) {
      const auto number = static_cast<std::uint32_t>(out_.conflicts.size());
      const explain::Action &from = actions[edge.from], &to = actions[edge.to];
      out_.conflicts.push_back(
          {from.thread, to.thread, from.line, to.line, writes(edge.from, edge.to), writes(edge.to, edge.from)});
      for (const std::uint32_t at : {edge.from, edge.to}) {
        CycleAccess& access = accesses[at];
        access.thread = actions[at].thread;
        access.line = actions[at].line;
        access.call = call_text(shown->client, actions[at].invocation);
        access.conflicts.push_back(number);
      }
      if (from.instance != explain::nothing) {
        out_.file = tree_[shown->execution.instances[from.instance].statement].file;
      }
    }
    out_.cycle.clear();
    for (auto& [at, access] : accesses) out_.cycle.push_back(std::move(access));
  }

  std::string call_text(const native::Client& client, std::uint32_t invocation) const {
    const std::uint32_t thread = invocation / native::Client::most_calls,
                        call = invocation % native::Client::most_calls;
    return native::text(client.threads.at(thread).at(call), *program_.harness);
  }

  const RootCauseRequest& request_;
  Budget& budget_;
  const Program program_;
  const explain::StatementTree tree_;
  const CodeBlocks blocks_;
  RootCause out_;
  std::optional<native::Client> first_client_;
  explain::RealTime real_time_ = explain::RealTime::Ignored;
  std::vector<std::unique_ptr<std::vector<RecordedExecution>>> good_executions_;
  std::vector<ConflictGraph> good_;
  std::set<explain::TraceHash> known_;  // bad ones
  std::vector<BadExecution> bad_;
  std::vector<explain::RankedRepair> ranked_;
  std::map<Repair, std::string> rejected_;  // why
  std::optional<Repair> verified_;
};

}  // namespace

std::string AtomicBlock::where() const {
  return first_line == last_line ? fmt::format("{}:{}", without_class(function), first_line)
                                 : fmt::format("{}:{}-{}", without_class(function), first_line, last_line);
}

RootCause root_cause(const RootCauseRequest& request, Budget& budget) { return RootCauseSearch(request, budget).run(); }

}  // namespace heddle::run
