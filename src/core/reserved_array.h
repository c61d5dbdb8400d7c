// An array that never moves. Address space for all of it is reserved at once, memory is used only where it
// was touched, and untouched elements are zero. Readers need no lock while others append.
//
// REQUIRES: T is trivial (or an atomic of a trivial type), and all-zero bytes are a valid T. Thread-safe as
// far as T is.
#pragma once

#include <sys/mman.h>

#include <cassert>
#include <cstddef>
#include <exception>
#include <utility>

#include "core/sanitizers.h"

namespace heddle {

// There is no room for another element.
class TableFull : public std::exception {
 public:
  const char* what() const noexcept override { return "a table of the search is full"; }
};

template <class T>
class ReservedArray {
 public:
  // The thread sanitizer leaves little address space to several searches at once.
  static constexpr std::size_t default_capacity = (std::size_t{1} << 31) / (thread_sanitizer ? sizeof(T) : 1);

  // Settles for less than was asked for where address space is limited (ulimit -v).
  explicit ReservedArray(std::size_t capacity = default_capacity) {
    for (const std::size_t least = capacity >> 16; capacity > least; capacity /= 2) {
      void* memory = mmap(nullptr, capacity * sizeof(T), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (memory != MAP_FAILED) {
        data_ = static_cast<T*>(memory);
        capacity_ = capacity;
        // A large array is accessed at random, and small pages would cost a walk of the page tables each
        // time. A small array should not cost megabytes.
        if (capacity * sizeof(T) > small_bytes) {
          madvise(static_cast<char*>(memory) + small_bytes, capacity * sizeof(T) - small_bytes, MADV_HUGEPAGE);
        }
        return;
      }
    }
    throw TableFull();
  }
  ~ReservedArray() {
    if (data_ != nullptr) munmap(static_cast<void*>(data_), capacity_ * sizeof(T));
  }
  ReservedArray(ReservedArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), capacity_(std::exchange(other.capacity_, 0)) {}
  ReservedArray& operator=(ReservedArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }

  // REQUIRES: i < capacity().
  T& operator[](std::size_t i) const {
    assert(i < capacity_);
    return data_[i];
  }
  std::size_t capacity() const { return capacity_; }

 private:
  static constexpr std::size_t small_bytes = std::size_t{4} << 20;

  T* data_ = nullptr;
  std::size_t capacity_ = 0;
};

}  // namespace heddle
