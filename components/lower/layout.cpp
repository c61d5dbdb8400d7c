#include "layout.h"

#include "llvm/Support/raw_ostream.h"

namespace heddle::lower {

std::string text(const llvm::Type& type) {
  std::string out;
  llvm::raw_string_ostream stream(out);
  type.print(stream, false, true);
  return out;
}

void Layout::flatten(llvm::Type* type, std::uint64_t offset, std::vector<Leaf>& out) {
  constexpr std::size_t most_scalars = 1 << 16;  // a value of more is nothing that a program passes around
  if (out.size() > most_scalars) throw NotSupported("a value of type " + text(*type) + ", which is too large");
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* layout = data_.getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements(); ++i) {
      flatten(structure->getElementType(i), offset + layout->getElementOffset(i).getFixedValue(), out);
    }
    return;
  }
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const std::uint64_t stride = data_.getTypeAllocSize(array->getElementType()).getFixedValue();
    for (std::uint64_t i = 0; i < array->getNumElements(); ++i)
      flatten(array->getElementType(), offset + i * stride, out);
    return;
  }
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    const std::uint64_t bits = data_.getTypeSizeInBits(vector->getElementType()).getFixedValue();
    const std::uint64_t stride = bits % 8 == 0 ? bits / 8 : 1;  // vectors of bits are never in memory, see is_packed
    for (unsigned i = 0; i < vector->getNumElements(); ++i) flatten(vector->getElementType(), offset + i * stride, out);
    return;
  }
  const bool scalar =
      type->isIntegerTy() || type->isPointerTy() || type->isFloatTy() || type->isDoubleTy() || type->isX86_FP80Ty();
  if (!scalar) throw NotSupported("the type " + text(*type));
  Leaf leaf;
  leaf.type = type;
  leaf.offset = offset;
  leaf.bits = static_cast<std::uint32_t>(data_.getTypeSizeInBits(type).getFixedValue());
  leaf.bytes = static_cast<std::uint32_t>(data_.getTypeStoreSize(type).getFixedValue());
  leaf.words = leaf.bits > 64 ? 2 : 1;
  if (leaf.bits > 128) throw NotSupported("the type " + text(*type));
  out.push_back(leaf);
}

const std::vector<Leaf>& Layout::leaves(llvm::Type* type) {
  const auto found = known_.find(type);
  if (found != known_.end()) return found->second;
  std::vector<Leaf> out;
  if (!type->isVoidTy()) flatten(type, 0, out);
  return known_.emplace(type, std::move(out)).first->second;
}

std::uint32_t Layout::words(llvm::Type* type) {
  std::uint32_t sum = 0;
  for (const Leaf& leaf : leaves(type)) sum += leaf.words;
  return sum;
}

std::uint32_t Layout::words_before(llvm::Type* type, unsigned index) {
  std::uint32_t sum = 0;
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    for (unsigned i = 0; i < index; ++i) sum += words(structure->getElementType(i));
    return sum;
  }
  llvm::Type* element = llvm::isa<llvm::ArrayType>(type) ? llvm::cast<llvm::ArrayType>(type)->getElementType()
                                                         : llvm::cast<llvm::FixedVectorType>(type)->getElementType();
  return index * words(element);
}

}  // namespace heddle::lower
