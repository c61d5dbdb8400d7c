// Tables over operation codes: words of results and operands, successors, what touches memory.
#include "native/operation_shape.h"

#include <array>

namespace heddle::native {
namespace {

constexpr std::array<std::string_view, code_count> code_names = {"add",
                                                                 "sub",
                                                                 "mul",
                                                                 "udiv",
                                                                 "sdiv",
                                                                 "urem",
                                                                 "srem",
                                                                 "and",
                                                                 "or",
                                                                 "xor",
                                                                 "shl",
                                                                 "lshr",
                                                                 "ashr",
                                                                 "eq",
                                                                 "ne",
                                                                 "ult",
                                                                 "ule",
                                                                 "ugt",
                                                                 "uge",
                                                                 "slt",
                                                                 "sle",
                                                                 "sgt",
                                                                 "sge",
                                                                 "fadd",
                                                                 "fsub",
                                                                 "fmul",
                                                                 "fdiv",
                                                                 "frem",
                                                                 "fneg",
                                                                 "fcompare",
                                                                 "truncate",
                                                                 "zero_extend",
                                                                 "sign_extend",
                                                                 "float_to_unsigned",
                                                                 "float_to_signed",
                                                                 "unsigned_to_float",
                                                                 "signed_to_float",
                                                                 "float_to_float",
                                                                 "count_leading_zeros",
                                                                 "count_trailing_zeros",
                                                                 "count_ones",
                                                                 "byte_swap",
                                                                 "bit_reverse",
                                                                 "funnel_shift_left",
                                                                 "funnel_shift_right",
                                                                 "add_overflow",
                                                                 "sub_overflow",
                                                                 "mul_overflow",
                                                                 "add_saturating",
                                                                 "sub_saturating",
                                                                 "math",
                                                                 "undefined",
                                                                 "copy",
                                                                 "select",
                                                                 "index",
                                                                 "stack_object",
                                                                 "lifetime_start",
                                                                 "lifetime_end",
                                                                 "load",
                                                                 "store",
                                                                 "compare_exchange",
                                                                 "read_modify_write",
                                                                 "fence",
                                                                 "memory_copy",
                                                                 "memory_set",
                                                                 "thread_local",
                                                                 "jump",
                                                                 "branch",
                                                                 "switch",
                                                                 "call",
                                                                 "call_indirect",
                                                                 "call_external",
                                                                 "return",
                                                                 "unreachable",
                                                                 "statement",
                                                                 "unsupported"};
static_assert(!code_names.back().empty());

OperationShape shape_of_math(const Operation& operation) {
  const std::uint32_t words = words_of_bits(operation.width);
  OperationShape shape{words, words, 0, 0};
  switch (static_cast<MathFunction>(operation.flags)) {
    case MathFunction::Minimum:
    case MathFunction::Maximum:
    case MathFunction::CopySign:
    case MathFunction::Power:
      shape.b = words;
      break;
    case MathFunction::MultiplyAdd:
      shape.b = shape.c = words;
      break;
    default:
      break;
  }
  return shape;
}

}  // namespace

OperationShape shape_of(const Operation& operation) {
  const std::uint32_t words = words_of_bits(operation.width);
  const std::uint32_t memory = words_of_bytes(operation.width);
  const auto immediate = static_cast<std::uint32_t>(operation.immediate);
  switch (operation.code) {
    case Code::Add:
    case Code::Sub:
    case Code::Mul:
    case Code::UDiv:
    case Code::SDiv:
    case Code::URem:
    case Code::SRem:
    case Code::And:
    case Code::Or:
    case Code::Xor:
    case Code::Shl:
    case Code::LShr:
    case Code::AShr:
    case Code::FAdd:
    case Code::FSub:
    case Code::FMul:
    case Code::FDiv:
    case Code::FRem:
    case Code::AddSaturating:
    case Code::SubSaturating:
      return {words, words, words, 0};
    case Code::Eq:
    case Code::Ne:
    case Code::Ult:
    case Code::Ule:
    case Code::Ugt:
    case Code::Uge:
    case Code::Slt:
    case Code::Sle:
    case Code::Sgt:
    case Code::Sge:
    case Code::FCompare:
      return {1, words, words, 0};
    case Code::FNeg:
    case Code::CountLeadingZeros:
    case Code::CountTrailingZeros:
    case Code::CountOnes:
    case Code::ByteSwap:
    case Code::BitReverse:
      return {words, words, 0, 0};
    case Code::Truncate:
    case Code::ZeroExtend:
    case Code::SignExtend:
    case Code::FloatToUnsigned:
    case Code::FloatToSigned:
    case Code::UnsignedToFloat:
    case Code::SignedToFloat:
    case Code::FloatToFloat:
      return {words, words_of_bits(immediate), 0, 0};
    case Code::FunnelShiftLeft:
    case Code::FunnelShiftRight:
      return {words, words, words, words};
    case Code::AddOverflow:
    case Code::SubOverflow:
    case Code::MulOverflow:
      return {words + 1, words, words, 0};
    case Code::Math:
      return shape_of_math(operation);
    case Code::Undefined:
      return {words, 0, 0, 0};
    case Code::Copy:
      return {immediate, immediate, 0, 0};
    case Code::Select:
      return {immediate, 1, immediate, immediate};
    case Code::Index:
      return {1, 1, words, 0};
    case Code::StackObject:
      return {1, 1, 0, 0};
    case Code::LifetimeStart:
    case Code::LifetimeEnd:
      return {0, 1, 0, 0};
    case Code::Load:
      return {memory, 1, 0, 0};
    case Code::Store:
      return {0, 1, memory, 0};
    case Code::CompareExchange:
      return {memory + 1, 1, memory, memory};
    case Code::ReadModifyWrite:
      return {memory, 1, memory, 0};
    case Code::MemoryCopy:
    case Code::MemorySet:
      return {0, 1, 1, 1};
    case Code::ThreadLocal:
      return {1, 0, 0, 0};
    case Code::Branch:
      return {0, 1, 0, 0};
    case Code::Switch:
      return {0, words, 0, 0};
    case Code::Call:
    case Code::CallExternal:
      return {operation.width, 0, 0, 0};
    case Code::CallIndirect:
      return {operation.width, 1, 0, 0};
    case Code::Return:
      return {0, operation.width, 0, 0};
    case Code::Fence:
    case Code::Jump:
    case Code::Unreachable:
    case Code::Statement:
    case Code::Unsupported:
      return {};
  }
  return {};
}

bool is_call(Code code) { return code == Code::Call || code == Code::CallIndirect || code == Code::CallExternal; }

bool is_terminator(Code code) {
  return code == Code::Jump || code == Code::Branch || code == Code::Switch || code == Code::Return ||
         code == Code::Unreachable || code == Code::Unsupported;
}

std::vector<std::uint32_t> successors(const Function& function, std::uint32_t at) {
  const Operation& x = function.operations[at];
  std::vector<std::uint32_t> targets;
  switch (x.code) {
    case Code::Jump:
      targets = {static_cast<std::uint32_t>(x.immediate)};
      break;
    case Code::Branch:
      targets = {static_cast<std::uint32_t>(x.immediate), x.c};
      break;
    case Code::Switch:
      targets = {static_cast<std::uint32_t>(x.immediate)};
      for (std::uint32_t i = x.b; i < x.b + x.c; ++i) targets.push_back(function.cases[i].target);
      break;
    default:
      if (!is_terminator(x.code)) targets = {at + 1};
  }
  return targets;
}

bool touches_memory(Code code) {
  switch (code) {
    case Code::LifetimeStart:
    case Code::LifetimeEnd:
    case Code::Load:
    case Code::Store:
    case Code::CompareExchange:
    case Code::ReadModifyWrite:
    case Code::MemoryCopy:
    case Code::MemorySet:
    case Code::Return:
      return true;
    default:
      return false;
  }
}

std::string_view name_of(Code code) { return code_names[static_cast<std::size_t>(code)]; }

}  // namespace heddle::native
