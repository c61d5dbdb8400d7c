// The base classes of the library's specifications, and the list of these specifications.
#pragma once

#include "check/specification.h"
#include "check/specs/vocabulary.h"

namespace heddle::specs {

// A specification whose vocabulary says which words of a history mean which kind of operation.
class LibrarySpecification : public Specification {
 public:
  explicit LibrarySpecification(std::span<const Word> words) : vocabulary_(words) {}

  const Vocabulary& vocabulary() const { return vocabulary_; }
  std::optional<std::string> reject(const RecordedHistory& history, const RecordedOperation& operation) const final;

 protected:
  // Says what is wrong with an operation of this kind; nothing if it is valid. The result of an operation counts only
  // if its outcome is Ok.
  virtual std::optional<std::string> check(const RecordedHistory& history, const RecordedOperation& operation,
                                           std::uint8_t kind) const = 0;

 private:
  Vocabulary vocabulary_;
};

// The specification whose objects are T. T defines all of it: `name`, `usage`, `words`, a static `check`, and a
// constructor with the parameters of LibraryObject's. A specification that splits histories in another way overrides
// partition().
template <class T>
class SpecificationOf : public LibrarySpecification {
 public:
  SpecificationOf() : LibrarySpecification(T::words) {}

  std::string_view name() const final { return T::name; }
  std::string_view usage() const final { return T::usage; }
  std::unique_ptr<Object> object(const RecordedHistory& history, std::span<const std::uint32_t> part) const final {
    return std::make_unique<T>(history, vocabulary(), part);
  }

 private:
  std::optional<std::string> check(const RecordedHistory& history, const RecordedOperation& operation,
                                   std::uint8_t kind) const final {
    return T::check(history, operation, kind);
  }
};

// An object that knows the kinds of a history's functions.
class LibraryObject : public Object {
 public:
  // The object for the operations `part` of `history`.
  LibraryObject(const RecordedHistory& history, const Vocabulary& vocabulary, std::span<const std::uint32_t> /*part*/)
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
