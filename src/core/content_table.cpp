// Copies new contents into chunks that never move, under a mutex.
#include "core/content_table.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include <xxhash.h>

namespace heddle {

std::size_t ContentTable::Hash::operator()(std::string_view bytes) const noexcept {
  return XXH3_64bits(bytes.data(), bytes.size());
}

ContentTable::Interned ContentTable::intern_new(std::string_view bytes) {
  std::lock_guard lock(mutex_);
  if (auto it = numbers_.find(bytes); it != numbers_.end()) return {it->second, false};
  const Number number = last_.load(std::memory_order_relaxed) + 1;
  if (number >= entries_.capacity()) throw TableFull();
  const char* data = store(bytes);
  entries_[number] = {data, bytes.size()};
  numbers_.emplace(std::string_view(data, bytes.size()), number);
  // A slot of the map has 24 bytes; 40 allow for its usual load.
  bytes_.fetch_add(bytes.size() + sizeof(Entry) + 40, std::memory_order_relaxed);
  last_.store(number, std::memory_order_release);
  return {number, true};
}

// Contents lie in chunks that never move. They are aligned because words are read in place.
const char* ContentTable::store(std::string_view bytes) {
  const std::size_t size = (bytes.size() + 7) & ~std::size_t{7};
  if (size > left_) {
    const std::size_t chunk = std::max<std::size_t>(size, 1 << 16);
    chunks_.push_back(std::make_unique_for_overwrite<char[]>(chunk));
    free_ = chunks_.back().get();
    left_ = chunk;
  }
  char* place = free_;
  assert(size <= left_);
  assert(reinterpret_cast<std::uintptr_t>(place) % alignof(std::uint32_t) == 0);
  if (!bytes.empty()) std::memcpy(place, bytes.data(), bytes.size());
  free_ += size;
  left_ -= size;
  return place;
}

}  // namespace heddle
