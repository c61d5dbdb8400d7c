// Goes once over everything in an image, and refuses the first index or size that is wrong.
#include "native/image_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "native/operation_shape.h"

namespace heddle::native {
namespace {

[[noreturn]] void refuse(const std::string& text) { throw ImageError("damaged image: " + text); }

void check_index(std::uint64_t index, std::size_t size, std::string_view of) {
  if (index >= size) refuse(fmt::format("there is no {} {}", of, index));
}

// `none` is allowed.
void check_optional(std::uint32_t index, std::size_t size, std::string_view of) {
  if (index != none) check_index(index, size, of);
}

bool is_float_width(std::uint64_t width) { return width == 32 || width == 64 || width == 80; }

class FunctionCheck {
 public:
  FunctionCheck(const Image& image, const Function& function) : image_(image), function_(function) {}

  void check() {
    check_index(function_.name, image_.texts.size(), "text");
    check_index(function_.symbol, image_.texts.size(), "text");
    check_optional(function_.place, image_.places.size(), "place");
    if (function_.registers > max_registers) fail("too many registers");
    if (function_.parameters > function_.registers) fail("more parameters than registers");
    if (function_.result_words > max_registers) fail("too large a result");
    if (function_.operations.empty() || !is_terminator(function_.operations.back().code)) {
      fail("the last operation does not end it");
    }
    for (const Argument& argument : function_.arguments) {
      if (argument.words == 0) fail("an argument of no words");
      operand(argument.operand, argument.words);
    }
    for (const Case& one : function_.cases) target(one.target);
    for (at_ = 0; at_ < function_.operations.size(); ++at_) operation(function_.operations[at_]);
    std::uint64_t next = 0;
    for (const MadeType& one : function_.made) {
      if (one.at < next) refuse("types of what is made are not in order");
      next = one.at + std::uint64_t{1};
      target(one.at);
      check_index(one.type, image_.types.size(), "type");
    }
  }

 private:
  [[noreturn]] void fail(std::string_view what) const {
    refuse(fmt::format("function {}, operation {}: {}", image_.texts[function_.name], at_, what));
  }

  void operand(std::uint32_t operand, std::uint64_t words) const {
    const std::size_t size = (operand & constant_bit) != 0 ? function_.constants.size() : function_.registers;
    if ((operand & ~constant_bit) + words > size) fail("an operand is out of range");
  }
  void target(std::uint64_t at) const {
    if (at >= function_.operations.size()) fail("a target is out of range");
  }
  void range(std::uint64_t first, std::uint64_t count, std::size_t size) const {
    if (first > size || count > size - first) fail("a range is out of range");
  }

  // Widths and immediates first: the shape depends on them.
  void widths(const Operation& x) const {
    const auto width_at_most = [&](std::uint32_t limit) {
      if (x.width < 1 || x.width > limit) fail("an impossible width");
    };
    const auto floats = [&](std::uint64_t width) {
      if (!is_float_width(width)) fail("an impossible width of a floating-point number");
    };
    const auto integers = [&](std::uint64_t width) {
      if (width < 1 || width > 128) fail("an impossible width");
    };
    const auto ordering = [&] {
      if ((x.flags & ordering_mask) > static_cast<std::uint32_t>(Ordering::SequentiallyConsistent) ||
          (x.flags & ~(ordering_mask | volatile_access)) != 0) {
        fail("an unknown ordering");
      }
    };
    switch (x.code) {
      case Code::FAdd:
      case Code::FSub:
      case Code::FMul:
      case Code::FDiv:
      case Code::FRem:
      case Code::FNeg:
        floats(x.width);
        break;
      case Code::FCompare:
        floats(x.width);
        if (x.flags > 15) fail("an unknown comparison");
        break;
      case Code::Math:
        floats(x.width);
        if (x.flags >= math_count) fail("an unknown function");
        break;
      case Code::Truncate:
      case Code::ZeroExtend:
      case Code::SignExtend:
        integers(x.width);
        integers(x.immediate);
        break;
      case Code::FloatToUnsigned:
      case Code::FloatToSigned:
        integers(x.width);
        floats(x.immediate);
        break;
      case Code::UnsignedToFloat:
      case Code::SignedToFloat:
        floats(x.width);
        integers(x.immediate);
        break;
      case Code::FloatToFloat:
        floats(x.width);
        floats(x.immediate);
        break;
      case Code::ByteSwap:
        integers(x.width);
        if (x.width % 8 != 0) fail("an impossible width");
        break;
      case Code::Copy:
      case Code::Select:
        if (x.immediate < 1 || x.immediate > max_registers) fail("an impossible number of words");
        break;
      case Code::Index:
        width_at_most(64);
        break;
      case Code::Load:
      case Code::Store:
      case Code::CompareExchange:
        width_at_most(16);
        ordering();
        break;
      case Code::ReadModifyWrite:
        width_at_most(16);
        ordering();
        if (x.immediate >= rmw_count) fail("an unknown read-modify-write operation");
        if (x.immediate >= static_cast<Word>(Rmw::FAdd) && x.width != 4 && x.width != 8) fail("an impossible width");
        break;
      case Code::Fence:
        ordering();
        break;
      case Code::Call:
      case Code::CallIndirect:
      case Code::CallExternal:
      case Code::Return:
      case Code::StackObject:
      case Code::LifetimeStart:
      case Code::LifetimeEnd:
      case Code::MemoryCopy:
      case Code::MemorySet:
      case Code::ThreadLocal:
      case Code::Jump:
      case Code::Branch:
      case Code::Unreachable:
      case Code::Statement:
      case Code::Unsupported:
        break;
      default:
        integers(x.width);
    }
  }

  void operation(const Operation& x) const {
    widths(x);
    check_optional(x.place, image_.places.size(), "place");
    const OperationShape shape = shape_of(x);
    if (shape.a != 0) operand(x.a, shape.a);
    if (shape.b != 0) operand(x.b, shape.b);
    if (shape.c != 0) operand(x.c, shape.c);
    if (x.result != none &&
        (x.result >= constant_bit || x.result + std::uint64_t{shape.result} > function_.registers)) {
      fail("a result is out of range");
    }
    switch (x.code) {
      case Code::Jump:
        target(x.immediate);
        break;
      case Code::Branch:
        target(x.immediate);
        target(x.c);
        break;
      case Code::Switch:
        target(x.immediate);
        range(x.b, x.c, function_.cases.size());
        break;
      case Code::Call:
        check_index(x.immediate, image_.functions.size(), "function");
        range(x.b, x.c, function_.arguments.size());
        break;
      case Code::CallIndirect:
        range(x.b, x.c, function_.arguments.size());
        break;
      case Code::CallExternal:
        check_index(x.immediate, image_.externals.size(), "external");
        range(x.b, x.c, function_.arguments.size());
        break;
      case Code::Return:
        if (x.width != 0 && x.width != function_.result_words) fail("it does not return what the function returns");
        break;
      case Code::ThreadLocal:
        check_index(x.immediate, image_.globals.size(), "global");
        if (!image_.globals[x.immediate].thread_local_copy) fail("the global is not thread-local");
        break;
      case Code::Undefined:
      case Code::StackObject:
        if (x.flags != 0) check_index(x.flags - 1, image_.texts.size(), "text");
        break;
      case Code::Statement:
        check_index(x.immediate, image_.statements.size(), "statement");
        break;
      case Code::Unsupported:
        check_index(x.immediate, image_.texts.size(), "text");
        break;
      default:
        break;
    }
  }

  const Image& image_;
  const Function& function_;
  std::size_t at_ = 0;
};

bool is_integer(const Type& type) {
  return type.kind == Type::Kind::Signed || type.kind == Type::Kind::Unsigned || type.kind == Type::Kind::Boolean;
}

// Types refer to earlier ones only, so walking through one ends; how deep that goes is limited as well.
void check_types(const Image& image) {
  std::vector<std::uint32_t> depths;
  for (const Type& type : image.types) {
    std::uint32_t depth = 0;
    const auto part = [&](std::uint32_t index, std::uint64_t offset) {
      check_index(index, depths.size(), "earlier type");
      depth = std::max(depth, depths[index]);
      if (offset + image.types[index].size > type.size) refuse("a part of a type lies outside of it");
    };
    check_optional(type.name, image.texts.size(), "text");
    if (type.size == 0 || type.size > Label::max_size) refuse("an impossible size of a type");
    if ((type.kind == Type::Kind::Array) != (type.element != none)) refuse("elements of what is not an array");
    if (type.element != none) {
      part(type.element, 0);
      if (type.size % image.types[type.element].size != 0) refuse("an array ends within an element");
    }
    if (type.kind != Type::Kind::Struct && !type.members.empty()) refuse("members of what is not a struct");
    std::uint64_t next = 0;  // bits
    for (const TypeMember& member : type.members) {
      check_index(member.name, image.texts.size(), "text");
      part(member.type, 0);
      const Type& of = image.types[member.type];
      const std::uint64_t begin = std::uint64_t{8} * member.offset + member.bit;
      if (member.bits != 0 || member.bit != 0) {
        const bool fits = is_integer(of) && member.bit < 8 && member.bits != 0 && member.bits <= 8 * of.size &&
                          member.bit + std::uint64_t{member.bits} <= 64;
        if (!fits) refuse("an impossible bit-field");
      }
      if (begin < next) refuse("members of a type overlap");
      next = begin + (member.bits != 0 ? member.bits : std::uint64_t{8} * of.size);
      if (next > std::uint64_t{8} * type.size) refuse("a part of a type lies outside of it");
    }
    if (!is_integer(type) && !type.enumerators.empty()) refuse("enumerators of what is not an integer");
    for (const Enumerator& one : type.enumerators) check_index(one.name, image.texts.size(), "text");
    const bool scalar =
        type.kind != Type::Kind::Opaque && type.kind != Type::Kind::Struct && type.kind != Type::Kind::Array;
    if (scalar && type.size != 1 && type.size != 2 && type.size != 4 && type.size != 8) {
      refuse("an impossible size of a number");
    }
    if (type.kind == Type::Kind::Floating && type.size < 4) refuse("an impossible size of a number");
    if (++depth > Type::max_depth) refuse("types within types are nested too deeply");
    depths.push_back(depth);
  }
}

void check_globals(const Image& image) {
  if (image.globals.size() > Label::max_index + 1) refuse("too many globals");
  std::uint64_t total = 0;
  for (const Global& global : image.globals) {
    check_index(global.name, image.texts.size(), "text");
    check_optional(global.place, image.places.size(), "place");
    check_optional(global.type, image.types.size(), "type");
    if (global.size > Label::max_size) {
      throw ImageError(fmt::format("the global {} has {} bytes; at most {} are supported", image.texts[global.name],
                                   global.size, Label::max_size));
    }
    if (global.bytes.size() > global.size) refuse("a global has more content than bytes");
    total += global.size;
  }
  if (total > max_global_bytes) {
    throw ImageError(fmt::format("all globals have {} bytes; at most {} are supported", total, max_global_bytes));
  }
}

}  // namespace

void check_image(const Image& image) {
  for (std::size_t i = 0; i < image.places.size(); ++i) {
    const Place& place = image.places[i];
    check_optional(place.file, image.files.size(), "file");
    check_optional(place.function, image.texts.size(), "text");
    // An index below its own: so the chain ends.
    check_optional(place.inlined_at, i, "earlier place");
  }
  for (std::size_t i = 0; i < image.statements.size(); ++i) {
    const SourceStatement& x = image.statements[i];
    check_optional(x.file, image.files.size(), "file");
    check_optional(x.parent, i, "earlier statement");
    check_optional(x.function, image.texts.size(), "text");
    if (std::tie(x.last_line, x.last_column) < std::tie(x.first_line, x.first_column)) {
      refuse("a statement ends before it begins");
    }
  }
  for (const std::uint32_t text : image.externals) check_index(text, image.texts.size(), "text");
  for (const std::uint32_t text : image.warnings) check_index(text, image.texts.size(), "text");
  check_types(image);
  check_globals(image);
  if (image.functions.size() > Label::max_index + 1) {
    throw ImageError(fmt::format("the program has {} functions; at most {} are supported", image.functions.size(),
                                 Label::max_index + 1));
  }
  for (const Function& function : image.functions) FunctionCheck(image, function).check();
  if (image.start != none) {
    check_index(image.start, image.functions.size(), "function");
    if (image.functions[image.start].parameters != 0) refuse("the first function has parameters");
  }
}

}  // namespace heddle::native
