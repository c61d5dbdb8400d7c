// Classes: virtual and multiple inheritance, dynamic_cast, typeid, pointers to members, destructors in order, statics.
#include <cstdio>
#include <memory>
#include <string>
#include <typeinfo>
#include <vector>

static std::string log_text;

struct Animal {
  explicit Animal(std::string n) : name(std::move(n)) { log_text += "+" + name; }
  virtual ~Animal() { log_text += "-" + name; }
  virtual int legs() const = 0;
  virtual const char* sound() const { return "..."; }
  std::string name;
  static int count;
};
int Animal::count = 0;
struct Swims : virtual Animal {
  Swims() : Animal("swims") { ++count; }
  int legs() const override { return 0; }
  int depth = 10;
};
struct Walks : virtual Animal {
  Walks() : Animal("walks") { ++count; }
  int legs() const override { return 4; }
  const char* sound() const override { return "step"; }
  long speed = 3;
};
struct Duck final : Swims, Walks {
  Duck() : Animal("duck") { ++count; }
  int legs() const override { return 2; }
  int Duck::* member = &Duck::feathers;
  int feathers = 77;
};
struct Left {
  virtual ~Left() = default;
  int l = 1;
};
struct Right {
  virtual ~Right() = default;
  virtual int value() { return r; }
  int r = 2;
};
struct Both : Left, Right {
  int value() override { return l + r + b; }
  int b = 3;
};
template <class T>
struct Base {
  int twice() { return static_cast<T*>(this)->value() * 2; }
};
struct Curious : Base<Curious> {
  int value() const { return 21; }
};
struct Lazy {
  static Lazy& get() {
    static Lazy only;
    return only;
  }
  int calls = 0;
};

int main() {
  {
    std::vector<std::unique_ptr<Animal>> zoo;
    zoo.push_back(std::make_unique<Duck>());
    zoo.push_back(std::make_unique<Walks>());
    zoo.push_back(std::make_unique<Swims>());
    for (const auto& a : zoo) {
      const auto* walker = dynamic_cast<Walks*>(a.get());
      const auto* duck = dynamic_cast<const Duck*>(a.get());
      std::printf("%s %d %s %ld %d %d\n", a->name.c_str(), a->legs(), a->sound(), walker ? walker->speed : -1,
                  duck ? duck->*(duck->member) : -1, typeid(*a) == typeid(Walks));
    }
    std::printf("%d\n", Animal::count);
  }
  std::puts(log_text.c_str());
  Both both;
  Right* right = &both;
  std::printf("%d %d %d\n", right->value(), dynamic_cast<Both*>(right) == &both, dynamic_cast<Left*>(right)->l);
  int (Right::*method)() = &Right::value;
  std::printf("%d %d\n", (right->*method)(), Curious().twice());
  ++Lazy::get().calls;
  return ++Lazy::get().calls;
}
