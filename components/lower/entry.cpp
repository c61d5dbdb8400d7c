#include "entry.h"

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "compile.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"

namespace heddle::lower {
namespace {

struct Registered {
  std::uint64_t priority;
  llvm::Function* function;
};

// Reads llvm.global_ctors or llvm.global_dtors and removes it.
std::vector<Registered> take_list(llvm::Module& module, llvm::StringRef name) {
  std::vector<Registered> out;
  llvm::GlobalVariable* list = module.getGlobalVariable(name);
  if (list == nullptr) return out;
  if (auto* rows = list->hasInitializer() ? llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer()) : nullptr) {
    for (const llvm::Use& row : rows->operands()) {
      auto* fields = llvm::dyn_cast<llvm::ConstantStruct>(row.get());
      if (fields == nullptr) continue;
      auto* function = llvm::dyn_cast<llvm::Function>(fields->getOperand(1)->stripPointerCasts());
      if (function == nullptr) continue;
      out.push_back({llvm::cast<llvm::ConstantInt>(fields->getOperand(0))->getZExtValue(), function});
    }
  }
  list->eraseFromParent();
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.priority < b.priority; });
  return out;
}

llvm::Function* define(llvm::Module& module, llvm::StringRef name, llvm::FunctionType* type) {
  if (module.getFunction(name) != nullptr) {
    throw LowerError("the program defines " + name.str() + ", which is a name of Heddle");
  }
  return llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, name, module);
}

llvm::Function* declare(llvm::Module& module, llvm::StringRef name) {
  llvm::FunctionType* type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), false);
  return llvm::cast<llvm::Function>(module.getOrInsertFunction(name, type).getCallee());
}

bool mentions(const llvm::Module& module, std::initializer_list<llvm::StringRef> names) {
  return std::any_of(names.begin(), names.end(), [&](llvm::StringRef name) {
    const llvm::Function* function = module.getFunction(name);
    return function != nullptr && !function->use_empty();
  });
}

void add_calls(llvm::Module& module, llvm::StringRef name, const std::vector<Registered>& list) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Function* all = define(module, name, llvm::FunctionType::get(llvm::Type::getVoidTy(context), false));
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", all));
  for (const Registered& each : list) builder.CreateCall(each.function);
  builder.CreateRetVoid();
}

}  // namespace

bool add_entry(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  add_calls(module, "__heddle_constructors", take_list(module, "llvm.global_ctors"));
  std::vector<Registered> last = take_list(module, "llvm.global_dtors");
  std::reverse(last.begin(), last.end());
  if (mentions(module, {"atexit", "__cxa_atexit"}))
    last.insert(last.begin(), {0, declare(module, "__heddle_run_exit_handlers")});
  add_calls(module, "__heddle_destructors", last);
  std::vector<Registered> leaving;
  if (mentions(module, {"__cxa_thread_atexit", "__cxa_thread_atexit_impl",
                        "_ZSt25notify_all_at_thread_exitRSt18condition_variableSt11unique_lockISt5mutexE"})) {
    leaving.push_back({0, declare(module, "__heddle_run_thread_handlers")});
  }
  if (mentions(module, {"pthread_key_create", "tss_create"})) {
    leaving.push_back({0, declare(module, "__heddle_run_key_destructors")});
  }
  add_calls(module, "__heddle_leave_thread", leaving);

  llvm::Function* main = module.getFunction("main");
  if (main == nullptr || main->isDeclaration()) return false;
  llvm::Type* number = llvm::Type::getInt32Ty(context);
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  llvm::Function* call =
      define(module, "__heddle_main", llvm::FunctionType::get(number, {number, pointer, pointer}, false));
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", call));
  std::vector<llvm::Value*> arguments;
  for (unsigned i = 0; i < main->arg_size(); ++i) {
    if (i >= 3 || call->getArg(i)->getType() != main->getArg(i)->getType()) {
      throw LowerError("main takes other arguments than (int, char**, char**)");
    }
    arguments.push_back(call->getArg(i));
  }
  llvm::Value* result = builder.CreateCall(main, arguments);
  builder.CreateRet(result->getType() == number ? result : llvm::ConstantInt::get(number, 0));
  module.getOrInsertFunction("__heddle_start", llvm::FunctionType::get(llvm::Type::getVoidTy(context), false));
  return true;
}

}  // namespace heddle::lower
