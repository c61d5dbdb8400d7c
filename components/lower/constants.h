// Constants of LLVM as words and bytes of the image. Pointers to globals and functions are labels (native/image.h).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "layout.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalValue.h"
#include "native/image.h"

namespace heddle::lower {

class Constants {
 public:
  explicit Constants(Layout& layout) : layout_(layout) {}

  void set_function(const llvm::Function* function, std::uint32_t index) { functions_[function] = index; }
  void set_global(const llvm::GlobalVariable* global, std::uint32_t index) { globals_[global] = index; }
  // REQUIRES: set_function, set_global was called for it.
  std::uint32_t function(const llvm::Function* function) const { return functions_.at(function); }
  std::uint32_t global(const llvm::GlobalVariable* global) const { return globals_.at(global); }
  bool has_function(const llvm::Function* function) const { return functions_.contains(function); }

  // The words of a value, as many as its type has. Throws NotSupported.
  std::vector<native::Word> words(const llvm::Constant* constant);
  // Writes an initial value at `offset`. Throws NotSupported.
  void write(const llvm::Constant* constant, std::uint64_t offset, std::string& bytes);

 private:
  native::Word address(const llvm::GlobalValue* value);
  std::vector<native::Word> expression(const llvm::ConstantExpr* expression);

  Layout& layout_;
  std::map<const llvm::Function*, std::uint32_t> functions_;
  std::map<const llvm::GlobalVariable*, std::uint32_t> globals_;
};

}  // namespace heddle::lower
