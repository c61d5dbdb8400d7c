// Random programs for the machine that always end and never fail: registers, a shared global, calls of later functions,
// branches forward, loops with a counter of their own. They print what they compute. They start a thread that does
// nothing, so that the first one rests before visible operations.
#pragma once

#include <rapidcheck.h>

#include "support/image_builder.h"

namespace heddle::testing {

inline native::Image random_image() {
  using native::Code;
  constexpr std::uint32_t variables = 6;
  const auto pick = [](std::uint32_t limit) {
    return *rc::gen::resize(100, rc::gen::inRange<std::uint32_t>(0, limit));
  };

  ImageBuilder builder;
  const native::Word cell = builder.global("cell", 32);
  std::vector<std::uint32_t> types = {builder.scalar("int", native::Type::Kind::Signed, 4),
                                      builder.scalar("link", native::Type::Kind::Pointer, 8)};
  for (std::uint32_t i = pick(4); i-- > 0;) {
    const std::uint32_t inner = types[pick(static_cast<std::uint32_t>(types.size()))];
    types.push_back(pick(2) == 0 ? builder.array(inner, 1 + pick(3))
                                 : builder.structure("pair", {{"first", 0, types[0]}, {"second", 8, inner}}));
  }
  builder.set_type(cell, types[pick(static_cast<std::uint32_t>(types.size()))]);
  const native::Word format = builder.text_constant("%ld %ld %ld\n");
  const std::uint32_t functions = 1 + pick(3);
  std::vector<FunctionBuilder*> made;
  made.push_back(&builder.function("main"));
  for (std::uint32_t i = 1; i < functions; ++i) made.push_back(&builder.function("f" + std::to_string(i), 2, 1));

  FunctionBuilder& idle = builder.function("idle", 1, 1);
  idle.give_back(0);

  for (std::uint32_t number = 0; number < functions; ++number) {
    FunctionBuilder& f = *made[number];
    if (number == 0) f.external("__heddle_spawn", {f.constant(idle.pointer()), f.constant(0)});
    const std::uint32_t first = f.fresh(variables);
    const auto operand = [&]() -> std::uint32_t {
      if (pick(4) == 0) return f.constant(pick(10));
      if (number > 0 && pick(4) == 0) return pick(2);
      return first + pick(variables);
    };
    const auto address = [&] { return f.constant(cell + native::Word{8} * pick(4)); };
    const std::uint32_t length = 5 + pick(30);
    std::vector<std::uint32_t> open;  // branches to be aimed forward
    for (std::uint32_t i = 0; i < length; ++i) {
      const std::uint32_t result = first + pick(variables);
      switch (pick(9)) {
        case 0:
        case 1:
          f.emit({.code = pick(2) == 0 ? Code::Add : Code::Xor,
                  .width = 64,
                  .result = result,
                  .a = operand(),
                  .b = operand()});
          break;
        case 2:
          f.emit(
              {.code = Code::Select, .result = result, .a = operand(), .b = operand(), .c = operand(), .immediate = 1});
          break;
        case 3:
          f.emit({.code = Code::Load, .width = 8, .flags = 5, .result = result, .a = address()});
          break;
        case 4:
          f.store(address(), operand(), 8, native::Ordering::SequentiallyConsistent);
          break;
        case 5:
          f.external("printf", {f.constant(format), operand(), operand(), operand()});
          break;
        case 6:
          if (number + 1 < functions) {
            const std::uint32_t callee = number + 1 + pick(functions - number - 1);
            const auto given = f.call(made[callee]->index, {operand(), operand()});
            f.emit({.code = Code::Copy, .result = result, .a = given, .immediate = 1});
          }
          break;
        case 7:
          open.push_back(f.branch(operand(), f.here() + 1, f.here() + 1));
          break;
        default:
          if (!open.empty()) {  // the branch goes here if it is taken
            f.aim(open.back(), f.here());
            open.pop_back();
          } else if (f.here() > 0) {  // run a part again, once or twice
            const std::uint32_t target = pick(f.here());
            const std::uint32_t counter = f.fresh();
            f.emit({.code = Code::Add, .width = 64, .result = counter, .a = counter, .b = f.constant(1)});
            const auto again = f.binary(Code::Ult, counter, f.constant(2 + pick(2)));
            f.branch(again, target, f.here() + 1);
          }
      }
    }
    for (const std::uint32_t at : open) f.aim(at, f.here());
    if (f.here() > 0)
      f.function.made.push_back({pick(f.here()), types[pick(static_cast<std::uint32_t>(types.size()))]});
    f.external("printf", {f.constant(format), first, first + 1, first + 2});
    if (number == 0) {
      f.exit(f.constant(0));
    } else {
      f.give_back(first + pick(variables));
    }
  }
  return builder.image();
}

}  // namespace heddle::testing
