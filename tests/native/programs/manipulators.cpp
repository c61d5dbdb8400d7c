// Streams that format numbers; random numbers of <random>; ranges; durations.
#include <algorithm>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <random>
#include <ranges>
#include <vector>

int main() {
  std::cout << std::setw(5) << 42 << std::setfill('0') << std::setw(4) << 7 << std::hex << 255 << std::dec << std::fixed
            << std::setprecision(2) << 3.14159 << std::boolalpha << true << std::endl;
  std::mt19937 random(5);
  std::uniform_int_distribution<int> die(1, 6);
  int sum = 0;
  for (int i = 0; i < 100; ++i) sum += die(random);
  std::vector<int> v(10);
  std::iota(v.begin(), v.end(), 0);
  std::shuffle(v.begin(), v.end(), random);
  int odd = 0;
  for (const int x :
       v | std::views::filter([](int i) { return i % 2; }) | std::views::transform([](int i) { return i * i; }))
    odd += x;
  std::ranges::sort(v, std::greater<>());
  using namespace std::chrono_literals;
  std::cout << sum << " " << odd << " " << v[3] << " "
            << std::chrono::duration_cast<std::chrono::milliseconds>(3s + 5us).count() << "\n";
}
