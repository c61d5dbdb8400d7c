// What the tests of `heddle explain` share: the failing queue, its options, and how an answer is read.
#pragma once

#include <fmt/format.h>

#include <boost/json.hpp>
#include <fstream>
#include <string>
#include <vector>

#include "cli/program.h"

namespace heddle::cli {

inline const fs::path native_examples = fs::path(HEDDLE_SOURCE_DIR) / "examples" / "native";

inline const char* const failing_queue = R"(#include <atomic>
#include <optional>

#include <heddle/native.h>

class Queue {
 public:
  bool push(int value) {
    const int tail = tail_.load();
    if (tail - head_.load() == 2) return false;
    items_[tail % 2].store(value);
    tail_.store(tail + 1);
    return true;
  }
  std::optional<int> pop() {
    const int head = head_.load();
    if (head == tail_.load()) return std::nullopt;
    const int value = items_[head % 2].load();
    head_.store(head + 1);
    return value;
  }

 private:
  std::atomic<int> head_{0}, tail_{0};
  std::atomic<int> items_[2];
};

HEDDLE_HARNESS(Queue, push, pop)
)";

// "add:58-67,remove:77-86"
inline std::string blocks_of(const boost::json::value& repair) {
  std::string out;
  for (const auto& block : repair.at("blocks").as_array()) {
    out += (out.empty() ? "" : ",") + std::string(block.at("atomic").as_string());
  }
  return out;
}

inline std::string json_text(const boost::json::value& value) { return std::string(value.as_string()); }

class ExplainTest : public ProgramTest {
 protected:
  Outcome explain(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "explain");
    return heddle(arguments);
  }
  // The line on which the file has the comment `// number` first.
  static int line_of(const std::string& file, const std::string& method, int number) {
    std::ifstream in(native_examples / file);
    bool inside = false;
    int at = 0;
    for (std::string line; std::getline(in, line);) {
      ++at;
      if (line.find(" " + method + "(") != line.npos && line.find('{') != line.npos) inside = true;
      if (inside && line.find(fmt::format("// {}", number)) != line.npos) return at;
    }
    ADD_FAILURE() << file << " has no statement " << number;
    return 0;
  }
};

}  // namespace heddle::cli
