// Goes over the blocks of a function, keeps the registers of its values, and picks a translation for each instruction.
#include "translate_function.h"

#include <algorithm>

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"

namespace heddle::lower {

using native::constant_bit;
using native::none;
using native::Word;

FunctionTranslator::Operand FunctionTranslator::constant(const std::vector<Word>& words) {
  const auto [at, is_new] =
      known_constants_.emplace(words, constant_bit | static_cast<std::uint32_t>(out_.constants.size()));
  if (is_new) out_.constants.insert(out_.constants.end(), words.begin(), words.end());
  return at->second;
}

std::uint32_t FunctionTranslator::new_registers(std::uint32_t words) {
  const std::uint32_t first = out_.registers;
  out_.registers += words;
  return first;
}

FunctionTranslator::Operand FunctionTranslator::operand(const llvm::Value* value) {
  const auto known = registers_.find(value);
  if (known != registers_.end()) return known->second;
  if (auto* global = llvm::dyn_cast<llvm::GlobalVariable>(value); global != nullptr && global->isThreadLocal()) {
    Operation& operation = emit(Code::ThreadLocal);
    operation.immediate = parts_.constants.global(global);
    return operation.result = new_registers(1);
  }
  if (auto* fixed = llvm::dyn_cast<llvm::Constant>(value)) return constant(parts_.constants.words(fixed));
  throw NotSupported("a value of type " + text(*value->getType()));
}

native::Operation& FunctionTranslator::emit(Code code) {
  Operation operation;
  operation.code = code;
  operation.place = place_;
  out_.operations.push_back(operation);
  return out_.operations.back();
}

FunctionTranslator::Operand FunctionTranslator::compute(Code code, std::uint32_t width, Operand a, Operand b,
                                                        std::uint32_t result_words) {
  const std::uint32_t to = new_registers(result_words);
  Operation& operation = emit(code);
  operation.width = static_cast<std::uint16_t>(width);
  operation.a = a;
  operation.b = b;
  operation.result = to;
  return to;
}

void FunctionTranslator::copy(std::uint32_t to, Operand from, std::uint32_t words) {
  if (to == from || words == 0) return;
  Operation& operation = emit(Code::Copy);
  operation.result = to;
  operation.a = from;
  operation.immediate = words;
}

void FunctionTranslator::makes(std::uint32_t type) {
  if (type != native::none) out_.made.push_back({static_cast<std::uint32_t>(out_.operations.size() - 1), type});
}

void FunctionTranslator::unsupported(const std::string& text) {
  emit(Code::Unsupported).immediate = parts_.places.text("the program uses " + text);
}

native::Function FunctionTranslator::run() {
  out_.symbol = parts_.places.text(function_.getName().str());
  out_.name = parts_.places.text(readable(function_.getName().str()));
  out_.place = parts_.places.of(function_);
  out_.library = parts_.places.is_library(function_);
  try {
    out_.result_words = parts_.layout.words(function_.getReturnType());
    for (const llvm::Argument& argument : function_.args()) registers_[&argument] = new_registers(words(argument));
  } catch (const NotSupported& problem) {
    place_ = out_.place;
    out_.parameters = out_.registers;
    out_.result_words = 0;
    unsupported(problem.what());
    emit(Code::Unreachable);
    return std::move(out_);
  }
  if (function_.isVarArg()) variable_arguments_ = new_registers(1);
  out_.parameters = out_.registers;

  const llvm::ReversePostOrderTraversal<const llvm::Function*> order(&function_);
  const std::vector<const llvm::BasicBlock*> blocks(order.begin(), order.end());
  for (const llvm::BasicBlock* block : blocks) {
    for (const llvm::Instruction& each : *block) {
      if (each.getType()->isVoidTy()) continue;
      std::uint32_t count = 1;
      try {
        count = words(each);
      } catch (const NotSupported&) {  // said where it is computed
      }
      registers_[&each] = new_registers(count);
    }
  }
  place_ = out_.place;
  begin();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    next_block_ = i + 1 < blocks.size() ? blocks[i + 1] : nullptr;
    block(*blocks[i]);
  }
  for (const Fixup& fixup : fixups_) set_target(fixup.where, fixup.index, starts_.at(fixup.block));
  shorten_jumps();
  return std::move(out_);
}

void FunctionTranslator::block(const llvm::BasicBlock& block) {
  starts_[&block] = static_cast<std::uint32_t>(out_.operations.size());
  const std::vector<std::uint32_t> places = parts_.places.of(block);
  if (out_.library) {
    for (std::size_t number = 0; const llvm::Instruction& each : block) {
      place_ = places[number++];
      translate(each);
    }
    return;
  }
  const std::vector<std::uint32_t> statements = parts_.statements.of(block);
  const bool is_first = &block == &function_.getEntryBlock();
  statement_ = is_first ? native::none : statement_before(block);
  bool begun = is_first || statement_ != none;  // execution is in statement_, wherever it comes from
  // Where ways meet that come from different statements, and nothing here says more: any of them.
  if (!begun) {
    for (const llvm::BasicBlock* from : llvm::predecessors(&block)) {
      if (const auto known = statements_.find(from); known != statements_.end()) statement_ = known->second;
    }
  }
  for (std::size_t number = 0; const llvm::Instruction& each : block) {
    place_ = places[number];
    const std::uint32_t here = statements[number++];
    if (!begun && (here != none || !llvm::isa<llvm::PHINode>(each))) {
      const std::uint32_t first = here != none ? here : statement_;
      statement_ = none;
      enter(first);
      begun = true;
    } else if (here != none) {
      enter(here);
    }
    translate(each);
  }
  statements_[&block] = statement_;
}

void FunctionTranslator::enter(std::uint32_t statement) {
  if (statement == statement_ || statement == none) return;
  emit(Code::Statement).immediate = statement_ = statement;
}

// The statement that execution is in when it enters the block, if that is the same on every way; none otherwise.
std::uint32_t FunctionTranslator::statement_before(const llvm::BasicBlock& block) const {
  std::uint32_t same = none;
  bool first = true;
  for (const llvm::BasicBlock* from : llvm::predecessors(&block)) {
    const auto known = statements_.find(from);
    if (known == statements_.end() || (!first && known->second != same)) return none;
    same = known->second;
    first = false;
  }
  return same;
}

// An argument that is handed over by value in memory: the function gets a copy of its own.
void FunctionTranslator::begin() {
  for (const llvm::Argument& argument : function_.args()) {
    if (!argument.hasByValAttr()) continue;
    const std::uint64_t bytes = parts_.layout.data().getTypeAllocSize(argument.getParamByValType()).getFixedValue();
    const Operand own = new_stack_object(bytes);
    copy_memory(own, registers_.at(&argument), constant(bytes), false);
    registers_[&argument] = own;
  }
}

// What has no form leaves nothing behind but an operation that says so.
void FunctionTranslator::translate(const llvm::Instruction& each) {
  const std::size_t operations = out_.operations.size(), fixups = fixups_.size();
  try {
    instruction(each);
  } catch (const NotSupported& problem) {
    out_.operations.resize(operations);
    fixups_.resize(fixups);
    unsupported(problem.what());
    if (each.isTerminator()) emit(Code::Unreachable);
  }
}

void FunctionTranslator::instruction(const llvm::Instruction& each) {
  using llvm::Instruction;
  switch (each.getOpcode()) {
    case Instruction::Add:
      return binary(each, Code::Add);
    case Instruction::Sub:
      return binary(each, Code::Sub);
    case Instruction::Mul:
      return binary(each, Code::Mul);
    case Instruction::UDiv:
      return binary(each, Code::UDiv);
    case Instruction::SDiv:
      return binary(each, Code::SDiv);
    case Instruction::URem:
      return binary(each, Code::URem);
    case Instruction::SRem:
      return binary(each, Code::SRem);
    case Instruction::And:
      return binary(each, Code::And);
    case Instruction::Or:
      return binary(each, Code::Or);
    case Instruction::Xor:
      return binary(each, Code::Xor);
    case Instruction::Shl:
      return binary(each, Code::Shl);
    case Instruction::LShr:
      return binary(each, Code::LShr);
    case Instruction::AShr:
      return binary(each, Code::AShr);
    case Instruction::FAdd:
      return binary(each, Code::FAdd);
    case Instruction::FSub:
      return binary(each, Code::FSub);
    case Instruction::FMul:
      return binary(each, Code::FMul);
    case Instruction::FDiv:
      return binary(each, Code::FDiv);
    case Instruction::FRem:
      return binary(each, Code::FRem);
    case Instruction::FNeg:
      return binary(each, Code::FNeg);
    case Instruction::ICmp:
    case Instruction::FCmp:
      return compare(llvm::cast<llvm::CmpInst>(each));
    case Instruction::Select:
      return select(llvm::cast<llvm::SelectInst>(each));
    case Instruction::Freeze:
      return same(each, operand(each.getOperand(0)));
    case Instruction::ExtractValue: {
      const auto& extract = llvm::cast<llvm::ExtractValueInst>(each);
      Operand at = operand(extract.getAggregateOperand());
      llvm::Type* type = extract.getAggregateOperand()->getType();
      for (const unsigned i : extract.indices()) {
        at += parts_.layout.words_before(type, i);
        type = llvm::ExtractValueInst::getIndexedType(type, {i});
      }
      return same(each, at);
    }
    case Instruction::InsertValue:
      return insert_value(llvm::cast<llvm::InsertValueInst>(each));
    case Instruction::ExtractElement:
    case Instruction::InsertElement:
      return element(each);
    case Instruction::ShuffleVector:
      return shuffle(llvm::cast<llvm::ShuffleVectorInst>(each));
    case Instruction::Alloca:
      return allocate(llvm::cast<llvm::AllocaInst>(each));
    case Instruction::Load:
      return load(llvm::cast<llvm::LoadInst>(each));
    case Instruction::Store:
      return store(llvm::cast<llvm::StoreInst>(each));
    case Instruction::AtomicCmpXchg:
      return exchange(llvm::cast<llvm::AtomicCmpXchgInst>(each));
    case Instruction::AtomicRMW:
      return change(llvm::cast<llvm::AtomicRMWInst>(each));
    case Instruction::Fence:
      return fence(llvm::cast<llvm::FenceInst>(each));
    case Instruction::GetElementPtr:
      return index(llvm::cast<llvm::GetElementPtrInst>(each));
    case Instruction::PHI:
      return;  // copies on the edges
    case Instruction::Call:
      return call(llvm::cast<llvm::CallBase>(each));
    case Instruction::Br:
    case Instruction::Switch:
    case Instruction::Ret:
    case Instruction::Unreachable:
      return terminator(each);
    default:
      break;
  }
  if (auto* conversion = llvm::dyn_cast<llvm::CastInst>(&each)) return cast(*conversion);
  throw NotSupported(std::string("the instruction ") + each.getOpcodeName());
}

}  // namespace heddle::lower
