// Reliable broadcast by echoing (Srikanth, Toueg, "Simulating authenticated broadcasts", Distributed Computing
// 1987; a standard example of threshold automata): n processes, f of them Byzantine, thresholds made for at most
// t. A correct process echoes once it has heard the broadcaster or t+1 echoes, one of which then comes from a
// correct process. It accepts after n-t echoes, its own included. The broadcaster may be Byzantine: each process
// has heard it or not. Echoes stay in the network (soup), so that both thresholds count the same ones. At some
// time a Byzantine process sends its echo to any of the others.
//   unforgeability   a process accepts only if a correct process heard the broadcaster
//   relay            if one accepts, enough correct processes have echoed for all to follow
//   deadlock freedom a run ends only where all have accepted or none has; all, if all have heard
// They hold for f <= t and n > 3t, and break for f > t or (with f = t > 0) n <= 3t.
#include <heddle/heddle.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <vector>

namespace {

using namespace heddle;

struct Echo {};

struct OneIsCorrect {
  static std::size_t size(std::size_t, const Run& run) {
    return static_cast<std::size_t>(run["t"]) + (run.bug("echo_early") ? 0 : 1);
  }
};
struct AllCorrect {  // one of the echoes is its own
  static std::size_t size(std::size_t n, const Run& run) {
    const auto t = static_cast<std::size_t>(run["t"]);
    return run.bug("accept_early") ? t : n - t - 1;
  }
};

struct Process {
  std::optional<bool> heard;  // the broadcaster; undecided at first
  bool echoed = false;
  bool accepted = false;

  void hear(Choice choose, ToAll<Process, Echo> out) {
    require(!heard);
    heard = choose.flip();
    if (*heard && !echoed) echo(out);
  }
  void join(const Quorum<Echo, Process, OneIsCorrect>&, const Run& run, ToAll<Process, Echo> out) {
    require(!echoed && !run.bug("no_join"));
    echo(out);
  }
  void accept(const Quorum<Echo, Process, AllCorrect>&) {
    require(echoed && !accepted);
    accepted = true;
  }
  void echo(ToAll<Process, Echo> out) {
    echoed = true;
    out.send({});
  }
  static constexpr auto transitions = heddle::transitions<&Process::hear, &Process::join, &Process::accept>;
};

struct Traitor {
  using role = Process;
  std::vector<Id<Process>> others;

  void lie(Choice choose, To<Process, Echo> out) {
    require(!others.empty());
    for (const Id<Process> other : others) {
      if (choose.flip()) out.send(other, {});
    }
    others.clear();
  }
  static constexpr auto transitions = heddle::transitions<&Traitor::lie>;
};

const Register model({
    .name = "byzantine_broadcast",
    .summary = "Srikanth and Toueg's reliable broadcast with echo thresholds, against Byzantine processes",
    .parameters = {{"n", 4, 2, 13, "processes"},
                   {"t", 1, 0, 4, "Byzantine processes the thresholds allow for"},
                   {"f", 1, 0, 6, "Byzantine processes there are"}},
    .bugs = {{"echo_early", "unforgeability", {}, "t echoes are enough to echo"},
             {"accept_early", "relay", {}, "t+1 echoes are enough to accept"},
             {"no_join", "deadlock freedom", {}, "a process that has not heard the broadcaster never echoes"}},
    .expected = {{{}, 1662, 0, 64, "own count"},
                 {{{"f", "0"}}, 1048, 0, 16, "own count"},
                 {{{"n", "5"}}, 25824, 0, 256, "own count"}},
    .build =
        [](Model& m) {
          const auto n = static_cast<std::size_t>(m.run()["n"]);
          const auto f = static_cast<std::size_t>(m.run()["f"]);
          if (n <= f || n <= static_cast<std::size_t>(m.run()["t"])) {
            throw std::invalid_argument("byzantine_broadcast: n must be larger than t and f");
          }
          const auto correct = m.add<Process>(n - f);
          m.add<Traitor>(f, [&](std::size_t) { return Traitor{correct}; });
          m.always("unforgeability", [](const View& v) {
            const auto all = v.all<Process>();
            return std::ranges::none_of(all, &Process::accepted) ||
                   std::ranges::any_of(all, [](const Process& p) { return p.heard == true; });
          });
          m.always("relay", [](const View& v) {
            const auto all = v.all<Process>();
            return std::ranges::none_of(all, &Process::accepted) ||
                   std::ranges::count_if(all, &Process::echoed) > v.run()["t"];
          });
          m.sometimes("all accept",
                      [](const View& v) { return std::ranges::all_of(v.all<Process>(), &Process::accepted); });
          m.deadlock_free([](const View& v) {
            const auto all = v.all<Process>();
            const bool all_heard = std::ranges::all_of(all, [](const Process& p) { return p.heard == true; });
            return std::ranges::all_of(all, &Process::accepted) ||
                   (!all_heard && std::ranges::none_of(all, &Process::accepted));
          });
          m.network.order = Network::Order::Soup;
        },
});

}  // namespace
