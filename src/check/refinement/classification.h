// Says what kind of failure of a refinement was found: the rules and their words, without any search.
//
//   CONFIRMED           the run that makes the rejected call can go on to violate a property of the model itself
//   LATENT              it cannot within these bounds
//   ANNOTATION-SUSPECT  it cannot, and the call failed because an earlier call is missing: look first at the annotation
//
// A property of the model may be violated in another run, as early or earlier. If a call is rejected in that run, the
// class is CONFIRMED. If none is, the class of the rejected call stays, and a note tells of the other run. If no run
// that was found rejects a call, the class is about the violated property: CONFIRMED if the object notices later,
// ANNOTATION-SUSPECT if it does not. The facts come from searches, which this folder may not use: run/refinement.h.
// Not thread-safe.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace heddle {

struct Classification {
  std::string name = {};                // empty: not asked for, or nothing to classify
  std::string advice = {};              // a sentence that goes with it
  std::vector<std::string> notes = {};  // sentences about further runs that violate something
};

// What a search that goes on from a state has found. Numbers are phrases: "12 states".
struct FoundBelow {
  std::string what = {};   // the property that is violated there, or the call that is rejected; empty: none
  std::string why = {};    // for a rejected call: the property of the object, or the clause
  std::string later = {};  // "3 steps"; empty: in the state itself
  bool complete = false;
  std::string explored = {}, stopped_by = {};  // how much was covered, and why not all
};

class Classifier {
 public:
  // `asked`: whether searches below what was found were asked for.
  Classifier(std::string object, bool asked) : object_(std::move(object)), asked_(asked) {}

  // Notes that a call was rejected. `own` names the properties of the model, `below` says what becomes of them.
  // REQUIRES: it is called first, if at all; `below` is there iff searches were asked for.
  void rejected(bool call_is_missing, const std::string& own, const std::optional<FoundBelow>& below);

  // Notes that a property is violated in another run, of `steps`, in which the object rejects a call.
  void violated_and_rejected(const std::string& property, const std::string& steps, const std::string& call);
  // ... in which the object accepts every call, and the model says that the object does not imply the property.
  void violated_and_not_implied(const std::string& property);
  // ... in which the object accepts every call. `below` is what the object rejects later, if that was searched for;
  // `may_say_more`: the model does not say which properties the object implies.
  void violated_and_accepted(const std::string& property, const std::string& steps,
                             const std::optional<FoundBelow>& below, bool may_say_more);

  const Classification& result() const { return result_; }

 private:
  std::string object_;
  bool asked_;
  bool rejected_ = false;
  Classification result_;
};

}  // namespace heddle
