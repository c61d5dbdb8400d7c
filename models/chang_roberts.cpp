// Leader election on a one-way ring (Chang, Roberts, CACM 1979). Every process knows its own uid and the next
// process. It may start at any time by sending its uid. A process passes on larger uids and swallows smaller
// ones; instead of those it sends its own, if it has not yet. A process that gets its own uid back is the leader
// and tells everybody.
// The order of uids on the ring matters: parameter `arrangement` is the number of one of the (processes-1)!
// circular orders. Number 0 is the increasing one, where most uids are swallowed after one hop.
#include <heddle/heddle.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace {

using namespace heddle;

struct Candidate {
  int uid;
};
struct Elected {
  int uid;
};

struct Process {
  int uid = 0;
  Id<Process> next;
  bool takes_part = false;
  int leader = 0;  // as far as it knows

  void start(To<Process, Candidate> out) {
    require(!takes_part);
    takes_part = true;
    out.send(next, {uid});
  }
  void compare(const Candidate& other, const Run& run, To<Process, Candidate> out, To<Process, Elected> tell) {
    if (other.uid == uid) {
      leader = uid;
      tell.send(next, {uid});
    } else if (other.uid > uid || run.bug("nothing_swallowed")) {
      out.send(next, other);
    } else if (!takes_part && !run.bug("sleeper_swallows")) {
      out.send(next, {uid});
    }
    takes_part = true;
  }
  void learn(const Elected& other, To<Process, Elected> tell) {
    leader = other.uid;
    if (other.uid != uid) tell.send(next, other);
  }
  static constexpr auto transitions = heddle::transitions<&Process::start, &Process::compare, &Process::learn>;
};

const Register model({
    .name = "chang_roberts",
    .summary = "Chang and Roberts's leader election on a ring",
    .parameters = {{"processes", 3, 2, 12, "processes on the ring"},
                   {"arrangement", 0, 0, 5039, "which circular order of the uids"}},
    .bugs = {{"equal_uids", "at most one leader", {{"processes", "2"}}, "two processes have the largest uid"},
             {"nothing_swallowed", "the largest uid wins", {{"processes", "2"}}, "smaller uids are passed on, too"},
             {"sleeper_swallows",
              "deadlock freedom",
              {{"processes", "2"}},
              "a process woken by a smaller uid does not send its own"}},
    .expected = {{{{"processes", "2"}}, 13, 19, 1, "own count"},
                 {{}, 39, 82, 1, "own count"},
                 {{{"processes", "4"}, {"arrangement", "5"}}, 272, 800, 1, "own count"}},
    .build =
        [](Model& m) {
          const auto n = static_cast<std::size_t>(m.run()["processes"]);
          std::vector<int> uids(n);
          std::iota(uids.begin(), uids.end(), 1);
          for (long k = 0; k < m.run()["arrangement"]; ++k) std::next_permutation(uids.begin() + 1, uids.end());
          if (m.run().bug("equal_uids")) uids.front() = static_cast<int>(n);
          m.add<Process>(n, [&](std::size_t i) { return Process{.uid = uids[i], .next = m.id<Process>((i + 1) % n)}; });
          m.always("at most one leader", [](const View& v) {
            const auto all = v.all<Process>();
            return std::ranges::count_if(all, [](const Process& p) { return p.leader == p.uid; }) <= 1;
          });
          m.always("the largest uid wins", [](const View& v) {
            const auto all = v.all<Process>();
            const int n_uids = static_cast<int>(all.size());
            return std::ranges::all_of(all, [&](const Process& p) { return p.leader == 0 || p.leader == n_uids; });
          });
          m.sometimes("a leader is elected", [](const View& v) {
            return std::ranges::any_of(v.all<Process>(), [](const Process& p) { return p.leader == p.uid; });
          });
          m.deadlock_free([](const View& v) {
            return std::ranges::all_of(v.all<Process>(), [](const Process& p) { return p.leader != 0; });
          });
        },
});

}  // namespace
