// Values: arithmetic, comparisons, casts, selections, and the parts of structs and vectors.
#include "translate_function.h"

namespace heddle::lower {

using native::none;
using native::Word;

// Vectors are handled a lane at a time, here and below.
void FunctionTranslator::binary(const llvm::Instruction& each, Code code) {
  const Operand a = operand(each.getOperand(0));
  const Operand b = each.getNumOperands() > 1 ? operand(each.getOperand(1)) : none;
  std::uint32_t at = 0;
  for (const Leaf& leaf : parts_.layout.leaves(each.getType())) {
    Operation& operation = emit(code);
    operation.width = static_cast<std::uint16_t>(leaf.bits);
    operation.a = a + at;
    operation.b = b == none ? none : b + at;
    operation.result = result(each) + at;
    at += leaf.words;
  }
}

void FunctionTranslator::compare(const llvm::CmpInst& each) {
  using llvm::CmpInst;
  const Operand a = operand(each.getOperand(0)), b = operand(each.getOperand(1));
  Code code = Code::FCompare;
  switch (each.getPredicate()) {
    case CmpInst::ICMP_EQ:
      code = Code::Eq;
      break;
    case CmpInst::ICMP_NE:
      code = Code::Ne;
      break;
    case CmpInst::ICMP_ULT:
      code = Code::Ult;
      break;
    case CmpInst::ICMP_ULE:
      code = Code::Ule;
      break;
    case CmpInst::ICMP_UGT:
      code = Code::Ugt;
      break;
    case CmpInst::ICMP_UGE:
      code = Code::Uge;
      break;
    case CmpInst::ICMP_SLT:
      code = Code::Slt;
      break;
    case CmpInst::ICMP_SLE:
      code = Code::Sle;
      break;
    case CmpInst::ICMP_SGT:
      code = Code::Sgt;
      break;
    case CmpInst::ICMP_SGE:
      code = Code::Sge;
      break;
    default:
      break;
  }
  std::uint32_t at = 0, to = result(each);
  for (const Leaf& leaf : parts_.layout.leaves(each.getOperand(0)->getType())) {
    Operation& operation = emit(code);
    operation.width = static_cast<std::uint16_t>(leaf.bits);
    operation.a = a + at;
    operation.b = b + at;
    operation.result = to++;
    if (code == Code::FCompare) operation.flags = static_cast<std::uint32_t>(each.getPredicate());
    at += leaf.words;
  }
}

void FunctionTranslator::cast(const llvm::CastInst& each) {
  using llvm::Instruction;
  const Operand from = operand(each.getOperand(0));
  const auto& before = parts_.layout.leaves(each.getSrcTy());
  const auto& after = parts_.layout.leaves(each.getDestTy());
  Code code = Code::Copy;
  switch (each.getOpcode()) {
    case Instruction::Trunc:
      code = Code::Truncate;
      break;
    case Instruction::ZExt:
      code = Code::ZeroExtend;
      break;
    case Instruction::SExt:
      code = Code::SignExtend;
      break;
    case Instruction::FPToUI:
      code = Code::FloatToUnsigned;
      break;
    case Instruction::FPToSI:
      code = Code::FloatToSigned;
      break;
    case Instruction::UIToFP:
      code = Code::UnsignedToFloat;
      break;
    case Instruction::SIToFP:
      code = Code::SignedToFloat;
      break;
    case Instruction::FPTrunc:
    case Instruction::FPExt:
      code = Code::FloatToFloat;
      break;
    case Instruction::PtrToInt:
    case Instruction::IntToPtr:
      if (before.size() != after.size()) break;
      if (before[0].bits == after[0].bits) return same(each, from);
      code = before[0].bits < after[0].bits ? Code::ZeroExtend : Code::Truncate;
      break;
    case Instruction::BitCast:
    case Instruction::AddrSpaceCast:
      if (before.size() == after.size() && before[0].bits == after[0].bits) return same(each, from);
      break;
    default:
      break;
  }
  if (code == Code::Copy || before.size() != after.size()) {
    // Between vectors, and vectors and integers: through memory, as the bits are laid out there.
    const Operand object = new_stack_object(parts_.layout.data().getTypeAllocSize(each.getSrcTy()).getFixedValue());
    std::uint32_t at = 0;
    for (const Leaf& leaf : before) {
      if (leaf.bits % 8 != 0) throw NotSupported("a conversion from " + text(*each.getSrcTy()));
      const Operand pointer = advanced(object, leaf.offset);
      Operation& operation = emit(Code::Store);
      operation.width = static_cast<std::uint16_t>(leaf.bytes);
      operation.a = pointer;
      operation.b = from + at;
      at += leaf.words;
    }
    at = 0;
    for (const Leaf& leaf : after) {
      if (leaf.bits % 8 != 0) throw NotSupported("a conversion to " + text(*each.getDestTy()));
      const Operand pointer = advanced(object, leaf.offset);
      Operation& operation = emit(Code::Load);
      operation.width = static_cast<std::uint16_t>(leaf.bytes);
      operation.a = pointer;
      operation.result = result(each) + at;
      at += leaf.words;
    }
    return;
  }
  std::uint32_t at = 0, to = 0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    Operation& operation = emit(code);
    operation.width = static_cast<std::uint16_t>(after[i].bits);
    operation.immediate = before[i].bits;
    operation.a = from + at;
    operation.result = result(each) + to;
    at += before[i].words;
    to += after[i].words;
  }
}

// The selects of a module are the source's: clang makes one of `?:`, and of abs() and the like. Passes make others of a
// load through one of two pointers, with the condition that chose the pointer.
void FunctionTranslator::select(const llvm::SelectInst& each) {
  const Operand condition = operand(each.getCondition());
  const Operand yes = operand(each.getTrueValue()), no = operand(each.getFalseValue());
  const auto add = [&](Operand bit, std::uint32_t at, std::uint32_t count) {
    Operation& operation = emit(Code::Select);
    operation.flags = 1;
    operation.a = bit;
    operation.b = yes + at;
    operation.c = no + at;
    operation.result = result(each) + at;
    operation.immediate = count;
  };
  if (!each.getCondition()->getType()->isVectorTy()) return add(condition, 0, words(each));
  std::uint32_t at = 0, lane = 0;
  for (const Leaf& leaf : parts_.layout.leaves(each.getType())) {
    add(condition + lane++, at, leaf.words);
    at += leaf.words;
  }
}

void FunctionTranslator::insert_value(const llvm::InsertValueInst& each) {
  const Operand whole = operand(each.getAggregateOperand()), part = operand(each.getInsertedValueOperand());
  llvm::Type* type = each.getType();
  std::uint32_t at = 0;
  for (const unsigned i : each.indices()) {
    at += parts_.layout.words_before(type, i);
    type = llvm::ExtractValueInst::getIndexedType(type, {i});
  }
  const std::uint32_t size = parts_.layout.words(type), to = result(each);
  if (!llvm::isa<llvm::UndefValue>(each.getAggregateOperand())) {
    copy(to, whole, at);
    copy(to + at + size, whole + at + size, words(each) - at - size);
  }
  copy(to + at, part, size);
}

// An element of a vector. An index that is not a constant is compared with every lane.
void FunctionTranslator::element(const llvm::Instruction& each) {
  const bool extract = llvm::isa<llvm::ExtractElementInst>(each);
  const llvm::Value* vector = each.getOperand(0);
  const llvm::Value* index = each.getOperand(extract ? 1 : 2);
  const auto* type = llvm::cast<llvm::FixedVectorType>(vector->getType());
  const std::uint32_t size = parts_.layout.words(type->getElementType());
  const Operand from = operand(vector);
  if (const auto* fixed = llvm::dyn_cast<llvm::ConstantInt>(index)) {
    const std::uint64_t lane = fixed->getZExtValue();
    if (lane >= type->getNumElements()) throw NotSupported("an element that its vector does not have");
    const std::uint32_t at = static_cast<std::uint32_t>(lane) * size;
    if (extract) return same(each, from + at);
    copy(result(each), from, words(each));
    return copy(result(each) + at, operand(each.getOperand(1)), size);
  }
  const Operand wanted = operand(index);
  if (extract) copy(result(each), from, size);
  for (unsigned lane = 0; lane < type->getNumElements(); ++lane) {
    const Operand is_it = compute(Code::Eq, index->getType()->getIntegerBitWidth(), wanted, constant(Word{lane}));
    const Operand other = extract ? result(each) : from + lane * size;
    const Operand chosen = extract ? from + lane * size : operand(each.getOperand(1));
    Operation& operation = emit(Code::Select);
    operation.a = is_it;
    operation.b = chosen;
    operation.c = other;
    operation.result = extract ? result(each) : result(each) + lane * size;
    operation.immediate = size;
  }
}

void FunctionTranslator::shuffle(const llvm::ShuffleVectorInst& each) {
  const auto* type = llvm::cast<llvm::FixedVectorType>(each.getOperand(0)->getType());
  const std::uint32_t size = parts_.layout.words(type->getElementType());
  const int lanes = static_cast<int>(type->getNumElements());
  const Operand a = operand(each.getOperand(0)), b = operand(each.getOperand(1));
  std::uint32_t to = result(each);
  for (const int lane : each.getShuffleMask()) {
    const auto at = [&](int i) { return static_cast<std::uint32_t>(i) * size; };
    if (lane < 0) {
      copy(to, constant(std::vector<Word>(size, 0)), size);
    } else {
      copy(to, lane < lanes ? a + at(lane) : b + at(lane - lanes), size);
    }
    to += size;
  }
}

}  // namespace heddle::lower
