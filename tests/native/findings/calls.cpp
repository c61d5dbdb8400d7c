// Calls of what is not there (findings_test.cpp).
extern "C" unsigned __heddle_choose(unsigned);

struct Shape {
  Shape() { measure(); }
  virtual ~Shape() = default;
  virtual long area(long scale) = 0;
  void measure() { size = area(2); }  // finds terminate in pure_virtual: calls a pure virtual function
  long size = 0;
};
struct Square : Shape {
  long area(long scale) override { return scale; }
};

static void pure_virtual() { Square square; }
static void overridden() {
  Square* square = nullptr;
  if (__heddle_choose(1) == 1) square->measure();
}

static void (*const cases[])() = {
    pure_virtual,
    overridden,
};

int main() { cases[__heddle_choose(sizeof cases / sizeof *cases)](); }
