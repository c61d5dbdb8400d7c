// Statements of every kind, for the tests of heddle-lower.
#include <functional>
#include <initializer_list>

#define TWICE(x) \
  do {           \
    ++(x);       \
    ++(x);       \
  } while (false)

int g, h;

template <class T>
T larger(T a, T b) {
  if (a < b) return b;
  return a;
}

struct Counter {
  int value = 0;
  Counter() { value = g; }
  ~Counter() { g = value; }
  template <class F>
  void each(F f) {
    f(value), f(h);
  }
};

void loops(int n) {
  for (int i = 0; i < n; ++i) g += i;
  while (g > n) {
    if (g == 7) break;
    --g;
  }
  do h = g;
  while (h != g);
  for (int each : {1, 2, 3}) {
    if (each == n) continue;
    g += each;
  }
  for (;;) {
    if (++g > n) return;
  }
}

int choices(int n) {
  switch (n) {
    case 0:
      g = 1;
      [[fallthrough]];
    case 1: {
      h = 2;
      break;
    }
    default:
      return -1;
  }
again:
  if (g < n)
    goto again;
  else if (g == n) {
    ;
  } else
    h = 3;
  TWICE(g);
  return g ? h : n;
}

int calls(int n) {
  Counter counter;
  const auto add = [&](int by) {
    g += by;
    return g;
  };
  counter.each([](int& x) { x = 1; });
  try {
    std::function<int(int)> f = add;
    return f(n);
  } catch (...) {
    h = 0;
  }
  return n;
}

int main() {
  loops(g);
  return choices(g) + calls(g) + larger(g, h) + static_cast<int>(larger(1L, 2L));
}
