// Refinement of abstract objects: what annotations see, what a rejected call does, that a run without --refines
// has nothing of it, where linearization points are searched. These are tests of the door alone: its slot, facet and
// steps.
#include <gtest/gtest.h>

#include "actor/refinement_failure.h"
#include "check/refinement/refinements.h"
#include "core/facets/describer.h"
#include "heddle/heddle.h"
#include "heddle/qtree.h"
#include "heddle/refinement.h"
#include "support/explored.h"

namespace heddle::refinement_test {
namespace {

// --- A store with one register: `lossy` forgets every second write.

struct Store;
struct Write {
  int value;
};
struct Ask {};
struct Answered {
  int value;
};

struct Writer {
  int value = 0;
  bool done = false;
  void write(To<Store, Write> out) {
    require(!done);
    done = true;
    out.send({value});
  }
  static constexpr auto transitions = heddle::transitions<&Writer::write>;
};
struct Reader {
  bool asked = false;
  int seen = -1;
  void ask(To<Store, Ask> out) {
    require(!asked);
    asked = true;
    out.send({});
  }
  void take(const Answered& a) { seen = a.value; }
  static constexpr auto transitions = heddle::transitions<&Reader::ask, &Reader::take>;
};
struct Store {
  int value = 0, writes = 0;
  void write(const Write& w, const Run& run) {
    ++writes;
    if (!run.bug("lossy") || writes % 2 == 1) value = w.value;
  }
  void answer(const Ask&, Reply<Answered> out) { out.send({value}); }
  static constexpr auto transitions = heddle::transitions<&Store::write, &Store::answer>;
};

// An object with every way to reject.
struct Cell {
  int value = 0;
  int written = 0;
  void write(int v) {
    require(v != 99);
    value = v;
    ++written;
  }
  bool reads(int v) const { return v == value; }
  std::string reads_with_reason(int v) const { return v == value ? "" : "the cell holds " + std::to_string(value); }
  Answer reads_with_answer(int v) const {
    return v == value ? Answer{} : Answer::rejects("stale", "P7", "another value");
  }
};

Definition store_definition(const std::function<void(Refinement<Cell>)>& annotate) {
  return {.name = "store",
          .summary = "a store",
          .parameters = {{"writers", 2, 0, 4, "writers"}},
          .bugs = {{"lossy", "refines cell", {}, "forgets"}},
          .build = [annotate](Model& m) {
            m.add<Writer>(static_cast<std::size_t>(m.run()["writers"]),
                          [](std::size_t i) { return Writer{.value = static_cast<int>(i + 1)}; });
            m.add<Reader>(1);
            m.add<Store>(1);
            m.always("seen", [](const View& v) { return v.all<Reader>()[0].seen <= 2; });
            annotate(m.refines<Cell>("cell"));
          }};
}

void write_and_read(Refinement<Cell> cell) {
  cell.at<&Store::write>([](const Write& w, Calls<Cell>& calls) { calls.call<&Cell::write>(w.value); })
      .at<&Store::answer>([](const Store& s, Calls<Cell>& calls) { calls.call<&Cell::reads>(s.value); });
}

using refinement_failure::failure_of;
using refinement_failure::make;

TEST(Refinement, AFaithfulStoreHoldsAndAForgetfulOneDoesNot) {
  const Definition definition = store_definition(write_and_read);
  const auto faithful = make(definition);
  const SearchResult holds = search(*faithful);
  EXPECT_EQ(holds.verdict, Verdict::Holds);
  EXPECT_EQ(refinement_of(*faithful)->counts.at("writes"), 4u)
      << "two writers, each from the first and after the other";
  EXPECT_GT(refinement_of(*faithful)->counts.at("observations"), 0u);

  const auto lossy = make(definition, "lossy");
  const SearchResult violated = search(*lossy);
  ASSERT_EQ(violated.violations.size(), 1u);
  EXPECT_EQ(lossy->properties()[violated.violations[0].property].name, "refines cell");
  EXPECT_EQ(violated.violations[0].path.steps.size(), 6u) << "two writes, taken in twice, a question, its answer";
  const RefinementFailure failure = failure_of(*lossy, violated);
  EXPECT_TRUE(failure.call == "reads(1)" || failure.call == "reads(2)") << failure.call;
  EXPECT_EQ(failure.clause, "guard");
}

TEST(Refinement, WithoutTheSwitchThereIsNothingOfIt) {
  const Definition definition = store_definition(write_and_read);
  const auto plain = make(definition, "", "");
  const auto refined = make(definition);
  EXPECT_EQ(plain->initial_states()[0].size() + 1, refined->initial_states()[0].size());
  EXPECT_EQ(plain->properties().size() + 1, refined->properties().size());
  EXPECT_FALSE(refinement_of(*plain).has_value());
  EXPECT_EQ(plain->describer().lanes().size() + 1, refined->describer().lanes().size());
}

TEST(Refinement, AnUnknownObjectOrVariantIsAnErrorThatNamesTheKnownOnes) {
  const Definition definition = store_definition(write_and_read);
  const auto message = [&](const std::string& name, const std::string& specification, const std::string& points) {
    try {
      Model(definition).refine(name, specification, points);
    } catch (const ModelError& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  EXPECT_NE(message("qtree", "strict", "corrected").find("it refines: cell"), std::string::npos);
  EXPECT_NE(message("cell", "literal", "corrected").find("no variant 'literal'"), std::string::npos);
  EXPECT_NE(message("cell", "strict", "mine").find("none of corrected, thesis, search"), std::string::npos);
  EXPECT_EQ(message("cell", "strict", "thesis"), "no error");
}

TEST(Refinement, MethodsRejectInEveryWayTheyCan) {
  const auto with = [](auto annotate) {
    const auto system = make(store_definition(annotate));
    return failure_of(*system, search(*system));
  };
  const RefinementFailure by_require = with([](Refinement<Cell> cell) {
    cell.at<&Store::write>([](const Write&, Calls<Cell>& calls) { calls.call<&Cell::write>(99); });
  });
  EXPECT_EQ(by_require.call, "write(99)");
  EXPECT_EQ(by_require.clause, "guard");
  const RefinementFailure by_text = with([](Refinement<Cell> cell) {
    cell.at<&Store::write>([](const Write&, Calls<Cell>& calls) { calls.call<&Cell::reads_with_reason>(5); });
  });
  EXPECT_EQ(by_text.witness, "the cell holds 0");
  const RefinementFailure by_answer = with([](Refinement<Cell> cell) {
    cell.at<&Store::write>([](const Write&, Calls<Cell>& calls) { calls.call<&Cell::reads_with_answer>(5); });
  });
  EXPECT_EQ(by_answer.clause, "stale");
  EXPECT_EQ(by_answer.property, "P7");
}

TEST(Refinement, ObservationsAreJudgedAfterTheCallsOfTheStep) {
  const auto system = make(store_definition([](Refinement<Cell> cell) {
    cell.at<&Store::write>([](const Write& w, Calls<Cell>& calls) {
      calls.call<&Cell::reads>(w.value);  // true only after the write
      calls.call<&Cell::write>(w.value);
    });
  }));
  EXPECT_EQ(search(*system).verdict, Verdict::Holds);
}

TEST(Refinement, AnnotationsSeeBeforeAfterMessageAndSelf) {
  std::set<std::string> seen;
  const auto system = make(store_definition([&](Refinement<Cell> cell) {
    cell.at<&Store::write>([&](const Store& before, const Store& after, const Write& w, const heddle::Run& run,
                               Id<Store> self, Calls<Cell>& calls) {
          seen.insert(std::to_string(before.value) + ">" + std::to_string(after.value) + " by " +
                      std::to_string(w.value) + " of " + std::to_string(run["writers"]) + (self ? " here" : ""));
          calls.call<&Cell::write>(after.value);
        })
        .at<&Writer::write>([&](const Writer& w, Calls<Cell>& calls) {
          require(w.value == 7);  // never: no call
          calls.call<&Cell::write>(99);
        });
  }));
  EXPECT_EQ(search(*system).verdict, Verdict::Holds);
  EXPECT_EQ(seen, (std::set<std::string>{"0>1 by 1 of 2 here", "0>2 by 2 of 2 here", "1>2 by 2 of 2 here",
                                         "2>1 by 1 of 2 here"}));
}

TEST(Refinement, AnAnnotationThatThrowsIsAModelErrorThatNamesIt) {
  const auto system = make(store_definition(
      [](Refinement<Cell> cell) { cell.at<&Store::write>([](Calls<Cell>&) { throw std::runtime_error("oops"); }); }));
  try {
    search(*system);
    FAIL();
  } catch (const ModelError& e) {
    EXPECT_STREQ(e.what(), "the annotation of Store::write for cell threw: oops");
  }
}

// The same annotation, once with the process and once with the whole state, gives equal verdicts, states and depths.
TEST(Refinement, LookingAtTheWholeStateAgreesWithLookingAtTheProcess) {
  const auto omniscient = [](Refinement<Cell> cell) {
    cell.at<&Store::write>([](const View& before, const View& after, const Write& w, Calls<Cell>& calls) {
          if (after.all<Store>()[0].writes == before.all<Store>()[0].writes + 1) calls.call<&Cell::write>(w.value);
        })
        .whenever([](const View&, const View& after, Calls<Cell>& calls) {
          // These are true after every step of anyone.
          if (after.all<Store>()[0].writes == 0) calls.call<&Cell::reads>(0);
          for (const Reader& r : after.all<Reader>()) {
            for (const Answered& a : after.in_flight<Answered>()) {
              if (r.seen == -1 && after.all<Store>()[0].writes == 0) calls.call<&Cell::reads>(a.value);
            }
          }
        })
        .at<&Store::answer>([](const Store& s, Calls<Cell>& calls) { calls.call<&Cell::reads>(s.value); });
  };
  for (const std::string bug : {"", "lossy"}) {
    const auto fixed = make(store_definition(write_and_read), bug);
    const auto looking = make(store_definition(omniscient), bug);
    SearchOptions options;
    options.stop_at_violation = false;
    const SearchResult a = search(*fixed, options), b = search(*looking, options);
    EXPECT_EQ(a.counters.states, b.counters.states) << bug;
    EXPECT_EQ(a.verdict, b.verdict) << bug;
    ASSERT_EQ(a.violations.size(), b.violations.size()) << bug;
    if (!a.violations.empty()) {
      EXPECT_EQ(a.violations[0].path.steps.size(), b.violations[0].path.steps.size());
    }
  }
}

// Annotations run once for all situations that agree in what they take. Taking more than is looked at makes no
// difference. So an annotation that takes everything there is, or finds it out in another way, must record the same.
struct Notes {
  std::map<int, int> all;
  void add(int note) { ++all[note]; }
};
struct Echo;
struct Ping {
  int value;
};
struct Pong {
  int value;
};
struct Pinger {
  int value = 0;
  bool done = false;
  void ping(ToAll<Echo, Ping> ping, ToAll<Echo, Pong> pong) {
    require(!done);
    done = true;
    ping.send({value});
    pong.send({value});
  }
  static constexpr auto transitions = heddle::transitions<&Pinger::ping>;
};
struct Echo {
  int sum = 0, heard = 0;
  void hear(const From<Ping, Pinger>& p) {
    sum += p->value;
    ++heard;
  }
  void note(const Pong& p) { sum = 3 * sum + p.value; }
  static constexpr auto transitions = heddle::transitions<&Echo::hear, &Echo::note>;
};

TEST(Refinement, WhatAnAnnotationDoesNotTakeMakesNoDifference) {
  using From = const heddle::From<Ping, Pinger>&;
  using To = Calls<Notes>&;
  const auto note = [](To to, int what) { to.call<&Notes::add>(what); };
  const auto seen = [](const View& v) { return v.all<Echo>()[0].heard + 3 * v.all<Echo>()[1].heard; };
  const auto number = [](auto id) { return 100 * (detail::IdAccess::index(id) + 1); };
  using Annotate = std::function<void(Refinement<Notes>)>;
  const std::vector<std::pair<Annotate, Annotate>> narrow_and_wide = {
      {[=](auto r) { r.template at<&Echo::hear>([=](const View& v, To to) { note(to, seen(v)); }); },
       [=](auto r) {
         r.template at<&Echo::hear>(
             [=](const Echo&, const Echo&, Id<Echo>, From, const View& v, To to) { note(to, seen(v)); });
       }},
      {[=](auto r) {
         r.template at<&Echo::hear>([=](Id<Echo> self, const View& v, To to) { note(to, number(self) + seen(v)); });
       },
       [=](auto r) {
         // Find out from outside who hears.
         r.template at<&Echo::hear>([=](const View& before, const View& after, To to) {
           const bool first = before.all<Echo>()[0].heard != after.all<Echo>()[0].heard;
           note(to, (first ? 100 : 200) + seen(before));
         });
       }},
      {[=](auto r) {
         r.template at<&Echo::hear>([=](const Echo& e, const View& v, To to) { note(to, e.sum + seen(v)); });
       },
       [=](auto r) {
         r.template at<&Echo::hear>(
             [=](const Echo& e, const Echo&, Id<Echo>, From, const View& v, To to) { note(to, e.sum + seen(v)); });
       }},
      {[=](auto r) {
         r.template at<&Echo::hear>(
             [=](const Echo&, const Echo& e, const View& v, To to) { note(to, e.sum + seen(v)); });
       },
       [=](auto r) {
         r.template at<&Echo::hear>(
             [=](const Echo&, const Echo& e, Id<Echo>, From, const View& v, To to) { note(to, e.sum + seen(v)); });
       }},
      {[=](auto r) {
         r.template at<&Echo::hear>(
             [=](From m, const View& v, To to) { note(to, number(m.sender) + m->value + seen(v)); });
       },
       [=](auto r) {
         // Pinger i sends i + 1.
         r.template at<&Echo::hear>([=](const Echo&, const Echo&, Id<Echo>, From m, const View& v, To to) {
           note(to, 100 * m->value + m->value + seen(v));
         });
       }},
      {[=](auto r) {
         r.template at<&Echo::note>([=](const Pong& m, const View& v, To to) { note(to, m.value + seen(v)); });
       },
       [=](auto r) {
         r.template at<&Echo::note>([=](const Echo&, const Echo&, Id<Echo>, const Pong& m, const View& v, To to) {
           note(to, m.value + seen(v));
         });
       }},
  };
  const auto explore = [](const Annotate& annotate) {
    const Definition definition{.name = "echo", .summary = "", .build = [&](Model& m) {
                                  m.add<Pinger>(2,
                                                [](std::size_t i) { return Pinger{.value = static_cast<int>(i + 1)}; });
                                  m.add<Echo>(2);
                                  annotate(m.refines<Notes>("notes"));
                                }};
    const auto system = make(definition, "", "notes");
    const SearchResult result = search(*system);
    return std::tuple(result.counters.states, result.counters.transitions, refinement_of(*system)->counts);
  };
  for (std::size_t i = 0; i < narrow_and_wide.size(); ++i) {
    const auto narrow = explore(narrow_and_wide[i].first), wide = explore(narrow_and_wide[i].second);
    EXPECT_EQ(narrow, wide) << i;
    EXPECT_GT(std::get<2>(narrow).at("adds"), 1u) << i;
  }
}

TEST(Refinement, AnnotationsMayLookAtTheObject) {
  const auto annotate = [](Refinement<Cell> cell) {
    cell.at<&Store::write>([](const Write& w, const Cell& now, Calls<Cell>& calls) {
      // The object is not told of the second write and keeps the first.
      if (now.written == 0) calls.call<&Cell::write>(w.value);
      calls.call<&Cell::reads>(now.written == 0 ? w.value : now.value);
    });
  };
  const auto system = make(store_definition(annotate));
  EXPECT_EQ(search(*system).verdict, Verdict::Holds);
  EXPECT_EQ(refinement_of(*system)->counts.at("writes"), 2u) << "one from each writer, never the second";
  const auto searched = make(store_definition([&](Refinement<Cell> cell) {
                               annotate(cell);
                               cell.candidate<&Cell::write>(1);
                             }),
                             "", "cell", "search");
  EXPECT_THROW(search(*searched), ModelError);
}

TEST(Refinement, ARejectedObjectStaysAsItIsAndTheProtocolGoesOn) {
  const Definition definition = store_definition(write_and_read);
  SearchOptions options;
  options.stop_at_violation = false;
  const auto plain = make(definition, "lossy", ""), refined = make(definition, "lossy");
  const SearchResult without = search(*plain, options), with = search(*refined, options);
  EXPECT_TRUE(with.complete);
  EXPECT_EQ(with.counters.depth, without.counters.depth) << "no run ends early";
  EXPECT_GE(with.counters.states, without.counters.states);
}

// --- Where the linearization points are searched.

TEST(Refinement, CandidatesWithoutEndAreAnError) {
  const auto system =
      make(store_definition([](Refinement<Cell> cell) {
             cell.at<&Reader::take>([](const Answered& a, Calls<Cell>& calls) { calls.call<&Cell::reads>(a.value); })
                 .candidate<&Cell::write>(1);  // Cell::written counts forever
           }),
           "", "cell", "search");
  EXPECT_THROW(search(*system), ModelError);
}

struct Once {
  std::set<int> written = {};
  int value = 0;
  bool write(int v) {
    value = v;
    return written.insert(v).second;
  }
  bool reads(int v) const { return v == value; }
};

Definition searched_definition(bool possible) {
  return {.name = "searched",
          .summary = "",
          .bugs = {{"lossy", "refines once", {}, "forgets"}},
          .build = [possible](Model& m) {
            m.add<Writer>(2, [](std::size_t i) { return Writer{.value = static_cast<int>(i + 1)}; });
            m.add<Reader>(1);
            m.add<Store>(1);
            auto once = m.refines<Once>("once");
            once.at<&Reader::take>([](const Answered& a, Calls<Once>& calls) { calls.call<&Once::reads>(a.value); });
            once.candidate<&Once::write>(1);
            if (possible) once.candidate<&Once::write>(2);
          }};
}

TEST(Refinement, TheSearchForPointsHoldsIffSomeInsertionWorks) {
  for (const bool possible : {true, false}) {
    const auto system = make(searched_definition(possible), "", "once", "search");
    const SearchResult result = search(*system);
    EXPECT_EQ(result.verdict, possible ? Verdict::Holds : Verdict::Violated);
    if (!possible) {
      EXPECT_EQ(failure_of(*system, result).call, "reads(2)");
      EXPECT_EQ(failure_of(*system, result).clause, "no linearization");
    }
  }
}

}  // namespace
}  // namespace heddle::refinement_test
