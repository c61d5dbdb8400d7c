#include "core/memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <thread>

#include "core/budget.h"

namespace heddle::memory_test {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
constexpr std::size_t mib = std::size_t{1} << 20;

// A file system root with what the kernel says of memory.
class MemoryLeft : public testing::Test {
 protected:
  MemoryLeft() {
    std::string name = (fs::temp_directory_path() / "heddle-memory-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "no temporary directory";
    root = name;
    write("proc/meminfo", "MemTotal:       24000000 kB\nMemFree:         1000000 kB\nMemAvailable:    8388608 kB\n");
  }
  ~MemoryLeft() override { fs::remove_all(root); }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((root / name).parent_path());
    std::ofstream(root / name) << text;
  }
  fs::path root;
};

TEST_F(MemoryLeft, IsWhatTheMachineHasWithoutControlGroups) {
  EXPECT_EQ(memory_left(root.string()), std::size_t{8} << 30);
  fs::remove(root / "proc/meminfo");
  EXPECT_EQ(memory_left(root.string()), none);
}

TEST_F(MemoryLeft, IsTheLeastOfTheGroupAndThoseAroundIt) {
  write("proc/self/cgroup", "0::/outer/inner\n");
  write("sys/fs/cgroup/outer/inner/memory.max", "max\n");
  write("sys/fs/cgroup/outer/inner/memory.current", "1000\n");
  write("sys/fs/cgroup/outer/memory.max", std::to_string(100 * mib) + "\n");
  write("sys/fs/cgroup/outer/memory.current", std::to_string(70 * mib) + "\n");
  EXPECT_EQ(memory_left(root.string()), 30 * mib);
  write("sys/fs/cgroup/outer/memory.stat", "anon 5\ninactive_file " + std::to_string(20 * mib) + "\n");
  EXPECT_EQ(memory_left(root.string()), 50 * mib) << "files that have not been used lately can go";
  write("sys/fs/cgroup/outer/inner/memory.max", std::to_string(2 * mib) + "\n");
  write("sys/fs/cgroup/outer/inner/memory.current", std::to_string(3 * mib) + "\n");
  EXPECT_EQ(memory_left(root.string()), 0u);
}

TEST_F(MemoryLeft, KnowsControlGroupsOfTheFirstVersion) {
  write("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/docker/1f0a\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", std::to_string(64 * mib));  // in a container this is the group
  write("sys/fs/cgroup/memory/memory.usage_in_bytes", std::to_string(14 * mib));
  EXPECT_EQ(memory_left(root.string()), 50 * mib);
}

TEST(MemoryLimit, CountsEverythingTheProcessHolds) {
  const std::size_t before = resident_bytes();
  ASSERT_GT(before, 0u);
  limit_memory(before + 64 * mib);
  Budget budget;
  EXPECT_TRUE(budget.check(0));
  EXPECT_TRUE(room_for(mib));
  EXPECT_FALSE(room_for(80 * mib));
  const auto memory = std::make_unique<char[]>(96 * mib);
  volatile char* const bytes = memory.get();  // volatile: clang leaves out blocks that nobody looks at
  for (std::size_t i = 0; i < 96 * mib; i += 4096) bytes[i] = 1;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(budget.check(0)) << "no table says so, but the process holds too much";
  EXPECT_EQ(budget.stopped(), Budget::Stop::Memory);
  limit_memory(none);
  EXPECT_TRUE(Budget().check(0));
}

}  // namespace
}  // namespace heddle::memory_test
