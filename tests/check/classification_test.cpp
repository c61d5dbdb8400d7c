// What a failed refinement is called: the rules of docs/refinement.md, one by one, without any search.
#include "check/refinement/classification.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::classification_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

const FoundBelow nothing{.complete = true, .explored = "9 states"};
const FoundBelow cut_off{.complete = false, .explored = "9 states", .stopped_by = "time limit of 1 s"};
const FoundBelow property_later{.what = "agreement", .later = "2 steps"};
const FoundBelow call_later{.what = "commit(9)", .why = "P2", .later = "1 step"};

TEST(Classifier, ARejectedCall) {
  const auto of = [](bool missing, const FoundBelow& below, const std::string& own = "agreement") {
    Classifier classifier("qtree", true);
    classifier.rejected(missing, own, below);
    EXPECT_THAT(classifier.result().notes, IsEmpty());
    return classifier.result();
  };
  for (const bool missing : {false, true}) {
    EXPECT_EQ(of(missing, property_later).name, "CONFIRMED");
    EXPECT_EQ(of(missing, property_later).advice,
              "agreement is violated 2 steps later in a run that goes on from here");
    EXPECT_EQ(of(missing, {.what = "agreement"}).advice, "agreement is violated by this very step");
  }
  EXPECT_EQ(of(false, nothing).name, "LATENT");
  EXPECT_THAT(
      of(false, nothing).advice,
      StartsWith("no run that goes on from here within these bounds violates agreement; a larger instance may"));
  EXPECT_THAT(of(false, cut_off).advice,
              StartsWith("in the 9 states explored below, none violates agreement (time limit of 1 s); "));
  EXPECT_THAT(of(false, nothing, "").advice, StartsWith("the model states no property of its own to compare with; "));
  EXPECT_EQ(of(true, nothing).name, "ANNOTATION-SUSPECT");
  EXPECT_THAT(of(true, nothing).advice, HasSubstr("an earlier call is missing, so look first at the annotation"));
}

TEST(Classifier, WithoutSearchesARejectedCallHasNoClass) {
  Classifier classifier("qtree", false);
  classifier.rejected(true, "agreement", {});
  classifier.violated_and_rejected("agreement", "3 steps", "commit(1)");
  EXPECT_EQ(classifier.result().name, "");
  EXPECT_THAT(classifier.result().notes, IsEmpty());
  classifier.violated_and_accepted("validity", "3 steps", {}, false);
  EXPECT_EQ(classifier.result().name, "");
  ASSERT_EQ(classifier.result().notes.size(), 1u);
  EXPECT_THAT(classifier.result().notes[0],
              StartsWith("validity is violated in another run, of 3 steps, in which qtree accepts every call; "));
}

TEST(Classifier, ARejectedCallInTheOtherRunConfirms) {
  Classifier classifier("qtree", true);
  classifier.rejected(true, "agreement", nothing);
  classifier.violated_and_rejected("agreement", "3 steps", "commit(1)");
  EXPECT_EQ(classifier.result().name, "CONFIRMED");
  EXPECT_EQ(classifier.result().advice,
            "agreement is violated in another run, of 3 steps, in which qtree rejects commit(1)");
  classifier.violated_and_rejected("validity", "1 step", "commit(2)");
  EXPECT_THAT(classifier.result().advice, StartsWith("agreement is violated")) << "the first one is enough";
}

TEST(Classifier, AnotherRunWithoutARejectedCallIsANote) {
  Classifier classifier("qtree", true);
  classifier.rejected(false, "agreement", nothing);
  classifier.violated_and_accepted("agreement", "1 step", call_later, false);
  EXPECT_EQ(classifier.result().name, "LATENT") << "that of the rejected call";
  EXPECT_THAT(classifier.result().notes,
              ElementsAre("agreement is violated in another run, of 1 step, in which qtree accepts every call; 1 step "
                          "later, in a run that goes on from there, it rejects commit(9) (P2): if the two belong "
                          "together, that linearization point is late"));
}

TEST(Classifier, WhereNoCallIsRejectedTheClassIsAboutTheProperty) {
  const auto of = [](bool asked, const std::optional<FoundBelow>& below, bool may_say_more) {
    Classifier classifier("qtree", asked);
    classifier.violated_and_accepted("agreement", "1 step", below, may_say_more);
    EXPECT_THAT(classifier.result().advice,
                StartsWith("agreement is violated although qtree accepted every call of that run; "));
    return classifier.result();
  };
  EXPECT_EQ(of(true, call_later, false).name, "CONFIRMED");
  EXPECT_EQ(of(true, nothing, false).name, "ANNOTATION-SUSPECT");
  EXPECT_THAT(of(true, nothing, false).advice, HasSubstr("within these bounds: the annotation is blind; a step of it"));
  EXPECT_THAT(of(true, cut_off, false).advice, HasSubstr("in the 9 states explored below (time limit of 1 s)"));
  EXPECT_EQ(of(false, {}, false).name, "ANNOTATION-SUSPECT") << "the two are told apart by searches only";
  EXPECT_THAT(of(false, {}, false).advice, HasSubstr("; --classify looks for one below"));
  EXPECT_THAT(of(false, {}, false).advice, testing::Not(HasSubstr("`implies`")));
  EXPECT_THAT(of(false, {}, true).advice, HasSubstr(", or agreement says more than the object: "));
}

TEST(Classifier, APropertyThatTheObjectDoesNotImplyHasNoClass) {
  Classifier classifier("qtree", true);
  classifier.violated_and_not_implied("progress");
  EXPECT_EQ(classifier.result().name, "");
  EXPECT_THAT(classifier.result().notes,
              ElementsAre("progress is violated though qtree accepted every call of that run: "
                          "it is a matter of its own, qtree does not imply it"));
}

}  // namespace
}  // namespace heddle::classification_test
