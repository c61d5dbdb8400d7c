// Pieces of shared memory as places that accesses name (core/facets/threads.h), so that two operations conflict only if
// they touch the same bytes.
//
// An object is a tree of blocks: the object, its words of 8 bytes, their halves, bytes. An access is cut into whole
// blocks, as large as possible. It reads or writes these, and a part of each block above them
// (Access::Kind::WritePart). So two accesses conflict in a block iff their bytes overlap. A pointer in a node is two
// places, not eight.
//
// A long access counts as one to the whole object: conflicts may then be seen that do not exist.
// Thread-safe, except Collector.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "core/access.h"
#include "core/content_table.h"

namespace heddle::native {

class AccessUnits {
 public:
  // Places get the numbers from `first` on.
  explicit AccessUnits(std::uint32_t first) : first_(first) {}

  std::uint32_t count() const { return first_ + table_.last() + 1; }
  std::size_t bytes() const { return table_.bytes(); }

  std::uint32_t place_of_object(std::uint32_t object) { return place({object, Collector::Level::Object, 0}); }

  // The place in another object that corresponds to `place`: to(object) is that object.
  template <class To>
  std::uint32_t moved(std::uint32_t place, const To& to) {
    const auto words = table_.words(place - first_);
    return this->place({to(words[0]), static_cast<Collector::Level>(words[1]), words[2]});
  }

  // Collects the accesses of one action.
  class Collector {
   public:
    explicit Collector(AccessUnits& units) : units_(units) {}

    void whole(std::uint32_t object, bool write) {
      note({object, Level::Object, 0}, write ? Access::Kind::Write : Access::Kind::Read);
    }
    // Whether the object is freed, whatever it contains.
    void life(std::uint32_t object, bool write) {
      note({object, Level::Life, 0}, write ? Access::Kind::Write : Access::Kind::Read);
    }
    // `size` bytes from `offset` on of an object of `object_size` bytes, or of unknown size (0).
    void part(std::uint32_t object, std::uint32_t offset, std::uint32_t size, std::size_t object_size, bool write) {
      constexpr std::uint32_t longest = 256;
      if (size == 0) return;
      if ((offset == 0 && size == object_size) || size > longest) return whole(object, write);
      const Access::Kind kind = write ? Access::Kind::Write : Access::Kind::Read;
      const Access::Kind above = write ? Access::Kind::WritePart : Access::Kind::ReadPart;
      note({object, Level::Object, 0}, above);
      for (std::uint32_t at = offset, end = offset + size; at < end;) {
        const Level level = at % 8 == 0 && end - at >= 8   ? Level::Eight
                            : at % 4 == 0 && end - at >= 4 ? Level::Four
                                                           : Level::One;
        note({object, level, at}, kind);
        if (level != Level::Eight) note({object, Level::Eight, at - at % 8}, above);
        if (level == Level::One) note({object, Level::Four, at - at % 4}, above);
        at += level == Level::Eight ? 8 : level == Level::Four ? 4 : 1;
      }
    }
    // Ascending places.
    std::vector<Access> take() {
      std::vector<Access> out;
      for (const auto& [block, kinds] : kinds_) {
        const std::uint32_t place = units_.place(block);
        // What a kind conflicts with, a stronger one conflicts with as well.
        using enum Access::Kind;
        const auto has = [&](Access::Kind kind) { return (kinds >> static_cast<unsigned>(kind) & 1) != 0; };
        if (has(Write)) {
          out.push_back({place, Write});
          continue;
        }
        if (has(Read)) out.push_back({place, Read});
        if (has(WritePart)) out.push_back({place, WritePart});
        if (has(ReadPart) && !has(Read) && !has(WritePart)) out.push_back({place, ReadPart});
      }
      std::ranges::sort(out, {}, &Access::slot);
      return out;
    }

   private:
    friend class AccessUnits;
    enum class Level : std::uint8_t { Object, Eight, Four, One, Life };  // bytes
    struct Block {
      std::uint32_t object;
      Level level;
      std::uint32_t at;
      friend auto operator<=>(const Block&, const Block&) = default;
    };
    void note(const Block& block, Access::Kind kind) { kinds_[block] |= 1u << static_cast<unsigned>(kind); }

    AccessUnits& units_;
    std::map<Block, unsigned> kinds_;
  };

 private:
  std::uint32_t place(const Collector::Block& block) {
    const std::uint32_t words[] = {block.object, static_cast<std::uint32_t>(block.level), block.at};
    return first_ + table_.intern(words);
  }

  const std::uint32_t first_;
  ContentTable table_;
};

}  // namespace heddle::native
