// Locks. Only its holder releases a lock. Anyone releases a mutex that is held, as in Knossos.
#include "check/specs/library.h"

namespace heddle::specs {
namespace {

constexpr std::string_view lock_usage =
    "acquire (lock, try_acquire, try_lock) takes the lock and returns true or nothing, or false if it is held; release "
    "(unlock) by its owner frees it, and returns false if the caller does not hold it. The owner is the argument, or "
    "the process if there is none: acquire, release.";
constexpr std::string_view mutex_usage =
    "as lock, but whoever releases it need not be the one who acquired it: acquire, release.";

// A state is free, or the holder. Owners that are values and owners that are processes are kept apart.
template <bool owned>
class Lock final : public LibraryObject {
 public:
  enum Kind : std::uint8_t { Acquire, Release };
  static constexpr Word words[] = {{"acquire", Acquire},  {"lock", Acquire},    {"try_acquire", Acquire},
                                   {"try_lock", Acquire}, {"release", Release}, {"unlock", Release}};
  static constexpr std::string_view name = owned ? "lock" : "mutex";
  static constexpr std::string_view usage = owned ? lock_usage : mutex_usage;

  Lock(const RecordedHistory& history, const Vocabulary& vocabulary, std::span<const std::uint32_t> part)
      : LibraryObject(history, vocabulary, part), processes_(history.processes) {
    for (const std::uint32_t index : part) {
      const RecordedOperation& op = history.operations[index];
      if (known(op) && success(history.values, op) == Answer::No) no_ = op.result;
    }
  }

  State initial() override { return free; }
  State apply(State state, const RecordedOperation& operation) override {
    const State owner = owner_of(operation);
    const bool acquires = kind(operation) == Acquire;
    const bool works = acquires ? state == free : owned ? state == owner : state != free;
    if (known(operation) && works != (operation.result != no_)) return impossible;
    if (!works) return state;
    return acquires ? owner : free;
  }
  bool reads_only(const RecordedOperation& operation) const override {
    return known(operation) && operation.result == no_;
  }
  bool same_for_every_process() const override { return !owned; }
  StateText describe(State state) const override {
    if (state == free) return {"free", StateText::Form::Words};
    if (!owned) return {"held", StateText::Form::Words};
    const State owner = state - first_owner;
    return {"held by " + (owner % 2 == 0 ? "process " + processes_[owner / 2] : values().json(owner / 2)),
            StateText::Form::Words};
  }

  static std::optional<std::string> check(const RecordedHistory& history, const RecordedOperation& operation,
                                          std::uint8_t) {
    if (operation.outcome == Outcome::Ok && success(history.values, operation) == Answer::Invalid) {
      return bad_result(history, operation, "true, false or nothing");
    }
    return std::nullopt;
  }

 private:
  static constexpr State free = 1, first_owner = 2;
  State owner_of(const RecordedOperation& operation) const {
    if (!owned) return first_owner;
    return first_owner + (operation.argument == nil ? 2 * operation.process : 2 * operation.argument + 1);
  }

  const std::vector<std::string>& processes_;
  Value no_ = never;  // the value `false`, if it occurs
};

}  // namespace

const Specification& lock_specification() {
  static const SpecificationOf<Lock<true>> specification;
  return specification;
}

const Specification& mutex_specification() {
  static const SpecificationOf<Lock<false>> specification;
  return specification;
}

}  // namespace heddle::specs
