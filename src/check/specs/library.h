// What the specifications of the library have in common, and the list of them.
#pragma once

#include "check/specification.h"
#include "check/specs/vocabulary.h"

namespace heddle::specs {

class LibrarySpecification : public Specification {
 public:
  LibrarySpecification(std::string_view name, std::string_view usage, std::span<const Word> words)
      : name_(name), usage_(usage), vocabulary_(words) {}

  std::string_view name() const override { return name_; }
  std::string_view usage() const override { return usage_; }
  const Vocabulary& vocabulary() const { return vocabulary_; }
  std::optional<std::string> reject(const RecordedHistory& history, const RecordedOperation& operation) const final;

 protected:
  // Says what is wrong with an operation of this kind, or nothing. Its result counts only if its outcome is Ok.
  virtual std::optional<std::string> check(const RecordedHistory& history, const RecordedOperation& operation,
                                           std::uint8_t kind) const = 0;

 private:
  std::string_view name_, usage_;
  Vocabulary vocabulary_;
};

// Knows the kinds of a history's functions.
class LibraryObject : public Object {
 public:
  LibraryObject(const RecordedHistory& history, const Vocabulary& vocabulary)
      : history_(history), kinds_(vocabulary.kinds(history)) {}

  bool same_for_every_process() const override { return true; }

 protected:
  std::uint8_t kind(const RecordedOperation& operation) const { return kinds_[operation.function]; }
  const ValueTable& values() const { return history_.values; }
  static bool known(const RecordedOperation& operation) { return operation.outcome == Outcome::Ok; }

 private:
  const RecordedHistory& history_;
  std::vector<std::uint8_t> kinds_;
};

const Specification& register_specification();
const Specification& cas_register_specification();
const Specification& map_specification();
const Specification& set_specification();
const Specification& counter_specification();
const Specification& queue_specification();
const Specification& stack_specification();
const Specification& priority_queue_specification();
const Specification& deque_specification();
const Specification& lock_specification();
const Specification& mutex_specification();
const Specification& log_specification();

}  // namespace heddle::specs
