// The rules that turn facts about a rejected call into a class, and the sentences for them.
#include "check/refinement/classification.h"

#include <fmt/format.h>

namespace heddle {
namespace {

constexpr const char* confirmed = "CONFIRMED";
constexpr const char* latent = "LATENT";
constexpr const char* annotation_suspect = "ANNOTATION-SUSPECT";

// Says why the object has accepted every call of a run that violates `property`. If it notices later, the linearization
// point is late. If it never does, the annotation is blind. Returns the rest of a sentence.
std::string why_unnoticed(const std::string& property, const std::optional<FoundBelow>& below, bool may_say_more) {
  std::string remedy =
      "a step of it should make one (`decided` where a process takes something to be decided, and the commits that "
      "cover it)";
  if (may_say_more) {
    remedy += fmt::format(", or {} says more than the object: then name what it does imply, with `implies`", property);
  }
  if (!below) return remedy + "; --classify looks for one below";
  if (below->what.empty()) {
    const std::string covered =
        below->complete
            ? "nor does it reject one in any run that goes on from there within these bounds"
            : fmt::format("nor does it reject one in the {} explored below ({})", below->explored, below->stopped_by);
    return fmt::format("{}: the annotation is blind; {}", covered, remedy);
  }
  return fmt::format(
      "{} later, in a run that goes on from there, it rejects {} ({}): if the two belong together, that linearization "
      "point is late",
      below->later, below->what, below->why);
}

}  // namespace

void Classifier::rejected(bool call_is_missing, const std::string& own, const std::optional<FoundBelow>& below) {
  rejected_ = true;
  if (!below) return;
  if (!below->what.empty()) {
    result_.name = confirmed;
    result_.advice = fmt::format(
        "{} is violated {}", below->what,
        below->later.empty() ? "by this very step" : below->later + " later in a run that goes on from here");
    return;
  }
  const std::string covered =
      own.empty() ? "the model states no property of its own to compare with"
      : below->complete
          ? fmt::format("no run that goes on from here within these bounds violates {}", own)
          : fmt::format("in the {} explored below, none violates {} ({})", below->explored, own, below->stopped_by);
  if (call_is_missing) {
    result_.name = annotation_suspect;
    result_.advice =
        covered + "; an earlier call is missing, so look first at the annotation: which step should have made it?";
  } else {
    result_.name = latent;
    result_.advice =
        covered +
        "; a larger instance may, or the annotation of the last step or of the step the witness names is wrong: "
        "compare the round, value and parent it records with what the messages say";
  }
}

void Classifier::violated_and_rejected(const std::string& property, const std::string& steps, const std::string& call) {
  if (!asked_ || result_.name == confirmed) return;
  result_.name = confirmed;
  result_.advice =
      fmt::format("{} is violated in another run, of {}, in which {} rejects {}", property, steps, object_, call);
}

void Classifier::violated_and_not_implied(const std::string& property) {
  result_.notes.push_back(fmt::format(
      "{} is violated though {} accepted every call of that run: it is a matter of its own, {} does not imply it",
      property, object_, object_));
}

void Classifier::violated_and_accepted(const std::string& property, const std::string& steps,
                                       const std::optional<FoundBelow>& below, bool may_say_more) {
  const std::string why = why_unnoticed(property, below, may_say_more);
  if (rejected_ || !result_.name.empty()) {
    result_.notes.push_back(fmt::format("{} is violated in another run, of {}, in which {} accepts every call; {}",
                                        property, steps, object_, why));
    return;
  }
  result_.name = below && !below->what.empty() ? confirmed : annotation_suspect;
  result_.advice =
      fmt::format("{} is violated although {} accepted every call of that run; {}", property, object_, why);
}

}  // namespace heddle
