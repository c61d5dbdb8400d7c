#include "constants.h"

#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/raw_ostream.h"

namespace heddle::lower {
namespace {

using native::Word;

std::vector<Word> words_of(const llvm::APInt& value) {
  std::vector<Word> out;
  for (unsigned i = 0; i < value.getNumWords(); ++i) out.push_back(value.getRawData()[i]);
  return out;
}

llvm::APInt number(const std::vector<Word>& words, unsigned bits) {
  return llvm::APInt(bits, llvm::ArrayRef<std::uint64_t>(words.data(), words.size()));
}

}  // namespace

Word Constants::address(const llvm::GlobalValue* value) {
  if (auto* function = llvm::dyn_cast<llvm::Function>(value)) {
    const auto found = functions_.find(function);
    if (found == functions_.end()) return 0;  // weak and not defined
    return native::Label{native::Label::function_owner, found->second}.pointer();
  }
  if (auto* global = llvm::dyn_cast<llvm::GlobalVariable>(value)) {
    if (global->isThreadLocal())
      throw NotSupported("the address of the thread-local " + global->getName().str() + " as a constant");
    const auto found = globals_.find(global);
    if (found == globals_.end()) return 0;
    return native::Label{native::Label::global_owner, found->second}.pointer();
  }
  if (auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(value)) return words(alias->getAliasee()).at(0);
  throw NotSupported("the indirect function " + value->getName().str());
}

std::vector<Word> Constants::expression(const llvm::ConstantExpr* expression) {
  const llvm::DataLayout& data = layout_.data();
  if (auto* offset = llvm::dyn_cast<llvm::GEPOperator>(expression)) {
    llvm::APInt sum(64, 0);
    if (!offset->accumulateConstantOffset(data, sum)) throw NotSupported("a constant address that is not constant");
    return {words(llvm::cast<llvm::Constant>(offset->getPointerOperand())).at(0) + sum.getZExtValue()};
  }
  const unsigned bits = static_cast<unsigned>(data.getTypeSizeInBits(expression->getType()).getFixedValue());
  const auto operand = [&](unsigned i) { return words(expression->getOperand(i)); };
  switch (expression->getOpcode()) {
    case llvm::Instruction::BitCast:
      if (layout_.words(expression->getType()) != layout_.words(expression->getOperand(0)->getType())) break;
      return operand(0);
    case llvm::Instruction::AddrSpaceCast:
      return operand(0);
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr:
      return words_of(
          number(operand(0),
                 static_cast<unsigned>(data.getTypeSizeInBits(expression->getOperand(0)->getType()).getFixedValue()))
              .zextOrTrunc(bits));
    case llvm::Instruction::Trunc:
      return words_of(number(operand(0), expression->getOperand(0)->getType()->getIntegerBitWidth()).trunc(bits));
    case llvm::Instruction::Add:
      return words_of(number(operand(0), bits) + number(operand(1), bits));
    case llvm::Instruction::Sub:
      return words_of(number(operand(0), bits) - number(operand(1), bits));
    case llvm::Instruction::Xor:
      return words_of(number(operand(0), bits) ^ number(operand(1), bits));
    default:
      break;
  }
  std::string out;
  llvm::raw_string_ostream stream(out);
  expression->print(stream);
  throw NotSupported("the constant expression " + out);
}

std::vector<Word> Constants::words(const llvm::Constant* constant) {
  if (auto* integer = llvm::dyn_cast<llvm::ConstantInt>(constant)) {
    if (integer->getBitWidth() > 128) throw NotSupported("the type " + text(*constant->getType()));
    return words_of(integer->getValue());
  }
  if (auto* number = llvm::dyn_cast<llvm::ConstantFP>(constant)) {
    static_cast<void>(layout_.words(constant->getType()));  // throws for types that are not kept
    return words_of(number->getValueAPF().bitcastToAPInt());
  }
  if (constant->isNullValue() || llvm::isa<llvm::UndefValue>(constant)) {
    return std::vector<Word>(layout_.words(constant->getType()), 0);
  }
  if (auto* value = llvm::dyn_cast<llvm::GlobalValue>(constant)) return {address(value)};
  if (auto* aggregate = llvm::dyn_cast<llvm::ConstantAggregate>(constant)) {
    std::vector<Word> out;
    for (const llvm::Use& member : aggregate->operands()) {
      const std::vector<Word> part = words(llvm::cast<llvm::Constant>(member.get()));
      out.insert(out.end(), part.begin(), part.end());
    }
    return out;
  }
  if (auto* sequence = llvm::dyn_cast<llvm::ConstantDataSequential>(constant)) {
    std::vector<Word> out;
    for (unsigned i = 0; i < sequence->getNumElements(); ++i) {
      const std::vector<Word> part = words(sequence->getElementAsConstant(i));
      out.insert(out.end(), part.begin(), part.end());
    }
    return out;
  }
  if (auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(constant)) return this->expression(expression);
  if (auto* same = llvm::dyn_cast<llvm::DSOLocalEquivalent>(constant)) return {address(same->getGlobalValue())};
  if (llvm::isa<llvm::BlockAddress>(constant)) return {0};  // only indirectbr uses it, which is not supported
  throw NotSupported("a constant of type " + text(*constant->getType()));
}

void Constants::write(const llvm::Constant* constant, std::uint64_t offset, std::string& bytes) {
  if (constant->isNullValue() || llvm::isa<llvm::UndefValue>(constant)) return;  // the rest is zero
  const llvm::DataLayout& data = layout_.data();
  llvm::Type* type = constant->getType();
  if (auto* sequence = llvm::dyn_cast<llvm::ConstantDataSequential>(constant)) {
    const llvm::StringRef raw = sequence->getRawDataValues();
    if (bytes.size() < offset + raw.size()) bytes.resize(offset + raw.size());
    bytes.replace(offset, raw.size(), raw.data(), raw.size());
    return;
  }
  if (auto* aggregate = llvm::dyn_cast<llvm::ConstantAggregate>(constant)) {
    for (unsigned i = 0; i < aggregate->getNumOperands(); ++i) {
      std::uint64_t at = 0;
      if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
        at = data.getStructLayout(structure)->getElementOffset(i).getFixedValue();
      } else {
        at = i * data.getTypeAllocSize(aggregate->getOperand(0)->getType()).getFixedValue();
      }
      write(llvm::cast<llvm::Constant>(aggregate->getOperand(i)), offset + at, bytes);
    }
    return;
  }
  const std::vector<Word> value = words(constant);
  const std::size_t size = data.getTypeStoreSize(type).getFixedValue();
  if (bytes.size() < offset + size) bytes.resize(offset + size);
  for (std::size_t i = 0; i < size && i / 8 < value.size(); ++i) {
    bytes[offset + i] = static_cast<char>(value[i / 8] >> (i % 8 * 8) & 0xFF);
  }
}

}  // namespace heddle::lower
