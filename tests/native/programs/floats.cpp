// Templates, operators, floating point, wide types, recursion by lambdas; one thread.
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <vector>

namespace {
template <typename T>
struct Matrix {
  T cells[2][2];
  Matrix operator*(const Matrix& other) const {
    Matrix out{};
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        for (int k = 0; k < 2; ++k) out.cells[i][j] += cells[i][k] * other.cells[k][j];
    return out;
  }
};
template <typename T>
T power(T base, unsigned n) {
  T result = base;
  while (n-- > 1) result = result * base;
  return result;
}
typedef float Vector __attribute__((vector_size(16)));
}  // namespace

int main() {
  const auto m = power(Matrix<std::uint64_t>{{{1, 1}, {1, 0}}}, 50);
  std::printf("%llu\n", static_cast<unsigned long long>(m.cells[0][1]));
  const auto d = power(Matrix<double>{{{0.5, 0.25}, {0.125, 1}}}, 7);
  std::printf("%.9f %.9f\n", d.cells[0][0], d.cells[1][1]);
  const std::complex<double> z(1, 2);
  const auto w = z * z + std::complex<double>(0.5);
  std::printf("%.3f %.3f %.6f\n", w.real(), w.imag(), std::abs(z));
  Vector a = {1, 2, 3, 4}, b = {4, 3, 2, 1};
  a = a * b + a;
  std::printf("%.1f %.1f %.1f %.1f\n", a[0], a[1], a[2], a[3]);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::printf("%d %d %d %.3f %.3f\n", nan == nan, nan < 1, std::isnan(nan), std::fmax(1.0, 2.0), std::round(2.5));
  long double l = 1.0L;
  for (int i = 1; i < 20; ++i) l = l * i / 3 + 0.1L;
  std::printf("%.6Lf %d\n", l, static_cast<int>(l));
  auto fibonacci = [](auto self, int n) -> int { return n < 2 ? n : self(self, n - 1) + self(self, n - 2); };
  std::printf("%d %lld %u\n", fibonacci(fibonacci, 12), static_cast<long long>(-7.9), static_cast<unsigned>(3e9));
  return 0;
}
