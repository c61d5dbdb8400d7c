// Containers, algorithms, strings, variants and the like, each used a little in ways that move and copy their insides.
#include <algorithm>
#include <any>
#include <array>
#include <bitset>
#include <deque>
#include <functional>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <stack>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

struct Padded {
  char c;
  long l;
  short s;
  auto operator<=>(const Padded&) const = default;
};
struct Visitor {
  std::string operator()(int i) const { return "int " + std::to_string(i); }
  std::string operator()(const std::string& s) const { return "text " + s; }
  std::string operator()(const std::vector<int>& v) const { return "list " + std::to_string(v.size()); }
};

static void sequences() {
  std::vector<Padded> v;
  for (int i = 0; i < 40; ++i) v.push_back({static_cast<char>('a' + i % 7), i * i % 23, static_cast<short>(i)});
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end(), [](auto& a, auto& b) { return a.c == b.c && a.l == b.l; }), v.end());
  std::stable_partition(v.begin(), v.end(), [](const Padded& p) { return p.s % 2 == 0; });
  std::rotate(v.begin(), v.begin() + 5, v.end());
  std::nth_element(v.begin(), v.begin() + 3, v.end(), [](auto& a, auto& b) { return a.s < b.s; });
  std::cout << v.size() << " " << v[3].s << "\n";
  std::deque<std::string> d;
  for (int i = 0; i < 30; ++i) (i % 3 ? d.push_back(std::string(static_cast<std::size_t>(i), 'x')) : d.push_front("y"));
  d.insert(d.begin() + 7, "inserted here, and long enough for the heap");
  d.erase(d.begin() + 2, d.begin() + 5);
  std::cout << d.size() << d[5] << "\n";
  std::list<int> l(10);
  std::iota(l.begin(), l.end(), 1);
  l.splice(l.begin(), l, std::prev(l.end(), 3), l.end());
  l.sort(std::greater<>());
  l.remove_if([](int x) { return x % 4 == 0; });
  std::cout << std::accumulate(l.begin(), l.end(), 0) << " " << l.front() << "\n";
  std::priority_queue<std::pair<int, std::string>> q;
  for (int i : {3, 9, 1, 7}) q.emplace(i, std::to_string(i));
  q.pop();
  std::stack<int, std::vector<int>> s;
  s.push(q.top().first);
  std::cout << s.top() << " " << std::bitset<12>(1234).to_string() << "\n";
}
static void maps() {
  std::map<std::string, std::map<int, Padded>> m;
  for (int i = 0; i < 25; ++i) m["key" + std::to_string(i % 5)][i] = {'c', i, 0};
  m.erase("key3");
  auto node = m.extract("key1");
  node.key() = "renamed";
  m.insert(std::move(node));
  for (const auto& [k, inner] : m) std::cout << k << inner.size() << inner.begin()->second.l << " ";
  std::unordered_map<std::string, int> u;
  for (int i = 0; i < 60; ++i) u[std::string(static_cast<std::size_t>(i % 20), 'k')] += i;
  u.rehash(200);
  u.erase("kk");
  std::multiset<int> ms{3, 1, 3, 2};
  std::unordered_set<int> us(ms.begin(), ms.end());
  std::cout << u.size() << u["kkk"] << ms.count(3) << us.size() << *ms.lower_bound(2) << "\n";
}
static void sums() {
  std::vector<std::variant<int, std::string, std::vector<int>>> list{1, "two", std::vector<int>{1, 2, 3}};
  list.push_back(list[1]);
  list[0] = std::vector<int>(7);
  list[2].emplace<std::string>("again");
  for (const auto& x : list) std::cout << std::visit(Visitor(), x) << "; ";
  std::optional<Padded> none, some = Padded{'z', 5, 6};
  std::swap(none, some);
  std::any a = std::string("any"), b = a;
  a = 5;
  std::tuple<int, std::string, double> t{1, "t", 2.5}, t2 = t;
  std::get<1>(t2) += "!";
  std::array<std::pair<char, int>, 3> pairs{{{'a', 1}, {'b', 2}}};
  auto [x, y, z] = t2;
  std::cout << some.has_value() << none->l << std::any_cast<int>(a) << std::any_cast<std::string>(b) << y << z
            << pairs[2].second << (t < t2) << "\n";
}
static void functions() {
  std::vector<std::function<int(int)>> fs;
  std::array<int, 9> large{1, 2, 3};
  for (int i = 0; i < 3; ++i) fs.emplace_back([i, large](int v) { return v * 10 + i + large[1]; });
  auto copy = fs;
  fs.clear();
  std::function<int(int)> fib = [&](int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); };
  auto bound = std::bind(std::minus<int>(), std::placeholders::_2, 3);
  auto counter = [n = 0]() mutable { return ++n; };
  counter();
  auto second = counter;
  std::cout << copy[2](4) << " " << fib(12) << " " << bound(0, 10) << " " << second() + counter() << "\n";
}
static void texts() {
  std::string s = "the quick brown fox";
  s.replace(4, 5, "very very slow").append(3, '!');
  std::string_view v(s);
  v.remove_prefix(v.find("slow"));
  std::string t(v.rbegin(), v.rend()), small = "s", moved = std::move(small);
  small = s.substr(3, 4);
  std::swap(s, t);
  std::transform(t.begin(), t.end(), t.begin(), [](char c) { return c == ' ' ? '_' : c; });
  std::cout << s << "|" << t << "|" << small << "|" << moved << "|" << std::stoi("42x") << s.compare(t) % 2 << "\n";
}
static void owners() {
  struct Node {
    int value;
    std::shared_ptr<Node> next;
    std::weak_ptr<Node> back;
  };
  auto first = std::make_shared<Node>(Node{1, nullptr, {}});
  first->next = std::make_shared<Node>(Node{2, nullptr, first});
  std::shared_ptr<int> alias(first, &first->value);
  std::cout << first.use_count() << first->next->back.lock()->value << *alias << "\n";
  std::unique_ptr<int[], void (*)(int*)> array(new int[3]{4, 5, 6}, [](int* p) { delete[] p; });
  auto other = std::move(array);
  std::cout << other[2] << (array == nullptr) << "\n";
}

int main() {
  sequences();
  maps();
  sums();
  functions();
  texts();
  owners();
}
