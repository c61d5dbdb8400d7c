// Mutual exclusion by logical clocks (Lamport, "Time, clocks, and the ordering of events", CACM 1978). A process
// that wants to enter broadcasts a timestamped request; the others queue it and acknowledge. The process enters
// when its request is the first of its queue and it has heard something later from everybody. It broadcasts a
// release when it leaves.
// Every step but entering ticks the clock, and a step that would tick it beyond max_clock does not happen: the
// state space is finite and complete up to that time. Channels must be FIFO: with --network multiset an
// acknowledgement overtakes an older request and two processes enter (bug `overtaking`).
#include <heddle/heddle.h>

#include <algorithm>
#include <compare>
#include <optional>
#include <set>

namespace {

using namespace heddle;

struct Stamp {
  int clock;
  int process;
  auto operator<=>(const Stamp&) const = default;
};
struct Request {
  Stamp at;
};
struct Acknowledge {
  Stamp at;
};
struct Release {
  Stamp at;
};

struct Process {
  int number = 0;  // breaks ties between timestamps
  int clock = 0;
  std::optional<Stamp> wanted = {};  // its own request
  bool inside = false;
  std::set<Stamp> queue = {};  // all requests, its own included
  IdSet<Process> later = {};   // those who sent something later than its request

  void request(const Run& run, ToAll<Process, Request> out) {
    require(!wanted);
    wanted = tick(clock, run);
    queue.insert(*wanted);
    out.send({*wanted});
  }
  void acknowledge(const From<Request, Process>& m, const Run& run, Reply<Acknowledge> out) {
    hear(m.sender, m->at);
    queue.insert(m->at);
    out.send({tick(m->at.clock, run)});
  }
  void acknowledged(const From<Acknowledge, Process>& m, const Run& run) {
    hear(m.sender, m->at);
    tick(m->at.clock, run);
  }
  void enter(const Run& run) {
    require(wanted && !inside);
    require(later.size() + 1 == run.count<Process>() || run.bug("no_ack_wait"));
    const Stamp first = *queue.begin();
    require(first == *wanted || (run.bug("ties_unbroken") && first.clock == wanted->clock));
    inside = true;
  }
  void leave(const Run& run, ToAll<Process, Release> out) {
    require(inside);
    queue.erase(*wanted);
    wanted.reset();
    inside = false;
    later.clear();
    out.send({tick(clock, run)});
  }
  void released(const From<Release, Process>& m, const Run& run) {
    hear(m.sender, m->at);
    std::erase_if(queue, [&](const Stamp& s) { return s.process == m->at.process; });
    tick(m->at.clock, run);
  }

  Stamp tick(int seen, const Run& run) {
    clock = std::max(clock, seen) + 1;
    require(clock <= run["max_clock"]);
    return {clock, number};
  }
  void hear(Id<Process> sender, Stamp at) {
    if (wanted && at > *wanted) later.insert(sender);
  }
  static constexpr auto transitions =
      heddle::transitions<&Process::request, &Process::acknowledge, &Process::acknowledged, &Process::enter,
                          &Process::leave, &Process::released>;
};

const Register model({
    .name = "lamport_mutex",
    .summary = "Lamport's mutual exclusion with logical clocks over FIFO channels",
    .parameters = {{"processes", 2, 2, 5, "processes that compete"},
                   {"max_clock", 8, 1, 50, "no step beyond this time"}},
    .bugs = {{"no_ack_wait", "mutual exclusion", {{"max_clock", "2"}}, "a process enters without waiting for answers"},
             {"ties_unbroken", "mutual exclusion", {{"max_clock", "3"}}, "requests of the same time may all be first"},
             {"overtaking", "mutual exclusion", {{"max_clock", "3"}}, "channels are not FIFO"}},
    .expected = {{{}, 582, 1003, 62, "own count"},
                 {{{"processes", "3"}, {"max_clock", "5"}}, 13549, 38163, 931, "own count"}},
    .build =
        [](Model& m) {
          m.network.order = m.run().bug("overtaking") ? Network::Order::Multiset : Network::Order::Fifo;
          m.add<Process>(static_cast<std::size_t>(m.run()["processes"]),
                         [](std::size_t i) { return Process{.number = static_cast<int>(i)}; });
          m.always("mutual exclusion", [](const View& v) {
            const auto all = v.all<Process>();
            return std::ranges::count_if(all, &Process::inside) <= 1;
          });
          m.sometimes("a process is inside",
                      [](const View& v) { return std::ranges::any_of(v.all<Process>(), &Process::inside); });
          m.deadlock_free([](const View& v) {
            const auto end = v.run()["max_clock"];
            return std::ranges::any_of(v.all<Process>(), [&](const Process& p) { return p.clock == end; });
          });
        },
});

}  // namespace
