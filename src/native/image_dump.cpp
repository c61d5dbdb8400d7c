// Prints an image for people: globals, functions, operations with their places.
#include <fmt/format.h>

#include <array>
#include <iterator>

#include "native/image.h"
#include "native/operation_shape.h"

namespace heddle::native {
namespace {

using DumpOutput = std::back_insert_iterator<std::string>;

constexpr std::array<std::string_view, math_count> math_names = {
    "square_root", "absolute",  "floor",        "ceil", "truncate", "round", "round_even", "minimum",
    "maximum",     "copy_sign", "multiply_add", "sine", "cosine",   "exp",   "log",        "power"};
constexpr std::array<std::string_view, rmw_count> rmw_names = {"exchange", "add", "sub",  "and",  "nand", "or",  "xor",
                                                               "max",      "min", "umax", "umin", "fadd", "fsub"};
constexpr std::array<std::string_view, 6> ordering_names = {"",        "relaxed",         "acquire",
                                                            "release", "acquire_release", "seq_cst"};
constexpr std::array<std::string_view, 16> comparison_names = {
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "uno", "ueq", "ugt", "uge", "ult", "ule", "une", "true"};

class ImageDump {
 public:
  explicit ImageDump(const Image& image) : image_(image), out_(text_) {}

  std::string all() {
    for (std::size_t i = 0; i < image_.globals.size(); ++i) global(i);
    for (std::size_t i = 0; i < image_.functions.size(); ++i) function(i);
    if (image_.start != none) fmt::format_to(out_, "start {}\n", name(image_.functions[image_.start].name));
    for (const std::uint32_t warning : image_.warnings) fmt::format_to(out_, "warning: {}\n", image_.texts[warning]);
    return std::move(text_);
  }

 private:
  std::string_view name(std::uint32_t index) const { return image_.texts[index]; }

  std::string word(Word value) const {
    if (Label::is_pointer(value) && value >> 48 == 0) {
      const Label label = Label::of(value);
      const std::uint32_t offset = Label::offset(value);
      const std::string plus = offset == 0 ? "" : fmt::format("+{}", offset);
      if (label.owner == Label::global_owner && label.index < image_.globals.size()) {
        return fmt::format("&{}{}", name(image_.globals[label.index].name), plus);
      }
      if (label.owner == Label::function_owner && label.index < image_.functions.size()) {
        return fmt::format("&{}{}", name(image_.functions[label.index].name), plus);
      }
    }
    return value < 4096 ? fmt::format("{}", value) : fmt::format("{:#x}", value);
  }

  void global(std::size_t index) {
    const Global& global = image_.globals[index];
    fmt::format_to(out_, "global {} {}: {} bytes{}{}{}", index, name(global.name), global.size,
                   global.constant ? " constant" : "", global.thread_local_copy ? " thread_local" : "",
                   global.library ? " library" : "");
    const std::size_t shown = std::min<std::size_t>(global.bytes.size(), 64);
    if (shown != 0) fmt::format_to(out_, " =");
    for (std::size_t i = 0; i < shown; ++i) {
      fmt::format_to(out_, "{}{:02x}", i % 8 == 0 ? " " : "", static_cast<unsigned char>(global.bytes[i]));
    }
    fmt::format_to(out_, "{}\n", shown < global.bytes.size() ? " ..." : "");
  }

  void function(std::size_t index) {
    function_ = &image_.functions[index];
    fmt::format_to(out_, "\nfunction {} {}: {} parameters, {} registers, {} result words{}\n", index,
                   name(function_->name), function_->parameters, function_->registers, function_->result_words,
                   function_->library ? ", library" : "");
    for (std::size_t at = 0; at < function_->operations.size(); ++at) {
      const Operation& x = function_->operations[at];
      const std::size_t begin = text_.size();
      fmt::format_to(out_, "{:5}  ", at);
      operation(x);
      if (x.place != none) {
        while (text_.size() < begin + 56) text_ += ' ';
        place(x.place);
      }
      text_ += '\n';
    }
  }

  void place(std::uint32_t index) {
    std::string_view separator = "  ; ";
    for (; index != none; index = image_.places[index].inlined_at) {
      const Place& place = image_.places[index];
      fmt::format_to(out_, "{}{}{}:{}:{}", separator, place.about ? "about " : "",
                     place.file == none ? "?" : image_.files[place.file], place.line, place.column);
      separator = " in ";
    }
  }

  void operand(std::uint32_t operand, std::uint32_t words) {
    for (std::uint32_t i = 0; i < words; ++i) {
      if (i != 0) text_ += ':';
      if ((operand & constant_bit) != 0) {
        text_ += word(function_->constants[(operand & ~constant_bit) + i]);
      } else {
        fmt::format_to(out_, "r{}", operand + i);
      }
    }
  }

  void result(const Operation& x, std::uint32_t words) {
    if (words == 0 || x.result == none) return;
    operand(x.result, words);
    text_ += " = ";
  }

  void arguments(const Operation& x) {
    text_ += '(';
    for (std::uint32_t i = 0; i < x.c; ++i) {
      if (i != 0) text_ += ", ";
      const Argument& argument = function_->arguments[x.b + i];
      if (argument.floating) text_ += "float ";
      operand(argument.operand, argument.words);
    }
    text_ += ')';
  }

  void operation(const Operation& x) {
    const OperationShape shape = shape_of(x);
    result(x, shape.result);
    text_ += name_of(x.code);
    details(x);
    std::string_view separator = " ";
    for (const auto& [number, words] : {std::pair{x.a, shape.a}, {x.b, shape.b}, {x.c, shape.c}}) {
      if (words == 0) continue;
      text_ += separator;
      operand(number, words);
      separator = ", ";
    }
    switch (x.code) {
      case Code::Index:
        fmt::format_to(out_, " * {}", static_cast<std::int64_t>(x.immediate));
        break;
      case Code::StackObject:
        fmt::format_to(out_, " * {}", x.immediate);
        break;
      case Code::Jump:
        fmt::format_to(out_, " {}", x.immediate);
        break;
      case Code::Branch:
        fmt::format_to(out_, " ? {} : {}", x.immediate, x.c);
        break;
      case Code::Switch:
        for (std::uint32_t i = 0; i < x.c; ++i) {
          const Case& one = function_->cases[x.b + i];
          if (one.upper != 0) fmt::format_to(out_, " {:#x}:{:#x} -> {},", one.value, one.upper, one.target);
          if (one.upper == 0) fmt::format_to(out_, " {} -> {},", word(one.value), one.target);
        }
        fmt::format_to(out_, " otherwise {}", x.immediate);
        break;
      case Code::Call:
        fmt::format_to(out_, " {}", name(image_.functions[x.immediate].name));
        arguments(x);
        break;
      case Code::CallIndirect:
        arguments(x);
        break;
      case Code::CallExternal:
        fmt::format_to(out_, " {}", name(image_.externals[x.immediate]));
        arguments(x);
        break;
      case Code::ThreadLocal:
        fmt::format_to(out_, " {}", name(image_.globals[x.immediate].name));
        break;
      case Code::Statement:
        statement(x.immediate);
        break;
      case Code::Unsupported:
        fmt::format_to(out_, " {}", image_.texts[x.immediate]);
        break;
      default:
        break;
    }
  }

  void statement(std::size_t index) {
    const SourceStatement& x = image_.statements[index];
    fmt::format_to(out_, " {} ({}:{} to {}:{})", index, x.first_line, x.first_column, x.last_line, x.last_column);
  }

  // Widths and flags, between the name and the operands.
  void details(const Operation& x) {
    switch (x.code) {
      case Code::Load:
      case Code::Store:
      case Code::CompareExchange:
      case Code::ReadModifyWrite:
      case Code::Fence: {
        if (x.code == Code::ReadModifyWrite) fmt::format_to(out_, " {}", rmw_names[x.immediate]);
        const std::string_view ordering = ordering_names[x.flags & ordering_mask];
        if (!ordering.empty()) fmt::format_to(out_, " {}", ordering);
        if ((x.flags & volatile_access) != 0) text_ += " volatile";
        if (x.code != Code::Fence) fmt::format_to(out_, " {}", x.width);
        break;
      }
      case Code::Math:
        fmt::format_to(out_, " {} f{}", math_names[x.flags], x.width);
        break;
      case Code::FCompare:
        fmt::format_to(out_, " {} f{}", comparison_names[x.flags], x.width);
        break;
      case Code::Truncate:
      case Code::ZeroExtend:
      case Code::SignExtend:
      case Code::FloatToUnsigned:
      case Code::FloatToSigned:
      case Code::UnsignedToFloat:
      case Code::SignedToFloat:
      case Code::FloatToFloat:
        fmt::format_to(out_, " {} -> {}", x.immediate, x.width);
        break;
      case Code::Undefined:
        fmt::format_to(out_, " {}", x.width);
        if (x.flags != 0) fmt::format_to(out_, " {}", image_.texts[x.flags - 1]);
        break;
      case Code::Select:
        if (x.flags != 0) text_ += " decides";
        break;
      case Code::Copy:
      case Code::Call:
      case Code::CallIndirect:
      case Code::CallExternal:
      case Code::Return:
      case Code::Branch:
        break;
      case Code::MemoryCopy:
        if (x.flags != 0) text_ += " overlapping";
        break;
      case Code::AddOverflow:
      case Code::SubOverflow:
      case Code::MulOverflow:
      case Code::AddSaturating:
      case Code::SubSaturating:
        fmt::format_to(out_, "{} {}", x.flags == 0 ? " signed" : " unsigned", x.width);
        break;
      default:
        if (x.width != 0) fmt::format_to(out_, " {}", x.width);
    }
  }

  const Image& image_;
  const Function* function_ = nullptr;
  std::string text_;
  DumpOutput out_;
};

}  // namespace

std::string dump(const Image& image) { return ImageDump(image).all(); }

}  // namespace heddle::native
