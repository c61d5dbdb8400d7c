// Containers, strings, smart pointers, functions, algorithms: one thread.
#include <algorithm>
#include <array>
#include <cstdio>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <stack>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

namespace {
struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
};
struct Square final : Shape {
  explicit Square(double s) : side(s) {}
  double area() const override { return side * side; }
  double side;
};
struct Circle final : Shape {
  explicit Circle(double r) : radius(r) {}
  double area() const override { return 3 * radius * radius; }
  double radius;
};
}  // namespace

int main() {
  std::vector<int> v(10);
  std::iota(v.begin(), v.end(), 1);
  std::reverse(v.begin(), v.end());
  std::sort(v.begin() + 2, v.end());
  v.insert(v.begin() + 3, 42);
  v.erase(v.begin());
  for (const int x : v) std::printf("%d ", x);
  std::printf("\n%d\n", std::accumulate(v.begin(), v.end(), 0));

  std::map<std::string, int> words;
  for (const char* w : {"one", "two", "three", "two", "one", "two"}) ++words[w];
  words.erase("three");
  for (const auto& [w, n] : words) std::printf("%s=%d ", w.c_str(), n);
  std::set<int> set;
  for (int i = 0; i < 50; ++i) set.insert(i * 37 % 50);
  for (int i = 0; i < 50; i += 3) set.erase(i);
  std::printf("\n%zu %d %d\n", set.size(), *set.begin(), *set.rbegin());

  std::unordered_map<int, std::string> hashed;
  for (int i = 0; i < 40; ++i) hashed[i * 7] = std::to_string(i);
  hashed.erase(14);
  std::printf("%zu %s %d\n", hashed.size(), hashed.at(21).c_str(), static_cast<int>(hashed.count(14)));
  std::unordered_set<std::string> strings{"a", "b", "a long string that does not fit in place"};
  std::printf("%d %d\n", static_cast<int>(strings.contains("b")), static_cast<int>(strings.contains("c")));

  std::list<int> list{3, 1, 2};
  list.push_front(9);
  list.sort();
  list.remove(2);
  std::deque<int> deque;
  for (int i = 0; i < 200; ++i) i % 2 ? deque.push_back(i) : deque.push_front(i);
  std::priority_queue<int> heap(v.begin(), v.end());
  std::stack<int> stack;
  stack.push(1);
  std::printf("%d %d %d %d %d\n", list.front(), list.back(), deque[100], heap.top(), stack.top());

  std::vector<std::unique_ptr<Shape>> shapes;
  shapes.push_back(std::make_unique<Square>(2));
  shapes.push_back(std::make_unique<Circle>(1));
  double area = 0;
  for (const auto& shape : shapes) area += shape->area();
  std::shared_ptr<int> shared = std::make_shared<int>(5);
  const std::weak_ptr<int> weak = shared;
  const auto second = shared;
  std::printf("%.1f %ld %d\n", area, shared.use_count(), *weak.lock());

  std::function<int(int)> f = [&](int x) { return x + static_cast<int>(v.size()); };
  std::variant<int, std::string, double> variant = std::string("text");
  const std::optional<int> none, some = 3;
  const auto [a, b, c] = std::make_tuple(1, 'x', 2.5);
  std::printf("%d %zu %s %d %d %d%c%.1f\n", f(1), variant.index(), std::get<std::string>(variant).c_str(),
              none.value_or(-1), *some, a, b, c);
  std::string s = "abc";
  s += std::string(40, '-') + "end";
  s.replace(0, 1, "XYZ");
  std::printf("%s %zu %zu %s\n", s.c_str(), s.size(), s.find("end"), s.substr(1, 4).c_str());
  std::array<int, 4> array{4, 3, 2, 1};
  std::sort(array.begin(), array.end(), std::greater<>());
  std::printf("%d %d\n", array[0], std::max_element(array.begin(), array.end()) == array.begin());
  return 7;
}
