// Consensus with a perfect failure detector, the proof benchmark of Bokor's thesis: every process broadcasts a
// proposal, and suspicions spread the values of crashed processes. A process decides the least value once it
// knows the proposal of everybody, directly or from a suspicion.
//
// Granularity: a broadcast is one step. Crashes are explicit, because the failure detector depends on them: a
// mortal process may crash at any time, also in the middle of a broadcast, which then reaches any subset of the
// others. The detector tells everybody else, sooner or later; nobody is suspected who is up. To fix which
// processes are mortal is not a restriction: proposals are chosen freely, so processes are alike.
// `agreement`: no two processes, crashed or not, decide differently.
#include <heddle/heddle.h>

#include <algorithm>
#include <optional>

namespace {

using namespace heddle;

struct Process;
struct Propose {
  int value;
};
struct Crashed {};  // sent by the failure detector
struct Suspect {
  Id<Process> who;
  std::optional<int> value;  // of `who`, as far as the sender knows
};

struct Process {
  bool mortal = false, up = true;
  Per<Process, std::optional<int>> known = {};  // proposals
  IdSet<Process> suspected = {};
  std::optional<int> decision = {};

  void propose(Id<Process> self, const Run& run, Choice choose, To<Process, Propose> out,
               ToAll<Process, Crashed> detector) {
    require(up && !known[self]);
    known[self] = static_cast<int>(choose(2));
    broadcast(Propose{*known[self]}, self, run, choose, out, detector);
  }
  void learn(const From<Propose, Process>& p) {
    require(up);
    known[p.sender] = p->value;
  }
  void suspect(const From<Crashed, Process>& crashed, Id<Process> self, const Run& run, Choice choose,
               To<Process, Suspect> out, ToAll<Process, Crashed> detector) {
    require(up);
    if (run.bug("decide_without_suspicion")) suspected.insert(crashed.sender);
    broadcast(Suspect{crashed.sender, known[crashed.sender]}, self, run, choose, out, detector);
  }
  void heed(const Suspect& s, const Run& run) {
    require(up && (s.value || run.bug("heed_empty_suspicions")));
    suspected.insert(s.who);
    if (s.value && !run.bug("ignore_suspected_value")) known[s.who] = s.value;
  }
  void decide(const Run& run) {
    require(up && !decision);
    int least = 1;
    for (std::size_t i = 0; i < run.count<Process>(); ++i) {
      const auto p = Model::id<Process>(i);
      require(known[p] || suspected.contains(p));
      least = std::min(least, known[p].value_or(1));
    }
    decision = least;
  }
  void crash(ToAll<Process, Crashed> detector) {
    require(up && mortal);
    up = false;
    detector.send({});
  }

  template <class M>
  void broadcast(const M& message, Id<Process> self, const Run& run, Choice choose, To<Process, M> out,
                 ToAll<Process, Crashed> detector) {
    const bool cut_short = mortal && choose.flip();
    for (std::size_t i = 0; i < run.count<Process>(); ++i) {
      const auto p = Model::id<Process>(i);
      if (p != self && (!cut_short || choose.flip())) out.send(p, message);
    }
    if (cut_short) crash(detector);
  }
  static constexpr auto transitions = heddle::transitions<&Process::propose, &Process::learn, &Process::suspect,
                                                          &Process::heed, &Process::decide, &Process::crash>;
};

const Register fd_consensus({
    .name = "fd_consensus",
    .summary = "consensus with crashes and a perfect failure detector",
    .parameters = {{"processes", 3, 1, 6, "processes"}, {"crashes", 1, 0, 6, "processes that may crash"}},
    .bugs = {{"decide_without_suspicion",
              "agreement",
              {{"processes", "2"}},
              "the failure detector's word stands for a suspicion that carries the value"},
             {"ignore_suspected_value", "agreement", {}, "the value that a suspicion carries is not taken in"},
             {"heed_empty_suspicions", "agreement", {}, "a suspicion counts although it carries no value"}},
    .expected = {{{}, 19717, 58779, 272, "own count"}, {{{"processes", "2"}}, 181, 288, 36, "own count"}},
    .build =
        [](Model& m) {
          const auto mortals = static_cast<std::size_t>(m.run()["crashes"]);
          m.add<Process>(static_cast<std::size_t>(m.run()["processes"]),
                         [&](std::size_t i) { return Process{.mortal = i < mortals}; });
          m.always("agreement", [](const View& v) {
            std::optional<int> common;
            for (const Process& p : v.all<Process>()) {
              if (common && p.decision && p.decision != common) return false;
              if (p.decision) common = p.decision;
            }
            return true;
          });
          m.sometimes("decision", [](const View& v) {
            return std::ranges::any_of(v.all<Process>(), [](const Process& p) { return p.decision.has_value(); });
          });
        },
});

}  // namespace
