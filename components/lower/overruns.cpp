#include "overruns.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

namespace heddle::lower {
namespace {

constexpr const char* keeper = "__heddle_keep";

// The constant that an index is, or may be if it is one of several.
const llvm::ConstantInt* alternative(const llvm::Value& index, unsigned number) {
  const llvm::Value* value = &index;
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(value)) {
    value = number < phi->getNumIncomingValues() ? phi->getIncomingValue(number) : nullptr;
  } else if (auto* select = llvm::dyn_cast<llvm::SelectInst>(value)) {
    value = number == 0 ? select->getTrueValue() : select->getFalseValue();
  }
  return llvm::dyn_cast_or_null<llvm::ConstantInt>(value);
}

// How far an address computation may go; none: that is not constant.
std::optional<std::vector<std::int64_t>> distances(const llvm::GEPOperator& step, const llvm::DataLayout& layout) {
  unsigned alternatives = 1;
  for (const llvm::Value* index : step.indices()) {
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(index))
      alternatives = std::max(alternatives, phi->getNumIncomingValues());
    if (llvm::isa<llvm::SelectInst>(index)) alternatives = std::max(alternatives, 2u);
  }
  std::vector<std::int64_t> out;
  for (unsigned i = 0; i < alternatives; ++i) {
    const auto choose = [&](llvm::Value& index, llvm::APInt& chosen) {
      const llvm::ConstantInt* constant = alternative(index, i);
      if (constant != nullptr) chosen = constant->getValue();
      return constant != nullptr;
    };
    llvm::APInt offset(64, 0);
    if (!step.accumulateConstantOffset(layout, offset, choose)) return std::nullopt;
    out.push_back(offset.getSExtValue());
  }
  return out;
}

// How many bytes an instruction accesses at a pointer. A number of bytes that is not known counts as one.
std::optional<std::uint64_t> accessed(const llvm::Instruction& instruction, const llvm::Use& pointer,
                                      const llvm::DataLayout& layout) {
  const auto size = [&](llvm::Type* type) { return layout.getTypeStoreSize(type).getKnownMinValue(); };
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return size(load->getType());
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    if (pointer.getOperandNo() != llvm::StoreInst::getPointerOperandIndex()) return std::nullopt;
    return size(store->getValueOperand()->getType());
  }
  if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    return size(exchange->getCompareOperand()->getType());
  }
  if (auto* change = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return size(change->getValOperand()->getType());
  if (auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
    auto* length = llvm::dyn_cast<llvm::ConstantInt>(memory->getLength());
    return length == nullptr ? 1 : length->getLimitedValue();
  }
  return std::nullopt;
}

// A pass turns some registers into constants while it makes others, and then looks again at objects whose address was
// stored. So what is not known yet counts as an overrun: such an object stays in memory this time anyway.
bool may_be_overrun(const llvm::AllocaInst& object) {
  if (llvm::PointerMayBeCaptured(&object, true, true, 1'000'000)) return true;
  const llvm::DataLayout& layout = object.getModule()->getDataLayout();
  const std::optional<llvm::TypeSize> known = object.getAllocationSize(layout);
  if (!known || known->isScalable()) return false;
  const std::uint64_t size = known->getFixedValue();
  const auto outside = [&](std::int64_t offset, std::uint64_t bytes) {
    if (bytes == 0) return false;
    return offset < 0 || static_cast<std::uint64_t>(offset) >= size ||
           bytes > size - static_cast<std::uint64_t>(offset);
  };

  // Pointers into the object, with their offsets. Of one that is moved on in a loop they do not end; passes leave its
  // object in memory anyway.
  constexpr unsigned too_many = 64;
  std::map<const llvm::Value*, unsigned> offsets;  // of pointers that come from several places
  std::set<std::pair<const llvm::Value*, std::int64_t>> seen = {{&object, 0}};
  std::vector<std::pair<const llvm::Value*, std::int64_t>> work(seen.begin(), seen.end());
  const auto reach = [&](const llvm::Value* pointer, std::int64_t offset) {
    const bool is_new = seen.emplace(pointer, offset).second;
    if (is_new) work.emplace_back(pointer, offset);
    return is_new;
  };
  while (!work.empty()) {
    const auto [pointer, offset] = work.back();
    work.pop_back();
    for (const llvm::Use& use : pointer->uses()) {
      const auto* instruction = llvm::dyn_cast<llvm::Instruction>(use.getUser());
      if (instruction == nullptr) continue;
      if (const auto bytes = accessed(*instruction, use, layout)) {
        if (outside(offset, *bytes)) return true;
      } else if (auto* step = llvm::dyn_cast<llvm::GEPOperator>(instruction)) {
        const auto known_distances = distances(*step, layout);
        if (!known_distances) return true;
        for (const std::int64_t distance : *known_distances) {
          std::int64_t next = 0;
          if (!__builtin_add_overflow(offset, distance, &next)) reach(step, next);
        }
      } else if (llvm::isa<llvm::CastInst, llvm::PHINode, llvm::SelectInst>(instruction)) {
        if (reach(instruction, offset) && ++offsets[instruction] > too_many) return true;
      }
    }
  }
  return false;
}

}  // namespace

void keep_overrun(llvm::Module& module) {
  llvm::IRBuilder<> builder(module.getContext());
  for (llvm::Function& function : module) {
    std::vector<llvm::AllocaInst*> objects;
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : block) {
        auto* object = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        if (object != nullptr && may_be_overrun(*object)) objects.push_back(object);
      }
    }
    for (llvm::AllocaInst* object : objects) {
      builder.SetInsertPoint(object->getNextNode());
      builder.SetCurrentDebugLocation(llvm::DebugLoc());
      builder.CreateCall(module.getOrInsertFunction(keeper, builder.getVoidTy(), builder.getPtrTy()), {object});
    }
  }
}

void release_overrun(llvm::Module& module) {
  llvm::Function* function = module.getFunction(keeper);
  if (function == nullptr) return;
  while (!function->use_empty()) llvm::cast<llvm::CallInst>(function->user_back())->eraseFromParent();
  function->eraseFromParent();
}

}  // namespace heddle::lower
