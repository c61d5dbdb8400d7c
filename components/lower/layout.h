// How a type of LLVM is kept: as a sequence of scalars, each of which is one word of the image, or two.
//
//   Layout layout(module.getDataLayout());
//   layout.words(type);                      // registers that a value of the type takes
//   for (const Leaf& leaf : layout.leaves(type)) ...   // where each scalar lies in memory
//
// A scalar is an integer of up to 128 bits, a pointer, a float, a double or a long double. Structs, arrays and vectors
// are flattened. Types that the image has no form for throw NotSupported.
// Not thread-safe: it remembers what it was asked.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"

namespace heddle::lower {

// Something of the program has no form in the image. The text completes "the program uses ...".
struct NotSupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Leaf {
  llvm::Type* type = nullptr;
  std::uint64_t offset = 0;  // in memory, bytes
  std::uint32_t bytes = 0;   // in memory
  std::uint32_t bits = 0;    // of the value
  std::uint32_t words = 1;
};

class Layout {
 public:
  explicit Layout(const llvm::DataLayout& data) : data_(data) {}

  const std::vector<Leaf>& leaves(llvm::Type* type);
  // 0 for void.
  std::uint32_t words(llvm::Type* type);
  // Words before the member `index` of an aggregate or vector.
  std::uint32_t words_before(llvm::Type* type, unsigned index);
  const llvm::DataLayout& data() const { return data_; }

 private:
  void flatten(llvm::Type* type, std::uint64_t offset, std::vector<Leaf>& out);

  const llvm::DataLayout& data_;
  std::map<llvm::Type*, std::vector<Leaf>> known_;
};

// As a person reads it, for messages.
std::string text(const llvm::Type& type);

}  // namespace heddle::lower
