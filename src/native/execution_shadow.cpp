// Undefined values in a run: how they spread from register to register, and where something is decided by one.
//
// Loads, copies, arithmetic, arguments and results pass them on. It is an error of the program if a branch, which of
// two different values `?:` gives, an address, a divisor, the function that is called, a comparison of an atomic
// operation, or what a call of the machine gets depends on one. What an error says of the value's origin is known
// within one run only; it is not part of the state.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "native/execution.h"
#include "native/operation_shape.h"
#include "native/places.h"

namespace heddle::native {
namespace {

std::string_view use_of(External external) {
  switch (external) {
    case External::Alloc:
      return "the size of an allocation";
    case External::Free:
      return "the pointer that is freed";
    case External::Size:
      return "the pointer that is given to realloc";
    case External::Await:
      return "whether a thread waits";
    case External::Exit:
      return "the exit code";
    case External::Choose:
      return "the number of alternatives";
    default:
      return "what is done";
  }
}

bool is_all_zero(const Word* words, std::uint32_t count) {
  return std::all_of(words, words + count, [](Word word) { return word == 0; });
}

}  // namespace

bool Execution::is_undefined(std::uint32_t number, std::uint32_t words) const {
  return undefined_ != nullptr && (number & constant_bit) == 0 && !is_all_zero(undefined_ + number, words);
}

Shadowed Execution::shadowed(std::uint32_t number, unsigned width) const {
  Shadowed out{value(number, width), 0};
  if (undefined_ != nullptr && (number & constant_bit) == 0) {
    out.undefined = width <= 64 ? Wide{undefined_[number]} : Wide{undefined_[number + 1]} << 64 | undefined_[number];
  }
  return out;
}

void Execution::set_shadow(std::uint32_t first, const Word* undefined, std::uint32_t words, const Origin& origin) {
  if (first == none) return;
  const bool defined = is_all_zero(undefined, words);
  if (undefined_ == nullptr) {
    if (defined) return;
    Frame& frame = thread_.frames.back();
    frame.undefined.assign(frame.registers.size(), 0);
    undefined_ = frame.undefined.data();
  }
  std::memmove(undefined_ + first, undefined, words * sizeof(Word));
  if (defined) return;
  for (std::uint32_t i = 0; i < words; ++i) origins_[origin_key(first + i)] = origin;
}

Execution::Origin Execution::origin_of(std::uint32_t number, std::uint32_t words) const {
  for (std::uint32_t i = 0; i < words; ++i) {
    if (shadow_word(number + i) == 0) continue;
    if (const auto known = origins_.find(origin_key(number + i)); known != origins_.end()) return known->second;
  }
  return {};
}

std::string Execution::text(const Origin& origin) const {
  if (const auto* part = std::get_if<UndefinedPart>(&origin)) return memory_.text(*part);
  if (const auto* site = std::get_if<Site>(&origin)) {
    const std::uint32_t name = image_.functions[site->function].operations[site->at].flags;
    const std::string where = short_text(user_line(lines_of(image_, site->function, site->at)));
    return name == 0 ? fmt::format("an uninitialised variable, declared at {}", where)
                     : fmt::format("the uninitialised variable {}, declared at {}", image_.texts[name - 1], where);
  }
  return "an uninitialised value";
}

void Execution::depends(std::string_view use, std::uint32_t number, std::uint32_t words) const {
  const Origin origin = origin_of(number, words);
  const auto* part = std::get_if<UndefinedPart>(&origin);
  throw Fault{Failure::Uninitialised, fmt::format("{} depends on {}", use, text(origin)),
              part == nullptr ? std::nullopt : std::optional(part->label)};
}

void Execution::check_decision(const Operation& x) const {
  const OperationShape shape = shape_of(x);
  const auto expect = [&](std::uint32_t number, std::uint32_t words, std::string_view use) {
    if (is_undefined(number, words)) depends(use, number, words);
  };
  switch (x.code) {
    case Code::Branch:
    case Code::Switch:
      return expect(x.a, shape.a, "a branch");
    case Code::UDiv:
    case Code::SDiv:
    case Code::URem:
    case Code::SRem:
      return expect(x.b, shape.b, "a divisor");
    case Code::StackObject:
      return expect(x.a, 1, "the size of a local variable");
    case Code::CallIndirect:
      return expect(x.a, 1, "the function that is called");
    case Code::MemoryCopy:
      expect(x.b, 1, "an address");
      [[fallthrough]];
    case Code::MemorySet:
      expect(x.c, 1, "the number of bytes");
      [[fallthrough]];
    case Code::Load:
    case Code::Store:
    case Code::CompareExchange:
    case Code::ReadModifyWrite:
      return expect(x.a, 1, "an address");
    case Code::CallExternal:
      return check_external(x);
    default:
      return;
  }
}

// Functions of <math.h> pass undefined values on; of what is printed only what the format uses counts; and an error is
// told as it is.
void Execution::check_external(const Operation& x) const {
  const auto external = static_cast<External>(machine_.externals_[x.immediate]);
  if (external == External::Mathematics || external == External::Error) return;
  std::uint32_t checked = x.c;
  if (external == External::Printf) checked = 1;
  if (external == External::Fprintf || external == External::Sprintf) checked = 2;
  if (external == External::Snprintf) checked = 3;
  for (std::uint32_t i = 0; i < std::min(checked, x.c); ++i) {
    const Argument& one = function_->arguments[x.b + i];
    if (is_undefined(one.operand, one.words)) depends(use_of(external), one.operand, one.words);
  }
}

void Execution::copy_shadow(const Operation& x, std::uint32_t from, std::uint32_t words) {
  if ((from & constant_bit) != 0) {
    std::fill_n(undefined_ + x.result, words, 0);
    return;
  }
  // Word by word, so that each keeps its origin; in the order in which no source is overwritten.
  const auto one = [&](std::uint32_t i) {
    const Word undefined = undefined_[from + i];
    set_shadow(x.result + i, &undefined, 1, undefined == 0 ? Origin{} : origin_of(from + i, 1));
  };
  if (x.result <= from) {
    for (std::uint32_t i = 0; i < words; ++i) one(i);
  } else {
    for (std::uint32_t i = words; i-- > 0;) one(i);
  }
}

// If the condition is undefined, so is every bit in which the two differ. For `?:` of the source that is a decision, as
// the branch would be that the compiler makes of others.
void Execution::select_shadow(const Operation& x) {
  const auto words = static_cast<std::uint32_t>(x.immediate);
  if (!is_undefined(x.a, 1)) return copy_shadow(x, word(x.a) != 0 ? x.b : x.c, words);
  const Origin origin = origin_of(x.a, 1);
  std::vector<Word> undefined(words);
  for (std::uint32_t i = 0; i < words; ++i) {
    const Word differ = operand(x.b)[i] ^ operand(x.c)[i];
    if (differ != 0 && x.flags != 0) depends("the condition of ?:", x.a, 1);
    undefined[i] = differ | shadow_word(x.b + i) | shadow_word(x.c + i);
  }
  set_shadow(x.result, undefined.data(), words, origin);
}

void Execution::shadow(const Operation& x) {
  check_decision(x);
  if (x.result == none) return;
  const OperationShape shape = shape_of(x);
  if (x.code == Code::Copy) return copy_shadow(x, x.a, shape.a);
  if (x.code == Code::Select) return select_shadow(x);
  const auto first_undefined = [&]() -> Origin {
    if (is_undefined(x.a, shape.a)) return origin_of(x.a, shape.a);
    if (shape.b != 0 && is_undefined(x.b, shape.b)) return origin_of(x.b, shape.b);
    if (shape.c != 0 && is_undefined(x.c, shape.c)) return origin_of(x.c, shape.c);
    return {};
  };
  const bool computes = x.code <= Code::Math || x.code == Code::Index;
  const bool any =
      computes && ((shape.a != 0 && is_undefined(x.a, shape.a)) || (shape.b != 0 && is_undefined(x.b, shape.b)) ||
                   (shape.c != 0 && is_undefined(x.c, shape.c)));
  if (!any) {
    std::fill_n(undefined_ + x.result, shape.result, 0);
    return;
  }
  const Origin origin = first_undefined();
  if (x.code == Code::Index) {
    const Word all = ~Word{0};
    return set_shadow(x.result, &all, 1, origin);
  }
  const bool converts = x.code >= Code::Truncate && x.code <= Code::FloatToFloat;
  const unsigned from = converts ? static_cast<unsigned>(x.immediate) : x.width;
  const Wide undefined = shadow_of(x, shadowed(x.a, from), shape.b == 0 ? Shadowed{} : shadowed(x.b, x.width),
                                   shape.c == 0 ? Shadowed{} : shadowed(x.c, x.width));
  Word words[3] = {static_cast<Word>(undefined), static_cast<Word>(undefined >> 64), 0};
  const bool overflow = x.code >= Code::AddOverflow && x.code <= Code::MulOverflow;
  if (overflow) words[shape.result - 1] = 1;
  set_shadow(x.result, words, shape.result, origin);
}

void Execution::clear_undefined(const Operation& x) {
  if (x.result == none) return;
  const std::uint32_t words = shape_of(x).result;
  for (std::uint32_t i = 0; i < words; ++i) registers_[x.result + i] &= ~undefined_[x.result + i];
}

void Execution::pass_shadow(const Operation& call, Frame& next) {
  std::uint32_t at = 0;
  const std::uint64_t one_deeper = std::uint64_t{1} << 32;
  for (std::uint32_t number = call.b; number < call.b + call.c; ++number) {
    const Argument& argument = function_->arguments[number];
    if (is_undefined(argument.operand, argument.words)) {
      if (next.undefined.empty()) next.undefined.assign(next.registers.size(), 0);
      std::copy_n(undefined_ + argument.operand, argument.words, next.undefined.begin() + at);
      const Origin origin = origin_of(argument.operand, argument.words);
      for (std::uint32_t i = 0; i < argument.words; ++i) origins_[origin_key(at + i) + one_deeper] = origin;
    }
    at += argument.words;
  }
}

void Execution::load_shadow(const Operation& x, const Memory::Target& target) {
  Word undefined[2];
  if (!Memory::read_shadow(target, undefined)) return;
  set_shadow(x.result, undefined, words_of_bytes(x.width), Memory::undefined_part(target));
}

// Whether the success of a compare-exchange is undefined. Structs are compared with their padding, so undefined bits
// beside defined ones do not count.
bool Execution::compares_undefined(const Operation& x, const Memory::Target& target, const Word* old) const {
  Word in_memory[2] = {0, 0};
  const bool any = Memory::read_shadow(target, in_memory);
  if (!any && !is_undefined(x.b, words_of_bytes(x.width))) return false;
  const unsigned width = x.width * 8u;
  const Shadowed now{Wide{x.width > 8 ? old[1] : 0} << 64 | old[0],
                     Wide{x.width > 8 ? in_memory[1] : 0} << 64 | in_memory[0]};
  const Shadowed expected = shadowed(x.b, width);
  const Wide all = low_bits<Wide>(width);
  return (now.undefined == all || expected.undefined == all) && equality_is_undefined(now, expected);
}

void Execution::fail_comparison(const Operation& x, const Memory::Target& target) const {
  constexpr std::string_view use = "the comparison of an atomic operation";
  const std::uint32_t words = words_of_bytes(x.width);
  if (is_undefined(x.b, words)) depends(use, x.b, words);
  throw Fault{Failure::Uninitialised,
              fmt::format("{} depends on {}", use, memory_.text(Memory::undefined_part(target))), target.label};
}

bool Execution::modify_shadow(const Operation& x, const Memory::Target& target, const Word* old, Word* changed,
                              Word* undefined) {
  Word before[2] = {0, 0};
  const bool any = Memory::read_shadow(target, before);
  undefined[0] = undefined[1] = 0;
  if (!any && !is_undefined(x.b, words_of_bytes(x.width))) return true;
  const unsigned width = x.width * 8u;
  const Shadowed now{Wide{old[1]} << 64 | old[0], Wide{before[1]} << 64 | before[0]};
  const Wide after = shadow_of(static_cast<Rmw>(x.immediate), width, now, shadowed(x.b, width));
  undefined[0] = static_cast<Word>(after), undefined[1] = static_cast<Word>(after >> 64);
  changed[0] &= ~undefined[0], changed[1] &= ~undefined[1];
  if (any) set_shadow(x.result, before, words_of_bytes(x.width), Memory::undefined_part(target));
  return after == 0;
}

}  // namespace heddle::native
