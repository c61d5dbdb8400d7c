// Heap objects that owners of C++ free, or not.
//
// cases: owned cycle weak polymorphic array
#include <memory>
#include <string>
#include <vector>

struct Node {
  std::shared_ptr<Node> next;
};
struct Base {
  virtual ~Base() = default;
};
struct Derived : Base {
  std::string text = "a text that is too long for its owner to keep inside";
};
struct Careless {
  int* numbers = new int[3];  // leaks in array
};

void owned() {
  auto p = std::make_unique<std::vector<std::string>>();
  p->push_back("a text that is too long for its owner to keep inside");
  p->push_back("b");
}
void cycle() {
  auto a = std::make_shared<Node>();  // leaks in cycle
  a->next = std::make_shared<Node>();
  a->next->next = a;
}
void weak() {
  auto a = std::make_shared<Node>();
  std::weak_ptr<Node> w = a;
  a->next = std::make_shared<Node>();
  a.reset();
  if (w.lock()) throw 1;
}
void polymorphic() { std::unique_ptr<Base> p = std::make_unique<Derived>(); }
void array() { Careless object; }

int main() { CASE(); }
