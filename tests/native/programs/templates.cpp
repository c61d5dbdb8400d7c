// Templates, constexpr, operators, conversions, references and moves, initialiser lists, folds, structured bindings.
#include <compare>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <tuple>
#include <type_traits>
#include <utility>

template <class T, std::size_t N>
struct Matrix {
  T cells[N][N] = {};
  constexpr Matrix() = default;
  constexpr Matrix(std::initializer_list<T> list) {
    std::size_t i = 0;
    for (const T& x : list) cells[i / N][i % N] = x, ++i;
  }
  constexpr friend Matrix operator*(const Matrix& a, const Matrix& b) {
    Matrix out;
    for (std::size_t i = 0; i < N; ++i) {
      for (std::size_t j = 0; j < N; ++j) {
        for (std::size_t k = 0; k < N; ++k) out.cells[i][j] += a.cells[i][k] * b.cells[k][j];
      }
    }
    return out;
  }
};
template <class T>
constexpr T power(T base, unsigned n, T one) {
  return n == 0 ? one : n % 2 ? base * power(base, n - 1, one) : power(base * base, n / 2, one);
}
struct Moves {
  explicit Moves(int v) : value(new int(v)) {}
  Moves(Moves&& other) noexcept : value(std::exchange(other.value, nullptr)) { ++moved; }
  Moves& operator=(Moves&& other) noexcept {
    std::swap(value, other.value);
    return *this;
  }
  ~Moves() { delete value; }
  int* value;
  static inline int moved = 0;
};
struct Degrees {
  double value;
  explicit operator int() const { return static_cast<int>(value); }
  auto operator<=>(const Degrees&) const = default;
  Degrees& operator++() { return ++value, *this; }
  Degrees operator++(int) { return std::exchange(*this, Degrees{value + 1}); }
  double operator[](int i) const { return value + i; }
  double operator()(double a, double b = 2) const { return value * a + b; }
};
constexpr Degrees operator""_deg(long double v) { return {static_cast<double>(v)}; }
template <class... T>
auto total(T... values) {
  return (0 + ... + static_cast<long>(values));
}
template <class F, class... T>
void each(F f, T&&... values) {
  (f(std::forward<T>(values)), ...);
}
template <class T>
const char* kind(T&&) {
  if constexpr (std::is_lvalue_reference_v<T>) return "left";
  return "right";
}
Moves pass(Moves m) {
  ++*m.value;
  return m;
}

int main() {
  constexpr Matrix<std::uint64_t, 2> fib = power(Matrix<std::uint64_t, 2>{1, 1, 1, 0}, 50, {1, 0, 0, 1});
  static_assert(fib.cells[0][1] == 12586269025);
  const auto run = power(Matrix<std::uint64_t, 2>{1, 1, 1, 0}, 60, {1, 0, 0, 1});
  std::printf("%lu %lu\n", fib.cells[0][0], run.cells[0][1]);
  Moves m = pass(Moves(4));
  Moves n(9);
  n = std::move(m);
  std::printf("%d %d %d\n", *n.value, *m.value, Moves::moved);
  Degrees d = 20.5_deg;
  const Degrees old = d++;
  ++d;
  std::printf("%d %d %d %g %g %g\n", static_cast<int>(d), old < d, old == 20.5_deg, d[3], d(2), d(2, 0));
  int x = 1;
  std::printf("%ld %s %s\n", total(1, 2L, '\3', 4.9f, true), kind(x), kind(3));
  each([](auto v) { std::printf("%g ", static_cast<double>(v)); }, 1, 2.5, 'a');
  auto [a, b] = std::pair{7, "seven"};
  auto&& [p, q, r] = std::tuple<int&, char, long>(x, 'q', 5);
  p += a;
  std::printf("%d %s %c %ld\n", x, b, q, r);
  return x;
}
