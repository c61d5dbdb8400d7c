// A map from keys to values: each key is a register that can also be appended to and deleted.
#include <boost/unordered/unordered_flat_map.hpp>

#include "check/specs/cas_arguments.h"
#include "check/specs/library.h"
#include "check/specs/text_states.h"
#include "heddle/detail/shape.h"

namespace heddle::specs {
namespace {

// The value of one key. A state is absent, a text, or another value, numbered so that equal values are equal states.
class MapEntry final : public LibraryObject {
 public:
  enum Kind : std::uint8_t { Get, Put, Append, Delete, Cas };
  static constexpr Word words[] = {{"get", Get},
                                   {"read", Get},
                                   {"put", Put},
                                   {"write", Put},
                                   {"set", Put},
                                   {"append", Append},
                                   {"delete", Delete},
                                   {"del", Delete},
                                   {"remove", Delete},
                                   {"cas", Cas},
                                   {"compare_and_set", Cas}};
  static constexpr std::string_view name = "map";
  static constexpr std::string_view usage =
      "every operation has a key; get (read) returns its value, nil or an empty text if there is none; put "
      "(write, "
      "set) has a value, nil deletes; append has a text and puts it behind what is there; delete (del, remove); "
      "cas (compare_and_set) has [old new] and returns true, or false if the value was not old: put k 3, "
      "get k -> 3.";

  MapEntry(const RecordedHistory& history, const Vocabulary& vocabulary, std::span<const std::uint32_t> part)
      : LibraryObject(history, vocabulary, part), cas_(history, part, vocabulary.kinds(history), Cas) {}

  State initial() override { return absent; }
  State apply(State state, const RecordedOperation& operation) override {
    switch (kind(operation)) {
      case Get:
        if (!known(operation) || state_of(operation.result) == state) return state;
        // Some stores do not tell an absent key from an empty text: they answer with the empty text.
        return state == absent && state_of(operation.result) == empty_text ? state : impossible;
      case Put:
        return state_of(operation.argument);
      case Append: {
        if (state % 2 == 0) return impossible;  // not a text
        const TextStates::Text before = state == absent ? TextStates::empty : (state - empty_text) / 2;
        return text_state(texts_.with(before, operation.argument, values().as_text(operation.argument)));
      }
      case Delete:
        return absent;
      default:
        break;
    }
    const auto [expected, desired] = cas_.pair(operation);
    const bool matches = state == state_of(expected);
    if (known(operation) && matches != cas_.succeeded(operation)) return impossible;
    return matches ? state_of(desired) : state;
  }
  bool reads_only(const RecordedOperation& operation) const override {
    return kind(operation) == Get || (kind(operation) == Cas && known(operation) && !cas_.succeeded(operation));
  }
  StateText describe(State state) const override {
    if (state == absent) return {"absent", StateText::Form::Words};
    if (state % 2 == 0) return {values().json(state / 2 - 1)};
    StateText out;
    detail::put_json_string(out.text, texts_.content((state - empty_text) / 2));
    return out;
  }
  std::size_t bytes() const override { return texts_.bytes() + text_of_.bucket_count() * 9 + cas_.bytes(); }

  static std::optional<std::string> check(const RecordedHistory& history, const RecordedOperation& operation,
                                          std::uint8_t kind) {
    if (operation.key == no_key) {
      return history.functions[operation.function] + " has no key; for a single value use register or cas_register";
    }
    if (kind == Cas) return CasArguments::check(history, operation);
    if (kind == Append && history.values.kind(operation.argument) != ValueTable::Kind::Text) {
      return bad_argument(history, operation, "a text");
    }
    return kind == Put || kind == Append ? reject_false(history, operation) : std::nullopt;
  }

 private:
  // Odd numbers are absent and texts, even ones are other values.
  static constexpr State absent = 1, empty_text = 3;
  static State text_state(TextStates::Text text) { return empty_text + 2 * text; }
  State state_of(Value value) {
    if (value == nil) return absent;
    const auto [it, is_new] = text_of_.try_emplace(value, 0);
    if (is_new) {
      it->second = values().kind(value) == ValueTable::Kind::Text
                       ? text_state(texts_.with(TextStates::empty, value, values().as_text(value)))
                       : 2 * (value + 1);
    }
    return it->second;
  }

  CasArguments cas_;
  TextStates texts_;
  boost::unordered_flat_map<Value, State> text_of_;
};

}  // namespace

const Specification& map_specification() {
  static const SpecificationOf<MapEntry> specification;
  return specification;
}

}  // namespace heddle::specs
