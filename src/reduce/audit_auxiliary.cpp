// The audit does not use the searches of explore/: it keeps whole states with their predecessors, and a signature for
// each class.
#include "reduce/audit_auxiliary.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "core/content_table.h"
#include "core/facets/describer.h"
#include "core/facets/forgetting.h"

namespace heddle {
namespace {

constexpr std::size_t states_between_checks = 256;

class Audit {
 public:
  // `forgotten` are further parts of states that are treated as auxiliary data.
  Audit(const TransitionSystem& system, AuxiliaryAudit::Kind kind, const Limits& limits,
        std::vector<std::size_t> forgotten = {})
      : system_(system), forgetting_(system.forgetting()), budget_(limits), forgotten_(std::move(forgotten)) {
    result_.kind = kind;
    const auto properties = system.properties();
    for (std::size_t i = 0; i < properties.size(); ++i) {
      if (properties[i].kind == Property::Kind::Bound) bound_ |= std::uint64_t{1} << i;
    }
  }

  AuxiliaryAudit run() {
    const auto initial = system_.initial_states();
    for (std::size_t i = 0; i < initial.size(); ++i) meet(initial[i], {nowhere, {}, i});
    for (std::size_t n = 0; n < visits_.size() && !result_.mismatch; ++n) {
      if (n % states_between_checks == 0 && !budget_.check(states_.bytes() + classes_.bytes() + system_.bytes())) break;
      if (visits_[n].came.depth >= budget_.limits().depth) {
        result_.stopped_by = "depth limit reached";
        continue;
      }
      visit(n);
    }
    result_.classes = signatures_.size();
    if (result_.stopped_by.empty()) result_.stopped_by = budget_.reason();
    result_.complete = result_.stopped_by.empty() && !result_.mismatch;
    return std::move(result_);
  }

 private:
  static constexpr std::size_t nowhere = ~std::size_t{0};
  using Class = std::uint32_t;
  using Number = std::uint32_t;

  // How a state was reached.
  struct Came {
    std::size_t from;  // a visit
    Step step;
    std::size_t initial = 0;
    std::uint32_t depth = 0;
  };
  struct Visit {
    Number state;
    Came came;
    bool goes_on;  // its successors are visited
  };
  struct Signature {
    std::size_t visit;
    bool forgotten;                                      // it belongs to the state without its auxiliary data
    std::vector<std::pair<std::uint32_t, Class>> steps;  // ascending, without repetition
    std::uint64_t truth;
  };

  Class class_of(SlotVector state) {
    if (forgetting_ != nullptr) forgetting_->forget_auxiliary(state);
    for (const std::size_t part : forgotten_) forgetting_->forget_part(part, state);
    return classes_.intern(std::span<const std::uint32_t>(state));
  }
  SlotVector slots(Number state) const {
    const auto words = states_.words(state);
    return {words.begin(), words.end()};
  }

  SlotVector successor(const SlotVector& state, std::size_t i) const {
    SlotVector next = apply_changes(state, steps_.changes(i));
    // Trailing absent slots do not tell states apart.
    while (system_.varying_length() && !next.empty() && next.back() == 0) next.pop_back();
    return next;
  }

  void meet(const SlotVector& state, Came came) {
    const auto known = states_.intern_new(std::span<const std::uint32_t>(state));
    if (!known.is_new) return;
    bool goes_on = true;
    if (result_.kind == AuxiliaryAudit::Kind::Shallow) goes_on = met_.insert({class_of(state), true}).second;
    visits_.push_back({known.number, came, goes_on});
  }

  Signature signature_of(const SlotVector& state, std::size_t visit) {
    steps_.clear();
    system_.expand(state, steps_);
    Signature signature{visit, false, {}, system_.evaluate(state)};
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      signature.steps.emplace_back(steps_.step(i).transition, class_of(successor(state, i)));
    }
    std::sort(signature.steps.begin(), signature.steps.end());
    signature.steps.erase(std::unique(signature.steps.begin(), signature.steps.end()), signature.steps.end());
    return signature;
  }

  // Whether the two agree. Reports a mismatch if they do not.
  bool compare(const Signature& a, const Signature& b) {
    if (a.steps == b.steps && a.truth == b.truth) return true;
    report(a, b);
    return false;
  }

  void visit(std::size_t n) {
    const SlotVector state = slots(visits_[n].state);
    ++result_.states;
    SlotVector forgotten = state;
    const bool holds_some = forgetting_ != nullptr && forgetting_->forget_auxiliary(forgotten);
    const Class here = class_of(forgotten);
    if (!signatures_.contains(here) && holds_some && forgotten_.empty()) {
      // The search without auxiliary data explores this state, so it is compared as one more member of the class.
      Signature without = signature_of(forgotten, n);
      without.forgotten = true;
      if (!compare(signature_of(state, n), without)) return;
    }
    const Signature signature = signature_of(state, n);  // comes last, so that steps_ are those of `state`
    const auto [known, is_new] = signatures_.try_emplace(here, signature);
    if (!is_new && !compare(known->second, signature)) return;
    if (!visits_[n].goes_on) return;
    if ((bound_ & ~signature.truth) != 0) {
      result_.stopped_by = "bound reached";
      return;
    }
    const std::uint32_t depth = visits_[n].came.depth + 1;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      meet(successor(state, i), {n, steps_.step(i), 0, depth});
    }
  }

  Path path_to(std::size_t visit) const {
    Path path;
    for (; visits_[visit].came.from != nowhere; visit = visits_[visit].came.from) {
      path.steps.push_back(visits_[visit].came.step);
    }
    path.initial = visits_[visit].came.initial;
    std::reverse(path.steps.begin(), path.steps.end());
    return path;
  }

  // Writes one step a line: who, what, and the consumed messages.
  std::string path_text(const Path& path) const {
    std::string out;
    const auto states = follow(system_, path);
    for (std::size_t i = 0; states && i < path.steps.size(); ++i) {
      out += "  " + std::to_string(i + 1) + ". " + system_.transition_name(path.steps[i].transition);
      const trace::Step step = system_.describer().describe_step((*states)[i], path.steps[i], (*states)[i + 1]);
      for (const trace::Message& m : step.received) out += " " + m.type + m.body;
      out += "\n";
    }
    return out.empty() ? "  (the initial state)\n" : out;
  }

  // Returns the fields in which two states differ, or two states without their auxiliary data.
  std::string differing_fields(const SlotVector& a, const SlotVector& b) const {
    const auto lanes = system_.describer().lanes();
    const auto in_a = system_.describer().describe_state(a), in_b = system_.describer().describe_state(b);
    std::string out;
    for (std::size_t i = 0; i < std::min(in_a.size(), in_b.size()); ++i) {
      if (in_a[i].value == in_b[i].value) continue;
      const std::string lane = in_a[i].lane < lanes.size() ? lanes[in_a[i].lane].name + "." : "";
      out += "  " + lane + in_a[i].name + ": " + in_a[i].value + " and " + in_b[i].value + "\n";
    }
    return out;
  }

  void report(const Signature& a, const Signature& b) {
    auto& m = result_.mismatch.emplace();
    m.first = path_to(a.visit);
    m.second = path_to(b.visit);
    const std::string second = b.forgotten ? "if its auxiliary data is forgotten" : "after the second";
    std::string targets;
    // Finds the first transition that only one of them has, or that leads elsewhere.
    const auto [x, y] = std::mismatch(a.steps.begin(), a.steps.end(), b.steps.begin(), b.steps.end());
    if (x != a.steps.end() || y != b.steps.end()) {
      const auto has = [](const Signature& s, std::uint32_t t) {
        return std::any_of(s.steps.begin(), s.steps.end(), [&](const auto& step) { return step.first == t; });
      };
      const std::uint32_t t = y == b.steps.end() || (x != a.steps.end() && x->first <= y->first) ? x->first : y->first;
      const std::string name = system_.transition_name(t);
      if (has(a, t) && has(b, t)) {
        m.difference = name + " leads to different states";
        if (x != a.steps.end() && y != b.steps.end()) {
          const auto one = classes_.words(x->second), other = classes_.words(y->second);
          targets = differing_fields({one.begin(), one.end()}, {other.begin(), other.end()});
        }
      } else {
        m.difference = name + " is enabled " +
                       (!b.forgotten ? std::string("after the ") + (has(a, t) ? "first" : "second") + " run only"
                        : has(a, t)  ? "in a state, but not if its auxiliary data is forgotten"
                                     : "in a state only if its auxiliary data is forgotten");
      }
    } else {
      const auto properties = system_.properties();
      for (std::size_t i = 0; i < properties.size(); ++i) {
        if (((a.truth ^ b.truth) >> i & 1) == 0) continue;
        m.difference = "property '" + properties[i].name + "' is " + ((a.truth >> i & 1) != 0 ? "true" : "false") +
                       " after the first run and " + ((b.truth >> i & 1) != 0 ? "true " : "false ") + second;
        break;
      }
    }
    m.text = "something depends on auxiliary data: " + m.difference + "\n";
    if (!targets.empty()) m.text += "where it leads to, after the first run and " + second + ":\n" + targets;
    m.text += "first run:\n" + path_text(m.first);
    if (b.forgotten) return;
    m.text += "second run:\n" + path_text(m.second);
    m.text += "the states after them differ in auxiliary data only:\n" +
              differing_fields(slots(visits_[a.visit].state), slots(visits_[b.visit].state));
  }

  const TransitionSystem& system_;
  const Forgetting* const forgetting_;
  Budget budget_;
  std::vector<std::size_t> forgotten_;
  std::uint64_t bound_ = 0;
  AuxiliaryAudit result_;
  ContentTable states_, classes_;
  std::vector<Visit> visits_;
  std::unordered_map<Class, bool> met_;  // shallow: classes with a state that goes on
  std::unordered_map<Class, Signature> signatures_;
  StepBuffer steps_;
};

}  // namespace

std::string AuxiliaryAudit::summary() const {
  const std::string counts = std::to_string(states) + " states in " + std::to_string(classes) + " classes compared";
  if (mismatch) return "not sound: " + mismatch->difference + "; " + counts;
  if (!complete) return "nothing found, but not complete (" + stopped_by + "); " + counts;
  if (kind == Kind::Shallow) {
    return "nothing found by the shallow audit, which does not go on from every state; " + counts;
  }
  return "sound for this instance; " + counts;
}

AuxiliaryAudit audit_auxiliary(const TransitionSystem& system, AuxiliaryAudit::Kind kind, const Limits& limits) {
  return Audit(system, kind, limits).run();
}

AuxiliaryInference infer_auxiliary(const TransitionSystem& system, const Limits& limits) {
  AuxiliaryInference result;
  const auto kind = AuxiliaryAudit::Kind::Full;
  const Budget budget(limits);
  const auto rest = [&] {
    Limits left = limits;
    left.seconds -= budget.seconds();
    return left;
  };
  const AuxiliaryAudit plain = Audit(system, kind, limits).run();
  if (!plain.proves()) return result;
  const Forgetting* const forgetting = system.forgetting();
  const auto names = forgetting != nullptr ? forgetting->parts() : std::vector<std::string>();
  std::vector<std::size_t> forgotten;
  std::vector<AuxiliaryCandidate> found;
  std::uint64_t classes = plain.classes;
  result.complete = true;
  const auto proved = [&](const std::vector<std::size_t>& parts) -> std::optional<std::uint64_t> {
    const AuxiliaryAudit audit = Audit(system, kind, rest(), parts).run();
    result.complete &= audit.complete || audit.mismatch.has_value();
    return audit.proves() ? std::optional(audit.classes) : std::nullopt;
  };
  for (std::size_t part = 0; part < names.size(); ++part) {
    forgotten.push_back(part);
    if (const auto now = proved(forgotten)) {
      found.push_back({names[part], classes, *now});
      classes = *now;
    } else {
      forgotten.pop_back();
    }
  }
  // A field that is constant or follows from others passes without saving states. It stays a candidate only if others
  // pass only together with it.
  for (std::size_t i = found.size(); i-- > 0;) {
    if (found[i].classes_after < found[i].classes_before) continue;
    std::vector<std::size_t> without = forgotten;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
    if (proved(without) != classes) continue;
    forgotten = std::move(without);
    found.erase(found.begin() + static_cast<std::ptrdiff_t>(i));
  }
  result.candidates = std::move(found);
  return result;
}

}  // namespace heddle
