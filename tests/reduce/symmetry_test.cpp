// Symmetry on random protocols: one representative for each orbit, the same answers as without symmetry, concrete
// traces; and own counts for the examples of Bokor's and Saissi's theses.
#include "reduce/symmetry.h"
#include "core/facets/describer.h"
#include "core/facets/symmetries.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "actor/actor_system.h"
#include "actor/random_run.h"
#include "explore/search.h"
#include "reduce/audit_symmetry.h"
#include "reduce/orbits.h"

namespace heddle::symmetry_test {
namespace {

using namespace orbits;

using random_model::Configuration;
using random_model::make;

Configuration random_configuration() {
  Configuration c{
      .seed = *rc::gen::inRange(0l, 1'000'000l), .nodes = *rc::gen::inRange(2, 4), .hubs = *rc::gen::inRange(1, 3)};
  c.network.order =
      *rc::gen::element(Network::Order::Multiset, Network::Order::Multiset, Network::Order::Soup, Network::Order::Fifo);
  if (c.network.order == Network::Order::Multiset) {
    c.network.traffic = *rc::gen::element(Network::Traffic::M, Network::Traffic::M, Network::Traffic::GRM);
  }
  if (c.network.order != Network::Order::Soup) {
    c.network.losses = *rc::gen::inRange(0, 4) == 0 ? 1 : 0;
    c.network.duplications = *rc::gen::inRange(0, 6) == 0 ? 1 : 0;
  }
  c.own = *rc::gen::inRange(0, 2);
  switch (*rc::gen::inRange(0, 6)) {
    case 0:
      c.faults.crashes = 1;
      c.faults.recovery = *rc::gen::arbitrary<bool>();
      break;
    case 2:
      c.faults.crashes_of = {{"Node", 1}};
      c.watch = "up";
      break;
    case 1:
      c.network.partitions = c.nodes + c.hubs <= 4 ? 1 : 0;
      break;
    default:
      break;
  }
  if (c.faults.crashing() || c.network.partitions > 0) c.together = *rc::gen::inRange(0, 3);
  if (c.together > 0 && c.hubs < 2) c.nodes = 3;  // two that are alike
  if (c.together == 1) c.nodes = 3;
  return c;
}

RC_GTEST_PROP(SymmetryOfRandomModels, SlowOneRepresentativeForEachOrbit, ()) {
  const Configuration c = random_configuration();
  const auto system = make(c);
  if (system->symmetries()->symmetry_classes().empty()) return;  // only one of two shares its machine
  SearchOptions options;
  options.limits.depth = c.nodes + c.hubs > 4 ? 5 : 6;
  expect_one_representative_each(*system, options);
  RC_ASSERT(!::testing::Test::HasFailure());
}

RC_GTEST_PROP(SymmetryOfRandomModels, RepresentativesAreFixedAndCommon, ()) {
  const Configuration c = random_configuration();
  const auto system = make(c);
  SearchOptions options;
  options.limits.depth = 5;
  const ExploredOrbits full = explore_orbits(*system, options);
  const auto all = group(*system);
  const Symmetry symmetry(*system);
  const Symmetry local(*system, {.most_tries = 0, .check_every = 0});
  const auto canonicalizer = symmetry.canonicalizer();
  const auto local_canonicalizer = local.canonicalizer();
  std::size_t n = 0;
  for (const SlotVector& s : full.states) {
    if (++n > 300) break;
    SlotVector representative = s;
    canonicalizer->canonical(representative);
    RC_ASSERT(least_image(*system, all, representative) == least_image(*system, all, s));
    for (const auto& to : all) {
      SlotVector image = system->symmetries()->permute(s, to);
      canonicalizer->canonical(image);
      RC_ASSERT(image == representative);
      canonicalizer->canonical(image);
      RC_ASSERT(image == representative);
    }
    // Without trying arrangements there may be several representatives, but each is its own representative.
    SlotVector minimum = s;
    local_canonicalizer->canonical(minimum);
    RC_ASSERT(least_image(*system, all, minimum) == least_image(*system, all, s));
    SlotVector again = minimum;
    local_canonicalizer->canonical(again);
    RC_ASSERT(again == minimum);
  }
}

// Fingerprints keep their promise (transition_system.h).
RC_GTEST_PROP(SymmetryOfRandomModels, FingerprintsDoNotSeeNames, ()) {
  const Configuration c = random_configuration();
  const auto system = make(c);
  SearchOptions options;
  options.limits.depth = 4;
  const ExploredOrbits full = explore_orbits(*system, options);
  std::size_t n = 0;
  for (const SlotVector& s : full.states) {
    if (++n > 200) break;
    for (const auto& to : group(*system)) {
      const std::uint32_t number = system->symmetries()->renaming(to);
      for (std::uint32_t slot = 0; slot < s.size(); ++slot) {
        std::vector<std::uint64_t> marks(s.size(), 0), renamed_marks(s.size(), 0);
        const std::uint64_t plain = system->symmetries()->fingerprint(slot, s[slot], marks);
        const Slot renamed = system->symmetries()->renamed(slot, s[slot], number);
        RC_ASSERT(system->symmetries()->fingerprint(to[slot], renamed, renamed_marks) == plain);
        for (std::uint32_t m = 0; m < s.size(); ++m) RC_ASSERT(renamed_marks[to[m]] == marks[m]);
      }
    }
  }
}

RC_GTEST_PROP(SymmetryOfRandomModels, TheAuditFindsNothing, ()) {
  const Configuration c = random_configuration();
  const auto system = make(c);
  const SymmetryAudit audit = audit_symmetry(*system, {.depth = 4});
  RC_ASSERT(audit.witness == "");
  RC_ASSERT(audit.comparisons > 0u || system->symmetries()->symmetry_classes().empty());
}

// --- Functional graphs: every node chooses a successor. Cycles are ties that are not twins.

namespace graphs {

struct Node {
  Id<Node> next = {};

  void choose(Choice choose) {
    require(!next);
    next = choose.member<Node>();
  }
  static constexpr auto transitions = heddle::transitions<&Node::choose>;
};

Definition definition() {
  return {
      .name = "graphs", .summary = "functional graphs", .parameters = {{"nodes", 4, 1, 10, ""}}, .build = [](Model& m) {
        m.add<Node>(static_cast<std::size_t>(m.run()["nodes"]));
        // This property reads nodes until one has not chosen: what it reads depends on what it has read.
        m.always("not all choose themselves", [](const View& v) {
          bool all = true;
          for (const auto id : v.ids<Node>()) {
            const Node n = v.at<Node>(id);
            if (!n.next) return true;
            all = all && n.next == id;
          }
          return !all;
        });
      }};
}

std::unique_ptr<TransitionSystem> make(int nodes) {
  return make_actor_system(Model(definition(), {{"nodes", std::to_string(nodes)}}));
}

}  // namespace graphs

// OEIS A001372: functional graphs on n unlabelled nodes.
TEST(Symmetry, FunctionalGraphsUpToIsomorphism) {
  const std::map<int, std::uint64_t> graphs = {{1, 1}, {2, 3}, {3, 7}, {4, 19}, {5, 47}, {6, 130}};
  for (const auto& [nodes, count] : graphs) {
    const auto system = graphs::make(nodes);
    const Symmetry symmetry(*system);
    for (const unsigned threads : {1u, 2u}) {
      SearchOptions options;
      options.threads = threads;
      options.canonicalizer = [&] { return symmetry.canonicalizer(); };
      const ExploredOrbits e = explore_orbits(*system, options);
      EXPECT_EQ(e.result.counters.deadlocks, count) << nodes << " nodes";
      EXPECT_EQ(e.violated, std::set<std::size_t>{0});
    }
    EXPECT_TRUE(symmetry.exact());
  }
}

TEST(Symmetry, TooManyArrangementsLeaveSeveralRepresentatives) {
  const auto system = graphs::make(5);
  const ExploredOrbits full = explore_orbits(*system, {});
  const auto all = group(*system);
  const Symmetry symmetry(*system, {.most_tries = 1, .check_every = 1});
  SearchOptions options;
  options.canonicalizer = [&] { return symmetry.canonicalizer(); };
  const ExploredOrbits reduced = explore_orbits(*system, options);
  EXPECT_FALSE(symmetry.exact());
  EXPECT_GE(reduced.deadlocks.size(), 47u);
  EXPECT_LT(reduced.states.size() * 10, full.states.size());
  EXPECT_EQ(orbits_of(*system, all, reduced.states), orbits_of(*system, all, full.states));
  EXPECT_EQ(reduced.violated, full.violated);
}

// --- Two actors with ids 1 and 2 and foo = id + 10 (Saissi's thesis, chapter 3).

namespace two_actors {

struct FooActor {
  int id = 0, foo = 0;

  void take(const Run&, Choice choose, Ghost<std::set<int>>& taken) {
    require(id == 0);
    id = static_cast<int>(choose(2)) + 1;
    require(taken->insert(id).second);
    foo = id + 10;
  }
  static constexpr auto transitions = heddle::transitions<&FooActor::take>;
};

Definition definition() {
  return {.name = "two_actors", .summary = "two actors", .build = [](Model& m) {
            m.ghost<std::set<int>>();
            m.add<FooActor>(2);
          }};
}

}  // namespace two_actors

TEST(Symmetry, TwoActors) {
  const auto system = make_actor_system(Model(two_actors::definition()));
  const auto key = [&](const SlotVector& state) {
    std::vector<std::string> values;
    for (const trace::Field& f : system->describer().describe_state(state)) {
      if (f.name == "id" || f.name == "foo") values.push_back(f.value);
    }
    return values;
  };
  std::map<std::vector<std::string>, SlotVector> ends;
  const ExploredOrbits full = explore_orbits(*system, {});
  for (const SlotVector& s : full.deadlocks) ends[key(s)] = s;
  ASSERT_EQ(ends.size(), 2u);
  ASSERT_TRUE(ends.contains({"1", "11", "2", "12"}));
  ASSERT_TRUE(ends.contains({"2", "12", "1", "11"}));
  const Symmetry symmetry(*system);
  const auto canonicalizer = symmetry.canonicalizer();
  SlotVector one = ends[{"1", "11", "2", "12"}], other = ends[{"2", "12", "1", "11"}];
  EXPECT_NE(one, other);
  canonicalizer->canonical(one);
  canonicalizer->canonical(other);
  EXPECT_EQ(one, other);
}

// --- Clients whose histories are renamed.

namespace clients {

struct Server;
struct Client;
struct Operation {
  bool write;
  int value;
  Id<Client> who;
};
struct Request {
  bool write;
  int value;
};
struct Response {
  int value;
};
struct Object {
  int value = 0;
  Response apply(const Operation& o) {
    if (o.write) value = o.value;
    return {value};
  }
};

struct Client {
  int operations = 0;
  bool waiting = false;

  void ask(Id<Client> self, const Run& run, Choice choose, Invoke<Operation> invoke, To<Server, Request> out) {
    require(!waiting && operations < run["operations"]);
    waiting = true;
    ++operations;
    const bool write = choose.flip();
    const int value = write ? 1 + static_cast<int>(choose(2)) : 0;
    invoke({write, value, self});
    out.send({write, value});
  }
  void finish(const Response& r, Return<Response> done) {
    waiting = false;
    done(r);
  }
  static constexpr auto transitions = heddle::transitions<&Client::ask, &Client::finish>;
};

struct Server {
  int value = 0;
  void serve(const From<Request, Client>& r, const Run& run, Reply<Response> out) {
    if (r->write && !run.bug("forget")) value = r->value;
    out.send({r->write ? r->value : value});
  }
  static constexpr auto transitions = heddle::transitions<&Server::serve>;
};

Definition definition() {
  return {.name = "clients",
          .summary = "one server, clients that are alike",
          .parameters = {{"operations", 1, 1, 3, ""}},
          .bugs = {{"forget", "linearizable"}},
          .build = [](Model& m) {
            m.add<Client>(3);
            m.add<Server>();
            m.linearizable<Object, Operation>("linearizable");
          }};
}

}  // namespace clients

TEST(Symmetry, HistoriesAreRenamed) {
  for (const char* bug : {"", "forget"}) {
    const auto system = make_actor_system(Model(clients::definition(), {{"operations", "2"}}, bug));
    ASSERT_EQ(system->symmetries()->symmetry_classes().size(), 1u);
    SearchOptions options;
    options.limits.depth = 7;
    expect_one_representative_each(*system, options);
    EXPECT_EQ(audit_symmetry(*system, {.depth = 5}).witness, "");
  }
}

// --- A property reads the slot of one member, and renaming changes which. Whether a step may change the property's
// truth has to be asked of the representative, whose slots may never have been read.

namespace leaders {

struct Hub;
struct Report {};
struct Go {};
struct Two {
  static constexpr std::size_t size(std::size_t) { return 2; }
};

struct Node {
  int reported = 0;
  bool gone = false;
  void report(const Run& run, To<Hub, Report> out) {
    require(reported == 0);
    reported = static_cast<int>(run["salt"]);
    out.send({});
  }
  void go(const Go&) { gone = true; }
  static constexpr auto transitions = heddle::transitions<&Node::report, &Node::go>;
};

struct Hub {
  Id<Node> leader;
  void elect(Choice choose) {
    require(!leader);
    leader = choose.member<Node>();
  }
  void send(const Quorum<Report, Node, Two>&, To<Node, Go> out) {
    require(static_cast<bool>(leader));
    out.send(leader, {});
  }
  static constexpr auto transitions = heddle::transitions<&Hub::elect, &Hub::send>;
};

Definition definition() {
  return {.name = "leaders",
          .summary = "a leader is elected and goes",
          .parameters = {{"salt", 1, 1, 1000, "another order of fingerprints"}},
          .build = [](Model& m) {
            m.add<Hub>();
            m.add<Node>(4);
            m.always("the leader stays", [](const View& v) {
              const Id<Node> leader = v.all<Hub>()[0].leader;
              return !leader || !v.at<Node>(leader).gone;
            });
          }};
}

}  // namespace leaders

TEST(Symmetry, PropertiesThatReadLittle) {
  for (int salt = 1; salt <= 40; ++salt) {
    const auto system = make_actor_system(Model(leaders::definition(), {{"salt", std::to_string(salt)}}));
    const Symmetry symmetry(*system, {.check_every = 0});  // comparing states would read their slots
    SearchOptions options;
    options.canonicalizer = [&] { return symmetry.canonicalizer(); };
    const SearchResult result = search(*system, options);
    EXPECT_EQ(result.verdict, Verdict::Violated) << "salt " << salt;
  }
}

}  // namespace
}  // namespace heddle::symmetry_test
