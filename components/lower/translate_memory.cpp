// Memory: stack objects, loads, stores, atomic operations, addresses.
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "pin.h"
#include "translate_function.h"
#include "undefined.h"

namespace heddle::lower {
namespace {

using native::Ordering;
using native::Rmw;

std::uint32_t ordering_of(llvm::AtomicOrdering ordering) {
  switch (ordering) {
    case llvm::AtomicOrdering::NotAtomic:
      return static_cast<std::uint32_t>(Ordering::Plain);
    case llvm::AtomicOrdering::Unordered:
    case llvm::AtomicOrdering::Monotonic:
      return static_cast<std::uint32_t>(Ordering::Relaxed);
    case llvm::AtomicOrdering::Acquire:
      return static_cast<std::uint32_t>(Ordering::Acquire);
    case llvm::AtomicOrdering::Release:
      return static_cast<std::uint32_t>(Ordering::Release);
    case llvm::AtomicOrdering::AcquireRelease:
      return static_cast<std::uint32_t>(Ordering::AcquireRelease);
    case llvm::AtomicOrdering::SequentiallyConsistent:
      break;
  }
  return static_cast<std::uint32_t>(Ordering::SequentiallyConsistent);
}

std::uint32_t access_flags(const llvm::Instruction& instruction, llvm::AtomicOrdering ordering) {
  return ordering_of(ordering) | (is_volatile(instruction) ? native::volatile_access : 0);
}

Rmw rmw_of(const llvm::AtomicRMWInst& instruction) {
  switch (instruction.getOperation()) {
    case llvm::AtomicRMWInst::Xchg:
      return Rmw::Exchange;
    case llvm::AtomicRMWInst::Add:
      return Rmw::Add;
    case llvm::AtomicRMWInst::Sub:
      return Rmw::Sub;
    case llvm::AtomicRMWInst::And:
      return Rmw::And;
    case llvm::AtomicRMWInst::Nand:
      return Rmw::Nand;
    case llvm::AtomicRMWInst::Or:
      return Rmw::Or;
    case llvm::AtomicRMWInst::Xor:
      return Rmw::Xor;
    case llvm::AtomicRMWInst::Max:
      return Rmw::Max;
    case llvm::AtomicRMWInst::Min:
      return Rmw::Min;
    case llvm::AtomicRMWInst::UMax:
      return Rmw::UMax;
    case llvm::AtomicRMWInst::UMin:
      return Rmw::UMin;
    case llvm::AtomicRMWInst::FAdd:
      return Rmw::FAdd;
    case llvm::AtomicRMWInst::FSub:
      return Rmw::FSub;
    default:
      break;
  }
  throw NotSupported("the atomic operation " + llvm::AtomicRMWInst::getOperationName(instruction.getOperation()).str());
}

// A vector of bits is packed in memory, other vectors are not.
void refuse_packed(llvm::Type* type) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (vector != nullptr && vector->getScalarSizeInBits() % 8 != 0)
    throw NotSupported("the type " + text(*type) + " in memory");
}

}  // namespace

FunctionTranslator::Operand FunctionTranslator::new_stack_object(std::uint64_t bytes) {
  const Operand one = constant(native::Word{1});
  const std::uint32_t to = new_registers(1);
  Operation& operation = emit(Code::StackObject);
  operation.immediate = bytes;
  operation.a = one;
  return operation.result = to;
}

void FunctionTranslator::allocate(const llvm::AllocaInst& each) {
  const llvm::Value* count = each.getArraySize();
  Operand many = native::none;
  if (const auto* fixed = llvm::dyn_cast<llvm::ConstantInt>(count)) {
    many = constant(fixed->getZExtValue());
  } else if (count->getType()->getIntegerBitWidth() == 64) {
    many = operand(count);
  } else {
    const Operand narrow = operand(count);
    many = compute(Code::ZeroExtend, 64, narrow, native::none);
    out_.operations.back().immediate = count->getType()->getIntegerBitWidth();
  }
  Operation& operation = emit(Code::StackObject);
  operation.immediate = parts_.layout.data().getTypeAllocSize(each.getAllocatedType()).getFixedValue();
  operation.a = many;
  operation.result = result(each);
  if (const std::optional<SourceVariable> variable = variable_of(each)) {
    if (!variable->name.empty()) operation.flags = parts_.places.text(variable->name) + 1;
    if (variable->declared != nullptr) operation.place = parts_.places.of(*variable->declared);
  }
  makes(parts_.types.of(each, operation.immediate));
}

FunctionTranslator::Operand FunctionTranslator::advanced(Operand pointer, std::uint64_t bytes) {
  if (bytes == 0) return pointer;
  const Operand one = constant(native::Word{1});
  const Operand to = compute(Code::Index, 64, pointer, one);
  out_.operations.back().immediate = bytes;
  return to;
}

void FunctionTranslator::load(const llvm::LoadInst& each) {
  refuse_packed(each.getType());
  const Operand pointer = operand(each.getPointerOperand());
  std::uint32_t at = 0;
  for (const Leaf& leaf : parts_.layout.leaves(each.getType())) {
    const Operand from = advanced(pointer, leaf.offset);
    Operation& operation = emit(Code::Load);
    operation.width = static_cast<std::uint16_t>(leaf.bytes);
    operation.flags = access_flags(each, each.getOrdering());
    operation.a = from;
    operation.result = result(each) + at;
    if (leaf.bits % 8 != 0) {
      const std::uint32_t to = operation.result;
      Operation& cut = emit(Code::Truncate);
      cut.width = static_cast<std::uint16_t>(leaf.bits);
      cut.immediate = native::Word{leaf.bytes} * 8;
      cut.a = cut.result = to;
    }
    at += leaf.words;
  }
}

void FunctionTranslator::store(const llvm::StoreInst& each) {
  llvm::Type* type = each.getValueOperand()->getType();
  refuse_packed(type);
  const Operand pointer = operand(each.getPointerOperand()), value = operand(each.getValueOperand());
  std::uint32_t at = 0;
  for (const Leaf& leaf : parts_.layout.leaves(type)) {
    const Operand to = advanced(pointer, leaf.offset);
    Operation& operation = emit(Code::Store);
    operation.width = static_cast<std::uint16_t>(leaf.bytes);
    operation.flags = access_flags(each, each.getOrdering());
    operation.a = to;
    operation.b = value + at;
    at += leaf.words;
  }
}

void FunctionTranslator::exchange(const llvm::AtomicCmpXchgInst& each) {
  const Operand pointer = operand(each.getPointerOperand());
  const Operand expected = operand(each.getCompareOperand()), wanted = operand(each.getNewValOperand());
  Operation& operation = emit(Code::CompareExchange);
  operation.width = static_cast<std::uint16_t>(parts_.layout.leaves(each.getCompareOperand()->getType()).at(0).bytes);
  operation.flags = access_flags(each, each.getSuccessOrdering());
  operation.a = pointer;
  operation.b = expected;
  operation.c = wanted;
  operation.result = result(each);
}

void FunctionTranslator::change(const llvm::AtomicRMWInst& each) {
  const Rmw kind = rmw_of(each);
  const Operand pointer = operand(each.getPointerOperand()), value = operand(each.getValOperand());
  Operation& operation = emit(Code::ReadModifyWrite);
  operation.width = static_cast<std::uint16_t>(parts_.layout.leaves(each.getType()).at(0).bytes);
  operation.flags = access_flags(each, each.getOrdering());
  operation.a = pointer;
  operation.b = value;
  operation.immediate = static_cast<native::Word>(kind);
  operation.result = result(each);
}

void FunctionTranslator::fence(const llvm::FenceInst& each) {
  if (each.getSyncScopeID() == llvm::SyncScope::SingleThread) return;  // between a thread and its signal handler
  emit(Code::Fence).flags = ordering_of(each.getOrdering());
}

void FunctionTranslator::copy_memory(Operand to, Operand from, Operand bytes, bool overlap) {
  Operation& operation = emit(Code::MemoryCopy);
  operation.a = to;
  operation.b = from;
  operation.c = bytes;
  operation.flags = overlap ? 1 : 0;
}

void FunctionTranslator::index(const llvm::GetElementPtrInst& each) {
  if (each.getType()->isVectorTy()) throw NotSupported("a vector of addresses");
  const llvm::DataLayout& data = parts_.layout.data();
  Operand at = operand(each.getPointerOperand());
  std::uint64_t fixed = 0;
  for (auto step = llvm::gep_type_begin(each); step != llvm::gep_type_end(each); ++step) {
    const llvm::Value* which = step.getOperand();
    if (llvm::StructType* structure = step.getStructTypeOrNull()) {
      const auto member = static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(which)->getZExtValue());
      fixed += data.getStructLayout(structure)->getElementOffset(member).getFixedValue();
      continue;
    }
    const std::uint64_t stride = step.getSequentialElementStride(data).getFixedValue();
    if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(which)) {
      fixed += static_cast<std::uint64_t>(number->getSExtValue()) * stride;
      continue;
    }
    const Operand many = operand(which);
    at = compute(Code::Index, which->getType()->getIntegerBitWidth(), at, many);
    out_.operations.back().immediate = stride;
  }
  same(each, advanced(at, fixed));
}

}  // namespace heddle::lower
