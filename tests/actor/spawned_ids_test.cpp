// Ids of spawned processes: which of them need room because somebody remembers them, and ids in the ghost variable, in
// auxiliary data and on the sides of a partition.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/facets/describer.h"
#include "core/facets/forgetting.h"
#include "heddle/heddle.h"
#include "reduce/audit_symmetry.h"
#include "reduce/reduced_search.h"
#include "support/checked.h"
#include "support/explored.h"

namespace heddle::spawned_ids_test {
namespace {

struct Temp;
struct Done {};
struct Chief {
  int hired = 0;
  bool busy = false;
  Id<Temp> last;
  std::vector<Id<Temp>> all;
  void hire(Spawn<Temp> spawn, const Run& run);
  void done(const From<Done, Temp>& d, const Run& run) {
    busy = false;
    if (run["keep"] == 1) last = d.sender;
    if (run["keep"] == 2) all.push_back(d.sender);
  }
  static constexpr auto transitions = heddle::transitions<&Chief::hire, &Chief::done>;
};
struct Temp {
  int unused = 0;
  void work(To<Chief, Done> out, Exit exit) {
    out.send({});
    exit();
  }
  static constexpr auto transitions = heddle::transitions<&Temp::work>;
};
void Chief::hire(Spawn<Temp> spawn, const Run&) {
  require(!busy && hired < 3);
  ++hired;
  busy = true;
  spawn(Temp{});
}

std::string one_at_a_time(int keep, std::size_t room) {
  try {
    explore(Model(
        Definition{.name = "temps", .summary = "", .parameters = {{"keep", keep, 0, 2, ""}}, .build = [&](Model& m) {
                     m.add<Chief>();
                     m.room_for<Temp>(room);
                   }}));
  } catch (const ModelError& e) {
    return e.what();
  }
  return "";
}

TEST(SpawnedIds, OnlyWhatIsRememberedNeedsRoom) {
  EXPECT_EQ(one_at_a_time(0, 1), "");  // the id went with the message
  EXPECT_NE(one_at_a_time(1, 1), "");
  EXPECT_EQ(one_at_a_time(1, 2), "");
  EXPECT_NE(one_at_a_time(2, 2), "");
  EXPECT_EQ(one_at_a_time(2, 3), "");
  EXPECT_NE(one_at_a_time(2, 2).find("still remembered"), std::string::npos) << one_at_a_time(2, 2);
  EXPECT_NE(one_at_a_time(2, 2).find("room_for"), std::string::npos);
}

// --- Ids that are written elsewhere.

struct Drone {
  int unused = 0;
  void vanish(Exit exit) { exit(); }
  static constexpr auto transitions = heddle::transitions<&Drone::vanish>;
};
struct Record {
  Id<Drone> first;
  bool twice = false;
};
struct Queen {
  int laid = 0;
  void lay(Spawn<Drone> spawn, Ghost<Record>& record) {
    require(laid < 3);
    ++laid;
    const Id<Drone> id = spawn(Drone{});
    if (record->first == id) record->twice = true;
    if (!record->first) record->first = id;
  }
  static constexpr auto transitions = heddle::transitions<&Queen::lay>;
};

TEST(SpawnedIds, TheGhostVariableHoldsTheIdOfANewProcess) {
  const auto build = [](Model& m) {
    m.add<Queen>();
    m.room_for<Drone>(4);
    m.ghost<Record>();
    m.always("first is the first", [](const View& v) {
      const auto r = v.ghost<Record>();
      const auto ids = v.ids<Drone>();
      const int laid = v.all<Queen>()[0].laid;
      // With three laid and three alive, the first is among them; with one laid and one alive, it is that one.
      return !r.twice && (laid == 0 || r.first) &&
             (ids.size() != static_cast<std::size_t>(laid) || laid == 0 ||
              std::ranges::find(ids, r.first) != ids.end());
    });
    m.sometimes("the first outlives the others", [](const View& v) {
      const auto ids = v.ids<Drone>();
      return v.all<Queen>()[0].laid == 3 && ids.size() == 1 && ids[0] == v.ghost<Record>().first;
    });
    m.sometimes("the first is gone", [](const View& v) {
      const auto ids = v.ids<Drone>();
      return ids.size() == 2 && std::ranges::find(ids, v.ghost<Record>().first) == ids.end();
    });
  };
  for (const ReductionPlan& plan :
       {ReductionPlan{}, ReductionPlan{.symmetry = true}, ReductionPlan{.partial_order = true, .symmetry = true}}) {
    const auto system = make_actor_system(Model(Definition{.name = "hive", .summary = "", .build = build}));
    ReductionReport report;
    const SearchResult r = reduced_search(*system, {}, plan, report);
    EXPECT_EQ(r.verdict, Verdict::Holds);
    EXPECT_EQ(r.witnesses.size(), 2u);
  }
}

// Auxiliary data does not keep a place: the same runs exist with it and without.
struct Keeper {
  int taken = 0;
  Auxiliary<std::vector<Id<Drone>>> names;
  void take(Spawn<Drone> spawn) {
    require(taken < 4);
    ++taken;
    names.update([](auto& all, Id<Drone> id) { all.push_back(id); }, spawn(Drone{}));
  }
  static constexpr auto transitions = heddle::transitions<&Keeper::take>;
};

TEST(SpawnedIds, AuxiliaryDataKeepsNoPlace) {
  const auto build = [](Model& m) {
    m.add<Keeper>();
    m.room_for<Drone>(4);
    m.bound("two at most", [](const View& v) { return v.all<Drone>().size() < 2; });
  };
  std::set<std::string> finals[2];
  for (const bool forget : {false, true}) {
    const auto system = make_actor_system(Model(Definition{.name = "keeper", .summary = "", .build = build}),
                                          {.forget_auxiliary = forget});
    SearchOptions o;
    o.on_state = [&](std::span<const Slot> s) {
      SlotVector state(s.begin(), s.end());
      system->forgetting()->forget_auxiliary(state);
      std::string text = local_text(*system, state);
      finals[forget ? 1 : 0].insert(text);
    };
    search(*system, o);
  }
  EXPECT_EQ(finals[0], finals[1]);
}

// A bud is spawned while the network may be split, and sends to the sink.
struct Sink {
  int got = 0;
  void take(const Done&) { ++got; }
  static constexpr auto transitions = heddle::transitions<&Sink::take>;
};
struct Bud {
  bool said = false;
  void say(To<Sink, Done> out) {
    require(!said);
    said = true;
    out.send({});
  }
  static constexpr auto transitions = heddle::transitions<&Bud::say>;
};
struct Plant {
  bool grown = false;
  void grow(Spawn<Bud> spawn) {
    require(!grown);
    grown = true;
    spawn(Bud{});
  }
  static constexpr auto transitions = heddle::transitions<&Plant::grow>;
};

TEST(SpawnedIds, ANewProcessIsOnTheSideOfItsParent) {
  for (const bool places_first : {false, true}) {
    std::set<std::string> locals[2];
    for (const bool symmetry : {false, true}) {
      const auto system = make_actor_system(Model(Definition{.name = "plant", .summary = "", .build = [&](Model& m) {
                                                               if (places_first) m.room_for<Bud>(3);
                                                               m.add<Plant>();
                                                               m.add<Sink>();
                                                               if (!places_first) m.room_for<Bud>(3);
                                                               m.network.partitions = 1;
                                                             }}));
      // What can be seen without names has to be the same with symmetry and without.
      SearchOptions o;
      ReductionReport report;
      o.on_state = [&](std::span<const Slot> s) {
        std::string text;
        for (const trace::Field& f : system->describer().describe_state(s)) {
          if (f.name == "grown" || f.name == "got" || f.name == "said") text += f.name + "=" + f.value + " ";
        }
        locals[symmetry ? 1 : 0].insert(text);
      };
      const SearchResult r = reduced_search(*system, o, {.symmetry = symmetry}, report);
      EXPECT_TRUE(r.complete);
      const SymmetryAudit audit = audit_symmetry(*system, {});
      EXPECT_TRUE(audit.witness.empty()) << audit.witness;
    }
    EXPECT_EQ(locals[0], locals[1]);
  }
}

}  // namespace
}  // namespace heddle::spawned_ids_test
