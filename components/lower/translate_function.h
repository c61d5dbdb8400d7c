// Translates one function. The parts of the work lie in translate_function.cpp (values, arithmetic),
// translate_memory.cpp, translate_control.cpp (branches, phis), translate_calls.cpp and intrinsics.cpp.
//
// Every value of LLVM has registers of its own, as many as it has words. Casts that change no bits, and members of
// aggregates, share the registers of what they come from; as values never change once they are computed, and a phi is
// written only on edges into its block, nobody can tell the difference.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "constants.h"
#include "layout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "native/image.h"
#include "places.h"
#include "statements.h"
#include "types.h"

namespace heddle::lower {

// What the functions of a module have in common.
struct ModuleParts {
  ModuleParts(native::Image& an_image, Layout& a_layout, Constants& some_constants, Places& some_places,
              Types& some_types, const Statements& some_statements)
      : image(an_image),
        layout(a_layout),
        constants(some_constants),
        places(some_places),
        types(some_types),
        statements(some_statements) {}
  // The index of the external function of that name.
  std::uint32_t external(const std::string& symbol);

  native::Image& image;
  Layout& layout;
  Constants& constants;
  Places& places;
  Types& types;
  const Statements& statements;

 private:
  std::map<std::string, std::uint32_t> externals_;
};

class FunctionTranslator {
 public:
  FunctionTranslator(const llvm::Function& function, ModuleParts& parts) : function_(function), parts_(parts) {}
  native::Function run();

 private:
  using Code = native::Code;
  using Operation = native::Operation;
  using Operand = std::uint32_t;

  // Values.
  Operand operand(const llvm::Value* value);
  Operand constant(const std::vector<native::Word>& words);
  Operand constant(native::Word word) { return constant(std::vector<native::Word>{word}); }
  std::uint32_t new_registers(std::uint32_t words);
  std::uint32_t result(const llvm::Instruction& instruction) { return registers_.at(&instruction); }
  void same(const llvm::Instruction& instruction, Operand operand) { registers_[&instruction] = operand; }
  std::uint32_t words(const llvm::Value& value) { return parts_.layout.words(value.getType()); }
  Operation& emit(Code code);
  // A new register with the result of an operation on operands of one word, or two.
  Operand compute(Code code, std::uint32_t width, Operand a, Operand b, std::uint32_t result_words = 1);
  void copy(std::uint32_t to, Operand from, std::uint32_t words);
  // The operation that was emitted last makes objects of that type, if it is one.
  void makes(std::uint32_t type);

  // Instructions.
  void begin();
  void block(const llvm::BasicBlock& block);
  // Marks that execution is in that statement, unless it is known to be.
  void enter(std::uint32_t statement);
  std::uint32_t statement_before(const llvm::BasicBlock& block) const;
  void translate(const llvm::Instruction& each);
  void instruction(const llvm::Instruction& each);
  void unsupported(const std::string& text);
  void binary(const llvm::Instruction& each, Code code);
  void compare(const llvm::CmpInst& each);
  void cast(const llvm::CastInst& each);
  void select(const llvm::SelectInst& each);
  void insert_value(const llvm::InsertValueInst& each);
  void element(const llvm::Instruction& each);
  void shuffle(const llvm::ShuffleVectorInst& each);

  // Memory.
  void allocate(const llvm::AllocaInst& each);
  void load(const llvm::LoadInst& each);
  void store(const llvm::StoreInst& each);
  void exchange(const llvm::AtomicCmpXchgInst& each);
  void change(const llvm::AtomicRMWInst& each);
  void fence(const llvm::FenceInst& each);
  void index(const llvm::GetElementPtrInst& each);
  Operand advanced(Operand pointer, std::uint64_t bytes);
  Operand new_stack_object(std::uint64_t bytes);
  void copy_memory(Operand to, Operand from, Operand bytes, bool overlap);

  // Control.
  void terminator(const llvm::Instruction& each);
  void jump(const llvm::BasicBlock& from, const llvm::BasicBlock& to);
  void edge_copies(const llvm::BasicBlock& from, const llvm::BasicBlock& to);
  bool has_copies(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const;

  // Calls.
  void call(const llvm::CallBase& each);
  void inline_assembly(const llvm::CallBase& each);
  void undefined(const llvm::CallBase& mark);
  void intrinsic(const llvm::IntrinsicInst& each);
  bool math(const llvm::IntrinsicInst& each);
  bool float_class(const llvm::IntrinsicInst& each);
  bool integer_intrinsic(const llvm::IntrinsicInst& each);
  bool copy_members(const llvm::IntrinsicInst& each);
  bool memory_intrinsic(const llvm::IntrinsicInst& each);
  bool ignored_intrinsic(const llvm::IntrinsicInst& each);
  void start_arguments(const llvm::IntrinsicInst& each);
  std::uint32_t pass_arguments(const llvm::CallBase& each, unsigned first_variable, Operand variable_ones);
  Operand pass_variable_arguments(const llvm::CallBase& each, unsigned first);
  void call_external(const std::string& symbol, const std::vector<Operand>& arguments);

  // A place in the list of operations that is known only when all blocks are translated.
  struct Fixup {
    enum class Where : std::uint8_t { Immediate, Second, Case } where;
    std::uint32_t index;
    const llvm::BasicBlock* block;
  };
  // An edge that needs copies of its own: they come after the branch.
  struct Edge {
    Fixup::Where where;
    std::uint32_t index;
    const llvm::BasicBlock* block;
  };
  void target(Fixup::Where where, std::uint32_t index, const llvm::BasicBlock& from, const llvm::BasicBlock& to,
              std::vector<Edge>& edges);
  void set_target(Fixup::Where where, std::uint32_t index, std::uint32_t to);
  void shorten_jumps();

  const llvm::Function& function_;
  ModuleParts& parts_;
  native::Function out_;
  std::map<const llvm::Value*, Operand> registers_;
  std::map<std::vector<native::Word>, Operand> known_constants_;
  std::map<const llvm::BasicBlock*, std::uint32_t> starts_;
  std::vector<Fixup> fixups_;
  const llvm::BasicBlock* next_block_ = nullptr;  // in the order of translation
  std::uint32_t place_ = native::none;
  std::uint32_t statement_ = native::none;                       // of the operation that comes next
  std::map<const llvm::BasicBlock*, std::uint32_t> statements_;  // at the ends of blocks
  std::uint32_t variable_arguments_ = native::none;  // the register of the hidden parameter of a variadic function
};

}  // namespace heddle::lower
