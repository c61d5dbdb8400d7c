// Names of processes, and collections indexed by them.
//
//   Id<Acceptor> a;                 // one acceptor; compares with == only
//   IdSet<Acceptor> seen;           // a set of acceptors
//   Per<Acceptor, Ballot> last;     // one Ballot for each acceptor
//
// Ids of a role are a scalarset: there is no order and no arithmetic on them, so renaming the members of a
// role can never change what a protocol does. That makes symmetry reduction sound without any work of the
// modeller. A role has at most 64 members. An id names one process: where processes come and go, nobody gets
// the id of a process that has ended while anybody remembers it (Spawn in handler.h).
//
//   for (Id<Acceptor> a : run.members<Acceptor>()) ...      // every acceptor (run.h)
//   for (Id<Acceptor> a : seen) ...                         // the members of the set
//   for (auto [a, ballot] : last) ...                       // acceptors whose ballot is not the default one
//
// A loop visits each of them once. The order has no meaning in the protocol, and a handler or a property must
// not depend on it: take the largest value, count, collect into a set, but do not stop at "the first". A
// search with symmetry reduction notices a dependence on the order and says so; `heddle audit` looks for one.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <vector>

namespace heddle {

template <class Role>
class Id;

namespace detail {
// The library reaches an id's position by this. A model that used it would give up symmetry.
struct IdAccess {
  template <class Role>
  static constexpr std::uint16_t index(Id<Role> id) {
    return id.index_;
  }
  template <class Role>
  static constexpr Id<Role> make(std::uint16_t index) {
    Id<Role> id;
    id.index_ = index;
    return id;
  }
  template <class Collection>
  static constexpr auto& raw(Collection& collection) {
    return collection.raw_;
  }
};
inline constexpr std::uint16_t nobody = 0xFFFF;

// Returns the position of a process. It is a mistake of the model to insert nobody into a set or to write to
// its element.
template <class Role>
constexpr std::uint16_t somebody(Id<Role> id) {
  if (!id) throw std::invalid_argument("an Id that names nobody is used as a member; test it first: if (id) ...");
  return IdAccess::index(id);
}

// Whether a value is the default one of its type: whether both have the same bytes (detail/kinds.h). The type's own ==
// is not asked, because it may leave fields out.
template <class T>
bool has_default_value(const T& value);
}  // namespace detail

template <class Role>
class Id {
 public:
  // A default-constructed id names nobody.
  constexpr Id() = default;
  constexpr bool operator==(const Id&) const = default;
  constexpr explicit operator bool() const { return index_ != detail::nobody; }

 private:
  friend struct detail::IdAccess;
  std::uint16_t index_ = detail::nobody;
};

template <class Role>
class IdSet {
 public:
  constexpr bool operator==(const IdSet&) const = default;
  constexpr void insert(Id<Role> id) { raw_ |= bit(id); }
  constexpr void erase(Id<Role> id) {
    if (id) raw_ &= ~bit(id);
  }
  constexpr bool contains(Id<Role> id) const { return id && (raw_ & bit(id)) != 0; }
  constexpr std::size_t size() const { return static_cast<std::size_t>(std::popcount(raw_)); }
  constexpr bool empty() const { return raw_ == 0; }
  constexpr void clear() { raw_ = 0; }

  class Iterator {
   public:
    using value_type = Id<Role>;
    using reference = Id<Role>;
    using pointer = void;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    constexpr Iterator() = default;
    constexpr explicit Iterator(std::uint64_t rest) : rest_(rest) {}
    constexpr bool operator==(const Iterator&) const = default;
    constexpr Id<Role> operator*() const {
      return detail::IdAccess::make<Role>(static_cast<std::uint16_t>(std::countr_zero(rest_)));
    }
    constexpr Iterator& operator++() {
      rest_ &= rest_ - 1;
      return *this;
    }
    constexpr Iterator operator++(int) {
      const Iterator old = *this;
      ++*this;
      return old;
    }

   private:
    std::uint64_t rest_ = 0;  // the members still to come, one bit each
  };
  constexpr Iterator begin() const { return Iterator(raw_); }
  constexpr Iterator end() const { return {}; }

 private:
  friend struct detail::IdAccess;
  static constexpr std::uint64_t bit(Id<Role> id) { return std::uint64_t{1} << (detail::somebody(id) & 63); }
  std::uint64_t raw_ = 0;
};

template <class Role, class T>
class Per {
 public:
  // Compares member by member. How far a collection was written makes no difference.
  bool operator==(const Per& other) const {
    const T none{};
    for (std::size_t i = 0; i < raw_.size() || i < other.raw_.size(); ++i) {
      const T& mine = i < raw_.size() ? raw_[i] : none;
      const T& its = i < other.raw_.size() ? other.raw_[i] : none;
      if (!(mine == its)) return false;
    }
    return true;
  }
  T& operator[](Id<Role> id) {
    const std::size_t i = detail::somebody(id);
    if (raw_.size() <= i) raw_.resize(i + 1);
    return raw_[i];
  }
  // A member that was never written has T's default value, and so has nobody.
  const T& operator[](Id<Role> id) const {
    static const T none{};
    const std::size_t i = detail::IdAccess::index(id);
    return i < raw_.size() ? raw_[i] : none;
  }

  // Loops visit the members whose value is not T's default. The length of the vector below depends on which members
  // were written, so a member with the default value cannot be told from one beyond the end. A loop may change the
  // values that it is given. Writing to other members in the loop is like growing a vector in a loop over it.
  template <class Value>
  struct Entry {
    Id<Role> id;
    Value& value;
  };
  template <class Collection, class Value>
  class Iterator {
   public:
    using value_type = Entry<Value>;
    using reference = Entry<Value>;
    using pointer = void;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    Iterator() = default;
    Iterator(Collection& values, std::size_t at) : values_(&values), at_(at) { skip(); }
    bool operator==(const Iterator&) const = default;
    Entry<Value> operator*() const {
      return {detail::IdAccess::make<Role>(static_cast<std::uint16_t>(at_)), (*values_)[at_]};
    }
    Iterator& operator++() {
      ++at_;
      skip();
      return *this;
    }
    Iterator operator++(int) {
      const Iterator old = *this;
      ++*this;
      return old;
    }

   private:
    void skip() {
      while (at_ < values_->size() && detail::has_default_value<T>((*values_)[at_])) ++at_;
    }
    Collection* values_ = nullptr;
    std::size_t at_ = 0;
  };
  auto begin() { return Iterator<std::vector<T>, T>(raw_, 0); }
  auto end() { return Iterator<std::vector<T>, T>(raw_, raw_.size()); }
  auto begin() const { return Iterator<const std::vector<T>, const T>(raw_, 0); }
  auto end() const { return Iterator<const std::vector<T>, const T>(raw_, raw_.size()); }

 private:
  friend struct detail::IdAccess;
  std::vector<T> raw_;
};

}  // namespace heddle
