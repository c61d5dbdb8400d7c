#include "statements.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <set>
#include <tuple>

#include "compile.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace heddle::lower {

Statements::Statements(native::Image& image, Places& places, const std::vector<std::filesystem::path>& files)
    : places_(places) {
  for (const std::filesystem::path& file : files) read(file, image, places);
  for (auto& [file, extents] : extents_) nest(extents);
}

void Statements::read(const std::filesystem::path& file, native::Image& image, Places& places) {
  std::ifstream in(file);
  if (!in) throw LowerError("clang's plugin has not written " + file.string());
  std::vector<std::uint32_t> numbers;  // of this file -> of the image
  bool known = false;                  // the function is that of another file
  for (std::string line; std::getline(in, line);) {
    int parent = -1, at = 0;
    unsigned number = 0;
    native::SourceStatement x;
    char loop[8] = {};
    if (std::sscanf(line.c_str(), "%u\t%d\t%u:%u\t%u:%u\t%7s\t%n", &number, &parent, &x.first_line, &x.first_column,
                    &x.last_line, &x.last_column, loop, &at) != 7 ||
        number != numbers.size() || parent >= static_cast<int>(number)) {
      throw LowerError("clang's plugin has written what is no statement: " + line);
    }
    const std::size_t tab = line.find('\t', static_cast<std::size_t>(at));
    const std::string path = line.substr(static_cast<std::size_t>(at), tab - static_cast<std::size_t>(at));
    x.loop = std::string(loop) == "loop";
    x.function = places.text(tab == std::string::npos ? "" : line.substr(tab + 1));
    x.file = places.file(path);
    if (parent >= 0) x.parent = numbers[static_cast<std::size_t>(parent)];
    std::vector<Extent>& extents = extents_[path];
    const Position first{x.first_line, x.first_column}, last{x.last_line, x.last_column};
    if (parent < 0 || known) {
      const auto same = std::find_if(extents.begin(), extents.end(), [&](const Extent& other) {
        return other.first == first && other.last == last && image.statements[other.statement].parent == x.parent;
      });
      known = same != extents.end();
      if (known) {
        numbers.push_back(same->statement);
        continue;
      }
    }
    numbers.push_back(static_cast<std::uint32_t>(image.statements.size()));
    extents.push_back({first, last, numbers.back(), native::none});
    image.statements.push_back(x);
  }
}

// The extents of a file are disjoint or one holds the other.
void Statements::nest(std::vector<Extent>& extents) const {
  std::stable_sort(extents.begin(), extents.end(), [](const Extent& a, const Extent& b) {
    return std::tie(a.first, b.last) < std::tie(b.first, a.last);
  });
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < extents.size(); ++i) {
    while (!open.empty() && extents[open.back()].last < extents[i].first) open.pop_back();
    extents[i].around = open.empty() ? native::none : open.back();
    open.push_back(i);
  }
}

std::uint32_t Statements::at(const std::string& file, Position position) const {
  const auto found = extents_.find(file);
  if (found == extents_.end()) return native::none;
  const std::vector<Extent>& extents = found->second;
  const auto after = std::upper_bound(extents.begin(), extents.end(), position,
                                      [](const Position& p, const Extent& extent) { return p < extent.first; });
  auto i = static_cast<std::uint32_t>(after - extents.begin());
  for (i = i == 0 ? native::none : i - 1; i != native::none; i = extents[i].around) {
    if (!(extents[i].last < position)) return extents[i].statement;
  }
  return native::none;
}

std::vector<std::uint32_t> Statements::of(const llvm::BasicBlock& block) const {
  std::vector<std::uint32_t> out;
  for (const llvm::Instruction& each : block) {
    std::uint32_t statement = native::none;
    const bool silent = llvm::isa<llvm::PHINode>(each) || llvm::isa<llvm::DbgInfoIntrinsic>(each);
    for (const llvm::DILocation* here = silent ? nullptr : each.getDebugLoc().get();
         here != nullptr && statement == native::none; here = here->getInlinedAt()) {
      if (here->getLine() != 0) statement = at(places_.absolute(here->getFile()), {here->getLine(), here->getColumn()});
    }
    out.push_back(statement);
  }
  return out;
}

}  // namespace heddle::lower
