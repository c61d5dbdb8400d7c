// Answers that come when a client waits for nothing: late copies where messages may be delivered twice, mistakes
// elsewhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "actor/actor_system.h"
#include "core/facets/describer.h"
#include "core/facets/histories.h"
#include "explore/search.h"
#include "heddle/heddle.h"

namespace heddle::late_answers_test {
namespace {

using testing::HasSubstr;

struct Asker;
struct Teller;
struct Question {
  Id<Asker> from;
};
struct Reading {
  int value = 0;
};

// Takes any answer that comes.
struct Asker {
  bool asked = false;
  void ask(Id<Asker> self, Invoke<Question> invoke, To<Teller, Question> out) {
    require(!asked);
    asked = true;
    invoke({self});
    out.send({self});
  }
  void take(const Reading& r, Return<Reading> result) { result(r); }
  static constexpr auto transitions = heddle::transitions<&Asker::ask, &Asker::take>;
};
struct Teller {
  int answers = 1;
  void tell(const Question& q, To<Asker, Reading> out) {
    for (int i = 0; i < answers; ++i) out.send(q.from, {0});
  }
  static constexpr auto transitions = heddle::transitions<&Teller::tell>;
};
struct Zero {
  int value = 0;
  Reading apply(const Question&) { return {0}; }
};

Model asking(int answers) {
  return Model(Definition{.name = "asking", .summary = "", .build = [=](Model& m) {
                            m.add<Asker>(1);
                            m.add<Teller>(1, [&](std::size_t) { return Teller{.answers = answers}; });
                            m.linearizable<Zero, Question>("linearizability");
                          }});
}

SearchResult all(Model model) {
  SearchOptions options;
  options.stop_at_violation = false;
  return search(*make_actor_system(std::move(model)), options);
}

std::string error_of(Model model) {
  try {
    all(std::move(model));
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(LateAnswers, AreMistakesWhereNothingIsDeliveredTwice) {
  EXPECT_EQ(all(asking(1)).verdict, Verdict::Holds);
  const std::string error = error_of(asking(2));
  EXPECT_THAT(error, HasSubstr("asker.take"));
  EXPECT_THAT(error, HasSubstr("has none open"));
  EXPECT_THAT(error, HasSubstr("require()"));
}

TEST(LateAnswers, AreNoPartOfTheHistoryWhereMessagesMayComeTwice) {
  Model duplicating = asking(1), soup = asking(1);
  duplicating.network.duplications = 1;
  soup.network.order = Network::Order::Soup;
  for (Model* model : {&duplicating, &soup}) {
    const SearchResult r = all(*model);
    EXPECT_TRUE(r.complete);
    EXPECT_EQ(r.verdict, Verdict::Holds);
  }
}

// A trace shows what the history has: one invocation and one return, whatever is delivered.
TEST(LateAnswers, AreNotShownAsReturns) {
  Model model = asking(1);
  model.network.duplications = 1;
  const auto system = make_actor_system(std::move(model));
  SlotVector state = system->initial_states()[0];
  std::map<trace::Operation::Kind, int> shown;
  int takes = 0;
  for (StepBuffer steps;;) {
    steps.clear();
    system->expand(state, steps);
    if (steps.size() == 0) break;
    // Duplicate first, as long as it is possible.
    std::size_t k = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (system->transition_name(steps.step(i).transition).find("duplicate") != std::string::npos) k = i;
    }
    const SlotVector next = apply_changes(state, steps.changes(k));
    const trace::Step step = system->describer().describe_step(state, steps.step(k), next);
    takes += system->transition_name(steps.step(k).transition).find("take") != std::string::npos ? 1 : 0;
    for (const trace::Operation& operation : step.operations) ++shown[operation.kind];
    state = next;
  }
  EXPECT_EQ(takes, 2);
  EXPECT_EQ(shown[trace::Operation::Kind::Invoke], 1);
  EXPECT_EQ(shown[trace::Operation::Kind::Return], 1);
}

// All clients of the library can be answered twice. Those that ask a second time take the copy of an answer for
// the next answer, because nothing in it says otherwise.
TEST(LateAnswers, AreTakenByTheModelsOfTheLibrary) {
  struct Case {
    const char* model;
    std::map<std::string, std::string> parameters;
    bool holds;
  };
  const Case cases[] = {{"single_copy_register", {}, false},
                        {"abd_register", {}, false},
                        {"distributed_register", {{"harness", "1R+1W"}}, true},
                        {"another_register", {{"harness", "1R+1W"}}, true},
                        {"erroneous_register", {{"harness", "1R+1W"}}, false},
                        {"open_chord", {{"harness", "1R+1W"}}, false},
                        {"multi_paxos", {{"harness", "1R+1W"}}, true},
                        {"viewstamped_replication", {{"harness", "1R+1W"}}, true},
                        {"zab", {{"harness", "1R+1W"}}, true},
                        {"raft", {{"harness", "1R+1W"}}, true}};
  for (const Case& c : cases) {
    Model model(*find_model(c.model), c.parameters);
    model.network.order = Network::Order::Multiset;
    model.network.duplications = 1;
    const auto system = make_actor_system(std::move(model));
    SearchOptions options;
    options.limits.depth = 14;
    const SearchResult r = search(*system, options);
    const std::uint64_t histories = history_properties_of(*system);
    bool violated = false;
    for (const Finding& f : r.violations) violated |= (histories >> f.property & 1) != 0;
    EXPECT_EQ(violated, !c.holds) << c.model;
    EXPECT_GT(r.counters.states, 20u) << c.model;
  }
}

}  // namespace
}  // namespace heddle::late_answers_test
