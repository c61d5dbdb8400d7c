// Types of the source, from clang's debug information, as types of the image: how values and parts of objects are
// shown. Execution does not depend on them.
//
// What people think of as one value is one. Typedefs and qualifiers are left out. A class of a library with a single
// value inside, std::atomic<T> say, is that value; one with members whose names begin with an underscore is opaque; one
// with other members, std::pair say, is a struct like the user's own. Members of base classes and of anonymous structs
// are members; where two have one name, that of the class stands before it.
// Not thread-safe: it remembers what it was asked.
#pragma once

#include <map>
#include <string>

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "native/image.h"
#include "places.h"

namespace heddle::lower {

class Types {
 public:
  Types(native::Image& image, Places& places) : image_(image), places_(places) {}

  // The type of an object of `size` bytes; `none` if nothing is known, or if something else is known.
  std::uint32_t of(const llvm::GlobalVariable& global, std::uint64_t size);
  std::uint32_t of(const llvm::AllocaInst& object, std::uint64_t size);
  // What a call allocates: the type of one element. `none` if it is not a call that allocates.
  std::uint32_t of(const llvm::CallBase& call);

 private:
  struct Member {
    std::string name, owner;   // the class that it comes from
    std::uint64_t offset = 0;  // bytes
    std::uint32_t type = native::none;
    std::uint32_t bit = 0, bits = 0;  // of a bit-field
  };

  std::uint32_t of(const llvm::DIType* type);
  std::uint32_t sized(const llvm::DIType* type, std::uint64_t size);
  std::uint32_t make(const llvm::DIType& type);
  std::uint32_t scalar(const llvm::DIBasicType& type);
  std::uint32_t enumeration(const llvm::DICompositeType& type);
  std::uint32_t array(const llvm::DICompositeType& type);
  std::uint32_t composite(const llvm::DICompositeType& type);
  bool collect(const llvm::DICompositeType& type, std::uint64_t offset, std::vector<Member>& out);
  void fill_gaps(std::vector<Member>& members, std::uint64_t size);
  std::uint32_t opaque(const std::string& name, std::uint64_t size);
  std::uint32_t add(native::Type type);

  native::Image& image_;
  Places& places_;
  std::map<const llvm::DIType*, std::uint32_t> known_;
  std::vector<std::uint32_t> depths_;  // by type of the image
};

}  // namespace heddle::lower
