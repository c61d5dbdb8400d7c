// Reads what the kernel says in /proc and in control groups, and looks again only after some milliseconds.
#include "core/memory.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>

namespace heddle {
namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
constexpr std::int64_t milliseconds_between_looks = 5;

std::atomic<std::size_t> limit{unlimited};
std::atomic<LimitBy> limited_by{LimitBy::Default};
std::atomic<std::int64_t> looked_at{0};
std::atomic<bool> reached{false};

std::int64_t milliseconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

// Returns the number that a file consists of; none if the file does not exist or says "max".
std::optional<std::size_t> number_in(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::size_t number = 0;
  return stream >> number ? std::optional(number) : std::nullopt;
}

// Returns the number after a word at the beginning of a line.
std::optional<std::size_t> number_after(const std::filesystem::path& file, const std::string& word) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with(word + " ")) continue;
    return static_cast<std::size_t>(std::strtoull(line.c_str() + word.size(), nullptr, 10));
  }
  return std::nullopt;
}

// Returns what one control group has left. File pages that were not used lately do not count as held: the
// kernel can drop them.
std::size_t left_in_group(const std::filesystem::path& group, const char* most, const char* used, const char* cache) {
  constexpr std::size_t as_good_as_none = std::size_t{1} << 60;  // how version 1 says "max"
  const auto limit_of_group = number_in(group / most);
  if (!limit_of_group || *limit_of_group >= as_good_as_none) return unlimited;
  const auto usage = number_in(group / used);
  if (!usage) return unlimited;
  const std::size_t files = number_after(group / "memory.stat", cache).value_or(0);
  const std::size_t held = *usage - std::min(*usage, files);
  return *limit_of_group - std::min(*limit_of_group, held);
}

// Takes the minimum over a group and all groups around it. Within a container the path may lead out of what
// is mounted; then the mounted root counts.
std::size_t left_in_groups(const std::filesystem::path& mounted, std::filesystem::path group, const char* most,
                           const char* used, const char* cache) {
  std::size_t left = left_in_group(mounted, most, used, cache);
  for (group = group.relative_path(); !group.empty(); group = group.parent_path()) {
    left = std::min(left, left_in_group(mounted / group, most, used, cache));
  }
  return left;
}

}  // namespace

std::size_t resident_bytes() {
  // Opened once, because a search asks hundreds of times a second.
  static const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  char text[128] = {};
  if (file < 0 || ::pread(file, text, sizeof text - 1, 0) <= 0) return 0;
  char* end = text;
  std::strtoull(text, &end, 10);  // the size of the address space
  return static_cast<std::size_t>(std::strtoull(end, nullptr, 10)) * page;
}

std::size_t memory_left(const std::string& root) {
  std::size_t left = unlimited;
  if (const auto available = number_after(root + "/proc/meminfo", "MemAvailable:")) left = *available * 1024;
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {  // "0::/user.slice", "4:memory:/docker/1f0a"
    const std::size_t first = line.find(':');
    const std::size_t second = first == line.npos ? first : line.find(':', first + 1);
    if (second == line.npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string group = line.substr(second + 1);
    if (controllers == ",,") {
      left = std::min(left,
                      left_in_groups(root + "/sys/fs/cgroup", group, "memory.max", "memory.current", "inactive_file"));
    } else if (controllers.find(",memory,") != controllers.npos) {
      left = std::min(left, left_in_groups(root + "/sys/fs/cgroup/memory", group, "memory.limit_in_bytes",
                                           "memory.usage_in_bytes", "total_inactive_file"));
    }
  }
  return left;
}

void limit_memory(std::size_t bytes, LimitBy by) {
  limit = bytes;
  limited_by = by;
  looked_at = 0;
  reached = false;
}

std::size_t memory_limit() { return limit; }
LimitBy memory_limited_by() { return limited_by; }

bool memory_limit_reached() {
  const std::size_t most = limit.load(std::memory_order_relaxed);
  if (most == unlimited) return false;
  const std::int64_t now = milliseconds();
  if (now >= looked_at.load(std::memory_order_relaxed) + milliseconds_between_looks) {
    looked_at.store(now, std::memory_order_relaxed);
    reached.store(resident_bytes() > most, std::memory_order_relaxed);
  }
  return reached.load(std::memory_order_relaxed);
}

bool room_for(std::size_t bytes) {
  const std::size_t most = limit.load(std::memory_order_relaxed);
  if (most == unlimited) return true;
  const std::size_t held = resident_bytes();
  return held <= most && bytes <= most - held;
}

}  // namespace heddle
