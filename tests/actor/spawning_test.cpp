// Processes that are spawned and end: an id names one process for as long as anybody remembers it, whatever is reduced.
//
// In a family of small protocols, ids of processes that have ended stay behind in fields, messages, replies and
// the ghost variable. It is compared with a brute force in which every new process has a name that was never used
// before.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core/facets/describer.h"
#include "core/facets/forgetting.h"
#include "heddle/heddle.h"
#include "reduce/audit_symmetry.h"
#include "reduce/reduced_search.h"
#include "support/checked.h"
#include "support/explored.h"

namespace heddle::spawning_test {
namespace {

struct Rules {
  bool keeps_first = false, keeps_last = false, keeps_greeter = false;  // whose id the server remembers
  bool forgets = false;                                                 // the id, when a farewell comes from it
  bool farewell = false, replaces = false, hands_over = false;          // what happens when a worker leaves
  int hires = 2, pokes = 0;
  Network::Order order = Network::Order::Multiset;
};
Rules rules;  // of the test that is running

struct Worker;
struct Hello {};
struct Welcome {};
struct Bye {};
struct Server {
  int hired = 0, answered = 0, pokes = 0, parted = 0;
  Id<Worker> known;
  void hire(Spawn<Worker> spawn);
  void answer(const From<Hello, Worker>& h, Reply<Welcome> out) {
    ++answered;
    if (rules.keeps_greeter) known = h.sender;
    out.send({});
  }
  void poke(To<Worker, Welcome> out) {
    require(known && pokes < rules.pokes);
    ++pokes;
    out.send(known, {});
  }
  void part(const From<Bye, Worker>& b) {
    require(!rules.replaces);
    if (b.sender == known) {
      ++parted;
      if (rules.forgets) known = {};
    }
  }
  // The reply goes to one that has ended, in the very step in which another begins.
  void replace(const From<Bye, Worker>& b, Spawn<Worker> spawn, Reply<Welcome> out);
  static constexpr auto transitions =
      heddle::transitions<&Server::hire, &Server::answer, &Server::poke, &Server::part, &Server::replace>;
};
struct Worker {
  bool greeted = false;
  int welcomes = 0;
  void greet(To<Server, Hello> out) {
    require(!greeted);
    greeted = true;
    out.send({});
  }
  void hear(const Welcome&) { ++welcomes; }
  void leave(To<Server, Bye> out, Exit exit) {
    require(greeted && !rules.hands_over);
    if (rules.farewell) out.send({});
    exit();
  }
  void hand_over(To<Server, Bye> out, Spawn<Worker> spawn, Exit exit) {
    require(greeted && rules.hands_over && welcomes > 0);
    if (rules.farewell) out.send({});
    spawn(Worker{true, 0});
    exit();
  }
  static constexpr auto transitions =
      heddle::transitions<&Worker::greet, &Worker::hear, &Worker::leave, &Worker::hand_over>;
};
void Server::hire(Spawn<Worker> spawn) {
  require(hired < rules.hires);
  const bool first = hired++ == 0;
  const Id<Worker> id = spawn(Worker{});
  if ((rules.keeps_first && first) || rules.keeps_last) known = id;
}
void Server::replace(const From<Bye, Worker>& b, Spawn<Worker> spawn, Reply<Welcome> out) {
  require(rules.replaces && hired < rules.hires);
  ++hired;
  if (b.sender == known) ++parted;
  const Id<Worker> id = spawn(Worker{});
  if (rules.keeps_last) known = id;
  out.send({});
}

// What can be told of a state without names: the server, whether it knows nobody, somebody alive or somebody
// gone, and the workers that are there.
using WorkerSeen = std::tuple<bool, int, bool>;  // greeted, welcomes, known to the server
struct Seen {
  int hired = 0, answered = 0, pokes = 0, parted = 0;
  int knows = 0;  // nobody, somebody alive, somebody gone
  std::multiset<WorkerSeen> workers;
  auto operator<=>(const Seen&) const = default;
};

Seen seen(const View& v) {
  const Server s = v.all<Server>()[0];
  Seen out{s.hired, s.answered, s.pokes, s.parted, s.known ? 2 : 0, {}};
  for (const Id<Worker> id : v.ids<Worker>()) {
    const auto w = v.at<Worker>(id);
    if (id == s.known) out.knows = 1;
    out.workers.insert({w.greeted, w.welcomes, id == s.known});
  }
  return out;
}

// --- The brute force. Names are numbers in the order of birth; the server is 0.
struct Plain {
  struct Msg {
    int from, to;
    char what;
    auto operator<=>(const Msg&) const = default;
  };
  struct Mate {
    bool greeted = false;
    int welcomes = 0;
    auto operator<=>(const Mate&) const = default;
  };
  int hired = 0, answered = 0, pokes = 0, parted = 0, known = 0, born = 0;
  std::map<int, Mate> alive;
  std::vector<Msg> sent;
  auto operator<=>(const Plain&) const = default;

  void send(int from, int to, char what) {
    if (to == 0 || alive.contains(to)) sent.push_back({from, to, what});
  }
  int bear(bool greeted) {
    alive[++born] = {greeted, 0};
    return born;
  }
  void end(int who) {
    alive.erase(who);
    std::erase_if(sent, [&](const Msg& m) { return m.to == who; });
  }
  Seen seen() const {
    Seen out{hired, answered, pokes, parted, known == 0 ? 0 : alive.contains(known) ? 1 : 2, {}};
    for (const auto& [name, w] : alive) out.workers.insert({w.greeted, w.welcomes, name == known});
    return out;
  }
  std::vector<Plain> next() const {
    std::vector<Plain> all;
    const auto branch = [&](auto&& change) {
      Plain s = *this;
      change(s);
      if (rules.order == Network::Order::Multiset) std::sort(s.sent.begin(), s.sent.end());
      all.push_back(std::move(s));
    };
    if (hired < rules.hires) {
      branch([&](Plain& s) {
        const int id = s.bear(false);
        if ((rules.keeps_first && s.hired == 0) || rules.keeps_last) s.known = id;
        ++s.hired;
      });
    }
    if (known != 0 && pokes < rules.pokes) {
      branch([&](Plain& s) {
        ++s.pokes;
        s.send(0, known, 'W');
      });
    }
    for (std::size_t i = 0; i < sent.size(); ++i) {
      const Msg m = sent[i];
      if (rules.order == Network::Order::Fifo &&
          std::any_of(sent.begin(), sent.begin() + static_cast<std::ptrdiff_t>(i),
                      [&](const Msg& o) { return o.from == m.from && o.to == m.to; })) {
        continue;
      }
      if (m.what == 'B' && rules.replaces && hired >= rules.hires) continue;
      branch([&](Plain& s) {
        s.sent.erase(s.sent.begin() + static_cast<std::ptrdiff_t>(i));
        if (m.what == 'W') ++s.alive.at(m.to).welcomes;
        if (m.what == 'H') {
          ++s.answered;
          if (rules.keeps_greeter) s.known = m.from;
          s.send(0, m.from, 'W');
        }
        if (m.what == 'B') {
          if (m.from == s.known) ++s.parted;
          if (rules.replaces) {
            ++s.hired;
            const int id = s.bear(false);
            if (rules.keeps_last) s.known = id;
            s.send(0, m.from, 'W');
          } else if (m.from == s.known && rules.forgets) {
            s.known = 0;
          }
        }
      });
    }
    for (const auto& [name, w] : alive) {
      if (!w.greeted) {
        branch([&, who = name](Plain& s) {
          s.alive[who].greeted = true;
          s.send(who, 0, 'H');
        });
      } else if (!rules.hands_over) {
        branch([&, who = name](Plain& s) {
          if (rules.farewell) s.send(who, 0, 'B');
          s.end(who);
        });
      } else if (w.welcomes > 0) {
        branch([&, who = name](Plain& s) {
          if (rules.farewell) s.send(who, 0, 'B');
          s.bear(true);
          s.end(who);
        });
      }
    }
    return all;
  }
};

struct BruteForce {
  std::set<Seen> reached, stuck;
};
BruteForce brute_force() {
  BruteForce out;
  std::set<Plain> known{Plain{}};
  std::deque<Plain> todo{Plain{}};
  while (!todo.empty()) {
    const Plain s = todo.front();
    todo.pop_front();
    out.reached.insert(s.seen());
    const std::vector<Plain> next = s.next();
    if (next.empty()) out.stuck.insert(s.seen());
    for (const Plain& n : next) {
      if (known.insert(n).second) todo.push_back(n);
    }
  }
  return out;
}

// --- The properties that are compared.
struct Claim {
  const char* name;
  bool (*holds)(const Seen&);
};
const Claim claims[] = {
    {"nobody is welcomed who has not greeted",
     [](const Seen& s) {
       return std::ranges::none_of(s.workers,
                                   [](const WorkerSeen& w) { return !std::get<0>(w) && std::get<1>(w) > 0; });
     }},
    {"nobody is welcomed twice",
     [](const Seen& s) {
       return std::ranges::none_of(s.workers, [](const WorkerSeen& w) { return std::get<1>(w) > 1; });
     }},
    {"whom it knows is there", [](const Seen& s) { return s.knows != 2; }},
    {"whom it knows has greeted",
     [](const Seen& s) {
       return std::ranges::none_of(s.workers, [](const WorkerSeen& w) { return std::get<2>(w) && !std::get<0>(w); });
     }},
    {"a farewell is not followed by a welcome",
     [](const Seen& s) {
       return s.parted == 0 ||
              std::ranges::none_of(s.workers, [](const WorkerSeen& w) { return std::get<2>(w) && std::get<1>(w) > 0; });
     }},
    {"it knows the last one only",
     [](const Seen& s) { return s.hired < 2 || s.workers.size() != 1 || s.knows != 1 || s.parted == 0; }},
};

Model model_of(std::size_t room, std::set<Seen>* record = nullptr) {
  return Model(Definition{.name = "hiring", .summary = "", .build = [room, record](Model& m) {
                            m.network.order = rules.order;
                            m.add<Server>();
                            m.room_for<Worker>(room);
                            if (record != nullptr) {
                              m.always("recorded", [record](const View& v) {
                                record->insert(seen(v));
                                return true;
                              });
                              return;
                            }
                            for (const Claim& c : claims)
                              m.always(c.name, [c](const View& v) { return c.holds(seen(v)); });
                          }});
}

std::set<std::string> violated(const ReductionPlan& plan, std::size_t room, Split split = Split::None,
                               SearchOptions::Order order = SearchOptions::Order::BreadthFirst) {
  run::CheckRequest request = with_plan(plan);
  request.split = split;
  request.search.order = order;
  request.search.stop_at_violation = false;
  const run::CheckResult result = checked(model_of(room), request);
  std::set<std::string> out;
  for (const Finding& f : result.search.violations) out.insert(result.system->properties()[f.property].name);
  return out;
}

void compare(std::size_t room) {
  const BruteForce expected = brute_force();
  std::set<std::string> broken;
  for (const Claim& c : claims) {
    if (!std::ranges::all_of(expected.reached, c.holds)) broken.insert(c.name);
  }
  // Without reductions, and with symmetry alone, exactly these views of states are found.
  for (const bool symmetry : {false, true}) {
    std::set<Seen> recorded;
    const auto system = make_actor_system(model_of(room, &recorded));
    ReductionReport report;
    reduced_search(*system, {}, {.symmetry = symmetry}, report);
    EXPECT_EQ(recorded == expected.reached, true) << "symmetry " << symmetry << ": " << recorded.size() << " views, "
                                                  << expected.reached.size() << " by brute force";
  }
  EXPECT_EQ(violated({}, room), broken);
  EXPECT_EQ(violated({.symmetry = true}, room), broken);
  EXPECT_EQ(violated({.partial_order = true}, room), broken);
  EXPECT_EQ(violated({.partial_order = true}, room, Split::Combined), broken);
  EXPECT_EQ(violated({.dead = true}, room), broken);
  EXPECT_EQ(violated({.auxiliary = true}, room), broken);
  const ReductionPlan all{.partial_order = true, .symmetry = true, .dead = true, .auxiliary = true};
  EXPECT_EQ(violated(all, room, Split::Combined), broken);
  EXPECT_EQ(violated(all, room, Split::Combined, SearchOptions::Order::DepthFirst), broken);
}

class Spawning : public testing::Test {
 protected:
  void SetUp() override { rules = {}; }
};

// The id of the first worker stays with the server, the worker does not: the next one must not be taken for it.
TEST_F(Spawning, AnIdThatIsRememberedIsNotGivenAgain) {
  rules = {.keeps_first = true, .farewell = true, .hires = 3, .pokes = 1};
  const BruteForce expected = brute_force();
  EXPECT_TRUE(std::ranges::all_of(expected.reached, claims[0].holds) == false);  // a poke may come before the greeting
  compare(5);
}

TEST_F(Spawning, AReplyToOneThatHasEndedReachesNobody) {
  rules = {.hires = 3};
  EXPECT_TRUE(std::ranges::all_of(brute_force().reached, claims[0].holds));
  EXPECT_TRUE(std::ranges::all_of(brute_force().reached, claims[1].holds));
  compare(3);
}

TEST_F(Spawning, AReplyInTheStepThatSpawnsReachesNobody) {
  rules = {.farewell = true, .replaces = true, .hires = 3};
  EXPECT_TRUE(std::ranges::all_of(brute_force().reached, claims[0].holds));
  compare(4);
}

TEST_F(Spawning, OneThatEndsMaySpawnItsSuccessor) {
  rules = {.keeps_greeter = true, .hands_over = true, .hires = 2, .pokes = 1};
  compare(6);
}

// All rules that can be combined, in small instances.
TEST_F(Spawning, SlowEveryCombinationOfRulesAgreesWithABruteForce) {
  std::size_t compared = 0;
  for (int bits = 0; bits < 256; ++bits) {
    const auto on = [&](int bit) { return (bits >> bit & 1) != 0; };
    rules = {.keeps_first = on(0),
             .keeps_last = on(1),
             .keeps_greeter = on(2),
             .forgets = on(3),
             .farewell = on(4),
             .replaces = on(5),
             .hands_over = on(6),
             .hires = 2,
             .pokes = 1,
             .order = on(7) ? Network::Order::Fifo : Network::Order::Multiset};
    if ((rules.keeps_first && rules.keeps_last) || (rules.forgets && !rules.farewell)) continue;
    if (rules.replaces && (!rules.farewell || rules.forgets)) continue;
    SCOPED_TRACE(bits);
    compare(6);
    ++compared;
    if (HasFailure()) return;
  }
  EXPECT_GT(compared, 80u);
}

// --- Too little room.

std::string error_of(std::size_t room, bool symmetry) {
  try {
    violated({.symmetry = symmetry}, room);
  } catch (const ModelError& e) {
    return e.what();
  }
  return "";
}

TEST_F(Spawning, PlacesThatAreFreeButRememberedAreAnErrorThatSaysSo) {
  rules = {.keeps_first = true, .hires = 3};
  for (const bool symmetry : {false, true}) {
    EXPECT_NE(error_of(1, symmetry).find("alive at once"), std::string::npos) << error_of(1, symmetry);
  }
  // With only one process there is nothing to remember.
  rules = {.keeps_greeter = true, .farewell = true, .replaces = true, .hires = 1};
  EXPECT_EQ(error_of(1, false), "");
}

}  // namespace
}  // namespace heddle::spawning_test
