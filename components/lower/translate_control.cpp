// Branches and phis. A phi is a register that is written on the edges into its block. All phis of a block change at
// once: where one is the source of another, copies are ordered, and a cycle goes through a spare register.
#include <algorithm>

#include "translate_function.h"

namespace heddle::lower {

using native::constant_bit;
using native::Word;

void FunctionTranslator::set_target(Fixup::Where where, std::uint32_t index, std::uint32_t to) {
  switch (where) {
    case Fixup::Where::Immediate:
      out_.operations[index].immediate = to;
      break;
    case Fixup::Where::Second:
      out_.operations[index].c = to;
      break;
    case Fixup::Where::Case:
      out_.cases[index].target = to;
      break;
  }
}

// Who goes to a jump goes to its target at once.
void FunctionTranslator::shorten_jumps() {
  const auto end_of = [&](Word target) {
    auto at = static_cast<std::uint32_t>(target);
    for (int steps = 0; steps < 16 && out_.operations[at].code == Code::Jump; ++steps) {
      at = static_cast<std::uint32_t>(out_.operations[at].immediate);
    }
    return at;
  };
  for (Operation& operation : out_.operations) {
    const bool jumps = operation.code == Code::Jump || operation.code == Code::Branch || operation.code == Code::Switch;
    if (jumps) operation.immediate = end_of(operation.immediate);
    if (operation.code == Code::Branch) operation.c = end_of(operation.c);
  }
  for (native::Case& each : out_.cases) each.target = end_of(each.target);
}

bool FunctionTranslator::has_copies(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const {
  for (const llvm::PHINode& phi : to.phis()) {
    const llvm::Value* value = phi.getIncomingValueForBlock(&from);
    if (value != &phi) return true;
  }
  return false;
}

void FunctionTranslator::edge_copies(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  struct Move {
    std::uint32_t to;
    Operand from;
  };
  std::vector<Move> moves;
  for (const llvm::PHINode& phi : to.phis()) {
    const llvm::Value* value = phi.getIncomingValueForBlock(&from);
    if (value == &phi) continue;
    const Operand source = operand(value);
    const std::uint32_t size = words(phi);
    for (std::uint32_t i = 0; i < size; ++i) {
      if (result(phi) + i != source + i) moves.push_back({result(phi) + i, source + i});
    }
  }
  while (!moves.empty()) {
    // One whose target no other move reads may go first.
    const auto free = std::find_if(moves.begin(), moves.end(), [&](const Move& move) {
      return std::none_of(moves.begin(), moves.end(), [&](const Move& other) { return other.from == move.to; });
    });
    if (free != moves.end()) {
      copy(free->to, free->from, 1);
      moves.erase(free);
      continue;
    }
    // A cycle: its first target moves to a spare register.
    const std::uint32_t spare = new_registers(1), old = moves.front().to;
    copy(spare, old, 1);
    for (Move& move : moves) {
      if (move.from == old) move.from = spare;
    }
  }
}

void FunctionTranslator::jump(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  edge_copies(from, to);
  if (&to == next_block_) return;  // it follows
  fixups_.push_back({Fixup::Where::Immediate, static_cast<std::uint32_t>(out_.operations.size()), &to});
  emit(Code::Jump);
}

void FunctionTranslator::target(Fixup::Where where, std::uint32_t index, const llvm::BasicBlock& from,
                                const llvm::BasicBlock& to, std::vector<Edge>& edges) {
  if (has_copies(from, to)) {
    edges.push_back({where, index, &to});
  } else {
    fixups_.push_back({where, index, &to});
  }
}

void FunctionTranslator::terminator(const llvm::Instruction& each) {
  const llvm::BasicBlock& here = *each.getParent();
  std::vector<Edge> edges;
  if (auto* leave = llvm::dyn_cast<llvm::ReturnInst>(&each)) {
    const llvm::Value* value = leave->getReturnValue();
    const Operand given = value == nullptr ? native::none : operand(value);
    Operation& operation = emit(Code::Return);
    operation.width = static_cast<std::uint16_t>(value == nullptr ? 0 : words(*value));
    operation.a = operation.width == 0 ? native::none : given;
    return;
  }
  if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(&each)) {
    if (branch->isUnconditional()) return jump(here, *branch->getSuccessor(0));
    const Operand condition = operand(branch->getCondition());
    const auto index = static_cast<std::uint32_t>(out_.operations.size());
    emit(Code::Branch).a = condition;
    target(Fixup::Where::Immediate, index, here, *branch->getSuccessor(0), edges);
    target(Fixup::Where::Second, index, here, *branch->getSuccessor(1), edges);
  } else if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&each)) {
    const Operand on = operand(choice->getCondition());
    const auto index = static_cast<std::uint32_t>(out_.operations.size());
    Operation& operation = emit(Code::Switch);
    operation.a = on;
    operation.width = static_cast<std::uint16_t>(choice->getCondition()->getType()->getIntegerBitWidth());
    operation.b = static_cast<std::uint32_t>(out_.cases.size());
    operation.c = choice->getNumCases();
    target(Fixup::Where::Immediate, index, here, *choice->getDefaultDest(), edges);
    for (const auto& each_case : choice->cases()) {
      const std::vector<Word> value = parts_.constants.words(each_case.getCaseValue());
      target(Fixup::Where::Case, static_cast<std::uint32_t>(out_.cases.size()), here, *each_case.getCaseSuccessor(),
             edges);
      out_.cases.push_back({value[0], value.size() > 1 ? value[1] : 0, 0});
    }
  } else {
    emit(Code::Unreachable);
    return;
  }
  for (const Edge& edge : edges) {
    set_target(edge.where, edge.index, static_cast<std::uint32_t>(out_.operations.size()));
    edge_copies(here, *edge.block);
    fixups_.push_back({Fixup::Where::Immediate, static_cast<std::uint32_t>(out_.operations.size()), edge.block});
    emit(Code::Jump);
  }
}

}  // namespace heddle::lower
