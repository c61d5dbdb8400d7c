// Sets of accesses to shared memory, interned, and whether two of them conflict: for data races.
//
// Why a race is found. Let a and b be conflicting accesses of threads A and B, at least one of them plain, that
// happens-before does not order. Say a is plain; it belongs to the segment that begins with A's visible operation p.
// Take the operations that must come before p or before b's visible operation, in their order: a run exists that
// consists of them, and in which A has executed p's segment, a included, and nothing since, when B executes b. So it is
// enough to keep the plain accesses of each thread's latest segment (Rest::latest) and to compare them with what others
// do next. Nothing else is reported: what A does after its latest visible operation is not ordered with anybody else's
// operations, because only later visible operations of A could order it.
// Thread-safe.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/content_table.h"
#include "core/pair_map.h"
#include "native/machine.h"

namespace heddle::native {

class Footprints {
 public:
  using Number = std::uint32_t;  // 0: no accesses

  static bool is_plain(const SharedAccess& access) {
    return access.kind != SharedAccess::Kind::AtomicRead && access.kind != SharedAccess::Kind::AtomicWrite;
  }
  static bool is_write(const SharedAccess& access) {
    return access.kind != SharedAccess::Kind::AtomicRead && access.kind != SharedAccess::Kind::PlainRead;
  }
  // The same bytes, and one of them writes.
  static bool touch(const SharedAccess& a, const SharedAccess& b) {
    return a.label == b.label && a.offset < b.offset + b.size && b.offset < a.offset + a.size &&
           (is_write(a) || is_write(b));
  }
  static bool overlap(const SharedAccess& a, const SharedAccess& b) {
    return touch(a, b) && (is_plain(a) || is_plain(b));
  }

  Number all(std::span<const SharedAccess> accesses) { return intern(accesses, false); }
  Number plain(std::span<const SharedAccess> accesses) { return intern(accesses, true); }

  // Whether an access of `plain` and one of `next` overlap, one of them being a write.
  bool conflict(Number plain, Number next) {
    if (plain == 0 || next == 0) return false;
    return conflicts_.get(plain, next, [&] { return overlap(plain, next) ? yes : no; }) == yes;
  }
  // The accesses of a set of plain ones.
  std::vector<SharedAccess> accesses(Number plain) const {
    using enum SharedAccess::Kind;
    constexpr std::array kinds = {PlainRead, PlainWrite, Free};
    std::vector<SharedAccess> out;
    const auto w = table_.words(plain);
    for (std::size_t i = 0; i < w.size(); i += words) {
      out.push_back({{w[i] >> Label::index_bits, w[i] & Label::max_index},
                     w[i + 1],
                     w[i + 2] - w[i + 1],
                     kinds[w[i + 3]],
                     w[i + 4],
                     w[i + 5]});
    }
    return out;
  }
  // The same accesses, to objects with other labels.
  template <class To>
  Number moved(Number number, const To& to) {
    const auto w = table_.words(number);
    std::vector<std::array<std::uint32_t, words>> parts(w.size() / words);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      std::ranges::copy(w.subspan(i * words, words), parts[i].begin());
      const Label label = to(Label{parts[i][0] >> Label::index_bits, parts[i][0] & Label::max_index});
      parts[i][0] = label.owner << Label::index_bits | label.index;
    }
    return number == 0 ? 0 : intern(std::move(parts));
  }
  std::size_t bytes() const { return table_.bytes() + conflicts_.bytes(); }

 private:
  static constexpr std::uint32_t no = 1, yes = 2;
  // An access is six words: object, first byte, end, whether it writes (2: frees); function and operation, for reports.
  static constexpr std::size_t words = 6;

  Number intern(std::span<const SharedAccess> accesses, bool plain_only) {
    std::vector<std::array<std::uint32_t, words>> parts;
    for (const SharedAccess& a : accesses) {
      if (plain_only && !is_plain(a)) continue;
      if (a.size == 0) continue;
      const std::uint32_t writes = a.kind == SharedAccess::Kind::Free ? 2 : is_write(a) ? 1 : 0;
      parts.push_back(
          {a.label.owner << Label::index_bits | a.label.index, a.offset, a.offset + a.size, writes, a.function, a.at});
    }
    return intern(std::move(parts));
  }
  Number intern(std::vector<std::array<std::uint32_t, words>> parts) {
    if (parts.empty()) return 0;
    std::ranges::sort(parts);
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    return table_.intern(std::span<const std::uint32_t>(parts[0].data(), parts.size() * words));
  }
  bool overlap(Number plain, Number next) const {
    const auto a = table_.words(plain), b = table_.words(next);
    for (std::size_t i = 0; i < a.size(); i += words) {
      for (std::size_t j = 0; j < b.size(); j += words) {
        if (a[i] == b[j] && a[i + 1] < b[j + 2] && b[j + 1] < a[i + 2] && (a[i + 3] | b[j + 3]) != 0) return true;
      }
    }
    return false;
  }

  ContentTable table_;
  PairMap conflicts_;
};

}  // namespace heddle::native
