#include "passes.h"

#include <vector>

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

#include "overruns.h"
#include "pin.h"
#include "undefined.h"

namespace heddle::lower {
namespace {

constexpr const char* start_symbol = "__heddle_start";
constexpr unsigned inline_limit = 40;  // instructions of a function that is inlined

bool is_stop(llvm::Intrinsic::ID intrinsic) {
  return intrinsic == llvm::Intrinsic::trap || intrinsic == llvm::Intrinsic::debugtrap ||
         intrinsic == llvm::Intrinsic::ubsantrap;
}

// Passes may rely on these; a loop without end, and a read that nobody uses, must stay.
void drop_promises(llvm::Module& module) {
  for (llvm::Function& function : module) {
    for (const auto attribute : {llvm::Attribute::MustProgress, llvm::Attribute::WillReturn,
                                 llvm::Attribute::OptimizeNone, llvm::Attribute::InlineHint}) {
      function.removeFnAttr(attribute);
    }
    if (!function.isDeclaration()) function.setMemoryEffects(llvm::MemoryEffects::unknown());
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : block) {
        instruction.setMetadata(llvm::LLVMContext::MD_tbaa, nullptr);
        // Passes get no hints, but where the members of a struct lie that is copied is kept.
        if (llvm::MDNode* members = instruction.getMetadata(llvm::LLVMContext::MD_tbaa_struct)) {
          instruction.setMetadata(copied_members, members);
        }
        instruction.setMetadata(llvm::LLVMContext::MD_tbaa_struct, nullptr);
        if (instruction.isTerminator()) instruction.setMetadata(llvm::LLVMContext::MD_loop, nullptr);
        if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) call->removeFnAttr(llvm::Attribute::WillReturn);
      }
    }
  }
}

// Exceptions are not caught. LLVM's own pass for this forgets what clang has noted at the call.
void lower_invokes(llvm::Module& module) {
  for (llvm::Function& function : module) {
    std::vector<llvm::InvokeInst*> invokes;
    for (llvm::BasicBlock& block : function) {
      if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(block.getTerminator())) invokes.push_back(invoke);
    }
    for (llvm::InvokeInst* invoke : invokes) llvm::changeToCall(invoke);
  }
}

unsigned length(const llvm::Function& function) {
  unsigned count = 0;
  for (const llvm::BasicBlock& block : function) {
    for (const llvm::Instruction& instruction : block) {
      if (!llvm::isa<llvm::DbgInfoIntrinsic>(instruction) && !instruction.isLifetimeStartOrEnd()) ++count;
    }
  }
  return count;
}

// Inlining a function into itself would not end: those that reach themselves by calls of the library are left alone.
bool calls_itself(const llvm::Function& function) {
  for (const llvm::BasicBlock& block : function) {
    for (const llvm::Instruction& instruction : block) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call != nullptr && call->getCalledFunction() == &function) return true;
    }
  }
  return false;
}

void choose_inlined(llvm::Module& module, const PassSettings& settings) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || function.getName().starts_with("__heddle_")) continue;
    const bool wanted = function.hasFnAttribute(llvm::Attribute::AlwaysInline);
    const bool never =
        function.hasFnAttribute(llvm::Attribute::NoInline) || calls_itself(function) || function.isVarArg();
    if (wanted || never) continue;
    if (settings.is_standard(function) && length(function) <= inline_limit) {
      function.addFnAttr(llvm::Attribute::AlwaysInline);
    }
  }
}

// The standard library looks at an atomic variable many times before it waits. Every look would be a step, and how many
// there are is up to the library: here there is one, `return predicate();`.
void shorten_spinning(llvm::Function& function) {
  if (!function.getName().starts_with("_ZNSt8__detail13__atomic_spin") || !function.getReturnType()->isIntegerTy(1))
    return;
  llvm::FunctionCallee predicate;
  for (llvm::BasicBlock& block : function) {
    for (llvm::Instruction& instruction : block) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call == nullptr || call->getCalledFunction() == nullptr || predicate.getCallee() != nullptr) continue;
      if (call->getType()->isIntegerTy(1) && call->arg_size() == 1)
        predicate = {call->getFunctionType(), call->getCalledFunction()};
    }
  }
  if (predicate.getCallee() == nullptr || function.arg_size() == 0) return;
  const auto linkage = function.getLinkage();
  function.deleteBody();
  function.setLinkage(linkage);
  function.setSubprogram(nullptr);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(function.getContext(), "", &function));
  builder.CreateRet(builder.CreateCall(predicate, {function.getArg(0)}));
}

// Conventions of verification competitions: a function named __VERIFIER_atomic_... is one step, and
// assume_abort_if_not(condition) is an assumption, though it is written with abort().
void follow_conventions(llvm::Function& function) {
  llvm::Module& module = *function.getParent();
  llvm::Type* nothing = llvm::Type::getVoidTy(module.getContext());
  llvm::Type* number = llvm::Type::getInt32Ty(module.getContext());
  const llvm::StringRef name = function.getName();
  if (name.starts_with("__VERIFIER_atomic_") && name != "__VERIFIER_atomic_begin" && name != "__VERIFIER_atomic_end") {
    llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
    builder.CreateCall(module.getOrInsertFunction("__heddle_atomic_begin", nothing, number), {builder.getInt32(0)});
    for (llvm::BasicBlock& block : function) {
      if (!llvm::isa<llvm::ReturnInst>(block.getTerminator())) continue;
      builder.SetInsertPoint(block.getTerminator());
      builder.CreateCall(module.getOrInsertFunction("__heddle_atomic_end", nothing));
    }
  }
  if (name == "assume_abort_if_not" && function.arg_size() == 1 && function.getArg(0)->getType() == number) {
    const auto linkage = function.getLinkage();
    function.deleteBody();
    function.setLinkage(linkage);
    function.setSubprogram(nullptr);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", &function));
    builder.CreateCall(module.getOrInsertFunction("__VERIFIER_assume", nothing, number), {function.getArg(0)});
    builder.CreateRetVoid();
  }
}

}  // namespace

void prepare(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    shorten_spinning(function);
    follow_conventions(function);
  }
  std::vector<llvm::CallInst*> stops;
  for (llvm::Function& function : module) {
    if (function.hasAvailableExternallyLinkage()) function.setLinkage(llvm::GlobalValue::LinkOnceODRLinkage);
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : block) {
        auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        if (call != nullptr && is_stop(call->getIntrinsicID())) stops.push_back(call);
      }
    }
  }
  for (llvm::GlobalVariable& global : module.globals()) {
    if (global.hasAvailableExternallyLinkage()) global.setLinkage(llvm::GlobalValue::LinkOnceODRLinkage);
  }
  for (llvm::CallInst* stop : stops) {
    llvm::IRBuilder<> builder(stop);
    builder.CreateCall(module.getOrInsertFunction("__heddle_trap", builder.getVoidTy()));
    stop->eraseFromParent();
  }
}

void run_passes(llvm::Module& module, const PassSettings& settings) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  const auto each_function = [&](auto pass) {
    llvm::ModulePassManager manager;
    manager.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(pass)));
    manager.run(module, modules);
  };
  const auto drop_unreachable = [&] {
    for (llvm::Function& function : module) {
      if (function.isDeclaration()) continue;
      // Branches on constants, for instance on the memory order that a caller has given.
      for (llvm::BasicBlock& block : function) llvm::ConstantFoldTerminator(&block);
      llvm::EliminateUnreachableBlocks(function);
      if (function.hasPersonalityFn()) function.setPersonalityFn(nullptr);  // nobody catches any more
    }
    modules.clear();
    functions.clear();
  };
  const auto drop_unused = [&] {
    llvm::ModulePassManager manager;
    manager.addPass(llvm::GlobalDCEPass());
    manager.run(module, modules);
  };

  remember_volatile(module);
  drop_promises(module);
  lower_invokes(module);
  drop_unreachable();
  if (settings.has_main) {
    llvm::ModulePassManager manager;
    manager.addPass(llvm::InternalizePass([](const llvm::GlobalValue& value) {
      // Heddle reads what a harness is about (include/heddle/native.h) off the image.
      return value.getName() == start_symbol || value.getName() == "__heddle_methods" ||
             value.getName() == "__heddle_arities";
    }));
    // What is marked as used is used by nobody whom the machine knows.
    for (const char* name : {"llvm.used", "llvm.compiler.used"}) {
      if (llvm::GlobalVariable* list = module.getGlobalVariable(name)) list->eraseFromParent();
    }
    manager.addPass(llvm::GlobalDCEPass());
    manager.run(module, modules);
  }

  if (!settings.make_registers) return;
  const auto make_registers = [&] {
    set_all_plain(module);
    keep_overrun(module);
    mark_undefined(module);
    pin(module);
    modules.clear();
    functions.clear();
    each_function(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
    drop_marks(module);
    release_overrun(module);
  };
  make_registers();
  choose_inlined(module, settings);
  {
    llvm::ModulePassManager manager;
    manager.addPass(llvm::AlwaysInlinerPass(true));
    manager.run(module, modules);
  }
  drop_unreachable();
  make_registers();
  if (settings.has_main) drop_unused();
  // The address of a thread-local variable is not a constant, nor is what is computed from it.
  std::vector<llvm::Constant*> own;
  for (llvm::GlobalVariable& global : module.globals()) {
    if (global.isThreadLocal()) own.push_back(&global);
  }
  llvm::convertUsersOfConstantsToInstructions(own);
}

}  // namespace heddle::lower
