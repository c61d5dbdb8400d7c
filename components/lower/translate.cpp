#include "translate.h"

#include <map>

#include "compile.h"
#include "constants.h"
#include "layout.h"
#include "llvm/IR/Instructions.h"
#include "places.h"
#include "statements.h"
#include "translate_function.h"
#include "types.h"

namespace heddle::lower {
namespace {

using native::Code;
using native::Label;
using native::Operation;

// Used other than as the function of a call that fits it: it needs an address.
bool needs_address(const llvm::Function& function) {
  for (const llvm::Use& use : function.uses()) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
    if (call == nullptr || !call->isCallee(&use)) return true;
  }
  return false;
}

// A function that is not there but whose address is taken: it hands its arguments on to the external.
native::Function stub(const llvm::Function& function, ModuleParts& parts) {
  native::Function out;
  out.name = parts.places.text(readable(function.getName().str()));
  out.symbol = parts.places.text(function.getName().str());
  out.library = true;
  Operation call;
  call.code = Code::CallExternal;
  call.immediate = parts.external(function.getName().str());
  call.b = 0;
  for (const llvm::Argument& argument : function.args()) {
    const std::uint32_t words = parts.layout.words(argument.getType());
    out.arguments.push_back({out.parameters, words, argument.getType()->isFloatingPointTy()});
    out.parameters += words;
  }
  out.registers = out.parameters;
  out.result_words = parts.layout.words(function.getReturnType());
  call.c = static_cast<std::uint32_t>(out.arguments.size());
  call.width = static_cast<std::uint16_t>(out.result_words);
  Operation leave;
  leave.code = Code::Return;
  leave.width = call.width;
  if (out.result_words != 0) {
    call.result = leave.a = out.registers;
    out.registers += out.result_words;
  }
  out.operations = {call, leave};
  return out;
}

// Type information of the standard library's own classes lives in its shared library. Two words are enough: nothing,
// and a name.
bool is_type_information(const llvm::GlobalVariable& global) { return global.getName().starts_with("_ZTI"); }

void translate_globals(const llvm::Module& module, ModuleParts& parts) {
  native::Image& image = parts.image;
  std::vector<const llvm::GlobalVariable*> globals;
  for (const llvm::GlobalVariable& global : module.globals()) {
    if (global.getName().starts_with("llvm.")) continue;
    if (global.isDeclaration() && global.hasExternalWeakLinkage()) continue;
    parts.constants.set_global(&global, static_cast<std::uint32_t>(globals.size()));
    globals.push_back(&global);
  }
  image.globals.resize(globals.size());
  for (std::size_t i = 0; i < globals.size(); ++i) {
    const llvm::GlobalVariable& global = *globals[i];
    native::Global out;
    const std::string symbol = global.getName().str();
    out.name = parts.places.text(symbol.empty() ? "constant" : readable(symbol));
    out.place = parts.places.of(global);
    out.library = parts.places.is_library(global);
    out.constant = global.isConstant();
    out.thread_local_copy = global.isThreadLocal();
    if (!global.isDeclaration()) {
      const std::uint64_t size = module.getDataLayout().getTypeAllocSize(global.getValueType()).getFixedValue();
      if (size > Label::max_size) {
        throw LowerError("the global " + readable(symbol) + " has " + std::to_string(size) + " bytes; at most " +
                         std::to_string(Label::max_size) + " are possible");
      }
      out.size = static_cast<std::uint32_t>(size);
      out.type = parts.types.of(global, size);
      try {
        parts.constants.write(global.getInitializer(), 0, out.bytes);
      } catch (const NotSupported& problem) {
        throw LowerError("the initial value of " + readable(symbol) + " uses " + problem.what());
      }
      while (!out.bytes.empty() && out.bytes.back() == '\0') out.bytes.pop_back();
    } else if (is_type_information(global)) {
      native::Global name;
      name.name = out.name;
      name.constant = name.library = true;
      name.bytes = symbol.substr(4);
      name.size = static_cast<std::uint32_t>(name.bytes.size() + 1);
      const native::Word to = Label{Label::global_owner, static_cast<std::uint32_t>(image.globals.size())}.pointer();
      image.globals.push_back(name);
      out.constant = true;
      out.size = 16;
      out.bytes = std::string(8, '\0');
      for (unsigned byte = 0; byte < 8; ++byte) out.bytes += static_cast<char>(to >> byte * 8 & 0xFF);
    } else {
      out.library = true;
      image.warnings.push_back(
          parts.places.text("the variable " + readable(symbol) + " is not defined; accesses to it are errors"));
    }
    image.globals[i] = std::move(out);
  }
  if (image.globals.size() > Label::max_index) throw LowerError("the program has too many global variables");
}

}  // namespace

std::uint32_t ModuleParts::external(const std::string& symbol) {
  const auto [at, is_new] = externals_.emplace(symbol, static_cast<std::uint32_t>(image.externals.size()));
  if (is_new) image.externals.push_back(places.text(symbol));
  return at->second;
}

native::Image translate(const llvm::Module& module, const std::vector<std::string>& files,
                        const std::vector<std::filesystem::path>& statement_files) {
  native::Image image;
  Layout layout(module.getDataLayout());
  Constants constants(layout);
  Places places(image, files);
  Types types(image, places);
  const Statements statements(image, places, statement_files);
  ModuleParts parts(image, layout, constants, places, types, statements);

  std::vector<const llvm::Function*> functions;
  for (const llvm::Function& function : module) {
    if (function.isIntrinsic()) continue;
    if (function.isDeclaration() && (function.hasExternalWeakLinkage() || !needs_address(function))) continue;
    constants.set_function(&function, static_cast<std::uint32_t>(functions.size()));
    functions.push_back(&function);
  }
  if (functions.size() > Label::max_index) throw LowerError("the program has too many functions");
  translate_globals(module, parts);
  for (const llvm::Function* function : functions) {
    if (function->getName() == "__heddle_start" && !function->isDeclaration())
      image.start = constants.function(function);
    image.functions.push_back(function->isDeclaration() ? stub(*function, parts)
                                                        : FunctionTranslator(*function, parts).run());
  }
  return image;
}

}  // namespace heddle::lower
