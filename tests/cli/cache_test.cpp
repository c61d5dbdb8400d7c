// The cache of compiled models and programs: what makes an entry stale, its limit, `heddle cache`, several processes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <thread>

#include "cli/program.h"
#include "run/cache_folder.h"

namespace heddle::cli::cache_test {
namespace {

using run::CacheEntry;
using run::CacheFolder;
using testing::HasSubstr;
using testing::StartsWith;

class Cache : public ProgramTest {
 protected:
  Cache() { environment["XDG_CACHE_HOME"] = (home / "cache").string(); }

  fs::path folder() const { return home / "cache" / "heddle"; }
  std::vector<fs::path> files(const std::string& extension) const {
    std::vector<fs::path> found;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder(), error)) {
      if (entry.path().extension() == extension) found.push_back(entry.path());
    }
    return found;
  }
  // An entry of that size that was used so many hours ago.
  void make_entry(char name, std::size_t bytes, int hours) const {
    fs::create_directories(folder());
    const std::string key(32, name);
    for (const char* extension : {".image", ".files"}) {
      const fs::path file = folder() / (key + extension);
      std::ofstream(file) << std::string(extension == std::string(".files") ? 0 : bytes, 'x');
      fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(hours));
    }
  }
};

TEST_F(Cache, AnEditedHeaderCounts) {
  write("value.h", "#define VALUE 1\n");
  write("main.c", "#include <assert.h>\n#include \"value.h\"\nint main(void) { assert(VALUE == 1); return 0; }\n");
  EXPECT_EQ(heddle({"check", "main.c"}).code, 0);
  ASSERT_EQ(files(".image").size(), 1u);
  const auto made = fs::file_size(files(".files")[0]);
  EXPECT_EQ(heddle({"check", "main.c"}).code, 0);
  EXPECT_EQ(fs::file_size(files(".files")[0]), made);
  write("value.h", "#define VALUE 2\n");
  EXPECT_EQ(heddle({"check", "main.c"}).code, 1);
  write("value.h", "#define VALUE 1\n");
  EXPECT_EQ(heddle({"check", "main.c"}).code, 0);
  // Flags are part of the key.
  EXPECT_EQ(heddle({"check", "main.c", "--", "-DNDEBUG"}).code, 0);
  EXPECT_EQ(files(".image").size(), 2u);
}

TEST_F(Cache, FlagsComeFromCompileCommands) {
  fs::create_directories(home / "include");
  fs::create_directories(home / "build");
  write("include/value.h", "#define VALUE 1\n");
  write("main.c", "#include <assert.h>\n#include <value.h>\nint main(void) { assert(VALUE == WANTED); return 0; }\n");
  EXPECT_EQ(heddle({"check", "main.c"}).code, 3);
  const auto commands = [&](const std::string& wanted) {
    write("build/compile_commands.json", R"([{"directory": ")" + (home / "build").string() +
                                             R"(", "file": "../main.c", "command": "cc -I../include -DWANTED=)" +
                                             wanted + R"( -O2 -Wall -o main.o -c ../main.c"}])");
  };
  commands("1");
  EXPECT_EQ(heddle({"check", "main.c", "--compile-commands", "build"}).code, 0);
  commands("2");
  const Outcome violated = heddle({"check", "main.c", "--compile-commands", "build"});
  EXPECT_EQ(violated.code, 1) << violated.out << violated.err;
  EXPECT_THAT(violated.out, HasSubstr("main.c:3"));
  EXPECT_EQ(heddle({"replay", "heddle-trace.json"}).code, 1);
  // What stands after -- comes last.
  EXPECT_EQ(heddle({"check", "main.c", "--compile-commands", "build", "--", "-UWANTED", "-DWANTED=1"}).code, 0);
  const Outcome missing = heddle({"check", "main.c", "--compile-commands", "nowhere"});
  EXPECT_EQ(missing.code, 3);
  EXPECT_THAT(missing.last_line(), HasSubstr("CMAKE_EXPORT_COMPILE_COMMANDS"));
}

TEST_F(Cache, TheLeastRecentlyUsedGoFirst) {
  make_entry('a', 1000, 1);
  make_entry('b', 1000, 3);
  make_entry('c', 1000, 2);
  std::ofstream(folder() / "notes.txt") << std::string(5000, 'x');  // not ours
  const CacheFolder cache(folder());
  cache.prune(3000);
  EXPECT_EQ(cache.entries().size(), 3u);
  cache.prune(2999);
  ASSERT_EQ(files(".image").size(), 2u);
  EXPECT_FALSE(fs::exists(folder() / (std::string(32, 'b') + ".image")));
  EXPECT_FALSE(fs::exists(folder() / (std::string(32, 'b') + ".files")));
  make_entry('d', 1000, 0);
  cache.prune(0);  // what was used just now stays
  EXPECT_EQ(files(".image").size(), 1u);
  EXPECT_TRUE(fs::exists(folder() / (std::string(32, 'd') + ".image")));
  EXPECT_TRUE(fs::exists(folder() / "notes.txt"));
}

TEST_F(Cache, KeepsToItsLimit) {
  make_entry('a', 3000, 5);
  write("main.c", "int main(void) { return 0; }\n");
  environment["HEDDLE_CACHE_LIMIT"] = "2K";
  EXPECT_EQ(heddle({"check", "main.c"}).code, 0);
  EXPECT_FALSE(fs::exists(folder() / (std::string(32, 'a') + ".image")));
  EXPECT_EQ(files(".image").size(), 1u);
  environment["HEDDLE_CACHE_LIMIT"] = "much";
  const Outcome wrong = heddle({"cache"});
  EXPECT_EQ(wrong.code, 3);
  EXPECT_THAT(wrong.last_line(), HasSubstr("HEDDLE_CACHE_LIMIT"));
}

TEST_F(Cache, IsShownAndCleaned) {
  const Outcome empty = heddle({"cache"});
  EXPECT_EQ(empty.code, 0);
  EXPECT_THAT(empty.out, StartsWith(folder().string() + ", at most 512"));
  EXPECT_EQ(empty.last_line(), "0 entries, 0 B");
  write("main.c", "int main(void) { return 0; }\n");
  EXPECT_EQ(heddle({"check", "main.c"}).code, 0);
  make_entry('a', 100, 1);
  fs::create_directories(folder() / "work-old");
  fs::last_write_time(folder() / "work-old", fs::file_time_type::clock::now() - std::chrono::hours(2));
  fs::create_directories(folder() / "work-new");
  std::ofstream(folder() / "notes.txt") << "not ours";
  const auto json = heddle({"cache", "--json"}).json();
  EXPECT_EQ(json.at("place").as_string(), folder().string());
  EXPECT_EQ(json.at("entries").to_number<int>(), 4);
  EXPECT_EQ(json.at("kinds").at("programs").at("entries").to_number<int>(), 2);
  EXPECT_EQ(json.at("limit").to_number<int>(), 512 << 20);
  const Outcome cleaned = heddle({"cache", "--clean"});
  EXPECT_EQ(cleaned.code, 0);
  EXPECT_THAT(cleaned.last_line(), StartsWith("removed 3 entries, "));
  EXPECT_TRUE(files(".image").empty());
  EXPECT_TRUE(fs::exists(folder() / "work-new"));
  EXPECT_FALSE(fs::exists(folder() / "work-old"));
  EXPECT_TRUE(fs::exists(folder() / "notes.txt"));
  EXPECT_EQ(heddle({"check", "main.c"}).code, 0);
}

// Some compile, some use, one cleans; everybody gets the right verdict.
TEST_F(Cache, SeveralProcessesAtOnce) {
  write("main.c", "#include <assert.h>\nint main(void) { assert(VALUE == 1); return 0; }\n");
  std::vector<std::thread> users;
  std::vector<int> codes(6, -1);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    users.emplace_back([&, i] {
      const std::string command = "cd " + home.string() + " && XDG_CACHE_HOME=" + environment.at("XDG_CACHE_HOME") +
                                  " " HEDDLE_EXECUTABLE " check main.c --trace t" + std::to_string(i) +
                                  ".json -- -DVALUE=" + std::to_string(i % 2 + 1) + " >/dev/null 2>&1";
      codes[i] = WEXITSTATUS(std::system(command.c_str()));
    });
  }
  for (int i = 0; i < 10; ++i) {
    heddle({"cache", "--clean"});
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  for (std::thread& user : users) user.join();
  EXPECT_THAT(codes, testing::ElementsAre(0, 1, 0, 1, 0, 1));
}

}  // namespace
}  // namespace heddle::cli::cache_test
