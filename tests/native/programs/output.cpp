// Streams.
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

struct Point {
  int x, y;
};
static std::ostream& operator<<(std::ostream& out, const Point& p) { return out << '(' << p.x << ", " << p.y << ')'; }

int main() {
  std::cout << "int " << 42 << " " << -7L << " " << 3u << " double " << 2.5 << " " << 1e20 << " char " << 'c'
            << std::endl;
  std::cout << std::string("string") << " " << true << " " << Point{1, 2} << "\n";
  return 0;
}
