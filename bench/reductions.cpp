// Runs every reduction on the protocols of Bokor's thesis (2011) and Saissi's thesis (2019): states, transitions,
// stateless nodes, time and memory, next to the figures of the theses where they have one.
//
//   bench_reductions            the table of docs/reductions-figures.md (minutes)
//   bench_reductions --quick    without the large instances (seconds)
//   bench_reductions --cost     what a reduction costs per state, next to the search without it
//
// Times are processor time of the best of three runs; "x time" is that of the search without reductions in the
// same group of rows, divided by this one. Stateless nodes are counted by dynamic programming
// (stateless/stateless_nodes.h) or, for DPOR, visited.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "actor/actor_system.h"
#include "explore/search.h"
#include "processor_seconds.h"
#include "reduce/reduced_search.h"
#include "reduce/reference_models.h"
#include "run/actor_door.h"
#include "run/check.h"
#include "stateless/dpor.h"
#include "stateless/optimal_dpor.h"
#include "stateless/source_dpor.h"
#include "stateless/stateless_nodes.h"

namespace {

using namespace heddle;
using Parameters = std::map<std::string, std::string>;
using Make = std::function<Model()>;

struct Way {
  std::string name;
  ActorOptions actor;
  ReductionPlan plan;
  SearchOptions search;
};

struct Measured {
  SearchResult result;
  double seconds = 1e9;
};

// Processor time between the beginning and the end of the search.
class Clock final : public run::Listener {
 public:
  double seconds = 0;
  void searching(const run::CheckResult&) override { start_ = processor_seconds(); }
  void searched() override { seconds = processor_seconds() - start_; }

 private:
  double start_ = 0;
};

Measured measure(const Make& make, const Way& way, int runs) {
  Measured best;
  const run::Instance instance = run::instance_of(make());
  for (int i = 0; i < runs; ++i) {
    run::CheckRequest request;
    request.plan = way.plan;
    request.plan.dead = way.actor.drop_dead != ActorOptions::DropDead::No;
    request.plan.auxiliary = way.actor.forget_auxiliary;
    request.split = way.actor.split;
    request.search = way.search;
    request.search.stop_at_violation = false;  // counts, not verdicts
    request.search.limits.seconds = 120;
    request.search.limits.bytes = std::size_t{12} << 30;
    request.explain = false;
    Clock clock;
    run::CheckResult checked = run::check(instance, request, clock);
    if (clock.seconds < best.seconds) best = {std::move(checked.search), clock.seconds};
  }
  return best;
}

std::vector<Way> ways(bool auxiliary) {
  const auto actor = [](Split split, bool forget = false) {
    ActorOptions options;
    options.split = split;
    options.forget_auxiliary = forget;
    return options;
  };
  const auto por = [](bool net, StubbornOptions::Start start) {
    ReductionPlan plan;
    plan.partial_order = true;
    plan.stubborn.start = start;
    plan.stubborn.lpor.net = net;
    return plan;
  };
  using Start = StubbornOptions::Start;
  ReductionPlan symmetry, both = por(true, Start::Smallest);
  symmetry.symmetry = both.symmetry = true;
  SearchOptions dfs;
  dfs.order = SearchOptions::Order::DepthFirst;
  SearchOptions spos = dfs;
  spos.selective_push = true;
  std::vector<Way> all{{"none", actor(Split::None), {}, {}}};
  if (auxiliary) {
    all.push_back({"auxiliary", actor(Split::None, true), {}, {}});
    all.push_back({"auxiliary, dfs", actor(Split::None, true), {}, dfs});
    all.push_back({"auxiliary + SPoS, dfs", actor(Split::None, true), {}, spos});
  }
  all.push_back({"LPOR, unsplit", actor(Split::None, auxiliary), por(true, Start::Smallest), {}});
  all.push_back({"LPOR, quorum split", actor(Split::Quorum, auxiliary), por(true, Start::Smallest), {}});
  all.push_back({"LPOR, reply split", actor(Split::Reply, auxiliary), por(true, Start::Smallest), {}});
  all.push_back({"LPOR - NET, combined", actor(Split::Combined, auxiliary), por(false, Start::Smallest), {}});
  all.push_back({"LPOR, combined, one start", actor(Split::Combined, auxiliary), por(true, Start::Best), {}});
  all.push_back({"LPOR, combined", actor(Split::Combined, auxiliary), por(true, Start::Smallest), {}});
  all.push_back({"symmetry", actor(Split::None, auxiliary), symmetry, {}});
  all.push_back({"LPOR + symmetry", actor(Split::Combined, auxiliary), both, {}});
  ActorOptions dead = actor(Split::None, auxiliary), everything = actor(Split::Combined, auxiliary);
  dead.drop_dead = ActorOptions::DropDead::Yes;
  everything.drop_dead = ActorOptions::DropDead::UpToRenaming;
  all.push_back({"dead messages", dead, {}, {}});
  all.push_back({"LPOR + symmetry + dead messages", everything, both, {}});
  return all;
}

struct Protocol {
  std::string name;
  Make make;
  bool auxiliary = false;
  bool large = false;
  std::map<std::string, std::string> document = {};  // way -> the figure of the thesis
};

std::string count(std::uint64_t n) { return n == 0 ? "-" : fmt::format("{}", n); }

void print(const Protocol& protocol) {
  double plain = 0;
  std::uint64_t plain_states = 0;
  const auto figure = [&](const std::string& way) {
    const auto it = protocol.document.find(way);
    return it == protocol.document.end() ? std::string() : it->second;
  };
  for (const Way& way : ways(protocol.auxiliary)) {
    const Measured m = measure(protocol.make, way, protocol.large ? 1 : 3);
    const Counters& c = m.result.counters;
    if (way.name == "none") {
      plain = m.seconds;
      plain_states = c.states;
    }
    std::uint64_t nodes = 0;
    const bool exact = way.actor.drop_dead == ActorOptions::DropDead::No;
    if (!protocol.large && exact && !way.plan.symmetry && way.search.order == SearchOptions::Order::BreadthFirst) {
      const auto system = make_actor_system(protocol.make(), way.actor);
      std::unique_ptr<Selector> selector;
      if (way.plan.partial_order) {
        // A step is visible if properties look at what it changes. That is known only after they have looked.
        SearchOptions look;
        look.stop_at_violation = false;
        ReductionReport report;
        reduced_search(*system, look, way.plan, report);
        selector = stubborn_selector(*system, way.plan.stubborn)();
      }
      nodes = stateless_nodes(*system, selector.get()).value_or(0);
    }
    fmt::print("| {} | {} | {}{} | {} | {} | {} | {:.1f} | {:.1f} | {:.1f} | {:.0f} | {} |\n", protocol.name, way.name,
               c.states, m.result.complete || !m.result.violations.empty() ? "" : " (stopped)", c.transitions,
               count(nodes), count(c.pushes), m.seconds * 1e3, plain / m.seconds,
               static_cast<double>(plain_states) / static_cast<double>(c.states),
               static_cast<double>(c.store_bytes + c.door_bytes) / 1024, figure(way.name));
    std::fflush(stdout);
  }
  if (protocol.large || protocol.auxiliary) return;
  const auto system = make_actor_system(protocol.make());
  const std::pair<const char*, StatelessResult (*)(const TransitionSystem&, const StatelessOptions&)> searches[] = {
      {"DPOR", dpor}, {"source-DPOR", source_dpor}, {"optimal DPOR", optimal_dpor}};
  for (const auto& [name, run] : searches) {
    StatelessOptions options;
    options.limits.seconds = 20;
    options.stop_at_violation = false;
    const double start = processor_seconds();
    const StatelessResult r = run(*system, options);
    const double seconds = processor_seconds() - start;
    fmt::print("| {} | {} | - | - | {}{} | - | {:.1f} | {:.1f} | - | - | {} |\n", protocol.name, name, r.nodes,
               r.complete ? "" : " (stopped)", seconds * 1e3, plain / seconds, figure(name));
    std::fflush(stdout);
  }
}

Make library_model(const std::string& name, const Parameters& parameters, const std::string& bug = "") {
  return [=] { return Model(*find_model(name), parameters, bug); };
}

Parameters multicast(int hr, int hi, int br, int bi) {
  return {
      {"hr", std::to_string(hr)}, {"hi", std::to_string(hi)}, {"br", std::to_string(br)}, {"bi", std::to_string(bi)}};
}

// Prints what a reduction costs per state: the difference of two searches over the same states. The last column is
// about whole searches. In the last protocol LPOR has many transitions and leaves out little.
void print_cost() {
  fmt::print(
      "| protocol | search | states | µs a state | x none | whole search, x none |\n|---|---|---|---|---|---|\n");
  const std::vector<std::pair<std::string, Parameters>> protocols = {{"paxos", {}},
                                                                     {"paxos", {{"proposers", "3"}}},
                                                                     {"paxos", {{"acceptors", "4"}}},
                                                                     {"oral_messages", {{"lieutenants", "4"}}},
                                                                     {"storage", {{"objects", "4"}, {"readers", "2"}}},
                                                                     {"echo_multicast", multicast(5, 1, 1, 2)}};
  for (const auto& [name, parameters] : protocols) {
    double plain = 0, plain_seconds = 0;
    for (const Way& way : ways(false)) {
      if (way.name != "none" && way.name != "LPOR, combined" && way.name != "symmetry" &&
          way.name != "LPOR + symmetry" && way.name != "dead messages" &&
          way.name != "LPOR + symmetry + dead messages") {
        continue;
      }
      const Measured m = measure(library_model(name, parameters), way, 5);
      const double each = m.seconds * 1e6 / static_cast<double>(m.result.counters.states);
      if (way.name == "none") plain = each, plain_seconds = m.seconds;
      std::string text = name;
      for (const auto& [key, value] : parameters) text += " " + key + "=" + value;
      fmt::print("| {} | {} | {} | {:.2f} | {:.2f} | {:.2f} |\n", text, way.name, m.result.counters.states, each,
                 each / plain, m.seconds / plain_seconds);
      std::fflush(stdout);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
  if (argc > 1 && std::strcmp(argv[1], "--cost") == 0) {
    print_cost();
    return 0;
  }
  namespace ref = heddle::reference;
  const std::vector<Protocol> protocols = {
      {"Paxos(2,3,1)",
       library_model("paxos", {}),
       false,
       false,
       {{"none", "> 38 M states"},
        {"LPOR, unsplit", "2,822,764"},
        {"LPOR, quorum split", "1,826,560"},
        {"LPOR, reply split", "1,087,486"},
        {"LPOR - NET, combined", "1,130,234"},
        {"LPOR, combined", "548,061; stateless 1,118,341"},
        {"DPOR", "3,305,752 nodes"}}},
      {"Paxos(2,3), dynamic numbers",
       library_model("paxos", {{"learners", "0"}, {"numbers", "dynamic"}}),
       false,
       false,
       {{"none", "1,591,897"}, {"symmetry", "136,915"}}},
      {"Register(3,1)",
       library_model("storage", {}),
       false,
       false,
       {{"none", "287,638"},
        {"LPOR, combined", "18,451"},
        {"LPOR - NET, combined", "18,451"},
        {"DPOR", "27,763 nodes"}}},
      {"Multicast(3,1,1,0)",
       library_model("echo_multicast", multicast(3, 1, 1, 0)),
       false,
       false,
       {{"none", "7,279"}, {"LPOR, combined", "2,178"}, {"LPOR - NET, combined", "6,607"}, {"DPOR", "7,945 nodes"}}},
      {"Multicast(4,1,1,0)",
       library_model("echo_multicast", multicast(4, 1, 1, 0)),
       false,
       false,
       {{"none", "102,058"},
        {"LPOR, combined", "12,494"},
        {"LPOR - NET, combined", "94,186"},
        {"DPOR", "183,265 nodes"}}},
      {"Multicast(3,0,1,1)",
       library_model("echo_multicast", multicast(3, 0, 1, 1)),
       false,
       false,
       {{"LPOR, unsplit", "652"},
        {"LPOR, quorum split", "232"},
        {"LPOR, reply split", "652"},
        {"LPOR, combined", "232"}}},
      {"Multicast(2,1,0,1)",
       library_model("echo_multicast", multicast(2, 1, 0, 1)),
       false,
       false,
       {{"LPOR, unsplit", "2,787"},
        {"LPOR, quorum split", "2,787"},
        {"LPOR, reply split", "1,165"},
        {"LPOR, combined", "1,165"}}},
      {"Multicast(3,1,1,1)",
       library_model("echo_multicast", multicast(3, 1, 1, 1)),
       false,
       true,
       {{"LPOR, unsplit", "12,023,663 (cut off)"}, {"LPOR, combined", "7,087,193"}}},
      {"OM(1), 4 lieutenants",
       library_model("oral_messages", {{"lieutenants", "4"}, {"rounds", "global"}}),
       false,
       true,
       {{"none", "150,417"}, {"symmetry", "6,999"}}},
      {"REF-Paxos(2,3,1) with history",
       [] { return ref::paxos::model(2, 3); },
       true,
       false,
       {{"none", "13,044,613"}, {"auxiliary", "5,606,047"}, {"LPOR, combined", "117,369 (POR alone 191,081)"}}},
      {"REF-Register(3) with history",
       [] { return ref::storage::model(3); },
       true,
       false,
       {{"none", "89,041"}, {"auxiliary", "59,306"}, {"LPOR, combined", "8,590 (POR alone 10,896)"}}},
      {"REF-Register(4) with history",
       [] { return ref::storage::model(4); },
       true,
       false,
       {{"none", "2,269,797"}, {"auxiliary", "1,475,845"}, {"LPOR, combined", "57,187 (POR alone 96,641)"}}},
      {"REF-Register(5) with history",
       [] { return ref::storage::model(5); },
       true,
       true,
       {{"none", "> 51 M"}, {"auxiliary", "> 35 M"}, {"LPOR, combined", "1,656,212 (POR alone 2,986,657)"}}},
      {"REF-Zab(3,3) with history",
       [] { return ref::zab::model(3, 3); },
       true,
       false,
       {{"none", "4,580"}, {"auxiliary", "1,876"}}},
      {"REF-Zab(4,3) with history",
       [] { return ref::zab::model(4, 3); },
       true,
       false,
       {{"none", "8,198"}, {"auxiliary", "3,132"}}},
      {"Paxos(3,3,1)", library_model("paxos", {{"proposers", "3"}}), false, true},
      {"Multicast(4,1,1,1)", library_model("echo_multicast", multicast(4, 1, 1, 1)), false, true},
      {"Storage(5,2)", library_model("storage", {{"objects", "5"}, {"readers", "2"}}), false, true},
      {"two-phase commit(8)", library_model("two_phase_commit", {{"managers", "8"}}), false, true},
  };
  fmt::print(
      "| protocol | reduction | states | transitions | stateless nodes | pushes | ms | x time | x states | KiB | "
      "document |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const Protocol& protocol : protocols) {
    if (!quick || !protocol.large) print(protocol);
  }
}
