// Two-phase commit: a coordinator lets resource managers agree to commit or to abort a transaction.
//
// Granularity of Lamport's TLA+ specification TwoPhase (Gray, Lamport: Consensus on Transaction Commit, 2006):
// the network is a soup, in which a message stays forever and may be received again, even without effect. TLC
// finds 288 distinct states for three managers.
// `consistent`: no manager commits while another aborts.
#include <heddle/heddle.h>

#include <algorithm>

namespace {

using namespace heddle;

struct Coordinator;
struct Prepared {};
struct Commit {};
struct Abort {};

struct Manager {
  enum class State { working, prepared, committed, aborted };
  State state = State::working;

  void prepare(To<Coordinator, Prepared> out) {
    require(state == State::working);
    state = State::prepared;
    out.send({});
  }
  void choose_to_abort(const Run& run) {
    require(state == State::working || (state == State::prepared && run.bug("abort_after_prepare")));
    state = State::aborted;
  }
  void obey_commit(const Commit&) { state = State::committed; }
  void obey_abort(const Abort&) { state = State::aborted; }
  static constexpr auto transitions =
      heddle::transitions<&Manager::prepare, &Manager::choose_to_abort, &Manager::obey_commit, &Manager::obey_abort>;
};

struct Coordinator {
  bool done = false;
  IdSet<Manager> prepared;

  void note(const From<Prepared, Manager>& vote) {
    require(!done);
    prepared.insert(vote.sender);
  }
  void commit(const Run& run, ToAll<Manager, Commit> out) {
    const std::size_t missing = run.count<Manager>() - prepared.size();
    require(!done && missing <= (run.bug("commit_early") ? 1 : 0));
    done = true;
    out.send({});
  }
  void abort(const Run& run, ToAll<Manager, Abort> out) {
    require(!done || run.bug("abort_after_commit"));
    done = true;
    out.send({});
  }
  static constexpr auto transitions =
      heddle::transitions<&Coordinator::note, &Coordinator::commit, &Coordinator::abort>;
};

bool some(const View& v, Manager::State state) {
  return std::ranges::count(v.all<Manager>(), state, &Manager::state) > 0;
}

const Register two_phase_commit({
    .name = "two_phase_commit",
    .summary = "two-phase commit with one coordinator (Lamport's TwoPhase)",
    .parameters = {{"managers", 3, 1, 16, "resource managers"}},
    .bugs =
        {{"commit_early", "consistent", {{"managers", "2"}}, "the coordinator commits with one vote missing"},
         {"abort_after_prepare", "consistent", {{"managers", "2"}}, "a manager that has prepared may still abort"},
         {"abort_after_commit", "consistent", {{"managers", "2"}}, "the coordinator may abort what it has committed"}},
    .expected =
        {{{{"managers", "3"}}, 288, 1145, 0, "Lamport's TwoPhase, TLC: 1146 generated, the initial state included"},
         {{{"managers", "5"}}, 8832, 0, 0, "Stateright's 2pc example"}},
    .build =
        [](Model& m) {
          m.network.order = Network::Order::Soup;
          m.add<Manager>(static_cast<std::size_t>(m.run()["managers"]));
          m.add<Coordinator>();
          m.always("consistent", [](const View& v) {
            return !(some(v, Manager::State::committed) && some(v, Manager::State::aborted));
          });
          m.sometimes("all commit", [](const View& v) {
            return std::ranges::all_of(v.all<Manager>(),
                                       [](const Manager& x) { return x.state == Manager::State::committed; });
          });
        },
});

}  // namespace
