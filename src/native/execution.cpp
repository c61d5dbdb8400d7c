// The loop over operations. A run ends where another thread may come in; it then says what it was about to do.
#include "native/execution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "native/operation_shape.h"

namespace heddle::native {
namespace {

constexpr std::uint64_t operations_between_questions = 65'536;  // to World: shall the run go on?

}  // namespace

Execution::Execution(const Machine& machine, ThreadState& thread, World& world)
    : machine_(machine),
      image_(machine.image_),
      thread_(thread),
      world_(world),
      memory_(machine.image_, machine.constants_, thread, world),
      has_pending_(!thread.fresh),
      hears_statements_(world.hears_statements()),
      passes_statements_(machine.section_of_.empty() && !hears_statements_) {}

Stop Execution::run() {
  thread_.fresh = false;
  take_frame();
  Stop stop;
  try {
    stop = loop();
  } catch (Fault& fault) {
    stop.kind = Stop::Kind::Failed;
    stop.failure = fault.failure;
    stop.text = std::move(fault.text);
    stop.about = fault.about;
  }
  if (!thread_.frames.empty()) thread_.frames.back().at = at_;
  return stop;
}

void Execution::take_frame() {
  Frame& frame = thread_.frames.back();
  function_ = &image_.functions[frame.function];
  operations_ = function_->operations.data();
  registers_ = frame.registers.data();
  undefined_ = frame.undefined.empty() ? nullptr : frame.undefined.data();
  bases_[0] = registers_;
  bases_[1] = function_->constants.data();
  at_ = frame.at;
  memory_.function = frame.function;
}

Stop Execution::visible(Pending pending) {
  Stop stop;
  stop.kind = Stop::Kind::Visible;
  stop.pending = pending;
  return stop;
}

// Now and then: has the run lasted too long?
std::optional<Stop> Execution::count_operations() {
  const std::uint64_t longest = machine_.settings_.longest_segment;
  if (executed_ > longest) {
    throw Fault{Failure::Endless,
                fmt::format("runs for more than {} operations without one that other threads may notice", longest)};
  }
  // A section that goes on and on waits for others.
  constexpr std::uint64_t longest_section = 2'000'000;
  if (!sections_.empty() && executed_ > longest_section) {
    Stop stop;
    stop.kind = Stop::Kind::Blocked;
    return stop;
  }
  const bool is_first = next_count_ == 0;
  next_count_ = std::min(executed_ + operations_between_questions, longest + 1);
  if (is_first || world_.go_on()) return std::nullopt;
  Stop stop;
  stop.kind = Stop::Kind::Interrupted;
  return stop;
}

void Execution::set_words(const Operation& x, const Word* words, std::size_t count) {
  if (x.result != none && count != 0) std::memmove(registers_ + x.result, words, count * sizeof(Word));
}

template <Code code>
void Execution::binary(const Operation& x) {
  if (x.width <= 64) {
    set(x, integer<code, Word>(x.width, word(x.a), word(x.b)));
  } else {
    set_value(x, x.width, integer<code, Wide>(x.width, value(x.a, x.width), value(x.b, x.width)));
  }
}

template <Code code>
void Execution::compare(const Operation& x) {
  if (x.width <= 64) {
    set(x, integer<code, Word>(x.width, word(x.a), word(x.b)));
  } else {
    set(x, static_cast<Word>(integer<code, Wide>(x.width, value(x.a, x.width), value(x.b, x.width))));
  }
}

template <Code code>
void Execution::divide(const Operation& x) {
  if (const char* const text = division_fails(code, x.width, value(x.a, x.width), value(x.b, x.width))) {
    throw Fault{Failure::Arithmetic, text};
  }
  binary<code>(x);
}

void Execution::need_float(unsigned width) {
  if (width == 80 && !has_extended) {
    throw Fault{Failure::Unsupported, "long double, which this computer does not have"};
  }
}

void Execution::with_overflow_operation(const Operation& x) {
  const Overflowing result = with_overflow(x.code, x.width, x.flags != 0, value(x.a, x.width), value(x.b, x.width));
  set_value(x, x.width, result.value);
  if (x.result != none) registers_[x.result + words_of_bits(x.width)] = result.overflow ? 1 : 0;
}

void Execution::switch_operation(const Operation& x) {
  const Wide on = value(x.a, x.width);
  for (std::uint32_t i = x.b; i < x.b + x.c; ++i) {
    const Case& one = function_->cases[i];
    if ((Wide{one.upper} << 64 | one.value) == on) {
      at_ = one.target;
      return;
    }
  }
  at_ = static_cast<std::uint32_t>(x.immediate);
}

void Execution::index(const Operation& x) {
  const auto steps = static_cast<Word>(sign_extend(word(x.b), x.width));
  set(x, word(x.a) + steps * x.immediate);
}

Stop Execution::loop() {
  for (;;) {
    if (++executed_ >= next_count_) {
      if (std::optional<Stop> stop = count_operations()) return *stop;
    }
    const Operation& x = operations_[at_];
    if (undefined_ != nullptr) [[unlikely]]
      shadow(x);
    switch (x.code) {
      case Code::Add:
        binary<Code::Add>(x);
        break;
      case Code::Sub:
        binary<Code::Sub>(x);
        break;
      case Code::Mul:
        binary<Code::Mul>(x);
        break;
      case Code::UDiv:
        divide<Code::UDiv>(x);
        break;
      case Code::SDiv:
        divide<Code::SDiv>(x);
        break;
      case Code::URem:
        divide<Code::URem>(x);
        break;
      case Code::SRem:
        divide<Code::SRem>(x);
        break;
      case Code::And:
        binary<Code::And>(x);
        break;
      case Code::Or:
        binary<Code::Or>(x);
        break;
      case Code::Xor:
        binary<Code::Xor>(x);
        break;
      case Code::Shl:
        binary<Code::Shl>(x);
        break;
      case Code::LShr:
        binary<Code::LShr>(x);
        break;
      case Code::AShr:
        binary<Code::AShr>(x);
        break;
      case Code::Eq:
        note_comparison(x);
        compare<Code::Eq>(x);
        break;
      case Code::Ne:
        note_comparison(x);
        compare<Code::Ne>(x);
        break;
      case Code::Ult:
        compare<Code::Ult>(x);
        break;
      case Code::Ule:
        compare<Code::Ule>(x);
        break;
      case Code::Ugt:
        compare<Code::Ugt>(x);
        break;
      case Code::Uge:
        compare<Code::Uge>(x);
        break;
      case Code::Slt:
        compare<Code::Slt>(x);
        break;
      case Code::Sle:
        compare<Code::Sle>(x);
        break;
      case Code::Sgt:
        compare<Code::Sgt>(x);
        break;
      case Code::Sge:
        compare<Code::Sge>(x);
        break;
      case Code::FAdd:
      case Code::FSub:
      case Code::FMul:
      case Code::FDiv:
      case Code::FRem:
        need_float(x.width);
        set_value(x, x.width, floating(x.code, x.width, value(x.a, x.width), value(x.b, x.width)));
        break;
      case Code::FNeg:
        need_float(x.width);
        set_value(x, x.width, floating(x.code, x.width, value(x.a, x.width), 0));
        break;
      case Code::FCompare:
        need_float(x.width);
        set(x, floating_compare(x.flags, x.width, value(x.a, x.width), value(x.b, x.width)) ? 1 : 0);
        break;
      case Code::FloatToUnsigned:
      case Code::FloatToSigned:
      case Code::UnsignedToFloat:
      case Code::SignedToFloat:
      case Code::FloatToFloat:
        // An integer of 80 bits is refused where long double is; nobody has one.
        need_float(x.width);
        need_float(static_cast<unsigned>(x.immediate));
        [[fallthrough]];
      case Code::Truncate:
      case Code::ZeroExtend:
      case Code::SignExtend: {
        const auto from = static_cast<unsigned>(x.immediate);
        set_value(x, x.width, convert(x.code, x.width, from, value(x.a, from)));
        break;
      }
      case Code::CountLeadingZeros:
      case Code::CountTrailingZeros:
      case Code::CountOnes:
      case Code::ByteSwap:
      case Code::BitReverse:
        set_value(x, x.width, bit_operation(x.code, x.width, value(x.a, x.width)));
        break;
      case Code::FunnelShiftLeft:
      case Code::FunnelShiftRight:
        set_value(x, x.width,
                  funnel_shift(x.code, x.width, value(x.a, x.width), value(x.b, x.width), value(x.c, x.width)));
        break;
      case Code::AddOverflow:
      case Code::SubOverflow:
      case Code::MulOverflow:
        with_overflow_operation(x);
        break;
      case Code::AddSaturating:
      case Code::SubSaturating:
        set_value(x, x.width, saturating(x.code, x.width, x.flags != 0, value(x.a, x.width), value(x.b, x.width)));
        break;
      case Code::Math: {
        need_float(x.width);
        const OperationShape shape = shape_of(x);
        const Wide b = shape.b == 0 ? 0 : value(x.b, x.width), c = shape.c == 0 ? 0 : value(x.c, x.width);
        set_value(x, x.width, math(static_cast<MathFunction>(x.flags), x.width, value(x.a, x.width), b, c));
        break;
      }
      case Code::Undefined: {
        set_value(x, x.width, 0);
        const Wide all = low_bits<Wide>(x.width);
        const Word undefined[2] = {static_cast<Word>(all), static_cast<Word>(all >> 64)};
        set_shadow(x.result, undefined, words_of_bits(x.width), Site{memory_.function, at_});
        break;
      }
      case Code::Copy:
        set_words(x, operand(x.a), x.immediate);
        break;
      case Code::Select:
        set_words(x, operand(word(x.a) != 0 ? x.b : x.c), x.immediate);
        break;
      case Code::Index:
        index(x);
        break;
      case Code::StackObject: {
        Wide size = Wide{x.immediate} * word(x.a);
        size = std::min(size, Wide{~Word{0}});
        memory_.at = at_;
        const Word pointer = memory_.allocate(ObjectKind::Stack, static_cast<Word>(size));
        thread_.frames.back().stack_objects.push_back(Label::of(pointer).index);
        set(x, pointer);
        break;
      }
      case Code::ThreadLocal:
        set(x, memory_.thread_local_copy(static_cast<std::uint32_t>(x.immediate)));
        break;
      case Code::LifetimeStart:
      case Code::LifetimeEnd:
      case Code::Load:
      case Code::Store:
      case Code::CompareExchange:
      case Code::ReadModifyWrite:
      case Code::MemoryCopy:
      case Code::MemorySet:
        memory_.at = at_;
        if (std::optional<Stop> stop = memory_operation(x)) return *stop;
        break;
      case Code::Fence:  // every run is sequentially consistent
        break;
      case Code::Statement:
        if (passes_statements_) break;
        if (std::optional<Stop> stop = enter_statement(static_cast<std::uint32_t>(x.immediate))) return *stop;
        if (hears_statements_) world_.statement(static_cast<std::uint32_t>(x.immediate));
        break;
      case Code::Jump:
        at_ = static_cast<std::uint32_t>(x.immediate);
        continue;
      case Code::Branch:
        at_ = word(x.a) != 0 ? static_cast<std::uint32_t>(x.immediate) : x.c;
        continue;
      case Code::Switch:
        switch_operation(x);
        continue;
      case Code::Call:
        call_direct(x);
        continue;
      case Code::CallIndirect:
        call_indirect(x);
        continue;
      case Code::CallExternal:
        memory_.at = thread_.frames.back().at = at_;  // World may want to know where the thread is
        if (std::optional<Stop> stop = call_external(x)) return *stop;
        break;
      case Code::Return:
        memory_.at = at_;
        if (std::optional<Stop> stop = return_from(x)) return *stop;
        break;
      case Code::Unreachable:
        throw Fault{Failure::Assertion,
                    "reaches code that must not be reached: __builtin_unreachable(), or the end of "
                    "a function that returns a value"};
      case Code::Unsupported:
        throw Fault{Failure::Unsupported, image_.texts[x.immediate]};
    }
    if (undefined_ != nullptr) [[unlikely]]
      clear_undefined(x);
    ++at_;
  }
}

// Loads, stores and the like. A thread rests before a visible one; World is not asked before.
std::optional<Stop> Execution::memory_operation(const Operation& x) {
  using Use = Memory::Use;
  const bool atomic = (x.flags & ordering_mask) != 0;
  const Word pointer = word(x.a);
  const auto check_alignment = [&] {
    if (atomic && Label::offset(pointer) % x.width != 0) {
      throw Fault{Failure::Memory, fmt::format("atomic access of {} bytes at offset {}, which is not aligned", x.width,
                                               Label::offset(pointer))};
    }
  };
  switch (x.code) {
    case Code::LifetimeStart:
      if (rests_before(pointer, false)) return visible(Pending::Access);
      memory_.begin_lifetime(pointer);
      break;
    case Code::LifetimeEnd:
      if (rests_before(pointer, false)) return visible(Pending::Access);
      memory_.end_lifetime(pointer);
      break;
    case Code::Load: {
      if (rests_before(pointer, atomic)) return visible(Pending::Access);
      const Memory::Target target = memory_.check(pointer, x.width, Use::Read);
      check_alignment();
      Word words[2];
      Memory::read(target, words);
      set_words(x, words, words_of_bytes(x.width));
      load_shadow(x, target);
      memory_.record(target, atomic, Use::Read);
      break;
    }
    case Code::Store: {
      if (rests_before(pointer, atomic)) return visible(Pending::Access);
      const Memory::Target target = memory_.check(pointer, x.width, Use::Write);
      check_alignment();
      memory_.write(target, operand(x.b), shadow_operand(x.b, words_of_bytes(x.width)));
      memory_.record(target, atomic, Use::Write);
      break;
    }
    case Code::CompareExchange: {
      if (rests_before(pointer, atomic)) return visible(Pending::Access);
      const Memory::Target target = memory_.check(pointer, x.width, Use::Write);
      check_alignment();
      const std::uint32_t words = words_of_bytes(x.width);
      Word old[3] = {0, 0, 0};
      Memory::read(target, old);
      if (compares_undefined(x, target, old)) fail_comparison(x, target);
      load_shadow(x, target);  // of the old value
      const bool same = std::equal(old, old + words, operand(x.b));
      thread_.frames.back().at = at_;
      for (std::uint32_t i = 0; i < words; ++i) memory_.compare(old[i], operand(x.b)[i]);
      if (same) memory_.write(target, operand(x.c), shadow_operand(x.c, words));
      memory_.record(target, atomic, same ? Use::Write : Use::Read);
      old[words] = same ? 1 : 0;
      set_words(x, old, words + 1);
      break;
    }
    case Code::ReadModifyWrite: {
      if (rests_before(pointer, atomic)) return visible(Pending::Access);
      const Memory::Target target = memory_.check(pointer, x.width, Use::Write);
      check_alignment();
      const unsigned width = x.width * 8u;
      Word old[2] = {0, 0};
      Memory::read(target, old);
      const Wide before = Wide{old[1]} << 64 | old[0];
      const Wide after = modify(static_cast<Rmw>(x.immediate), width, before, value(x.b, width));
      Word changed[2] = {static_cast<Word>(after), static_cast<Word>(after >> 64)}, undefined[2];
      const bool defined = modify_shadow(x, target, old, changed, undefined);
      memory_.write(target, changed, defined ? nullptr : undefined);
      memory_.record(target, atomic, Use::Write);
      set_words(x, old, words_of_bytes(x.width));
      break;
    }
    case Code::MemoryCopy: {
      const Word from = word(x.b), size = word(x.c);
      if (size == 0) break;
      if (rests_before(pointer, false) || rests_before(from, false)) return visible(Pending::Access);
      if (x.flags == 0 && pointer != from && pointer - from + size - 1 < 2 * size - 1) {
        throw Fault{Failure::Memory, fmt::format("memcpy of {} bytes between ranges that overlap", size)};
      }
      memory_.copy(pointer, from, size);
      break;
    }
    default: {  // MemorySet
      const Word size = word(x.c);
      if (size == 0) break;
      if (rests_before(pointer, false)) return visible(Pending::Access);
      const Memory::Target target = memory_.check(pointer, size, Use::Write);
      const bool defined = !is_undefined(x.b, 1);
      memory_.write_bytes(target, std::string(size, static_cast<char>(word(x.b))),
                          defined ? std::string() : std::string(size, static_cast<char>(shadow_word(x.b))));
      memory_.record(target, false, Use::Write);
    }
  }
  return std::nullopt;
}

}  // namespace heddle::native
