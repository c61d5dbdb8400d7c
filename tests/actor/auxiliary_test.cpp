// Auxiliary data: what C++ refuses, where such data may be, and that forgetting it merges exactly the states that
// differ in nothing else. These are tests of the door alone.
#include <gtest/gtest.h>

#include <concepts>
#include <type_traits>

#include "core/facets/describer.h"
#include "core/facets/forgetting.h"
#include "core/facets/symmetries.h"
#include "heddle/heddle.h"
#include "reduce/audit_auxiliary.h"
#include "reduce/auxiliary.h"
#include "support/explored.h"

namespace heddle::auxiliary_test {
namespace {

// --- Nothing reads it.

using Number = Auxiliary<int>;
static_assert(!std::is_convertible_v<Number, int> && !std::is_constructible_v<int, Number>);
static_assert(!std::is_constructible_v<bool, Number>, "no guard");
static_assert(!std::is_assignable_v<int&, Number>, "no assignment to relevant data");
template <class T>
concept Comparable =
    requires(T a, T b) { a == b; } || requires(T a, T b) { a < b; } || requires(T a, int b) { a == b; };
static_assert(!Comparable<Number>);
template <class T>
concept Readable = requires(T a) { *a; } || requires(T a) { a.value(); } || requires(T a) { a.get(); } ||
                   requires(T a) { a->x; } || requires(T a) { a + 1; } || requires(T a) { a.value_; };
static_assert(!Readable<Number> && !Readable<const Number>);
struct Entry {
  int relevant = 0;
  Auxiliary<int> log;
};

// --- It is written.
static_assert(std::is_assignable_v<Number&, int> && std::is_assignable_v<Number&, const Number&>);
static_assert(!std::is_convertible_v<int, Number>, "only in words");

static_assert(detail::holds_auxiliary<Entry>() && !detail::holds_auxiliary<std::vector<int>>());
static_assert(detail::holds_auxiliary<std::map<int, std::optional<Entry>>>());
struct Tree {
  int value = 0;
  std::vector<Tree> children;
};
static_assert(!detail::holds_auxiliary<Tree>(), "a type that holds itself");
struct LoggedTree {
  std::vector<LoggedTree> children;
  Number log;
};
static_assert(detail::holds_auxiliary<LoggedTree>());

template <class T>
std::string json(const T& value) {
  std::string out;
  detail::to_json(value, out);
  return out;
}

template <class T>
void forget(T& value) {
  value = detail::decode_all<T>(detail::without_auxiliary(detail::shape_of<T>(), detail::encoded(value)));
}

TEST(Auxiliary, IsFoundInShapes) {
  EXPECT_TRUE(!detail::shape_of<Entry>().only_auxiliary() && detail::shape_of<Number>().only_auxiliary());
  EXPECT_TRUE(detail::shape_of<Entry>().holds_auxiliary() && !detail::shape_of<std::vector<int>>().holds_auxiliary());
  EXPECT_TRUE((detail::shape_of<std::map<int, std::optional<Entry>>>().holds_auxiliary()));
  EXPECT_TRUE(detail::shape_of<LoggedTree>().holds_auxiliary() && !detail::shape_of<Tree>().holds_auxiliary());
}

TEST(Auxiliary, IsWrittenAndPrinted) {
  Auxiliary<std::vector<int>> log;
  EXPECT_EQ(json(log), "[]");
  log = {1, 2};
  log.update([](auto& entries, int last) { entries.push_back(last); }, 3);
  EXPECT_EQ(json(log), "[1,2,3]");
  Auxiliary<std::vector<int>> other;
  other = log;
  other.update([](auto& a, const auto& b) { a.insert(a.end(), b.begin(), b.end()); }, log);
  EXPECT_EQ(json(other), "[1,2,3,1,2,3]");
  log = {};
  EXPECT_EQ(json(log), "[]");
  detail::Bytes bytes;
  detail::encode(other, bytes);
  EXPECT_EQ(json(detail::decode_all<decltype(other)>(bytes)), json(other));
  EXPECT_EQ(json(Auxiliary<int>(7)), "7");
}

TEST(Auxiliary, WhatIsForgottenStaysForgottenUntilAssigned) {
  Auxiliary<std::vector<int>> log({1});
  forget(log);
  EXPECT_EQ(json(log), "null");
  log.update([](auto& entries) { entries.back() = 5; });  // would be undefined on an empty vector
  EXPECT_EQ(json(log), "null");
  Auxiliary<int> last(3);
  last.update([](int& n, const std::vector<int>& l) { n = l.back(); }, log);
  EXPECT_EQ(json(last), "null");
  last = 4;
  EXPECT_EQ(json(last), "4");
  // Nothing but auxiliary data is touched.
  std::map<int, std::optional<std::vector<Entry>>> deep;
  deep[1] = {Entry{2, Auxiliary<int>(3)}};
  forget(deep);
  EXPECT_EQ(json(deep), R"([[1,[{"relevant":2,"log":null}]]])");
}

TEST(Auxiliary, AGuardInsideAnUpdateIsAnError) {
  Auxiliary<int> last(1);
  EXPECT_THROW(last.update([](const int& n) { require(n == 2); }), std::logic_error);
}

// --- In roles, messages and the ghost variable.

template <class Build>
std::unique_ptr<TransitionSystem> actors(Build build, bool forget) {
  ActorOptions options;
  options.forget_auxiliary = forget;
  return make_actor_system(Model(Definition{.name = "test", .summary = "", .build = build}), options);
}

struct Counters {
  std::uint64_t full, forgetful;
};

// Counts states with and without auxiliary data, and checks everything that must hold for any model.
template <class Build>
Counters states_of(Build build) {
  const auto full = actors(build, false), forgetful = actors(build, true);
  const AuxiliaryAudit audit = audit_auxiliary(*full, AuxiliaryAudit::Kind::Full);
  EXPECT_TRUE(audit.proves()) << audit.summary() << (audit.mismatch ? audit.mismatch->text : "");
  SearchOptions o;
  o.stop_at_violation = false;
  std::set<std::string> with, without;
  const auto text = [](const TransitionSystem& system, std::span<const Slot> state) {
    SlotVector s(state.begin(), state.end());
    system.forgetting()->forget_auxiliary(s);
    std::string out;
    for (const auto& f : system.describer().describe_state(s)) out += std::to_string(f.lane) + f.name + f.value;
    return out;
  };
  o.on_state = [&](std::span<const Slot> s) { with.insert(text(*full, s)); };
  const SearchResult a = search(*full, o);
  o.on_state = [&](std::span<const Slot> s) { without.insert(text(*forgetful, s)); };
  const SearchResult b = search(*forgetful, o);
  EXPECT_EQ(with, without);
  EXPECT_EQ(b.counters.states, audit.classes);
  EXPECT_EQ(a.verdict, b.verdict);
  for (const Finding& f : b.violations) {
    const auto path = recall_finding(*full, *forgetful, f);
    EXPECT_TRUE(path && (full->evaluate(follow(*full, *path)->back()) >> f.property & 1) == 0);
  }
  return {a.counters.states, b.counters.states};
}

struct Server;
struct Request {
  int job = 0;
  Auxiliary<std::string> note;
};
struct Answer {
  Auxiliary<int> attempts;
  int job = 0;
};
struct Client {
  int asked = 0;
  int answered = 0;
  Auxiliary<std::vector<int>> log;

  void ask(Choice choose, To<Server, Request> out) {
    require(asked < 2);
    ++asked;
    const bool loud = choose.flip();
    out.send({asked, Auxiliary<std::string>(loud ? "please!" : "please")});
    log.update([](auto& l, int job, bool shout) { l.push_back(shout ? -job : job); }, asked, loud);
  }
  void note(const Answer& a) {
    answered += a.job;
    log.update([](auto& l, int attempts) { l.push_back(attempts); }, a.attempts);
  }
  static constexpr auto transitions = heddle::transitions<&Client::ask, &Client::note>;
};
struct Server {
  int served = 0;
  Auxiliary<std::string> last;

  void serve(const Request& r, Reply<Answer> out) {
    ++served;
    last = r.note;
    out.send({Auxiliary<int>(served), r.job});
  }
  static constexpr auto transitions = heddle::transitions<&Server::serve>;
};

void build_service(Model& m) {
  m.add<Client>(2);
  m.add<Server>();
  m.always("not all answered",
           [](const View& v) { return v.all<Client>()[0].answered + v.all<Client>()[1].answered < 6; });
}

TEST(Auxiliary, InRolesAndMessages) {
  const Counters c = states_of(build_service);
  EXPECT_GT(c.full, 4 * c.forgetful);
}

// A sender that repeats itself in other words, and a receiver that may see a message any number of times.
struct Receiver;
struct Sender {
  int sent = 0;
  void send(To<Receiver, Request> out) {
    require(sent < 3);
    ++sent;
    out.send({sent / 2, Auxiliary<std::string>("in words " + std::to_string(sent))});
  }
  static constexpr auto transitions = heddle::transitions<&Sender::send>;
};
struct Receiver {
  int last_job = 0;
  Auxiliary<std::string> last;
  void receive(const Request& r) {
    last_job = r.job;
    last = r.note;
  }
  static constexpr auto transitions = heddle::transitions<&Receiver::receive>;
};

// In a soup, messages that differ only in auxiliary data are one message; properties see one even where the data
// is kept. In a multiset they are two, which a receiver cannot tell apart.
TEST(Auxiliary, UnderEveryNetwork) {
  for (const auto order : {Network::Order::Multiset, Network::Order::Soup, Network::Order::Fifo}) {
    const Counters c = states_of([order](Model& m) {
      m.add<Sender>();
      m.add<Receiver>();
      m.network.order = order;
      m.always("at most two kinds", [order](const View& v) {
        return v.in_flight<Request>().size() <= (order == Network::Order::Soup ? 2u : 3u);
      });
      m.always("jobs in order", [](const View& v) {
        const auto waiting = v.in_flight<Request>();
        return waiting.empty() || waiting.front().job <= waiting.back().job;
      });
    });
    // With FIFO, the number of messages received tells which was the last.
    if (order == Network::Order::Fifo) {
      EXPECT_EQ(c.full, c.forgetful);
    } else {
      EXPECT_GT(c.full, c.forgetful);
    }
  }
}

// Auxiliary data must not decide which message is overwritten in a full channel: `attempts` stands before `job`.
struct Collector;
struct Speaker {
  int said = 0;
  void say(Choice choose, To<Collector, Answer> out) {
    require(said < 3);
    ++said;
    out.send({Auxiliary<int>(static_cast<int>(choose(3))), said == 2 ? 1 : 2});
  }
  static constexpr auto transitions = heddle::transitions<&Speaker::say>;
};
struct Collector {
  int sum = 0;
  void take(const Answer& a) { sum = sum * 4 + a.job; }
  static constexpr auto transitions = heddle::transitions<&Collector::take>;
};

TEST(Auxiliary, InFullChannelsWithLossesAndDuplicates) {
  for (const auto when_full : {Network::WhenFull::Overwrite, Network::WhenFull::Block}) {
    const Counters c = states_of([when_full](Model& m) {
      m.add<Speaker>();
      m.add<Collector>();
      m.network.capacity = 2;
      m.network.when_full = when_full;
      if (when_full == Network::WhenFull::Overwrite) m.network.order = Network::Order::Fifo;
      m.network.losses = 1;
      m.network.duplications = 1;
    });
    EXPECT_GT(c.full, c.forgetful);
  }
}

// The description of a step tells which way the network splits; that of a state does not.
TEST(Auxiliary, PathsThroughPartitionsAreRecalled) {
  const auto build = [](Model& m) {
    m.add<Client>(2);
    m.add<Server>();
    m.network.partitions = 1;
    m.always("client 2 is not answered", [](const View& v) { return v.all<Client>()[1].answered == 0; });
  };
  const auto full = actors(build, false), forgetful = actors(build, true);
  const SearchResult r = search(*forgetful, {});
  ASSERT_EQ(r.violations.size(), 1u);
  // Put in front any split that lets the violation happen.
  StepBuffer steps;
  forgetful->expand(forgetful->initial_states()[0], steps);
  unsigned splits = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!forgetful->transition_name(steps.step(i).transition).starts_with("partition")) continue;
    ++splits;
    Path path;
    path.steps.push_back(steps.step(i));
    const auto recalled = recall_auxiliary(*full, *forgetful, path);
    ASSERT_TRUE(recalled.has_value());
    EXPECT_EQ(follow(*full, *recalled)->back().back(), follow(*forgetful, path)->back().back());
    EXPECT_EQ(recalled->steps[0], path.steps[0]);
  }
  EXPECT_EQ(splits, 3u);
}

struct Keeper {
  Durable<Auxiliary<int>> written;
  Auxiliary<int> seen = Auxiliary<int>(5);
  int step = 0;
  void work(Choice choose) {
    require(step < 2);
    ++step;
    *written = static_cast<int>(choose(2));
    seen = step;
  }
  static constexpr auto transitions = heddle::transitions<&Keeper::work>;
};

TEST(Auxiliary, SurvivesCrashesAsOtherFieldsDo) {
  const auto build = [](Model& m) {
    m.add<Keeper>(2);
    m.faults.crashes = 1;
    m.faults.recovery = true;
  };
  const Counters c = states_of(build);
  EXPECT_GT(c.full, c.forgetful);
  // A crash resets what is not durable to the initial value, not to a default one.
  const auto full = actors(build, false);
  bool reset = false;
  SearchOptions o;
  o.on_state = [&](std::span<const Slot> s) {
    const std::string text = local_text(*full, s);
    reset |= text.find("written={\"value\":1} keeper 1.seen=5 ") != std::string::npos;
  };
  search(*full, o);
  EXPECT_TRUE(reset);
}

struct Child {
  Auxiliary<int> born;
  int lived = 0;
  void live(Exit exit) {
    if (++lived == 2) exit();
  }
  static constexpr auto transitions = heddle::transitions<&Child::live>;
};
struct Parent {
  int children = 0;
  Auxiliary<std::vector<Id<Child>>> names;
  Auxiliary<Id<Child>> youngest;
  void bear(Choice choose, Spawn<Child> spawn) {
    require(children < 2);
    ++children;
    const Id<Child> id = spawn(Child{Auxiliary<int>(static_cast<int>(choose(2))), 0});
    youngest = id;
    names.update([](auto& all, Id<Child> name) { all.push_back(name); }, id);
  }
  static constexpr auto transitions = heddle::transitions<&Parent::bear>;
};

TEST(Auxiliary, InProcessesThatComeAndGo) {
  const Counters c = states_of([](Model& m) {
    m.add<Parent>();
    m.room_for<Child>(2);
  });
  EXPECT_GT(c.full, c.forgetful);
}

// A Byzantine sender says everything there is to say, but does not vary what nobody reads.
enum class Colour { red, green };
struct Vote {
  Colour colour = Colour::red;
  Auxiliary<std::string> reason;
};
struct Judge {
  std::set<Colour> seen;
  void hear(const Vote& v) { seen.insert(v.colour); }
  static constexpr auto transitions = heddle::transitions<&Judge::hear>;
};
struct Juror {
  bool voted = false;
  void vote(To<Judge, Vote> out) {
    require(!voted);
    voted = true;
    out.send({Colour::red, Auxiliary<std::string>("because")});
  }
  static constexpr auto transitions = heddle::transitions<&Juror::vote>;
};

TEST(Auxiliary, ByzantineMessagesHaveIt) {
  states_of([](Model& m) {
    m.add<Judge>();
    m.add<Juror>(2);
    m.faults.byzantine["Juror"] = 1;
  });
}

struct Walker {
  int place = 0;
  void walk(Id<Walker> self, Ghost<Auxiliary<std::vector<Id<Walker>>>>& order) {
    require(place < 2);
    ++place;
    order->update([](auto& all, Id<Walker> who) { all.push_back(who); }, self);
  }
  static constexpr auto transitions = heddle::transitions<&Walker::walk>;
};

TEST(Auxiliary, AsTheGhostVariable) {
  const auto build = [](Model& m) {
    m.add<Walker>(3);
    m.ghost<Auxiliary<std::vector<Id<Walker>>>>();
  };
  const Counters c = states_of(build);
  EXPECT_EQ(c.forgetful, 27u);
  EXPECT_GT(c.full, 27u);
  // Steps of different processes are independent iff the ghost variable is not kept.
  for (const bool forget : {false, true}) {
    const auto system = actors(build, forget);
    StepBuffer steps;
    system->expand(system->initial_states()[0], steps);
    std::vector<Access> accesses;
    system->footprint(system->initial_states()[0], steps.step(0), accesses);
    EXPECT_EQ(accesses.size(), forget ? 1u : 2u);
  }
  // Renaming reaches the ids inside.
  const auto full = actors(build, false);
  StepBuffer steps;
  SlotVector state = full->initial_states()[0];
  full->expand(state, steps);
  state = apply_changes(state, steps.changes(0));
  const std::vector<std::uint32_t> first_two_exchanged{1, 0, 2, 3};
  const SlotVector renamed = full->symmetries()->permute(state, first_two_exchanged);
  EXPECT_EQ(full->describer().describe_state(renamed).back().value, R"(["walker 2"])");
}

}  // namespace
}  // namespace heddle::auxiliary_test
