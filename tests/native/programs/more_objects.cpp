// Objects that threads of real programs carry around: strings, containers, variants, functions, smart pointers.
#include <algorithm>
#include <any>
#include <array>
#include <bitset>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <span>
#include <stack>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

namespace {

struct Node : std::enable_shared_from_this<Node> {
  explicit Node(std::string n) : name(std::move(n)) {}
  std::string name;
  std::vector<std::shared_ptr<Node>> children;
  std::weak_ptr<Node> parent;
  void add(std::string n) {
    children.push_back(std::make_shared<Node>(std::move(n)));
    children.back()->parent = weak_from_this();
  }
};

using Message = std::variant<int, std::string, std::pair<int, int>>;

struct Handler {
  int sum = 0;
  void operator()(int n) { sum += n; }
  void operator()(const std::string& text) { sum += static_cast<int>(text.size()); }
  void operator()(const std::pair<int, int>& both) { sum += both.first * both.second; }
};

class Inbox {
 public:
  void push(int priority, Message message) {
    std::lock_guard guard(mutex_);
    queue_.push({priority, next_++, std::move(message)});
  }
  std::optional<Message> pop() {
    std::lock_guard guard(mutex_);
    if (queue_.empty()) return std::nullopt;
    Message top = queue_.top().message;
    queue_.pop();
    return top;
  }

 private:
  struct Entry {
    int priority, number;
    Message message;
    bool operator<(const Entry& other) const {
      return std::tie(priority, other.number) < std::tie(other.priority, number);
    }
  };
  std::mutex mutex_;
  std::priority_queue<Entry> queue_;
  int next_ = 0;
};

thread_local std::map<std::string, int> words;
std::mutex total_mutex;
std::unordered_map<std::string, int> total;

void count(std::string_view text) {
  while (!text.empty()) {
    const auto blank = std::min(text.find(' '), text.size());
    ++words[std::string(text.substr(0, blank))];
    text.remove_prefix(std::min(blank + 1, text.size()));
  }
  std::lock_guard guard(total_mutex);
  for (const auto& [word, n] : words) total[word] += n;
}

}  // namespace

int main() {
  std::thread a(count, "to be or not to be"), b(count, "not to worry, a longer sentence than before");
  a.join();
  b.join();
  std::vector<std::pair<std::string, int>> sorted(total.begin(), total.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& x, const auto& y) { return std::tie(y.second, x.first) < std::tie(x.second, y.first); });
  for (const auto& [word, n] : std::span(sorted).first(3)) std::printf("%s=%d ", word.c_str(), n);

  Inbox inbox;
  std::thread sender([&] {
    inbox.push(1, 5);
    inbox.push(2, std::string("urgent"));
  });
  inbox.push(3, std::pair(3, 4));
  sender.join();
  Handler handler;
  while (auto message = inbox.pop()) std::visit(handler, *message);

  auto root = std::make_shared<Node>("root");
  std::thread grower([root] { root->add("left"); });
  grower.join();
  root->add("right");
  const std::weak_ptr<Node> watch = root->children[0];
  const std::string up = root->children[1]->parent.lock()->name;
  root.reset();

  std::deque<int> deque(20);
  std::iota(deque.begin(), deque.end(), -5);
  std::rotate(deque.begin(), deque.begin() + 7, deque.end());
  std::list<int> list(deque.begin(), deque.end());
  list.remove_if([](int x) { return x % 2 != 0; });
  list.sort(std::greater<>());
  std::set<int> set(list.begin(), list.end());
  std::multimap<int, char> multi{{1, 'a'}, {2, 'b'}, {1, 'c'}};
  std::unordered_set<std::string> unordered{"x", "y", "x"};
  std::stack<int> stack;
  for (const int x : {1, 2, 3}) stack.push(x);
  std::bitset<70> bits("1011");
  bits <<= 60;
  std::array<int, 5> array{5, 3, 1, 4, 2};
  std::nth_element(array.begin(), array.begin() + 2, array.end());
  const std::any any = std::string("any");
  std::function<int(int)> twice = [](int x) { return 2 * x; };
  const auto bound = std::bind(std::plus<>(), std::placeholders::_1, 10);
  twice = std::function<int(int)>(bound);
  std::string text = "The quick brown fox";
  text.replace(4, 5, "slow").insert(0, ">> ").append(3, '!');
  text.erase(text.find("brown"), 6);
  const std::string number = std::to_string(-42) + "|" + std::to_string(1u << 31);
  struct Free {
    void operator()(char* p) const { std::free(p); }
  };
  const std::unique_ptr<char, Free> copy(strdup(text.c_str()));
  std::printf("%d %d %s %d %d %zu %zu %zu %d %zu %d %zu %d %s %s %lld %d\n", handler.sum, watch.expired(), up.c_str(),
              deque.front(), list.front(), set.count(4), multi.count(1), unordered.size(), stack.top(), bits.count(),
              array[2], std::any_cast<std::string>(any).size(), twice(5), copy.get(), number.c_str(),
              std::stoll("123456789012"), std::stoi("ff", nullptr, 16));
  return 0;
}
