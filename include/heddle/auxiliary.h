// Auxiliary data: what a protocol writes but never looks at, such as logs, message histories and statistics.
//
//   struct Acceptor {
//     int promised = 0;
//     Auxiliary<std::vector<int>> log;
//     void promise(const Prepare& p) {
//       require(p.ballot > promised);
//       promised = p.ballot;
//       log.update([](auto& entries, int ballot) { entries.push_back(ballot); }, p.ballot);
//     }
//   };
//
// States that differ only in auxiliary data behave alike forever, so a search may treat them as one
// (decomposition-based stateful search; Saissi, Bokor, Suri, SRDS 2013). Traces still show the data. Auxiliary<T>
// is for fields of roles, of messages and of the ghost variable. A ghost variable may be auxiliary as a whole.
//
// Auxiliary data is write-only, for handlers and properties alike: there is no conversion, no comparison, no
// access to the value. It can be assigned to, from other auxiliary data as well. It can be changed by a
// function that sees nothing else and cannot carry anything away. The audit finds what C++ cannot rule out,
// such as a global variable: reduce/audit_auxiliary.h.
#pragma once

#include <concepts>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace heddle {

template <class T>
class Auxiliary;

namespace detail {

// Whether a T is nothing but its value: nothing in it refers to something else (detail/kinds.h).
template <class T, class... Within>
consteval bool plain_value();

// The library reaches the value by this, for traces. A model that reads the value by this has to be audited.
struct AuxiliaryAccess {
  // Returns nullopt if the value is forgotten, by a search that does not keep it.
  template <class T>
  static std::optional<T>& raw(Auxiliary<T>& auxiliary) {
    return auxiliary.value_;
  }
  template <class T>
  static const std::optional<T>& raw(const Auxiliary<T>& auxiliary) {
    return auxiliary.value_;
  }

  template <class T>
  static bool known(const T&) {
    return true;
  }
  template <class T>
  static bool known(const Auxiliary<T>& auxiliary) {
    return auxiliary.value_.has_value();
  }
  template <class T>
  static const T& content(const T& value) {
    return value;  // NOLINT(bugprone-return-const-ref-from-parameter): callers give fields of a value that stays
  }
  template <class T>
  static const T& content(const Auxiliary<T>& auxiliary) {
    return *auxiliary.value_;
  }
};

}  // namespace detail

template <class T>
class Auxiliary {
 public:
  Auxiliary() = default;
  explicit Auxiliary(T value) : value_(std::move(value)) {}

  template <class U = T>
    requires(!std::same_as<std::remove_cvref_t<U>, Auxiliary> && std::convertible_to<U, T>)
  Auxiliary& operator=(U&& value) {
    value_ = std::forward<U>(value);
    return *this;
  }

  // Calls change(value, arguments...). An argument may be auxiliary itself.
  template <class F, class... Arguments>
  void update(F change, const Arguments&... arguments) {
    static_assert(std::is_empty_v<F>,
                  "heddle: a function that changes auxiliary data must not capture anything, or auxiliary data could "
                  "get into the rest of the state; pass what it needs as further arguments of update");
    static_assert(
        (detail::plain_value<Arguments>() && ...),
        "heddle: pass plain values to a function that changes auxiliary data, nothing that refers to something "
        "else (a pointer, std::ref, a span): auxiliary data could get into the rest of the state by it");
    using Result =
        std::invoke_result_t<F&, T&, decltype(detail::AuxiliaryAccess::content(std::declval<const Arguments&>()))...>;
    static_assert(std::is_void_v<Result>, "heddle: a function that changes auxiliary data must not return anything");
    // If the value is forgotten, there is nothing to change: the function may rely on what earlier ones left.
    if (!value_ || !(detail::AuxiliaryAccess::known(arguments) && ...)) {
      value_.reset();
      return;
    }
    try {
      change(*value_, detail::AuxiliaryAccess::content(arguments)...);
    } catch (...) {
      throw std::logic_error(
          "a function that changes auxiliary data threw; it must not, since whether a step exists may not depend on "
          "auxiliary data (a require in Auxiliary::update?)");
    }
  }

  // Auxiliary data cannot be compared: nothing may depend on it.
  template <class U>
  friend bool operator==(const Auxiliary&, const U&) = delete;
  template <class U>
  friend bool operator<=>(const Auxiliary&, const U&) = delete;

 private:
  friend struct detail::AuxiliaryAccess;
  std::optional<T> value_ = T{};
};

}  // namespace heddle
