#include "undefined.h"

#include <vector>

#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"

namespace heddle::lower {
namespace {

constexpr const char* mark_prefix = "__heddle_undefined.";
constexpr const char* name_metadata = "heddle.variable";

std::string type_name(llvm::Type& type) {
  std::string out;
  llvm::raw_string_ostream stream(out);
  type.print(stream);
  return out;
}

llvm::CallInst* make_mark(llvm::IRBuilder<>& builder, llvm::Type& type, const std::optional<SourceVariable>& variable) {
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  llvm::FunctionCallee source = module.getOrInsertFunction(mark_prefix + type_name(type), &type);
  auto* function = llvm::cast<llvm::Function>(source.getCallee());
  function->setMemoryEffects(llvm::MemoryEffects::none());
  function->setDoesNotThrow();
  llvm::CallInst* mark = builder.CreateCall(source);
  if (!variable) return mark;
  mark->setDebugLoc(llvm::DebugLoc(variable->declared));
  mark->setMetadata(name_metadata,
                    llvm::MDNode::get(module.getContext(), llvm::MDString::get(module.getContext(), variable->name)));
  return mark;
}

// After the object begins, or begins again.
void add_mark(llvm::Instruction& begin, llvm::AllocaInst& object) {
  const llvm::DataLayout& layout = object.getModule()->getDataLayout();
  llvm::Type* type = object.getAllocatedType();
  const std::uint64_t bytes = layout.getTypeAllocSize(type).getFixedValue();
  if (bytes == 0) return;
  const std::optional<SourceVariable> variable = variable_of(object);
  llvm::IRBuilder<> builder(begin.getNextNode());
  builder.SetCurrentDebugLocation(llvm::DebugLoc());
  if (type->isSingleValueType() && !type->isVectorTy() && layout.getTypeSizeInBits(type) % 8 == 0) {
    builder.CreateStore(make_mark(builder, *type, variable), &object);
  } else {
    builder.CreateMemSet(&object, make_mark(builder, *builder.getInt8Ty(), variable), bytes, llvm::MaybeAlign());
  }
}

// Where marked values flow without anybody having asked for them yet.
bool is_pure(const llvm::Instruction& instruction) {
  if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return is_mark(*call);
  if (instruction.isIntDivRem()) return false;  // a divisor decides whether the program fails
  return llvm::isa<llvm::CastInst, llvm::BinaryOperator, llvm::InsertElementInst, llvm::ShuffleVectorInst,
                   llvm::InsertValueInst, llvm::ExtractValueInst, llvm::PHINode>(instruction);
}

bool is_mark_value(const llvm::Value* value) {
  auto* call = llvm::dyn_cast<llvm::CallBase>(value);
  return call != nullptr && is_mark(*call);
}

// The mark that a value is, or that it repeats in every byte: that is what a pass makes of a marked range of bytes.
const llvm::CallBase* mark_in(const llvm::Value* value) {
  if (is_mark_value(value)) return llvm::cast<llvm::CallBase>(value);
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (instruction == nullptr) return nullptr;
  switch (instruction->getOpcode()) {
    case llvm::Instruction::ZExt:
    case llvm::Instruction::IntToPtr:
    case llvm::Instruction::BitCast:
    case llvm::Instruction::ShuffleVector:
      return mark_in(instruction->getOperand(0));
    case llvm::Instruction::InsertElement:
      return llvm::isa<llvm::Constant>(instruction->getOperand(0)) ? mark_in(instruction->getOperand(1)) : nullptr;
    case llvm::Instruction::Mul:
      return llvm::isa<llvm::ZExtInst>(instruction->getOperand(0)) &&
                     llvm::isa<llvm::Constant>(instruction->getOperand(1))
                 ? mark_in(instruction->getOperand(0))
                 : nullptr;
    default:
      return nullptr;
  }
}

// A mark that is still a write of memory: the object is not a register. `y = x` of the program may look like that, too,
// if x is a mark: it is about another variable than the one that is written.
bool writes_mark(const llvm::Instruction& instruction) {
  const llvm::CallBase* mark = nullptr;
  const llvm::Value* to = nullptr;
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    mark = mark_in(store->getValueOperand());
    to = store->getPointerOperand();
  } else if (auto* set = llvm::dyn_cast<llvm::MemSetInst>(&instruction)) {
    mark = mark_in(set->getValue());
    to = set->getRawDest();
  }
  if (mark == nullptr) return false;
  auto* object = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(to));
  if (object == nullptr) return false;
  const std::optional<SourceVariable> variable = variable_of(*object);
  return (variable ? variable->name : "") == variable_name(*mark);
}

void drop_marks_in(llvm::Function& function) {
  std::vector<llvm::Instruction*> dead;
  for (llvm::BasicBlock& block : function) {
    for (llvm::Instruction& instruction : block) {
      if (writes_mark(instruction)) dead.push_back(&instruction);
    }
  }
  for (llvm::Instruction* write : dead) write->eraseFromParent();

  // What is computed from marks and used by nobody.
  std::vector<llvm::Instruction*> work;
  for (llvm::BasicBlock& block : function) {
    for (llvm::Instruction& instruction : block) {
      if (is_mark_value(&instruction)) work.push_back(&instruction);
    }
  }
  const auto drop_if_unused = [&](const auto& self, llvm::Instruction* from) -> void {
    const std::vector<llvm::User*> users(from->user_begin(), from->user_end());
    for (llvm::User* user : users) {
      auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
      if (instruction != nullptr && is_pure(*instruction) && !llvm::isa<llvm::PHINode>(instruction)) {
        self(self, instruction);
      }
    }
    if (from->use_empty() && is_pure(*from)) from->eraseFromParent();
  };
  for (llvm::Instruction* mark : work) drop_if_unused(drop_if_unused, mark);
}

}  // namespace

std::optional<SourceVariable> variable_of(const llvm::AllocaInst& object) {
  auto* value = const_cast<llvm::AllocaInst*>(&object);
  for (const llvm::DbgVariableRecord* record : llvm::findDVRDeclares(value)) {
    return SourceVariable{record->getVariable()->getName().str(), record->getDebugLoc().get()};
  }
  for (const llvm::DbgDeclareInst* declare : llvm::findDbgDeclares(value)) {
    return SourceVariable{declare->getVariable()->getName().str(), declare->getDebugLoc().get()};
  }
  return std::nullopt;
}

bool is_mark(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee != nullptr && callee->getName().starts_with(mark_prefix);
}

std::string variable_name(const llvm::CallBase& mark) {
  const llvm::MDNode* name = mark.getMetadata(name_metadata);
  return name == nullptr ? "" : llvm::cast<llvm::MDString>(name->getOperand(0))->getString().str();
}

void mark_undefined(llvm::Module& module) {
  for (llvm::Function& function : module) {
    std::vector<llvm::AllocaInst*> objects;
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : block) {
        auto* object = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        if (object == nullptr || object->isArrayAllocation()) continue;
        if (!llvm::PointerMayBeCaptured(object, true, true, 1'000'000)) objects.push_back(object);
      }
    }
    for (llvm::AllocaInst* object : objects) {
      std::vector<llvm::Instruction*> begins;
      for (llvm::User* user : object->users()) {
        auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(user);
        if (call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::lifetime_start) begins.push_back(call);
      }
      // In a function that is inlined, code after the definition is part of a scope only after that has begun.
      if (begins.empty()) begins.push_back(object);
      for (llvm::Instruction* begin : begins) add_mark(*begin, *object);
    }
  }
}

void drop_marks(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (!function.isDeclaration()) drop_marks_in(function);
  }
}

}  // namespace heddle::lower
