// Looks at the 16 entries of one cache line at once: which of them carry a tag, which are empty. The answers
// have one bit per entry, lowest first.
//
// The line is read without synchronisation while other threads may write its entries. A reader sees each
// entry as it was or as it is. Both answers about an entry come from the same look at it, and PairTable asks
// no more of this fast path. ThreadSanitizer cannot know that, so under it (and on processors other than x86)
// the entries are loaded one by one.
#pragma once

#include <atomic>
#include <cstdint>

#if defined(__SANITIZE_THREAD__)
#define HEDDLE_SCALAR_SCAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HEDDLE_SCALAR_SCAN 1
#endif
#endif
#if !defined(__SSE2__)
#define HEDDLE_SCALAR_SCAN 1
#endif
#ifndef HEDDLE_SCALAR_SCAN
#include <emmintrin.h>
#endif

namespace heddle {

struct BucketScan {
  std::uint32_t tagged;  // entry & ~mask == tag; empty entries may be among them
  std::uint32_t empty;   // entry == 0
};

inline BucketScan scan_bucket(const std::uint32_t* entry, std::uint32_t mask, std::uint32_t tag) {
#ifdef HEDDLE_SCALAR_SCAN
  BucketScan result{0, 0};
  for (unsigned i = 0; i < 16; ++i) {
    const std::uint32_t e = std::atomic_ref(const_cast<std::uint32_t&>(entry[i])).load(std::memory_order_relaxed);
    result.tagged |= static_cast<std::uint32_t>((e & ~mask) == tag) << i;
    result.empty |= static_cast<std::uint32_t>(e == 0) << i;
  }
  return result;
#else
  const __m128i keep = _mm_set1_epi32(static_cast<int>(~mask));
  const __m128i wanted = _mm_set1_epi32(static_cast<int>(tag));
  const __m128i zero = _mm_setzero_si128();
  __m128i tagged[4], empty[4];
  for (int i = 0; i < 4; ++i) {
    __m128i four = _mm_load_si128(reinterpret_cast<const __m128i*>(entry) + i);
    // There must be one load. If the compiler read memory again for `empty`, an entry written in between
    // would be missed.
    asm("" : "+x"(four));
    tagged[i] = _mm_cmpeq_epi32(_mm_and_si128(four, keep), wanted);
    empty[i] = _mm_cmpeq_epi32(four, zero);
  }
  const auto bits = [](const __m128i* v) {
    const __m128i low = _mm_packs_epi32(v[0], v[1]);
    const __m128i high = _mm_packs_epi32(v[2], v[3]);
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
  };
  return {bits(tagged), bits(empty)};
#endif
}

}  // namespace heddle
