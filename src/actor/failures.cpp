// Handlers, properties and specifications that fail: by an assertion, an exception or a crash (core/user_code.h).
//
// A handler that fails makes a step like any other, into a state whose failure slot says how it failed. That
// state has no steps. "No assertion fails" and "the model's code returns" are properties of that slot, so
// everything that finds, shortens and shows violations works for them. The slot and the properties exist only
// where ActorOptions::watch_failures asks for them. Elsewhere the first such step throws, and a caller that wants
// to see the path starts over.
//
// Reductions lose no such step. Whether a handler fails depends on its cell and the ghost variable, on which its
// transition depends anyway. So a stubborn set without the transition does not change whether it fails; and the
// step is visible.
#include "actor/state_view.h"
#include "actor/system.h"

namespace heddle::actor {
namespace {

constexpr char separator = '\x1f';

// A failure as it is interned, packed into one text.
struct Failure {
  bool assertion = false;
  std::string code, what, expression, file, function, line;
};

std::string packed(const Failure& f) {
  std::string out = f.assertion ? "a" : "c";
  for (const std::string* text : {&f.code, &f.what, &f.expression, &f.file, &f.function, &f.line}) {
    out += separator;
    out += *text;
  }
  return out;
}

Failure unpacked(std::string_view bytes) {
  Failure f;
  f.assertion = bytes.starts_with('a');
  for (std::string* text : {&f.code, &f.what, &f.expression, &f.file, &f.function, &f.line}) {
    bytes.remove_prefix(bytes.find(separator) + 1);
    *text = bytes.substr(0, bytes.find(separator));
  }
  return f;
}

Failure failure_of(std::string code, const UserFailure& failure) {
  return {failure.kind == UserFailure::Kind::Assertion,
          std::move(code),
          failure.what,
          failure.expression,
          failure.file,
          failure.function,
          std::to_string(failure.line)};
}

std::string json_text(std::string_view text) {
  std::string out;
  detail::put_json_string(out, text);
  return out;
}

std::vector<trace::Field> fields_of(const Failure& f, std::uint32_t lane) {
  if (!f.assertion) return {{lane, "failure", json_text(f.code + " " + f.what)}};
  return {{lane, "assertion", json_text(f.expression)},
          {lane, "at", json_text(f.file + ":" + f.line)},
          {lane, "in", json_text(f.function.empty() ? f.code : f.function)}};
}

}  // namespace

void System::add_failure_properties() {
  properties_.push_back({assertion_property, Property::Kind::Always});
  properties_.push_back({crash_property, Property::Kind::Always});
}

std::uint64_t System::failure_bit(UserFailure::Kind kind) const {
  return std::uint64_t{1} << (properties_.size() - (kind == UserFailure::Kind::Assertion ? 2 : 1));
}

std::uint32_t System::intern_failure(const TransitionInfo& t, std::uint32_t p, const UserFailure& failure) const {
  return failures_.intern(
      packed(failure_of(CodeName{"handler", processes_[p].info->info->name, t.name}.text(), failure)));
}

void System::emit_failure(std::span<const Slot> state, std::uint32_t p, const Outcome& outcome, StepBuffer& out) const {
  const std::uint32_t failure = outcome.extra->failure;
  if (failure_slot_ == 0) {
    const Failure f = unpacked(failures_.content(failure));
    throw UserCodeFailed(f.code + " of " + lane_name(p) + " " + (f.assertion ? "failed: " : "") + f.what);
  }
  out.begin(outcome.step);
  if (outcome.next != state[p]) out.change(p, outcome.next);
  out.change(failure_slot_, failed_.insert(make_pair_key(failure, p)).number);
}

// In a state after a failure, no property of the model is judged.
std::uint64_t System::truth_after_failure(Slot failed) const {
  std::uint64_t truth = 0;
  for (std::size_t i = 0; i < properties_.size(); ++i) {
    truth |= std::uint64_t{properties_[i].kind != Property::Kind::Sometimes} << i;
  }
  const bool assertion = unpacked(failures_.content(left_of(failed_.key(failed)))).assertion;
  return truth & ~failure_bit(assertion ? UserFailure::Kind::Assertion : UserFailure::Kind::Crash);
}

std::string System::failure_text(Slot failed) const {
  const Failure f = unpacked(failures_.content(left_of(failed_.key(failed))));
  return f.code + " " + (f.assertion ? "failed: " : "") + f.what;
}

std::vector<trace::Field> System::describe_failed_code(std::size_t property, std::span<const Slot> state) const {
  if (failed(state)) {
    const Slot slot = state[failure_slot_];
    return fields_of(unpacked(failures_.content(left_of(failed_.key(slot)))), process_failed(slot));
  }
  const bool about_assertions = about_failures(properties_[property]) == AboutFailures::Assertions;
  for (std::size_t i = 0; i < model_.properties().size(); ++i) {
    std::vector<Read> reads;
    bool holds = false;
    const auto failure = try_predicate(i, state, reads, holds);
    if (!failure || (failure->kind == UserFailure::Kind::Assertion) != about_assertions) continue;
    return fields_of(failure_of("property " + model_.properties()[i].name, *failure), network_lane());
  }
  return {};
}

// Describes the assertion that made a property false, if there was one.
std::vector<trace::Field> System::describe_assertion(std::size_t property, std::span<const Slot> state) const {
  std::optional<UserFailure> failure;
  if (property < model_.properties().size()) {
    std::vector<Read> reads;
    bool holds = false;
    failure = try_predicate(property, state, reads, holds);
  } else if (history_slot_ != 0) {
    const detail::SpecificationInfo& info = model_.specifications()[property - model_.properties().size()];
    failure = histories_.failure(state[history_slot_], info);
  }
  if (!failure) return {};
  return fields_of(failure_of(properties_[property].name, *failure), network_lane());
}

}  // namespace heddle::actor
