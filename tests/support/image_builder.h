// A tiny assembler for images: what heddle-lower makes of C, written by hand.
//
//   ImageBuilder builder;
//   FunctionBuilder& main = builder.function("main");
//   const auto sum = main.emit({.code = Code::Add, .width = 32, .a = main.constant(1), .b = main.constant(2)});
//   main.external("__heddle_exit", {sum});
//   main.emit({.code = Code::Unreachable});
//   const Image image = builder.image("main");
#pragma once

#include <initializer_list>
#include <list>
#include <string>
#include <string_view>
#include <vector>

#include "native/image.h"
#include "native/operation_shape.h"
#include "support/long_run.h"  // heddle::testing beside GoogleTest's

namespace heddle::testing {

class ImageBuilder;

class FunctionBuilder {
 public:
  using Operand = std::uint32_t;

  FunctionBuilder(ImageBuilder& owner, std::string_view name, std::uint32_t parameters, std::uint32_t result_words);

  Operand constant(native::Word word) {
    function.constants.push_back(word);
    return native::constant_bit | static_cast<std::uint32_t>(function.constants.size() - 1);
  }
  Operand fresh(std::uint32_t words = 1) {
    function.registers += words;
    return function.registers - words;
  }
  std::uint32_t here() const { return static_cast<std::uint32_t>(function.operations.size()); }

  // Adds an operation; if it has a result and says none, the result is a new register. Returns the result. The place is
  // the line of its number plus one.
  Operand emit(native::Operation x) {
    const std::uint32_t words = native::shape_of(x).result;
    if (words != 0 && x.result == native::none) x.result = fresh(words);
    if (x.place == native::none) x.place = place();
    function.operations.push_back(x);
    return x.result;
  }

  Operand load(Operand pointer, std::uint16_t bytes, native::Ordering ordering = native::Ordering::Plain) {
    return emit(
        {.code = native::Code::Load, .width = bytes, .flags = static_cast<std::uint32_t>(ordering), .a = pointer});
  }
  void store(Operand pointer, Operand value, std::uint16_t bytes, native::Ordering ordering = native::Ordering::Plain) {
    emit({.code = native::Code::Store,
          .width = bytes,
          .flags = static_cast<std::uint32_t>(ordering),
          .a = pointer,
          .b = value});
  }
  Operand binary(native::Code code, Operand a, Operand b, std::uint16_t width = 64) {
    return emit({.code = code, .width = width, .a = a, .b = b});
  }
  Operand stack_object(native::Word bytes) {
    return emit({.code = native::Code::StackObject, .a = constant(1), .immediate = bytes});
  }
  Operand offset(Operand pointer, native::Word bytes) {
    return emit({.code = native::Code::Index, .width = 64, .a = pointer, .b = constant(1), .immediate = bytes});
  }
  // Returns where the jump is, for `aim`.
  std::uint32_t jump(std::uint32_t target = 0) {
    emit({.code = native::Code::Jump, .immediate = target});
    return here() - 1;
  }
  std::uint32_t branch(Operand condition, std::uint32_t yes = 0, std::uint32_t no = 0) {
    emit({.code = native::Code::Branch, .a = condition, .c = no, .immediate = yes});
    return here() - 1;
  }
  void aim(std::uint32_t at, std::uint32_t target) { function.operations[at].immediate = target; }
  void aim_else(std::uint32_t at, std::uint32_t target) { function.operations[at].c = target; }

  Operand external(std::string_view symbol, const std::vector<native::Argument>& arguments,
                   std::uint16_t result_words = 1);
  Operand external(std::string_view symbol, std::initializer_list<Operand> operands, std::uint16_t result_words = 1) {
    return external(symbol, one_word_each(operands), result_words);
  }
  Operand call(std::uint32_t callee, std::initializer_list<Operand> operands, std::uint16_t result_words = 1) {
    return emit_call({.code = native::Code::Call, .width = result_words, .immediate = callee}, one_word_each(operands));
  }
  Operand call_indirect(Operand pointer, std::initializer_list<Operand> operands, std::uint16_t result_words = 1) {
    return emit_call({.code = native::Code::CallIndirect, .width = result_words, .a = pointer},
                     one_word_each(operands));
  }
  void give_back(Operand value) { emit({.code = native::Code::Return, .width = 1, .a = value}); }
  void give_back() { emit({.code = native::Code::Return}); }
  void exit(Operand code) {
    external("__heddle_exit", {code}, 0);
    emit({.code = native::Code::Unreachable});
  }

  native::Word pointer() const { return native::Label{native::Label::function_owner, index}.pointer(); }

  native::Function function;
  std::uint32_t index = 0;

 private:
  static std::vector<native::Argument> one_word_each(std::initializer_list<Operand> operands) {
    std::vector<native::Argument> arguments;
    for (const Operand operand : operands) arguments.push_back({operand, 1, false});
    return arguments;
  }
  Operand emit_call(native::Operation x, const std::vector<native::Argument>& arguments) {
    x.b = static_cast<std::uint32_t>(function.arguments.size());
    x.c = static_cast<std::uint32_t>(arguments.size());
    function.arguments.insert(function.arguments.end(), arguments.begin(), arguments.end());
    return emit(x);
  }
  std::uint32_t place();

  ImageBuilder& owner_;
};

class ImageBuilder {
 public:
  ImageBuilder() { image_.files.emplace_back("test.c"); }

  FunctionBuilder& function(std::string_view name, std::uint32_t parameters = 0, std::uint32_t result_words = 0) {
    FunctionBuilder& added = functions_.emplace_back(*this, name, parameters, result_words);
    added.index = static_cast<std::uint32_t>(functions_.size() - 1);
    return added;
  }
  // Returns the pointer to it.
  native::Word global(std::string_view name, std::uint32_t size, std::string bytes = {}, bool constant = false,
                      bool thread_local_copy = false) {
    native::Global& made = image_.globals.emplace_back();
    made.name = text(name);
    made.size = size;
    made.constant = constant;
    made.thread_local_copy = thread_local_copy;
    made.bytes = std::move(bytes);
    const auto index = static_cast<std::uint32_t>(image_.globals.size() - 1);
    return native::Label{native::Label::global_owner, index}.pointer();
  }
  native::Word text_constant(std::string_view content) {
    return global(".str", static_cast<std::uint32_t>(content.size() + 1), std::string(content) + '\0', true);
  }
  std::uint32_t text(std::string_view content) {
    for (std::uint32_t i = 0; i < image_.texts.size(); ++i) {
      if (image_.texts[i] == content) return i;
    }
    image_.texts.emplace_back(content);
    return static_cast<std::uint32_t>(image_.texts.size() - 1);
  }
  // Types: each returns its index.
  std::uint32_t scalar(std::string_view name, native::Type::Kind kind, std::uint32_t size) {
    native::Type made;
    made.name = text(name);
    made.kind = kind;
    made.size = size;
    return type(std::move(made));
  }
  std::uint32_t array(std::uint32_t element, std::uint32_t count) {
    native::Type made;
    made.kind = native::Type::Kind::Array;
    made.size = image_.types[element].size * count;
    made.element = element;
    return type(std::move(made));
  }
  struct Member {
    std::string_view name;
    std::uint32_t offset, type;
    std::uint32_t bit = 0, bits = 0;
  };
  // As large as its members.
  std::uint32_t structure(std::string_view name, const std::vector<Member>& members) {
    native::Type made;
    made.name = text(name);
    made.kind = native::Type::Kind::Struct;
    for (const Member& member : members) {
      made.members.push_back({text(member.name), member.offset, member.type, member.bit, member.bits});
      made.size = member.offset + image_.types[member.type].size;
    }
    return type(std::move(made));
  }
  std::uint32_t type(native::Type made) {
    image_.types.push_back(std::move(made));
    return static_cast<std::uint32_t>(image_.types.size() - 1);
  }
  void set_type(native::Word global, std::uint32_t type) {
    image_.globals[native::Label::of(global).index].type = type;
  }
  std::uint32_t external(std::string_view symbol) {
    const std::uint32_t name = text(symbol);
    for (std::uint32_t i = 0; i < image_.externals.size(); ++i) {
      if (image_.externals[i] == name) return i;
    }
    image_.externals.push_back(name);
    return static_cast<std::uint32_t>(image_.externals.size() - 1);
  }
  std::uint32_t place(std::uint32_t line, std::uint32_t function) {
    image_.places.push_back({0, line, 1, function, native::none, false});
    return static_cast<std::uint32_t>(image_.places.size() - 1);
  }

  // Written and read, so that it is checked.
  native::Image image(std::string_view start = "main") {
    native::Image made = image_;
    for (const FunctionBuilder& builder : functions_) {
      if (made.texts[builder.function.name] == start) made.start = builder.index;
      made.functions.push_back(builder.function);
    }
    return native::read_image(native::write_image(made));
  }

 private:
  friend class FunctionBuilder;
  native::Image image_;
  std::list<FunctionBuilder> functions_;
};

inline FunctionBuilder::FunctionBuilder(ImageBuilder& owner, std::string_view name, std::uint32_t parameters,
                                        std::uint32_t result_words)
    : owner_(owner) {
  function.name = function.symbol = owner.text(name);
  function.parameters = function.registers = parameters;
  function.result_words = result_words;
}

inline std::uint32_t FunctionBuilder::place() { return owner_.place(here() + 1, function.name); }

inline FunctionBuilder::Operand FunctionBuilder::external(std::string_view symbol,
                                                          const std::vector<native::Argument>& arguments,
                                                          std::uint16_t result_words) {
  return emit_call({.code = native::Code::CallExternal, .width = result_words, .immediate = owner_.external(symbol)},
                   arguments);
}

}  // namespace heddle::testing
