// Intrinsic functions of LLVM.
#include "llvm/IR/IntrinsicsX86.h"
#include "passes.h"
#include "pin.h"
#include "translate_function.h"

namespace heddle::lower {

using llvm::Intrinsic::ID;
using native::MathFunction;
using native::none;
using native::Word;
namespace Intrinsic = llvm::Intrinsic;

void FunctionTranslator::intrinsic(const llvm::IntrinsicInst& each) {
  if (ignored_intrinsic(each) || memory_intrinsic(each) || math(each) || float_class(each) || integer_intrinsic(each)) {
    return;
  }
  throw NotSupported("the intrinsic function " + each.getCalledFunction()->getName().str());
}

bool FunctionTranslator::ignored_intrinsic(const llvm::IntrinsicInst& each) {
  switch (each.getIntrinsicID()) {
    case Intrinsic::dbg_declare:
    case Intrinsic::dbg_value:
    case Intrinsic::dbg_label:
    case Intrinsic::dbg_assign:
    case Intrinsic::assume:
    case Intrinsic::donothing:
    case Intrinsic::sideeffect:
    case Intrinsic::prefetch:
    case Intrinsic::experimental_noalias_scope_decl:
    case Intrinsic::var_annotation:
    case Intrinsic::invariant_end:
    case Intrinsic::stackrestore:
    case Intrinsic::vaend:
    case Intrinsic::pseudoprobe:
      return true;
    case Intrinsic::invariant_start:
    case Intrinsic::stacksave:
    case Intrinsic::is_constant:
      same(each, constant(Word{0}));
      return true;
    case Intrinsic::expect:
    case Intrinsic::expect_with_probability:
    case Intrinsic::launder_invariant_group:
    case Intrinsic::strip_invariant_group:
    case Intrinsic::ssa_copy:
    case Intrinsic::annotation:
    case Intrinsic::ptr_annotation:
      same(each, operand(each.getArgOperand(0)));
      return true;
    case Intrinsic::objectsize: {
      const bool smallest = llvm::cast<llvm::ConstantInt>(each.getArgOperand(1))->isOne();
      const unsigned bits = each.getType()->getIntegerBitWidth();
      same(each, constant(smallest ? Word{0} : bits == 64 ? ~Word{0} : (Word{1} << bits) - 1));
      return true;
    }
    case Intrinsic::x86_sse2_pause:
      call_external("__heddle_yield", {});
      return true;
    case Intrinsic::x86_sse2_mfence:
    case Intrinsic::x86_sse2_lfence:
    case Intrinsic::x86_sse_sfence:
      emit(Code::Fence).flags = static_cast<std::uint32_t>(native::Ordering::SequentiallyConsistent);
      return true;
    default:
      return false;
  }
}

// The x86-64 form of a list of arguments, with all of them in memory: none is left in registers.
void FunctionTranslator::start_arguments(const llvm::IntrinsicInst& each) {
  const Operand list = operand(each.getArgOperand(0));
  const auto store = [&](std::uint64_t offset, Operand value, std::uint16_t bytes) {
    const Operand to = advanced(list, offset);
    Operation& operation = emit(Code::Store);
    operation.width = bytes;
    operation.a = to;
    operation.b = value;
  };
  store(0, constant(Word{48}), 4);
  store(4, constant(Word{176}), 4);
  store(8, variable_arguments_, 8);
  store(16, constant(Word{0}), 8);
}

// The assignment of a struct is an access to each of its members: others may come in between. False: it is not known
// to be one, or it has many members.
bool FunctionTranslator::copy_members(const llvm::IntrinsicInst& each) {
  constexpr std::size_t most = 16;
  const llvm::MDNode* list = each.getMetadata(copied_members);
  const auto* size = llvm::dyn_cast<llvm::ConstantInt>(each.getArgOperand(2));
  if (list == nullptr || size == nullptr || list->getNumOperands() > 3 * most) return false;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> members;  // offset, bytes
  std::uint64_t end = 0;
  for (unsigned i = 0; i + 2 < list->getNumOperands(); i += 3) {
    const std::uint64_t offset = llvm::mdconst::extract<llvm::ConstantInt>(list->getOperand(i))->getZExtValue();
    const std::uint64_t bytes = llvm::mdconst::extract<llvm::ConstantInt>(list->getOperand(i + 1))->getZExtValue();
    // Bit fields overlap, and may be said to be larger than the struct.
    if (offset < end || offset + bytes > size->getZExtValue()) return false;
    if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8 && bytes != 16) return false;
    members.emplace_back(offset, bytes);
    end = offset + bytes;
  }
  if (members.size() < 2) return false;
  const Operand to = operand(each.getArgOperand(0)), from = operand(each.getArgOperand(1));
  for (const auto& [offset, bytes] : members) {
    const Operand source = advanced(from, offset), target = advanced(to, offset);
    const std::uint32_t value = new_registers(bytes == 16 ? 2 : 1);
    const bool is_volatile = lower::is_volatile(each);
    Operation& load = emit(Code::Load);
    load.width = static_cast<std::uint16_t>(bytes);
    load.a = source;
    load.result = value;
    if (is_volatile) load.flags = native::volatile_access;
    Operation& store = emit(Code::Store);
    store.width = static_cast<std::uint16_t>(bytes);
    store.a = target;
    store.b = value;
    if (is_volatile) store.flags = native::volatile_access;
  }
  return true;
}

bool FunctionTranslator::memory_intrinsic(const llvm::IntrinsicInst& each) {
  const auto argument = [&](unsigned i) { return operand(each.getArgOperand(i)); };
  switch (each.getIntrinsicID()) {
    case Intrinsic::memcpy:
    case Intrinsic::memcpy_inline:
    case Intrinsic::memmove:
      if (copy_members(each)) return true;
      copy_memory(argument(0), argument(1), argument(2), each.getIntrinsicID() == Intrinsic::memmove);
      return true;
    case Intrinsic::memset:
    case Intrinsic::memset_inline: {
      const Operand to = argument(0), value = argument(1), bytes = argument(2);
      Operation& operation = emit(Code::MemorySet);
      operation.a = to;
      operation.b = value;
      operation.c = bytes;
      return true;
    }
    case Intrinsic::lifetime_start:
    case Intrinsic::lifetime_end: {
      const llvm::Value* object = each.getArgOperand(1)->stripPointerCasts();
      if (!llvm::isa<llvm::AllocaInst>(object)) return true;
      const Operand at = operand(object);
      emit(each.getIntrinsicID() == Intrinsic::lifetime_start ? Code::LifetimeStart : Code::LifetimeEnd).a = at;
      return true;
    }
    case Intrinsic::threadlocal_address: {
      const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(each.getArgOperand(0)->stripPointerCastsAndAliases());
      if (global == nullptr) throw NotSupported("a thread-local variable that is not known");
      Operation& operation = emit(Code::ThreadLocal);
      operation.immediate = parts_.constants.global(global);
      operation.result = result(each);
      return true;
    }
    case Intrinsic::vastart:
      start_arguments(each);
      return true;
    case Intrinsic::vacopy:
      copy_memory(argument(0), argument(1), constant(Word{24}), false);
      return true;
    case Intrinsic::ptrmask: {
      const Operand a = argument(0), b = argument(1);
      Operation& operation = emit(Code::And);
      operation.width = 64;
      operation.a = a;
      operation.b = b;
      operation.result = result(each);
      return true;
    }
    default:
      return false;
  }
}

bool FunctionTranslator::math(const llvm::IntrinsicInst& each) {
  MathFunction function = MathFunction::SquareRoot;
  switch (each.getIntrinsicID()) {
    case Intrinsic::sqrt:
      function = MathFunction::SquareRoot;
      break;
    case Intrinsic::fabs:
      function = MathFunction::Absolute;
      break;
    case Intrinsic::floor:
      function = MathFunction::Floor;
      break;
    case Intrinsic::ceil:
      function = MathFunction::Ceil;
      break;
    case Intrinsic::trunc:
      function = MathFunction::Truncate;
      break;
    case Intrinsic::round:
      function = MathFunction::Round;
      break;
    case Intrinsic::roundeven:
    case Intrinsic::rint:
    case Intrinsic::nearbyint:
      function = MathFunction::RoundEven;
      break;
    case Intrinsic::minnum:
      function = MathFunction::Minimum;
      break;
    case Intrinsic::maxnum:
      function = MathFunction::Maximum;
      break;
    case Intrinsic::copysign:
      function = MathFunction::CopySign;
      break;
    case Intrinsic::fma:
      function = MathFunction::MultiplyAdd;
      break;
    case Intrinsic::sin:
      function = MathFunction::Sine;
      break;
    case Intrinsic::cos:
      function = MathFunction::Cosine;
      break;
    case Intrinsic::exp:
      function = MathFunction::Exp;
      break;
    case Intrinsic::log:
      function = MathFunction::Log;
      break;
    case Intrinsic::pow:
      function = MathFunction::Power;
      break;
    case Intrinsic::fmuladd:
      break;
    default:
      return false;
  }
  const auto count = each.arg_size();
  const Operand a = operand(each.getArgOperand(0));
  const Operand b = count > 1 ? operand(each.getArgOperand(1)) : none;
  const Operand c = count > 2 ? operand(each.getArgOperand(2)) : none;
  std::uint32_t at = 0;
  for (const Leaf& leaf : parts_.layout.leaves(each.getType())) {
    if (each.getIntrinsicID() == Intrinsic::fmuladd) {  // two roundings, as without the instruction
      const Operand product = compute(Code::FMul, leaf.bits, a + at, b + at, leaf.words);
      Operation& sum = emit(Code::FAdd);
      sum.width = static_cast<std::uint16_t>(leaf.bits);
      sum.a = product;
      sum.b = c + at;
      sum.result = result(each) + at;
    } else {
      Operation& operation = emit(Code::Math);
      operation.width = static_cast<std::uint16_t>(leaf.bits);
      operation.flags = static_cast<std::uint32_t>(function);
      operation.a = a + at;
      operation.b = b == none ? none : b + at;
      operation.c = c == none ? none : c + at;
      operation.result = result(each) + at;
    }
    at += leaf.words;
  }
  return true;
}

// isnan, isinf, isfinite and isnormal, by comparisons; other sets of classes are not supported.
bool FunctionTranslator::float_class(const llvm::IntrinsicInst& each) {
  if (each.getIntrinsicID() != Intrinsic::is_fpclass) return false;
  const Leaf& leaf = parts_.layout.leaves(each.getArgOperand(0)->getType()).at(0);
  const std::uint64_t classes = llvm::cast<llvm::ConstantInt>(each.getArgOperand(1))->getZExtValue();
  constexpr std::uint64_t nan = 0x3, infinite = 0x204, finite = 0x1F8, normal = 0x108;
  constexpr std::uint32_t equal = 1, at_least = 3, less = 4, unordered = 8;  // ordered comparisons, but for the last
  const bool known = classes == nan || classes == infinite || classes == finite || classes == normal;
  if (!known || each.getType()->isVectorTy()) {
    throw NotSupported("the intrinsic function " + each.getCalledFunction()->getName().str());
  }
  const Operand value = operand(each.getArgOperand(0));
  const auto compare = [&](Operand a, Operand b, std::uint32_t how) {
    const Operand bit = compute(Code::FCompare, leaf.bits, a, b);
    out_.operations.back().flags = how;
    return bit;
  };
  if (classes == nan) {
    same(each, compare(value, value, unordered));
    return true;
  }
  const Operand size = compute(Code::Math, leaf.bits, value, none, leaf.words);
  out_.operations.back().flags = static_cast<std::uint32_t>(MathFunction::Absolute);
  const bool single = leaf.bits == 32, wide = leaf.bits == 80;
  const std::vector<Word> infinity = wide     ? std::vector<Word>{Word{1} << 63, 0x7FFF}
                                     : single ? std::vector<Word>{0x7F800000}
                                              : std::vector<Word>{Word{0x7FF} << 52};
  const std::vector<Word> smallest = wide     ? std::vector<Word>{Word{1} << 63, 1}
                                     : single ? std::vector<Word>{Word{1} << 23}
                                              : std::vector<Word>{Word{1} << 52};
  if (classes == infinite) {
    same(each, compare(size, constant(infinity), equal));
    return true;
  }
  const Operand below = compare(size, constant(infinity), less);
  if (classes == finite) {
    same(each, below);
  } else {
    same(each, compute(Code::And, 1, below, compare(size, constant(smallest), at_least)));
  }
  return true;
}

bool FunctionTranslator::integer_intrinsic(const llvm::IntrinsicInst& each) {
  const ID id = each.getIntrinsicID();
  Code code = Code::Copy;
  std::uint32_t flags = 0;
  bool overflow = false;
  switch (id) {
    case Intrinsic::ctlz:
    case Intrinsic::cttz:
      code = id == Intrinsic::ctlz ? Code::CountLeadingZeros : Code::CountTrailingZeros;
      flags = llvm::cast<llvm::ConstantInt>(each.getArgOperand(1))->isOne() ? 1 : 0;
      break;
    case Intrinsic::ctpop:
      code = Code::CountOnes;
      break;
    case Intrinsic::bswap:
      code = Code::ByteSwap;
      break;
    case Intrinsic::bitreverse:
      code = Code::BitReverse;
      break;
    case Intrinsic::fshl:
      code = Code::FunnelShiftLeft;
      break;
    case Intrinsic::fshr:
      code = Code::FunnelShiftRight;
      break;
    case Intrinsic::sadd_sat:
      code = Code::AddSaturating;
      break;
    case Intrinsic::uadd_sat:
      code = Code::AddSaturating, flags = 1;
      break;
    case Intrinsic::ssub_sat:
      code = Code::SubSaturating;
      break;
    case Intrinsic::usub_sat:
      code = Code::SubSaturating, flags = 1;
      break;
    case Intrinsic::sadd_with_overflow:
      code = Code::AddOverflow, overflow = true;
      break;
    case Intrinsic::uadd_with_overflow:
      code = Code::AddOverflow, overflow = true, flags = 1;
      break;
    case Intrinsic::ssub_with_overflow:
      code = Code::SubOverflow, overflow = true;
      break;
    case Intrinsic::usub_with_overflow:
      code = Code::SubOverflow, overflow = true, flags = 1;
      break;
    case Intrinsic::smul_with_overflow:
      code = Code::MulOverflow, overflow = true;
      break;
    case Intrinsic::umul_with_overflow:
      code = Code::MulOverflow, overflow = true, flags = 1;
      break;
    case Intrinsic::smax:
      code = Code::Sgt;
      break;
    case Intrinsic::smin:
      code = Code::Slt;
      break;
    case Intrinsic::umax:
      code = Code::Ugt;
      break;
    case Intrinsic::umin:
      code = Code::Ult;
      break;
    case Intrinsic::abs:
      code = Code::Slt;
      break;
    default:
      return false;
  }
  llvm::Type* type = each.getArgOperand(0)->getType();
  if (overflow && type->isVectorTy())
    throw NotSupported("the intrinsic function " + each.getCalledFunction()->getName().str());
  const bool minimum = code == Code::Sgt || code == Code::Slt || code == Code::Ugt || code == Code::Ult;
  const bool unary = id == Intrinsic::ctlz || id == Intrinsic::cttz || id == Intrinsic::abs || each.arg_size() < 2;
  const Operand a = operand(each.getArgOperand(0));
  const Operand b = unary ? none : operand(each.getArgOperand(1));
  const Operand c = each.arg_size() > 2 ? operand(each.getArgOperand(2)) : none;
  std::uint32_t at = 0;
  for (const Leaf& leaf : parts_.layout.leaves(type)) {
    if (minimum) {
      const Operand zero = constant(std::vector<Word>(leaf.words, 0));
      const Operand test = compute(code, leaf.bits, a + at, id == Intrinsic::abs ? zero : b + at);
      const Operand first = id == Intrinsic::abs ? compute(Code::Sub, leaf.bits, zero, a + at, leaf.words) : a + at;
      Operation& operation = emit(Code::Select);
      operation.a = test;
      operation.b = first;
      operation.c = id == Intrinsic::abs ? a + at : b + at;
      operation.immediate = leaf.words;
      operation.result = result(each) + at;
    } else {
      Operation& operation = emit(code);
      operation.width = static_cast<std::uint16_t>(leaf.bits);
      operation.flags = flags;
      operation.a = a + at;
      operation.b = b == none ? none : b + at;
      operation.c = c == none ? none : c + at;
      operation.result = result(each) + at;
    }
    at += leaf.words;
  }
  return true;
}

}  // namespace heddle::lower
