// Client by client: executions, repairs, and a search with the best repair made atomic, which has to succeed.
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
#include "explain/make_trace.h"
#include "reduce/reduced_search.h"
#include "report/interleaving.h"
#include "run/errors.h"
#include "run/executions_text.h"
#include "run/harness_clients.h"
#include "run/native_door.h"
#include "run/recorded_run.h"
#include "run/repair_search.h"

namespace heddle::run {
namespace {

using explain::RecordedExecution;
using explain::Repair;

struct Failure {
  std::string property;
  Finding finding;
};

class RootCauseSearch {
 public:
  RootCauseSearch(const RootCauseRequest& request, Budget& budget)
      : request_(request),
        budget_(budget),
        program_(load_program(request.file, request.switches)),
        tree_(statement_tree(*program_.image)) {}

  RootCause run() {
    try {
      find_cause();
    } catch (const Stopped& stopped) {
      out_.stopped_by = stopped.what();
      describe();
    }
    if (out_.outcome == RootCause::Outcome::Stopped && out_.stopped_by.empty()) out_.stopped_by = budget_.reason();
    return std::move(out_);
  }

 private:
  void find_cause() {
    using enum RootCause::Outcome;
    need_harness(program_, request_.file);
    out_.clients_text = program_.clients.text;
    const auto system = make_system(program_.clients.list, {});
    repairs_.emplace(tree_, program_.image->files, real_time_of(*system), request_.most_repairs, budget_);
    std::optional<Failure> failure = search(*system);
    if (stopped()) return;
    if (!failure) {
      out_.outcome = NothingToRepair;
      return;
    }
    out_.property = failure->property;
    if (failure->property != "linearizability") {
      out_.outcome = NotExplained;
      out_.client = text_of(system->clients()[failure->finding.path.initial]);
      out_.why = why_no_section(failure->property);
      out_.violation = violation_text(*system, failure->finding.path, failure->finding.property);
      return;
    }
    if (!explain_client(smallest(system->clients()[failure->finding.path.initial]))) return;
    if (request_.verify && !verify()) return;
    describe();
    out_.outcome = Explained;
  }

  void say(const std::string& sentence) const {
    if (request_.says) request_.says(sentence);
  }
  bool stopped() { return !budget_.check(0); }
  std::string text_of(const native::Client& client) const { return native::text(client, *program_.harness); }

  std::unique_ptr<native::System> make_system(std::vector<native::Client> clients, const Repair& repair) const {
    HarnessSettings how = program_.how;
    how.limits = remaining(budget_);
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

  // Whether the program as it is violates this property with the client.
  bool fails_anyway(const native::Client& client, const std::string& property) {
    const auto system = make_system({client}, {});
    SearchOptions options;
    options.stop_at_violation = false;
    options.limits = remaining(budget_);
    ReductionReport report;
    const SearchResult result = reduced_search(*system, options, {.safe = true}, report);
    out_.states += result.counters.states;
    return std::ranges::any_of(result.violations,
                               [&](const Finding& one) { return system->properties()[one.property].name == property; });
  }

  native::Client smallest(const native::Client& client) {
    if (request_.switches.contains("client")) return client;
    say(fmt::format("{} fails; looking for a smaller one", text_of(client)));
    auto found = smallest_client(program_.image, program_.how, client, "linearizability", remaining(budget_));
    return found ? found->client : client;
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
    // Repairs are ranked by the good executions of all clients that needed one.
    bad_ += found.bad.count;
    good_ += found.good.count;
    out_.bad = bad_.text();
    out_.good = good_.text();
    compared_.push_back(client);
    out_.compared_clients = compared_.size();
    if (!first_client_) {
      first_client_ = client;
      if (request_.executions_text) {
        const auto calls = [&](std::uint32_t invocation) { return call_text(client, *program_.harness, invocation); };
        request_.executions_text(executions_text(tree_, program_.image->files, found.bad.list, calls),
                                 executions_text(tree_, program_.image->files, found.good.list, calls));
      }
    }
    repairs_->add_good(std::move(found.good.list));
    return add_bad(client, std::move(found.bad.list)) && repairs_->compute();
  }

  // Returns false if the budget ended, or an execution has no repair.
  bool add_bad(const native::Client& client, std::vector<RecordedExecution> executions) {
    const auto calls = [this, client](std::uint32_t invocation) {
      return call_text(client, *program_.harness, invocation);
    };
    for (RecordedExecution& one : executions) {
      switch (repairs_->add_bad(std::move(one), calls)) {
        case RepairSearch::Added::Yes:
        case RepairSearch::Added::Known:
          break;
        case RepairSearch::Added::Stopped:
          return false;
        case RepairSearch::Added::Serializable:
          out_.outcome = RootCause::Outcome::NotExplained;
          out_.why = why_serializable(program_);
          return false;
      }
    }
    return true;
  }

  // Tries the best repair until one works. Returns false if the budget has ended, or none works.
  bool verify() {
    for (;;) {
      ++out_.rounds;
      out_.also_fails.clear();  // of the repair before
      const explain::RankedRepair* best = best_repair();
      while (best == nullptr && repairs_->add_larger()) best = best_repair();
      if (best == nullptr) {
        out_.why = "every repair makes a thread wait for ever";
        out_.outcome = RootCause::Outcome::NotExplained;
        describe();
        return false;
      }
      const Repair repair = best->repair;
      say(fmt::format("trying {}", repairs_->text_of(repair)));
      std::vector<std::vector<native::Client>> stages = {{*first_client_}};
      if (program_.clients.list.size() != 1 || program_.clients.list[0] != *first_client_) {
        stages.push_back(program_.clients.list);
      }
      bool works = true;
      for (std::size_t stage = 0; stage < stages.size();) {
        std::vector<native::Client>& clients = stages[stage];
        const auto system = make_system(clients, repair);
        const std::optional<Failure> failure = search(*system);
        if (stopped()) {
          describe();
          return false;
        }
        if (!failure) {
          ++stage;
          continue;
        }
        const std::size_t number = failure->finding.path.initial;
        if (failure->property != "linearizability") {
          // What fails without the repair, too, is not its fault. The other clients are looked at without this one.
          if (fails_anyway(clients[number], failure->property)) {
            out_.also_fails = failure->property;
            clients.erase(clients.begin() + static_cast<std::ptrdiff_t>(number));
            if (clients.empty()) ++stage;
            continue;
          }
          works = false;
          const std::string shown = violation_text(*system, failure->finding.path, failure->finding.property);
          rejected_[repair] = fmt::format("{}: {}{}{}", text_of(system->clients()[number]), failure->property,
                                          shown.empty() ? "" : ": ", shown);
          break;
        }
        works = false;
        // Bad executions that this repair leaves possible.
        const std::size_t before = repairs_->bad();
        const native::Client client = system->clients()[number];
        if (std::ranges::find(compared_, client) == compared_.end() && !explain_client(client)) return false;
        // With statements whole, a run may be taken to be ruled out that is not: somebody comes into a statement that
        // only the repair keeps nobody out of. Then its accesses count one by one, as they do in the machine.
        for (const Statements statements : {Statements::Whole, Statements::Apart}) {
          ClientExecutions left = client_executions(*system, number, request_.executions, budget_, statements);
          if (!left.complete || !add_bad(client, std::move(left.bad.list)) || !repairs_->compute()) {
            describe();
            return false;
          }
          if (repairs_->bad() != before && !is_ranked(repair)) break;
        }
        if (repairs_->bad() == before || is_ranked(repair)) {
          throw ModelError(fmt::format("{} leaves a run possible that it rules out; this is an error in heddle",
                                       repairs_->text_of(repair)));
        }
        break;
      }
      if (!works) continue;
      verified_ = repair;
      out_.clients = program_.clients.list.size();
      return true;
    }
  }

  bool is_ranked(const Repair& repair) const {
    return std::ranges::find(repairs_->ranked(), repair, &explain::RankedRepair::repair) != repairs_->ranked().end();
  }
  // None: every repair was rejected.
  const explain::RankedRepair* best_repair() const {
    const auto best =
        std::ranges::find_if(repairs_->ranked(), [&](const auto& one) { return !rejected_.contains(one.repair); });
    return best == repairs_->ranked().end() ? nullptr : &*best;
  }

  void describe() {
    if (!repairs_) return;
    out_.repairs.clear();
    out_.all_repairs = repairs_->complete();
    for (const explain::RankedRepair& one : repairs_->ranked()) {
      ExplainedRepair repair{.blocks = repairs_->blocks_of(one.repair),
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
    if (const explain::RankedRepair* const best = best_repair()) repairs_->draw_cycle(best->repair, out_);
  }

  const RootCauseRequest& request_;
  Budget& budget_;
  const Program program_;
  const explain::StatementTree tree_;
  RootCause out_;
  ExecutionCount bad_, good_;  // of all clients that were compared
  std::vector<native::Client> compared_;
  std::optional<native::Client> first_client_;
  std::optional<RepairSearch> repairs_;
  std::map<Repair, std::string> rejected_;  // why
  std::optional<Repair> verified_;
};

}  // namespace

std::string violation_text(const native::System& system, const Path& path, std::size_t property) {
  std::string out;
  for (const std::string& part : report::finding_parts(explain::make_trace(system, path, property), false)) {
    out += (out.empty() ? "" : out.ends_with(" while") ? " " : "; ") + part;
  }
  return out;
}

std::string why_no_section(const std::string& property) {
  if (property == "race") {
    return "a data race is undefined behaviour, whatever is atomic; look at it with `heddle check`, or take every "
           "access "
           "as atomic with --races allow";
  }
  if (property == "deadlock" || property == "spin") {
    return "threads wait for ever, and more atomicity does not wake them; look at it with `heddle check`";
  }
  return fmt::format(
      "the violation is of the kind {}, which is not about results of calls; look at it with `heddle check`", property);
}

std::string why_serializable(const Program& program) {
  if (program.how.specification == nullptr) {
    return "a bad run is serializable by whole calls as far as data goes: what it does differently is that somebody "
           "tried a lock that another held, or waited a limited time, which calls made one at a time never see; no "
           "atomic section helps";
  }
  return fmt::format(
      "a bad run is serializable by whole calls, so the code breaks the specification {} when its calls are made one "
      "at a "
      "time; no atomic section helps",
      program.how.specification->name());
}

void need_harness(const Program& program, const std::string& file) {
  if (program.harness) return;
  throw ModelError(
      fmt::format("{}: a root cause is explained for classes with a harness, whose calls have results to compare: "
                  "HEDDLE_HARNESS(Queue, push, pop), after #include <heddle/native.h>",
                  file));
}

std::string call_text(const native::Client& client, const native::Harness& harness, std::uint32_t invocation) {
  const std::uint32_t thread = invocation / native::Client::most_calls, call = invocation % native::Client::most_calls;
  return native::text(client.threads.at(thread).at(call), harness);
}

RootCause root_cause(const RootCauseRequest& request, Budget& budget) { return RootCauseSearch(request, budget).run(); }

}  // namespace heddle::run
