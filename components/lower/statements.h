// The statements of the user's functions, as clang's plugin has written them (plugin/statements_plugin.cpp), and which
// of them an instruction belongs to: the innermost one around its place in the source.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "native/image.h"
#include "places.h"

namespace heddle::lower {

class Statements {
 public:
  // Adds the statements in the files to the image. A function of a header that several files include is added once.
  // Throws LowerError if a file is not as the plugin writes them.
  Statements(native::Image& image, Places& places, const std::vector<std::filesystem::path>& files);

  // For each instruction of the block: its statement, or none if it is that of the instruction before it.
  std::vector<std::uint32_t> of(const llvm::BasicBlock& block) const;

 private:
  using Position = std::pair<std::uint32_t, std::uint32_t>;  // line, column
  struct Extent {
    Position first, last;
    std::uint32_t statement;
    std::uint32_t around;  // the innermost extent that holds this one, also of another function; none
  };
  void read(const std::filesystem::path& file, native::Image& image, Places& places);
  void nest(std::vector<Extent>& extents) const;
  std::uint32_t at(const std::string& file, Position position) const;

  const Places& places_;
  std::map<std::string, std::vector<Extent>> extents_;  // by the absolute path of the file
};

}  // namespace heddle::lower
