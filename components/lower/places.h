// Where in the source an instruction comes from, as places of the image.
//
// Clang's debug locations carry the function and, for inlined code, the call it came from. An instruction without a
// line gets that of the nearest located one of its block, marked `about`.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "native/image.h"

namespace heddle::lower {

// Interns texts, files and places of an image.
class Places {
 public:
  // `files`: the source files as the user has named them.
  Places(native::Image& image, const std::vector<std::string>& files);

  std::uint32_t text(const std::string& text);
  // The index of a file; REQUIRES: the path is absolute and normal.
  std::uint32_t file(const std::string& path);
  static std::string absolute(const llvm::DIFile* file);
  // Where the function begins; none if that is not known.
  std::uint32_t of(const llvm::Function& function);
  std::uint32_t of(const llvm::GlobalVariable& global);
  // Where a variable is declared.
  std::uint32_t of(const llvm::DILocation& declared) { return location(&declared, false); }
  // The places of all instructions of the block, in order.
  std::vector<std::uint32_t> of(const llvm::BasicBlock& block);
  // Of the standard library or of Heddle's runtime.
  bool is_library(const llvm::Function& function) const;
  bool is_library(const llvm::GlobalVariable& global) const;
  bool is_library(const llvm::DIType& type) const;
  // Of the standard library's headers.
  bool is_standard(const llvm::Function& function) const;
  // "file.c:12" of a place; empty for none.
  std::string words(std::uint32_t place) const;

 private:
  bool is_library(const llvm::DIFile* file) const;
  // A file as the user names it, or within the current folder.
  std::string shown(const std::string& whole) const;
  std::uint32_t file(const llvm::DIFile* file);
  std::uint32_t location(const llvm::DILocation* location, bool about);
  std::uint32_t add(const native::Place& place);

  native::Image& image_;
  std::map<std::string, std::string> given_;  // absolute path -> as the user wrote it
  std::string current_folder_;
  std::map<std::string, std::uint32_t> texts_;
  std::map<std::string, std::uint32_t> files_;
  std::map<const llvm::DIFile*, std::uint32_t> file_of_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, bool>, std::uint32_t>
      places_;
};

// The name of a symbol as a person writes it: "Queue<int>::push(int)".
std::string readable(const std::string& symbol);

}  // namespace heddle::lower
