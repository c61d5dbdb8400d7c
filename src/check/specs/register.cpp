// A register: reads return what was written last, nil at first.
#include "check/specs/library.h"

namespace heddle::specs {
namespace {

// A state is the value, plus one.
class Register final : public LibraryObject {
 public:
  enum Kind : std::uint8_t { Read, Write };
  static constexpr Word words[] = {{"read", Read}, {"get", Read}, {"write", Write}, {"put", Write}, {"set", Write}};
  static constexpr std::string_view name = "register";
  static constexpr std::string_view usage =
      "read (get) returns the value, nil at first; write (put, set) has the value as argument: "
      "write 3, read -> 3. Compare-and-set needs cas_register.";

  using LibraryObject::LibraryObject;

  State initial() override { return nil + 1; }
  State apply(State state, const RecordedOperation& operation) override {
    if (kind(operation) == Write) return operation.argument + 1;
    return !known(operation) || operation.result + 1 == state ? state : impossible;
  }
  bool reads_only(const RecordedOperation& operation) const override { return kind(operation) == Read; }
  StateText describe(State state) const override { return {values().json(state - 1)}; }
  static std::optional<std::string> check(const RecordedHistory& history, const RecordedOperation& operation,
                                          std::uint8_t kind) {
    return kind == Write ? reject_false(history, operation) : std::nullopt;
  }
};

}  // namespace

const Specification& register_specification() {
  static const SpecificationOf<Register> specification;
  return specification;
}

}  // namespace heddle::specs
