// Calls. The arguments of a function with a variable number of them lie in an object of the caller, eight bytes each,
// as they would on the stack; a hidden last parameter points to it. Externals get all arguments directly.
#include "llvm/IR/InlineAsm.h"
#include "translate_function.h"
#include "undefined.h"

namespace heddle::lower {
namespace {

using native::Word;

bool is_variadic(const llvm::CallBase& call, const llvm::Function* known) {
  if (known != nullptr) return known->isVarArg();
  // A function without prototype, f(), looks variadic and is not.
  return call.getFunctionType()->isVarArg() && call.getFunctionType()->getNumParams() > 0;
}

}  // namespace

FunctionTranslator::Operand FunctionTranslator::pass_variable_arguments(const llvm::CallBase& each, unsigned first) {
  const llvm::DataLayout& data = parts_.layout.data();
  struct Part {
    std::uint64_t offset;
    unsigned argument;
  };
  std::vector<Part> parts;
  std::uint64_t size = 0;
  for (unsigned i = first; i < each.arg_size(); ++i) {
    llvm::Type* type = each.isByValArgument(i) ? each.getParamByValType(i) : each.getArgOperand(i)->getType();
    const bool wide = each.isByValArgument(i) ? each.getParamAlign(i).valueOrOne().value() >= 16
                                              : data.getABITypeAlign(type).value() >= 16;
    if (wide) size = (size + 15) / 16 * 16;
    parts.push_back({size, i});
    size += (data.getTypeAllocSize(type).getFixedValue() + 7) / 8 * 8;
  }
  if (parts.empty()) return constant(Word{0});
  const Operand object = new_stack_object(size);
  for (const Part& part : parts) {
    const llvm::Value* value = each.getArgOperand(part.argument);
    const Operand from = operand(value);
    const Operand to = advanced(object, part.offset);
    if (each.isByValArgument(part.argument)) {
      copy_memory(to, from, constant(data.getTypeAllocSize(each.getParamByValType(part.argument)).getFixedValue()),
                  false);
      continue;
    }
    std::uint32_t at = 0;
    for (const Leaf& leaf : parts_.layout.leaves(value->getType())) {
      const Operand pointer = advanced(to, leaf.offset);
      Operation& operation = emit(Code::Store);
      operation.width = static_cast<std::uint16_t>(leaf.bytes);
      operation.a = pointer;
      operation.b = from + at;
      at += leaf.words;
    }
  }
  return object;
}

// Adds the arguments to the function's list; returns where they begin.
std::uint32_t FunctionTranslator::pass_arguments(const llvm::CallBase& each, unsigned first_variable,
                                                 Operand variable_ones) {
  std::vector<native::Argument> list;
  for (unsigned i = 0; i < each.arg_size() && i < first_variable; ++i) {
    const llvm::Value* value = each.getArgOperand(i);
    if (value->getType()->isMetadataTy()) throw NotSupported("an argument that is no value");
    const Operand from = operand(value);
    list.push_back({from, words(*value), value->getType()->isFloatingPointTy()});
  }
  if (variable_ones != native::none) list.push_back({variable_ones, 1, false});
  const auto begin = static_cast<std::uint32_t>(out_.arguments.size());
  out_.arguments.insert(out_.arguments.end(), list.begin(), list.end());
  return begin;
}

void FunctionTranslator::call(const llvm::CallBase& each) {
  if (auto* special = llvm::dyn_cast<llvm::IntrinsicInst>(&each)) return intrinsic(*special);
  if (each.isInlineAsm()) return inline_assembly(each);
  if (is_mark(each)) return undefined(each);
  const llvm::Value* callee = each.getCalledOperand()->stripPointerCastsAndAliases();
  const auto* known = llvm::dyn_cast<llvm::Function>(callee);
  Code code = Code::CallIndirect;
  unsigned first_variable = ~0u;
  Operand variable_ones = native::none, pointer = native::none;
  if (known != nullptr && known->isDeclaration()) {
    code = Code::CallExternal;
  } else {
    if (is_variadic(each, known)) {
      first_variable =
          known != nullptr ? static_cast<unsigned>(known->arg_size()) : each.getFunctionType()->getNumParams();
      variable_ones = pass_variable_arguments(each, first_variable);
    }
    bool fits = known != nullptr && parts_.layout.words(known->getReturnType()) == words(each) &&
                (known->isVarArg() ? each.arg_size() >= known->arg_size() : each.arg_size() == known->arg_size());
    for (unsigned i = 0; fits && i < known->arg_size(); ++i) {
      fits = words(*each.getArgOperand(i)) == parts_.layout.words(known->getArg(i)->getType());
    }
    if (fits) code = Code::Call;
  }
  if (code == Code::CallIndirect) pointer = operand(each.getCalledOperand());
  const std::uint32_t begin = pass_arguments(each, first_variable, variable_ones);
  const std::uint32_t result_words = words(each);
  Operation& operation = emit(code);
  operation.a = pointer;
  operation.b = begin;
  operation.c = static_cast<std::uint32_t>(out_.arguments.size()) - begin;
  operation.width = static_cast<std::uint16_t>(result_words);
  if (result_words != 0) operation.result = result(each);
  if (code == Code::Call) operation.immediate = parts_.constants.function(known);
  if (code == Code::CallExternal) operation.immediate = parts_.external(known->getName().str());
  makes(parts_.types.of(each));
}

void FunctionTranslator::undefined(const llvm::CallBase& mark) {
  std::uint32_t at = 0;
  for (const Leaf& leaf : parts_.layout.leaves(mark.getType())) {
    Operation& operation = emit(Code::Undefined);
    operation.width = static_cast<std::uint16_t>(leaf.bits);
    operation.result = result(mark) + at;
    if (const std::string name = variable_name(mark); !name.empty()) operation.flags = parts_.places.text(name) + 1;
    at += leaf.words;
  }
}

void FunctionTranslator::call_external(const std::string& symbol, const std::vector<Operand>& arguments) {
  const auto begin = static_cast<std::uint32_t>(out_.arguments.size());
  for (const Operand argument : arguments) out_.arguments.push_back({argument, 1, false});
  Operation& operation = emit(Code::CallExternal);
  operation.b = begin;
  operation.c = static_cast<std::uint32_t>(arguments.size());
  operation.immediate = parts_.external(symbol);
}

// Some assembly is common in programs with threads and has a meaning here; the rest is not supported.
void FunctionTranslator::inline_assembly(const llvm::CallBase& each) {
  const auto* assembly = llvm::cast<llvm::InlineAsm>(each.getCalledOperand());
  std::string code = assembly->getAsmString();
  const auto first = code.find_first_not_of(" \t\n;");
  code = first == std::string::npos ? "" : code.substr(first, code.find_last_not_of(" \t\n;") - first + 1);
  if (code.empty()) {
    // A barrier for the compiler. With a result, `asm("" : "+r"(x))`, x stays what it is.
    if (each.getType()->isVoidTy()) return;
    if (each.arg_size() == 1 && each.getArgOperand(0)->getType() == each.getType()) {
      return same(each, operand(each.getArgOperand(0)));
    }
  }
  if (each.getType()->isVoidTy()) {
    if (code == "pause" || code == "rep; nop" || code == "rep;nop" || code == "rep nop") {
      return call_external("__heddle_yield", {});
    }
    if (code == "nop") return;
    if (code == "mfence" || code == "lock; addl $$0,0(%rsp)" || code == "lock; addl $$0,-4(%rsp)") {
      emit(Code::Fence).flags = static_cast<std::uint32_t>(native::Ordering::SequentiallyConsistent);
      return;
    }
    if (code == "lfence" || code == "sfence") {
      emit(Code::Fence).flags = static_cast<std::uint32_t>(native::Ordering::AcquireRelease);
      return;
    }
  }
  throw NotSupported("the inline assembly \"" + code + "\"");
}

}  // namespace heddle::lower
