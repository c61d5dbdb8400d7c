#include "pin.h"

#include <map>
#include <set>
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

bool is_lifetime(const llvm::Instruction& instruction, llvm::Intrinsic::ID id) {
  auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call != nullptr && call->getIntrinsicID() == id;
}

// What accesses the object or is about its lifetime. REQUIRES: its address is not given away.
void find_uses(const llvm::Value& pointer, std::set<const llvm::Instruction*>& uses) {
  for (const llvm::User* user : pointer.users()) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
    if (instruction == nullptr || !uses.insert(instruction).second) continue;
    if (llvm::isa<llvm::GetElementPtrInst, llvm::CastInst, llvm::PHINode, llvm::SelectInst>(instruction)) {
      find_uses(*instruction, uses);
    }
  }
}

bool is_access(const llvm::Instruction& instruction) {
  return llvm::getLoadStorePointerOperand(&instruction) != nullptr ||
         llvm::isa<llvm::AtomicCmpXchgInst, llvm::AtomicRMWInst, llvm::MemIntrinsic>(instruction);
}

// Whether some path leads from the end of the object's scope to an access, without a new beginning.
bool may_outlive(const llvm::AllocaInst& object) {
  std::set<const llvm::Instruction*> uses;
  find_uses(object, uses);
  std::vector<const llvm::Instruction*> work;
  for (const llvm::Instruction* use : uses) {
    if (is_lifetime(*use, llvm::Intrinsic::lifetime_end)) work.push_back(use->getNextNode());
  }
  std::set<const llvm::Instruction*> seen;
  while (!work.empty()) {
    const llvm::Instruction* at = work.back();
    work.pop_back();
    for (; at != nullptr && seen.insert(at).second; at = at->getNextNode()) {
      if (uses.contains(at) && is_access(*at)) return true;
      if (uses.contains(at) && is_lifetime(*at, llvm::Intrinsic::lifetime_start)) break;
      if (!at->isTerminator()) continue;
      for (unsigned i = 0; i < at->getNumSuccessors(); ++i) work.push_back(&at->getSuccessor(i)->front());
    }
  }
  return false;
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
    if (is_new) {
      at->second =
          !llvm::PointerMayBeCaptured(base, true, true, 1'000'000) && !may_outlive(*llvm::cast<llvm::AllocaInst>(base));
    }
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

// A volatile access counts as one that gives the address away, so what an earlier pin() has made volatile must go
// before anybody asks which variables are local.
void set_all_plain(llvm::Module& module) {
  for (llvm::Function& function : module) {
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : block) {
        if (instruction.getMetadata(source_volatile) == nullptr) set_volatile(instruction, false);
      }
    }
  }
}

void pin(llvm::Module& module) {
  for (llvm::Function& function : module) {
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
