// The modelling API: choices, timers, spawning, ghosts, histories, and what happens when a model is wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <ranges>
#include <utility>
#include <vector>

#include "core/facets/describer.h"
#include "heddle/heddle.h"
#include "support/explored.h"

namespace heddle::api_test {
namespace {

template <class Build>
Model model(Build build) {
  return Model(Definition{.name = "test", .summary = "", .build = build});
}

struct Gambler {
  int first = -1;
  int second = -1;
  void play(Choice choose) {
    require(first < 0);
    first = static_cast<int>(choose(3));
    if (first == 1) second = choose.flip() ? 7 : 8;
  }
  static constexpr auto transitions = heddle::transitions<&Gambler::play>;
};

TEST(Api, AQuorumIsARangeOfRandomAccess) {
  struct Vote {
    int value = 0;
  };
  using Votes = Quorum<Vote, Gambler>;
  static_assert(std::ranges::random_access_range<const Votes&>);
  const Votes votes(std::vector<From<Vote, Gambler>>{{{}, {3}}, {{}, {9}}, {{}, {4}}});
  EXPECT_EQ((*std::ranges::max_element(votes, {}, [](const auto& v) { return v->value; }))->value, 9);
  EXPECT_EQ(votes.begin()[2]->value, 4);
  EXPECT_EQ((votes.end() - 2)->message.value, 9);
  EXPECT_EQ(votes.front()->value, 3);
  // For probing, only the first message may be looked at.
  const Votes first(std::vector<From<Vote, Gambler>>{{{}, {3}}, {{}, {9}}}, true);
  EXPECT_EQ((*first.begin())->value, 3);
  EXPECT_THROW(static_cast<void>(*(first.begin() + 1)), detail::LookedFurther);
}

TEST(Api, EveryChoiceIsTaken) {
  const Explored e = explore(model([](Model& m) { m.add<Gambler>(); }));
  EXPECT_EQ(e.finals.size(), 4u);
  EXPECT_EQ(e.result.counters.transitions, 4u);
}

struct Worker;
struct Done {};
struct Boss {
  Id<Worker> last;
  int done = 0;
  int hired = 0;
  void hire(Spawn<Worker> spawn);
  void note(const Done&) { ++done; }
  static constexpr auto transitions = heddle::transitions<&Boss::hire, &Boss::note>;
};
struct Worker {
  int number = 0;
  void work(To<Boss, Done> out, Exit exit) {
    out.send({});
    exit();
  }
  static constexpr auto transitions = heddle::transitions<&Worker::work>;
};
void Boss::hire(Spawn<Worker> spawn) {
  require(hired < 3);
  ++hired;
  last = spawn(Worker{hired});
}

TEST(Api, ProcessesComeAndGo) {
  const Explored e = explore(model([](Model& m) {
    m.add<Boss>();
    m.room_for<Worker>(3);
    m.always("last is known", [](const View& v) { return v.all<Boss>()[0].hired == 0 || v.all<Boss>()[0].last; });
  }));
  EXPECT_EQ(e.result.verdict, Verdict::Holds);
  // All three worked and left, whichever places they had.
  for (const std::string& s : e.finals) {
    EXPECT_NE(s.find("done=3"), s.npos) << s;
    EXPECT_EQ(s.find("number"), s.npos) << s;
  }
  EXPECT_GE(e.finals.size(), 1u);
}

TEST(Api, TooLittleRoomIsReported) {
  try {
    explore(model([](Model& m) {
      m.add<Boss>();
      m.room_for<Worker>(1);
    }));
    FAIL() << "accepted";
  } catch (const ModelError& e) {
    EXPECT_NE(std::string(e.what()).find("room_for"), std::string::npos);
  }
}

struct Clock {
  Timer timer;
  int rung = 0;
  void start() {
    require(rung == 0 && !timer.armed);
    timer.set();
  }
  void ring(Timeout) {
    timer.fire();
    ++rung;
  }
  static constexpr auto transitions = heddle::transitions<&Clock::start, &Clock::ring>;
};

TEST(Api, ATimerFiresOnlyWhenSet) {
  const Explored e = explore(model([](Model& m) { m.add<Clock>(); }));
  EXPECT_EQ(e.result.counters.states, 3u);
}

struct Memory {
  int most = 0;
};
struct Climber {
  int height = 0;
  void up(Ghost<Memory>& memory) {
    require(height < 3);
    ++height;
    memory->most = std::max(memory->most, height);
  }
  void down() {
    require(height > 0);
    --height;
  }
  static constexpr auto transitions = heddle::transitions<&Climber::up, &Climber::down>;
};

TEST(Api, AGhostRemembers) {
  const Explored e = explore(model([](Model& m) {
    m.add<Climber>();
    m.ghost<Memory>();
    m.always("never below what it remembers",
             [](const View& v) { return v.all<Climber>()[0].height <= v.ghost<Memory>().most; });
    m.sometimes("down again",
                [](const View& v) { return v.ghost<Memory>().most == 3 && v.all<Climber>()[0].height == 0; });
  }));
  EXPECT_EQ(e.result.verdict, Verdict::Holds);
  EXPECT_EQ(e.result.counters.states, 10u);  // most = 0..3, height <= most
}

struct Forgetful {
  int n = 0;
  void step() {
    static int calls = 0;
    require(n < 3);
    n += ++calls % 2 + 1;
  }
  static constexpr auto transitions = heddle::transitions<&Forgetful::step>;
};

TEST(Api, TheAuditFindsAHandlerThatIsNotPure) {
  try {
    explore(model([](Model& m) { m.add<Forgetful>(); }), {.audit_handlers = true});
    FAIL() << "not found";
  } catch (const ModelError& e) {
    EXPECT_NE(std::string(e.what()).find("Forgetful::step"), std::string::npos) << e.what();
  }
  EXPECT_NO_THROW(explore(model([](Model& m) { m.add<Gambler>(); }), {.audit_handlers = true}));
}

struct Thrower {
  int n = 0;
  void step() {
    if (++n == 2) throw std::runtime_error("out of cheese");
  }
  static constexpr auto transitions = heddle::transitions<&Thrower::step>;
};

// "Nobody" must not be member 63 of a set, nor the 65,536th of a Per, whose JSON would never end.
struct Absent {
  bool done = false;
  IdSet<Absent> set = {};
  Per<Absent, int> per = {};
  Id<Absent> nobody = {};
  void insert() { set.insert(nobody); }
  void write() { per[nobody] = 1; }
  void look(Id<Absent> self) {
    require(!done && !set.contains(nobody) && std::as_const(per)[nobody] == 0);
    set.insert(self);
    set.erase(nobody);
    done = true;
  }
  static constexpr auto transitions = heddle::transitions<&Absent::look>;
};

template <auto Handler>
struct Careless {
  Absent absent = {};
  void step() { (absent.*Handler)(); }
  static constexpr auto transitions = heddle::transitions<&Careless::step>;
};

TEST(Api, NobodyIsNoMember) {
  const Explored e = explore(model([](Model& m) { m.add<Absent>(2); }));
  EXPECT_EQ(e.result.counters.states, 4u);
  const auto complaint = [](const auto& role) {
    try {
      explore(model([](Model& m) { m.add<std::remove_cvref_t<decltype(role)>>(); }));
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(complaint(Careless<&Absent::insert>{}).find("names nobody"), std::string::npos);
  EXPECT_NE(complaint(Careless<&Absent::write>{}).find("names nobody"), std::string::npos);
}

struct Office;
struct Letter {};
// Writes to an office that it does not know.
struct Citizen {
  Id<Office> office;
  bool named = true;
  bool written = false;
  void write(To<Office, Letter> out) {
    require(!written);
    written = true;
    if (named) {
      out.send(office, {});
    } else {
      out.send({});
    }
  }
  static constexpr auto transitions = heddle::transitions<&Citizen::write>;
};
struct Office {
  int letters = 0;
  void open(const Letter&) { ++letters; }
  static constexpr auto transitions = heddle::transitions<&Office::open>;
};

TEST(Api, AMessageToNobodyIsAnError) {
  const auto run = [](std::size_t offices, bool named, bool known) -> std::string {
    try {
      const Explored e = explore(model([=](Model& m) {
        m.add<Office>(offices);
        m.add<Citizen>(1, [=](std::size_t) { return Citizen{known ? Model::id<Office>(0) : Id<Office>{}, named}; });
      }));
      return e.finals.size() == 1 && count_with(e.finals, "letters=1") == 1 ? "delivered" : "lost";
    } catch (const ModelError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(run(1, false, false), "delivered");
  EXPECT_EQ(run(1, true, true), "delivered");
  EXPECT_EQ(run(2, true, true), "delivered");
  for (const std::size_t offices : {1u, 2u}) {
    const std::string what = run(offices, true, false);
    EXPECT_NE(what.find("Citizen::write"), what.npos) << what;
    EXPECT_NE(what.find("sends Letter to an Id<Office> that names nobody"), what.npos) << what;
  }
  const std::string what = run(2, false, false);
  EXPECT_NE(what.find("Citizen::write"), what.npos) << what;
  EXPECT_NE(what.find("there are 2 of them; use send(id, message)"), what.npos) << what;
}

TEST(Api, AHandlerThatThrowsIsNamed) {
  for (const unsigned threads : {1u, 2u}) {
    for (const auto order : {SearchOptions::Order::BreadthFirst, SearchOptions::Order::DepthFirst}) {
      SearchOptions options;
      options.threads = threads;
      options.order = order;
      const auto system = make_actor_system(model([](Model& m) { m.add<Thrower>(2); }));
      try {
        search(*system, options);
        FAIL() << "accepted";
      } catch (const ModelError& e) {
        const std::string what = e.what();
        EXPECT_NE(what.find("Thrower::step"), what.npos);
        EXPECT_NE(what.find("out of cheese"), what.npos);
      }
    }
  }
}

struct Counter {
  long count = 0;
  void step() { ++count; }
  static constexpr auto transitions = heddle::transitions<&Counter::step>;
};

TEST(Api, WhatGrowsIsNamed) {
  const auto system = make_actor_system(model([](Model& m) { m.add<Counter>(); }));
  SearchOptions options;
  options.limits.depth = 1000;
  const SearchResult r = search(*system, options);
  EXPECT_EQ(r.verdict, Verdict::Unknown);
  EXPECT_FALSE(r.complete);
  ASSERT_FALSE(system->describer().growth().empty());
  EXPECT_NE(system->describer().growth()[0].find("Counter.count has reached 1000"), std::string::npos)
      << system->describer().growth()[0];
}

TEST(Api, ABoundCutsOffAndIsNeverAPass) {
  const auto system = make_actor_system(model([](Model& m) {
    m.add<Counter>();
    m.bound("small", [](const View& v) { return v.all<Counter>()[0].count < 5; });
  }));
  const SearchResult r = search(*system);
  EXPECT_EQ(r.counters.states, 6u);
  EXPECT_EQ(r.counters.cut_off, 1u);
  EXPECT_EQ(r.verdict, Verdict::Unknown);
}

struct Put {
  int value;
};
struct Got {
  int value;
};
struct Cell {
  int value = 0;
  Got apply(const Put& p) {
    const int old = value;
    value = p.value;
    return {old};
  }
};
struct Client {
  int step = 0;
  void call(Invoke<Put> invoke) {
    require(step == 0);
    step = 1;
    invoke({5});
  }
  void reply(Return<Got> give, const Run& run) {
    require(step == 1);
    step = 2;
    give({run.bug("wrong") ? 1 : 0});
  }
  static constexpr auto transitions = heddle::transitions<&Client::call, &Client::reply>;
};

TEST(Api, HistoriesAreCheckedAgainstTheSpecification) {
  const Definition definition{
      .name = "test", .summary = "", .bugs = {{"wrong", "linearizable", {}, ""}}, .build = [](Model& m) {
        m.add<Client>(1);
        m.linearizable<Cell, Put>("linearizable");
      }};
  EXPECT_EQ(explore(Model(definition)).result.verdict, Verdict::Holds);
  const Explored wrong = explore(Model(definition, {}, "wrong"));
  EXPECT_EQ(wrong.result.verdict, Verdict::Violated);
  ASSERT_EQ(wrong.result.violations.size(), 1u);
  EXPECT_EQ(wrong.result.violations[0].path.steps.size(), 2u);
}

TEST(Api, ParametersAreChecked) {
  const Definition definition{.name = "test",
                              .summary = "",
                              .parameters = {{"n", 2, 1, 4, ""}, {"mode", {"a", "b"}, ""}},
                              .bugs = {{"slip", "x", {{"n", "3"}}, ""}},
                              .build = [](Model& m) { m.add<Gambler>(static_cast<std::size_t>(m.run()["n"])); }};
  EXPECT_EQ(Model(definition).processes().size(), 2u);
  EXPECT_EQ(Model(definition, {}, "slip").processes().size(), 3u);
  EXPECT_EQ(Model(definition, {{"n", "4"}}, "slip").processes().size(), 4u);
  for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{
           {"n", "5"}, {"n", "0"}, {"n", "two"}, {"n", "3x"}, {"mode", "c"}, {"m", "1"}}) {
    EXPECT_THROW(Model(definition, {{name, value}}), ModelError) << name << "=" << value;
  }
  EXPECT_THROW(Model(definition, {}, "slop"), ModelError);
}

TEST(Api, RandomWalksAreDeterministicAndNeverAPass) {
  const auto system = make_actor_system(model([](Model& m) { m.add<Gambler>(3); }));
  SearchOptions options;
  options.order = SearchOptions::Order::RandomWalk;
  options.walks = 20;
  options.seed = 5;
  const SearchResult a = search(*system, options);
  const SearchResult b = search(*system, options);
  EXPECT_EQ(a.counters.states, b.counters.states);
  EXPECT_EQ(a.counters.transitions, b.counters.transitions);
  EXPECT_EQ(a.verdict, Verdict::Unknown);
}

TEST(Api, LossyStoresSayUnknown) {
  const auto system = make_actor_system(model([](Model& m) { m.add<Gambler>(3); }));
  const std::uint64_t states = search(*system).counters.states;
  for (const auto store : {SearchOptions::Store::HashCompact, SearchOptions::Store::Bitstate}) {
    SearchOptions options;
    options.order = SearchOptions::Order::DepthFirst;
    options.store = store;
    options.bitstate_bytes = 1 << 20;
    const SearchResult r = search(*system, options);
    EXPECT_EQ(r.counters.states, states);
    EXPECT_EQ(r.verdict, Verdict::Unknown);
    EXPECT_NE(r.note.find("may miss"), r.note.npos);
    options.order = SearchOptions::Order::BreadthFirst;
    EXPECT_THROW(search(*system, options), ModelError);
  }
}

}  // namespace
}  // namespace heddle::api_test
