// A register with compare-and-set, which changes the value if it is the expected one and says whether it was.
#include "check/specs/cas_arguments.h"
#include "check/specs/library.h"

namespace heddle::specs {
namespace {

// A state is the value, plus one.
class CasRegister final : public LibraryObject {
 public:
  enum Kind : std::uint8_t { Read, Write, Cas };
  static constexpr Word words[] = {{"read", Read}, {"get", Read}, {"write", Write},         {"put", Write},
                                   {"set", Write}, {"cas", Cas},  {"compare_and_set", Cas}, {"compare_and_swap", Cas}};
  static constexpr std::string_view name = "cas_register";
  static constexpr std::string_view usage =
      "read (get) returns the value, nil at first; write (put, set) has the value as argument; cas "
      "(compare_and_set, compare_and_swap) has [old new] and returns true, or false if the value was not old: "
      "write 3, cas [3 4] -> true, cas [3 5] -> false, read -> 4.";

  CasRegister(const RecordedHistory& history, const Vocabulary& vocabulary, std::span<const std::uint32_t> part)
      : LibraryObject(history, vocabulary, part), cas_(history, part, vocabulary.kinds(history), Cas) {}

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
  StateText describe(State state) const override { return {values().json(state - 1)}; }
  std::size_t bytes() const override { return cas_.bytes(); }

  static std::optional<std::string> check(const RecordedHistory& history, const RecordedOperation& operation,
                                          std::uint8_t kind) {
    if (kind == Cas) return CasArguments::check(history, operation);
    return kind == Write ? reject_false(history, operation) : std::nullopt;
  }

 private:
  CasArguments cas_;
};

}  // namespace

const Specification& cas_register_specification() {
  static const SpecificationOf<CasRegister> specification;
  return specification;
}

}  // namespace heddle::specs
