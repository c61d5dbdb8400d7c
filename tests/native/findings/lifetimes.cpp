// Objects that are used when they are gone: after their scope, after their function has returned, after their owner was
// destroyed (findings_test.cpp).
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

extern "C" unsigned __heddle_choose(unsigned);

static int sink;
static volatile int zero;

static void scope() {
  int* p;
  {
    int x = 1;
    p = &x;
  }
  sink = *p;  // finds memory: read of the local variable x outside its scope
}
static void scope_write() {
  int* p;
  {
    int x = 1;
    p = &x;
    sink = x;
  }
  *p = 2;  // finds memory: write of the local variable x outside its scope
}
static void scope_in_a_branch() {
  int y = 2;
  int* p = &y;
  if (zero == 0) {
    int x = 1;
    p = &x;
  }
  sink = *p;  // finds memory: read of the local variable x outside its scope
}
static void last_round() {
  int* last = nullptr;
  for (int i = 0; i < 3; ++i) {
    int x = i;
    if (last != nullptr) sink = *last;
    last = &x;
  }
  sink = *last;  // finds memory: read of the local variable x outside its scope
}
static void in_scope() {
  int* p;
  int y = 4;
  {
    int x = 1;
    p = &x;
    sink = *p;
  }
  p = &y;
  sink += *p;
  for (int i = 0; i < 2; ++i) {
    int x = i;
    p = &x;
    sink += *p;
  }
}
static void array_scope() {
  int* p;
  {
    int many[3] = {1, 2, 3};
    p = many;
    sink = many[1];
  }
  sink = p[2];  // finds memory: read of the local variable many outside its scope
}
static int* gone() {
  int x = 3;
  int* volatile p = &x;
  return p;
}
static void returned() {
  int* p = gone();
  sink = *p;  // finds memory: read of the local variable x after its function has returned
}
static const std::string& longer(const std::string& a, const std::string& b) { return a.size() > b.size() ? a : b; }
static void temporary() {
  const std::string& s = longer(std::string("abc"), std::string("a"));
  sink = static_cast<int>(s.size());  // finds memory: read of
}
static void view() {
  std::string_view v;
  {
    std::string s = "a text that is too long to be kept inside";
    v = s;
  }
  sink = v[3];  // finds memory: read of a heap object after it was freed
}
static void small_view() {
  std::string_view v;
  {
    std::string s = "small";
    v = s;
  }
  sink = v[3];  // finds memory: read of the local variable s outside its scope
}
static std::function<int()> counter() {
  int count = 7;
  // clang-format off
  return [&count] { return count; };  // finds memory in captured: read of the local variable count after its function has returned
  // clang-format on
}
static void captured() { sink = counter()(); }
static void invalidated() {
  std::vector<int> v{1, 2, 3};
  int& first = v.front();
  v.reserve(100);
  sink = first;  // finds memory: read of a heap object after it was freed
}
static void moved() {
  auto p = std::make_unique<int>(3);
  int* raw = p.get();
  p.reset();
  sink = *raw;  // finds memory: read of a heap object after it was freed
}
static void past_the_end() {
  std::vector<int> v{1, 2, 3};
  sink = *(v.data() + 3);  // finds memory: read of 4 bytes at offset 12 of a heap object of 12 bytes
}
static void optional_parts() {
  std::optional<int> o;
  if (zero != 0) o = 3;
  if (*o == 3) sink = 1;  // finds uninitialised: a branch depends on
}
static void member() {
  struct Pair {
    int a, b;
  };
  auto p = std::make_unique<Pair[]>(2);
  if (p[1].b == 0) std::puts("zero");
  std::unique_ptr<Pair[]> q(new Pair[2]);
  // clang-format off
  if (q[1].b == 0) std::puts("?");  // finds uninitialised: a branch depends on uninitialised memory: 4 bytes at offset 12 of a heap object of 16 bytes, made at lifetimes.cpp:
  // clang-format on
}

static void (*const cases[])() = {
    scope, scope_write, scope_in_a_branch, last_round,  in_scope, array_scope,  returned,       temporary,
    view,  small_view,  captured,          invalidated, moved,    past_the_end, optional_parts, member,
};

int main() { cases[__heddle_choose(sizeof cases / sizeof *cases)](); }
