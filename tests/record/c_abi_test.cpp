// The recorder in other programs: from C through libheddle_record, and in C++17 with nothing but its header.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

namespace heddle::c_abi_test {
namespace {

namespace fs = std::filesystem;

class OtherPrograms : public testing::Test {
 protected:
  OtherPrograms() {
    std::string name = (fs::temp_directory_path() / "heddle-record-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "no temporary directory";
    home = name;
  }
  ~OtherPrograms() override { fs::remove_all(home); }

  int run(const std::string& command) const {
    return std::system(("cd '" + home.string() + "' && { " + command + "; } >out 2>&1").c_str());
  }
  std::string file(const std::string& name) const {
    std::ifstream in(home / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }

  fs::path home;
  const std::string include = "-I'" HEDDLE_SOURCE_DIR "/include' ";
  const std::string flags = HEDDLE_SANITIZE_FLAGS " -Wall -Wextra -Wpedantic -Wconversion -Werror ";
};

constexpr const char* expected =
    "{:process 0, :type :invoke, :f :write, :key \"x\", :value 3, :time T}\n"
    "{:process 1, :type :invoke, :f :read, :key \"x\", :value nil, :time T}\n"
    "{:process 0, :type :ok, :f :write, :key \"x\", :value 3, :time T}\n"
    "{:process 1, :type :ok, :f :read, :key \"x\", :value 3, :time T}\n"
    "{:process 0, :type :invoke, :f :cas, :key \"x\", :value [3 [3]], :time T}\n"
    "{:process 0, :type :ok, :f :cas, :key \"x\", :value true, :time T}\n"
    "{:process 0, :type :invoke, :f :write, :key \"x\", :value 3, :time T}\n"
    "{:process 0, :type :fail, :f :write, :key \"x\", :value 3, :time T, :error \"did not happen\"}\n"
    "{:process 0, :type :invoke, :f :write, :key \"x\", :value 3, :time T}\n"
    "{:process 0, :type :info, :f :write, :key \"x\", :value 3, :time T}\n"
    "{:process 2, :type :invoke, :f :lock, :value nil, :time T}\n"
    "{:process 1, :type :invoke, :f :txn, :value [[:append \"x\" 9] [:r 9 nil] [:r \"x\" nil]], :time T}\n"
    "{:process 1, :type :ok, :f :txn, :value [[:append \"x\" 9] [:r 9 nil] [:r \"x\" [3]]], :time T}\n"
    "{:process 1, :type :invoke, :f :txn, :value [[:w \"x\" 9]], :time T}\n"
    "{:process 1, :type :fail, :f :txn, :value [[:w \"x\" 9]], :time T, :error \"did not happen\"}\n"
    "{:process 1, :type :invoke, :f :txn, :value [], :time T}\n"
    "{:process 1, :type :info, :f :txn, :value [], :time T}\n";

TEST_F(OtherPrograms, AProgramInCRecordsThroughEitherLibrary) {
  for (const std::string library : {"'" HEDDLE_RECORD_SHARED "' -Wl,-rpath,'" HEDDLE_RECORD_FOLDER "'",
                                    "'" HEDDLE_RECORD_STATIC "' -lstdc++ -lm -pthread"}) {
    ASSERT_EQ(
        run("gcc -std=c11 " + flags + include + "'" HEDDLE_SOURCE_DIR "/tests/record/client.c' -o client " + library),
        0)
        << file("out");
    ASSERT_EQ(run("ASAN_OPTIONS=detect_leaks=0 ./client"), 0) << file("out");
    EXPECT_THAT(file("out"), testing::HasSubstr("name it .edn or .jsonl"));
    EXPECT_EQ(std::regex_replace(file("c.edn"), std::regex(":time [0-9]+"), ":time T"), expected);
    const std::string lines = file("c.jsonl");
    EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 17);
    fs::remove(home / "c.edn");
  }
}

TEST_F(OtherPrograms, SlowTheHeaderNeedsCpp17AndNothingElse) {
  std::ofstream(home / "a.cpp") << "#include <heddle/record.h>\n"
                                   "int main() {\n"
                                   "  heddle::Recorder recorder;\n"
                                   "  recorder.invoke(0, \"write\", \"x\", 3).ok();\n"
                                   "  recorder.save(\"a.edn\");\n"
                                   "}\n";
  // The header alone is copied: another of Heddle's would not be found.
  fs::create_directories(home / "heddle");
  fs::copy_file(HEDDLE_SOURCE_DIR "/include/heddle/record.h", home / "heddle/record.h");
  ASSERT_EQ(run(HEDDLE_CXX " -std=c++17 " + flags +
                " -Wshadow -Wsign-conversion -Wold-style-cast -I. a.cpp -o a -pthread && ./a"),
            0)
      << file("out");
  EXPECT_THAT(file("a.edn"), testing::HasSubstr(":f :write, :key \"x\", :value 3"));
}

}  // namespace
}  // namespace heddle::c_abi_test
