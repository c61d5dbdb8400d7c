#include "pin.h"

#include <map>
#include <vector>

#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"

namespace heddle::lower {
namespace {

constexpr const char* source_volatile = "heddle.volatile";

bool volatile_now(const llvm::Instruction& instruction) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return load->isVolatile();
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return store->isVolatile();
  if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) return exchange->isVolatile();
  if (auto* change = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return change->isVolatile();
  if (auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) return memory->isVolatile();
  return false;
}

void set_volatile(llvm::Instruction& instruction, bool on) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) load->setVolatile(on);
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) store->setVolatile(on);
  if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) exchange->setVolatile(on);
  if (auto* change = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) change->setVolatile(on);
  if (auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
    memory->setVolatile(llvm::ConstantInt::getBool(memory->getContext(), on));
  }
}

class Locals {
 public:
  bool only_local(const llvm::Value* pointer) {
    llvm::SmallVector<const llvm::Value*, 4> bases;
    llvm::getUnderlyingObjects(pointer, bases, nullptr, 0);
    for (const llvm::Value* base : bases) {
      if (!is_local(base)) return false;
    }
    return true;
  }

 private:
  bool is_local(const llvm::Value* base) {
    if (!llvm::isa<llvm::AllocaInst>(base)) return false;
    const auto [at, is_new] = known_.emplace(base, false);
    if (is_new) at->second = !llvm::PointerMayBeCaptured(base, true, true, 1'000'000);
    return at->second;
  }

  std::map<const llvm::Value*, bool> known_;
};

}  // namespace

void remember_volatile(llvm::Module& module) {
  llvm::MDNode* mark = llvm::MDNode::get(module.getContext(), {});
  for (llvm::Function& function : module) {
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : block) {
        if (volatile_now(instruction)) instruction.setMetadata(source_volatile, mark);
      }
    }
  }
}

void pin(llvm::Module& module) {
  for (llvm::Function& function : module) {
    // A volatile access counts as one that gives the address away: the marks of an earlier call must go first.
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : block) {
        if (instruction.getMetadata(source_volatile) == nullptr) set_volatile(instruction, false);
      }
    }
    Locals locals;
    std::vector<llvm::Instruction*> shared;
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : block) {
        if (instruction.getMetadata(source_volatile) != nullptr) continue;
        bool local = true;
        if (auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
          local = locals.only_local(memory->getRawDest());
          if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(memory)) {
            local = local && locals.only_local(copy->getRawSource());
          }
        } else if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction)) {
          local = locals.only_local(pointer);
        } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
          local = locals.only_local(exchange->getPointerOperand());
        } else if (auto* change = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
          local = locals.only_local(change->getPointerOperand());
        }
        if (!local) shared.push_back(&instruction);
      }
    }
    for (llvm::Instruction* instruction : shared) set_volatile(*instruction, true);
  }
}

bool is_volatile(const llvm::Instruction& instruction) { return instruction.getMetadata(source_volatile) != nullptr; }

}  // namespace heddle::lower
