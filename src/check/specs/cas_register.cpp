// A register with compare-and-set, which changes the value if it is the expected one and says whether it was.
#include "check/specs/cas_arguments.h"
#include "check/specs/library.h"

namespace heddle::specs {
namespace {

enum Kind : std::uint8_t { Read, Write, Cas };
constexpr Word words[] = {{"read", Read}, {"get", Read}, {"write", Write},         {"put", Write},
                          {"set", Write}, {"cas", Cas},  {"compare_and_set", Cas}, {"compare_and_swap", Cas}};

// A state is the value, plus one.
class CasRegister final : public LibraryObject {
 public:
  CasRegister(const RecordedHistory& history, const Vocabulary& vocabulary, std::span<const std::uint32_t> part)
      : LibraryObject(history, vocabulary), cas_(history, part, vocabulary.kinds(history), Cas) {}

  State initial() override { return nil + 1; }
  State apply(State state, const RecordedOperation& operation) override {
    switch (kind(operation)) {
      case Read:
        return !known(operation) || operation.result + 1 == state ? state : impossible;
      case Write:
        return operation.argument + 1;
      default:
        break;
    }
    const auto [expected, desired] = cas_.pair(operation);
    const bool matches = state == expected + 1;
    if (known(operation) && matches != cas_.succeeded(operation)) return impossible;
    return matches ? desired + 1 : state;
  }
  bool reads_only(const RecordedOperation& operation) const override {
    return kind(operation) == Read || (kind(operation) == Cas && known(operation) && !cas_.succeeded(operation));
  }
  std::string describe(State state) const override { return values().json(state - 1); }
  std::size_t bytes() const override { return cas_.bytes(); }

 private:
  CasArguments cas_;
};

class CasRegisterSpecification final : public LibrarySpecification {
 public:
  CasRegisterSpecification()
      : LibrarySpecification(
            "cas_register",
            "read (get) returns the value, nil at first; write (put, set) has the value as argument; cas "
            "(compare_and_set, compare_and_swap) has [old new] and returns true, or false if the value was not old: "
            "write 3, cas [3 4] -> true, cas [3 5] -> false, read -> 4.",
            words) {}
  std::unique_ptr<Object> object(const RecordedHistory& history, std::span<const std::uint32_t> part) const override {
    return std::make_unique<CasRegister>(history, vocabulary(), part);
  }

 private:
  std::optional<std::string> check(const RecordedHistory& history, const RecordedOperation& operation,
                                   std::uint8_t kind) const override {
    if (kind == Cas) return CasArguments::check(history, operation);
    return kind == Write ? reject_false(history, operation) : std::nullopt;
  }
};

}  // namespace

const Specification& cas_register_specification() {
  static const CasRegisterSpecification specification;
  return specification;
}

}  // namespace heddle::specs
