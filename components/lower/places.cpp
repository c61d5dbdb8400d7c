#include "places.h"

#include <filesystem>

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Instructions.h"

namespace heddle::lower {
namespace {

bool is_library_path(const std::string& path) {
  return path.starts_with("/usr/") || path.starts_with("heddle-runtime") || path.ends_with("/heddle/native.h");
}

const llvm::DIFile* file_of(const llvm::GlobalVariable& global, const llvm::DIGlobalVariable** variable = nullptr) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> found;
  global.getDebugInfo(found);
  if (found.empty()) return nullptr;
  if (variable != nullptr) *variable = found.front()->getVariable();
  return found.front()->getVariable()->getFile();
}

}  // namespace

std::string readable(const std::string& symbol) {
  std::string out = llvm::demangle(symbol);
  // GNU's abi tags say nothing to a person.
  for (std::size_t at = out.find("[abi:"); at != std::string::npos; at = out.find("[abi:", at)) {
    const std::size_t end = out.find(']', at);
    if (end == std::string::npos) break;
    out.erase(at, end - at + 1);
  }
  return out;
}

Places::Places(native::Image& image, const std::vector<std::string>& files)
    : image_(image), current_folder_(std::filesystem::current_path().string()) {
  for (const std::string& file : files) {
    given_.emplace(std::filesystem::absolute(file).lexically_normal().string(), file);
  }
}

std::uint32_t Places::text(const std::string& text) {
  const auto [at, is_new] = texts_.emplace(text, static_cast<std::uint32_t>(image_.texts.size()));
  if (is_new) image_.texts.push_back(text);
  return at->second;
}

std::string Places::absolute(const llvm::DIFile* file) {
  std::string name = file->getFilename().str();
  if (name.starts_with("heddle-runtime")) return name;
  return (std::filesystem::path(file->getDirectory().str()) / name).lexically_normal().string();
}

std::string Places::shown(const std::string& whole) const {
  const auto given = given_.find(whole);
  if (given != given_.end()) return given->second;
  if (whole.starts_with(current_folder_ + "/")) return whole.substr(current_folder_.size() + 1);
  return whole;
}

std::uint32_t Places::file(const std::string& path) {
  const auto [at, is_new] = files_.emplace(shown(path), static_cast<std::uint32_t>(image_.files.size()));
  if (is_new) image_.files.push_back(at->first);
  return at->second;
}

std::uint32_t Places::file(const llvm::DIFile* file) {
  if (file == nullptr) return native::none;
  const auto known = file_of_.find(file);
  if (known != file_of_.end()) return known->second;
  return file_of_.emplace(file, this->file(absolute(file))).first->second;
}

std::uint32_t Places::add(const native::Place& place) {
  const auto key = std::tuple(place.file, place.line, place.column, place.function, place.inlined_at, place.about);
  const auto [at, is_new] = places_.emplace(key, static_cast<std::uint32_t>(image_.places.size()));
  if (is_new) image_.places.push_back(place);
  return at->second;
}

std::uint32_t Places::location(const llvm::DILocation* location, bool about) {
  native::Place place;
  if (const llvm::DILocation* outer = location->getInlinedAt()) place.inlined_at = this->location(outer, false);
  place.file = file(location->getFile());
  place.line = location->getLine();
  place.column = location->getColumn();
  place.about = about;
  if (const llvm::DISubprogram* function = location->getScope()->getSubprogram()) {
    const llvm::StringRef symbol = function->getLinkageName();
    place.function = text(symbol.empty() ? function->getName().str() : readable(symbol.str()));
  }
  return add(place);
}

std::uint32_t Places::of(const llvm::Function& function) {
  const llvm::DISubprogram* program = function.getSubprogram();
  if (program == nullptr || program->getFile() == nullptr) return native::none;
  native::Place place;
  place.file = file(program->getFile());
  place.line = program->getLine();
  place.function = text(readable(function.getName().str()));
  return add(place);
}

std::uint32_t Places::of(const llvm::GlobalVariable& global) {
  const llvm::DIGlobalVariable* variable = nullptr;
  const llvm::DIFile* in = file_of(global, &variable);
  if (in == nullptr) return native::none;
  native::Place place;
  place.file = file(in);
  place.line = variable->getLine();
  return add(place);
}

std::vector<std::uint32_t> Places::of(const llvm::BasicBlock& block) {
  std::vector<const llvm::DILocation*> located;
  for (const llvm::Instruction& instruction : block) {
    const llvm::DILocation* here = instruction.getDebugLoc().get();
    located.push_back(here != nullptr && here->getLine() != 0 ? here : nullptr);
  }
  // The nearest: first looking back, then looking on.
  std::vector<const llvm::DILocation*> nearest = located;
  for (std::size_t i = 1; i < nearest.size(); ++i) {
    if (nearest[i] == nullptr) nearest[i] = nearest[i - 1];
  }
  for (std::size_t i = nearest.size(); i-- > 1;) {
    if (nearest[i - 1] == nullptr) nearest[i - 1] = nearest[i];
  }
  std::uint32_t whole = native::none;
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < nearest.size(); ++i) {
    if (nearest[i] != nullptr) {
      out.push_back(location(nearest[i], located[i] == nullptr));
      continue;
    }
    if (whole == native::none) {
      whole = of(*block.getParent());
      if (whole != native::none) {
        native::Place place = image_.places[whole];
        place.about = true;
        whole = add(place);
      }
    }
    out.push_back(whole);
  }
  return out;
}

bool Places::is_library(const llvm::DIFile* file) const {
  const std::string path = absolute(file);
  return is_library_path(path) && !given_.contains(path);
}

bool Places::is_library(const llvm::Function& function) const {
  const llvm::DISubprogram* program = function.getSubprogram();
  if (program == nullptr || program->getFile() == nullptr) return true;
  return is_library(program->getFile());
}

bool Places::is_standard(const llvm::Function& function) const {
  const llvm::DISubprogram* program = function.getSubprogram();
  return program != nullptr && program->getFile() != nullptr && absolute(program->getFile()).starts_with("/usr/");
}

bool Places::is_library(const llvm::GlobalVariable& global) const {
  const llvm::DIFile* in = file_of(global);
  if (in != nullptr) return is_library(in);
  return !global.hasPrivateLinkage();  // a string of the program; otherwise what clang and the runtime have added
}

bool Places::is_library(const llvm::DIType& type) const {
  return type.getFile() != nullptr && is_library(type.getFile());
}

std::string Places::words(std::uint32_t place) const {
  if (place == native::none) return {};
  const native::Place& at = image_.places[place];
  return (at.file == native::none ? std::string("?") : image_.files[at.file]) + ":" + std::to_string(at.line);
}

}  // namespace heddle::lower
