// heddle-lower keeps every access of memory, in order; names what it cannot do; and shows clang's first error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "native/image.h"
#include "native/operation_shape.h"
#include "native/statements.h"
#include "support/golden.h"

namespace heddle::lower::lower_test {
namespace {

using native::Code;
using native::Image;
using native::Operation;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string folder = std::string(HEDDLE_SOURCE_DIR) + "/tests/native/lower";

struct Answer {
  int code = -1;
  std::string output;  // of both streams
};

// Runs heddle-lower in the folder of the samples.
Answer lower(const std::string& arguments) {
  Answer answer;
  const std::string command = "cd " + folder + " && " HEDDLE_COMPONENT_EXECUTABLE " " + arguments + " 2>&1";
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return answer;
  char buffer[4096];
  while (const std::size_t size = fread(buffer, 1, sizeof buffer, pipe)) answer.output.append(buffer, size);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) answer.code = WEXITSTATUS(status);
  return answer;
}

Image image_of(const std::string& arguments) {
  const Answer answer = lower(arguments);
  EXPECT_EQ(answer.code, 0) << answer.output;
  return native::read_image(answer.output);
}

const native::Function& function(const Image& image, const std::string& symbol) {
  for (const native::Function& each : image.functions) {
    if (image.texts[each.symbol] == symbol) return each;
  }
  throw std::runtime_error("there is no function " + symbol);
}

// The accesses in order: L load, S store, C copy, X compare-exchange, R read-modify-write; with '.' relaxed, with ':'
// another order, with '!' volatile.
std::string accesses(const native::Function& function) {
  std::string out;
  for (const Operation& operation : function.operations) {
    const char* letter = nullptr;
    switch (operation.code) {
      case Code::Load:
        letter = "L";
        break;
      case Code::Store:
        letter = "S";
        break;
      case Code::MemoryCopy:
        letter = "C";
        break;
      case Code::MemorySet:
        letter = "M";
        break;
      case Code::CompareExchange:
        letter = "X";
        break;
      case Code::ReadModifyWrite:
        letter = "R";
        break;
      default:
        continue;
    }
    out += letter;
    if (operation.code == Code::MemoryCopy || operation.code == Code::MemorySet) continue;
    const std::uint32_t order = operation.flags & native::ordering_mask;
    if (order != 0) out += order == static_cast<std::uint32_t>(native::Ordering::Relaxed) ? "." : ":";
    if ((operation.flags & native::volatile_access) != 0) out += "!";
  }
  return out;
}

std::size_t count(const native::Function& function, Code code) {
  std::size_t sum = 0;
  for (const Operation& operation : function.operations) sum += operation.code == code ? 1 : 0;
  return sum;
}

TEST(Kernels, KeepEveryAccessInOrder) {
  const Image image = image_of("kernels.c");
  const std::map<std::string, std::string> expected = {
      {"spin", "L"},
      {"read_twice", "LL"},
      {"write_twice", "SS"},
      {"write_then_read", "SL"},
      {"conditional_load", "L"},
      {"conditional_field", "LL"},
      {"conditional_store", "SS"},
      {"list_walk", "LLL"},
      {"struct_copy", "LSLS"},
      {"dead_load", "L"},
      {"relaxed_loads", "L.L."},
      {"relaxed_stores", "S.S."},
      {"loop_load", "L"},
      {"loop_store", "S"},
      {"swap", "LLSS"},
      {"check_then_use", "LLL"},
      {"increment", "LS"},
      {"volatile_loads", "L!L!"},
      {"locals", ""},
      {"overwritten", "LSLS"},
      {"increments", "R:R:"},
      {"through_parameter", "SLS"},
  };
  for (const auto& [name, wanted] : expected) EXPECT_EQ(accesses(function(image, name)), wanted) << name;
}

TEST(Kernels, ConditionalAccessesStayConditional) {
  const Image image = image_of("kernels.c");
  for (const char* name : {"conditional_load", "conditional_field", "conditional_store", "check_then_use"}) {
    const native::Function& each = function(image, name);
    EXPECT_EQ(count(each, Code::Branch), 1u) << name;
    EXPECT_EQ(count(each, Code::Select), 0u) << name;
    // Nothing is read of what the condition decides about before the branch.
    std::size_t before = 0;
    for (const Operation& operation : each.operations) {
      if (operation.code == Code::Branch) break;
      before += operation.code == Code::Load ? 1 : 0;
    }
    EXPECT_EQ(before, std::string(name) == "check_then_use" ? 1u : 0u) << name;
  }
}

// The access in a loop is in the loop: from after it, execution can get back to it.
TEST(Kernels, AccessesOfLoopsStayInLoops) {
  const Image image = image_of("kernels.c");
  for (const char* name : {"spin", "loop_load", "loop_store"}) {
    const native::Function& each = function(image, name);
    bool inside = false;
    for (std::uint32_t at = 0; at < each.operations.size(); ++at) {
      if (each.operations[at].code != Code::Load && each.operations[at].code != Code::Store) continue;
      std::set<std::uint32_t> seen;
      std::vector<std::uint32_t> todo = {at + 1};
      while (!todo.empty()) {
        const std::uint32_t next = todo.back();
        todo.pop_back();
        if (!seen.insert(next).second) continue;
        const Operation& operation = each.operations.at(next);
        if (operation.code == Code::Return || operation.code == Code::Unreachable) continue;
        if (operation.code == Code::Jump || operation.code == Code::Branch) {
          todo.push_back(static_cast<std::uint32_t>(operation.immediate));
          if (operation.code == Code::Branch) todo.push_back(operation.c);
        } else {
          todo.push_back(next + 1);
        }
      }
      inside = inside || seen.contains(at);
    }
    EXPECT_TRUE(inside) << name;
  }
}

TEST(Kernels, AddressOfGlobalOrLocalIsReadOnce) {
  const native::Function each = function(image_of("kernels.c"), "select_address");
  std::size_t loads = count(each, Code::Load);
  EXPECT_EQ(loads, 1u);
}

TEST(Golden, ProgramOfC) {
  const Answer answer = lower("--dump constants.c");
  ASSERT_EQ(answer.code, 0) << answer.output;
  support::expect_golden("native/lower/golden/constants.txt", answer.output);
}

TEST(Golden, ProgramOfCplusplus) {
  const Answer answer = lower("--dump stack.cpp");
  ASSERT_EQ(answer.code, 0) << answer.output;
  support::expect_golden("native/lower/golden/stack.txt", answer.output);
}

// The tests run in the folder of the samples.
const std::string examples = "../../../examples/native/";

TEST(Statements, OfTheAfekStack) {
  const Answer answer =
      lower("--statements " + examples + "afek_stack.cpp -- -I../../../include -DBUG_READ_THEN_CLEAR");
  ASSERT_EQ(answer.code, 0) << answer.output;
  support::expect_golden("native/lower/golden/statements_of_afek_stack.txt", answer.output);
}

TEST(Statements, OfTheOptimisticList) {
  const Answer answer =
      lower("--statements " + examples + "optimistic_list.cpp -- -I../../../include -DBUG_LATE_LOCK_ADD");
  ASSERT_EQ(answer.code, 0) << answer.output;
  support::expect_golden("native/lower/golden/statements_of_optimistic_list.txt", answer.output);
}

TEST(Statements, OfEveryKind) {
  const Answer answer = lower("--statements statements.cpp");
  ASSERT_EQ(answer.code, 0) << answer.output;
  support::expect_golden("native/lower/golden/statements_of_every_kind.txt", answer.output);
}

// The lines of the statements that accesses and calls of a function belong to, in the order of its operations.
std::string lines(const Image& image, const native::Function& function) {
  const std::vector<std::uint32_t> statements = native::statements_of(function);
  std::string out;
  for (std::size_t at = 0; at < function.operations.size(); ++at) {
    const Code code = function.operations[at].code;
    if (code != Code::Load && code != Code::Store && code != Code::ReadModifyWrite && code != Code::Call) continue;
    const std::string line =
        statements[at] == native::none ? "?" : std::to_string(image.statements[statements[at]].first_line);
    if (!out.ends_with(" " + line)) out += " " + line;
  }
  return out;
}

TEST(Statements, OfOperations) {
  const Image stack = image_of(examples + "afek_stack.cpp -- -I../../../include -DBUG_READ_THEN_CLEAR");
  EXPECT_EQ(lines(stack, function(stack, "_ZN5Stack4pushEi")), " 37 39");
  EXPECT_EQ(lines(stack, function(stack, "_ZN5Stack3popEv")), " 43 46 47");
  const Image kinds = image_of("statements.cpp");
  EXPECT_EQ(lines(kinds, function(kinds, "_Z5loopsi")), " 31 32 33 35 37 42 37 39 30");
}

TEST(Statements, InstantiationsShareThoseOfTheTemplate) {
  const Image image = image_of("statements.cpp");
  const auto of = [&](const std::string& symbol) {
    std::set<std::uint32_t> found;
    for (const Operation& x : function(image, symbol).operations) {
      if (x.code == Code::Statement) found.insert(static_cast<std::uint32_t>(x.immediate));
    }
    return found;
  };
  const std::set<std::uint32_t> ints = of("_Z6largerIiET_S0_S0_");
  EXPECT_GE(ints.size(), 3u);
  EXPECT_EQ(ints, of("_Z6largerIlET_S0_S0_"));
}

// Whichever way execution takes, an operation is in one statement; so statements_of need not ask for the way.
TEST(Statements, DoNotDependOnTheWay) {
  for (const std::string& program : {std::string("statements.cpp"), examples + "peterson.c"}) {
    const Image image = image_of(program);
    for (const native::Function& each : image.functions) {
      const std::vector<std::uint32_t> statements = native::statements_of(each);
      for (std::uint32_t at = 0; at < each.operations.size(); ++at) {
        for (const std::uint32_t next : native::successors(each, at)) {
          if (each.operations[next].code == Code::Statement) continue;
          EXPECT_EQ(statements[next], statements[at]) << image.texts[each.name] << " " << at << " -> " << next;
        }
      }
    }
  }
}

// From the end of a loop's body back to its beginning execution passes the loop itself.
TEST(Statements, ALoopIsEnteredAgainForEachIteration) {
  const Image image = image_of("statements.cpp");
  const native::Function& each = function(image, "_Z5loopsi");
  const auto line = [&](const Operation& x) { return image.statements[x.immediate].first_line; };
  std::set<std::uint32_t> loops;
  for (std::uint32_t at = 0; at < each.operations.size(); ++at) {
    if (each.operations[at].code != Code::Statement || line(each.operations[at]) != 42) continue;
    // From the body of the last loop, for (;;), to the next statement on every way.
    std::set<std::uint32_t> seen;
    std::vector<std::uint32_t> todo = native::successors(each, at);
    while (!todo.empty()) {
      const std::uint32_t next = todo.back();
      todo.pop_back();
      if (!seen.insert(next).second) continue;
      if (each.operations[next].code == Code::Statement) {
        loops.insert(line(each.operations[next]));
        continue;
      }
      for (const std::uint32_t more : native::successors(each, next)) todo.push_back(more);
    }
  }
  EXPECT_TRUE(loops.contains(41));
}

TEST(Errors, FirstErrorOfClangIsShownWithItsPlace) {
  const Answer answer = lower("wrong.c");
  EXPECT_EQ(answer.code, 3);
  EXPECT_THAT(answer.output, HasSubstr("wrong.c:3:10: error: use of undeclared identifier 'missing'"));
  EXPECT_THAT(answer.output, Not(HasSubstr("also_missing")));
}

TEST(Errors, ArgumentsAndFilesThatAreNotThere) {
  EXPECT_EQ(lower("").code, 3);
  EXPECT_THAT(lower("nowhere.c").output, HasSubstr("there is no file nowhere.c"));
  EXPECT_THAT(lower("wrong.h").output, HasSubstr("neither C"));
  EXPECT_THAT(lower("--strange kernels.c").output, HasSubstr("unknown argument --strange"));
  EXPECT_THAT(lower("kernels.c kernels.c").output, HasSubstr("do not fit together"));
}

TEST(Unsupported, IsNamedWhereItIs) {
  const Image image = image_of("unsupported.c");
  const std::map<std::string, std::string> expected = {
      {"cpuid", "inline assembly \"cpuid\""},
      {"computed_goto", "indirectbr"},
      {"half", "half"},
      {"counter", "rdtsc"},
  };
  for (const auto& [name, part] : expected) {
    std::string text;
    for (const Operation& operation : function(image, name).operations) {
      if (operation.code == Code::Unsupported) text += image.texts[operation.immediate] + "; ";
    }
    EXPECT_THAT(text, HasSubstr(part)) << name;
  }
  EXPECT_EQ(count(function(image, "barrier_only"), Code::Unsupported), 0u);
  ASSERT_EQ(count(function(image, "external"), Code::CallExternal), 1u);
  EXPECT_THAT(lower("--list-externals unsupported.c").output, HasSubstr("nobody_has_this\n"));
}

TEST(Places, AreThoseOfTheSource) {
  const Image image = image_of("kernels.c");
  const native::Function& each = function(image, "increment");
  for (const Operation& operation : each.operations) {
    if (operation.code != Code::Store) continue;
    const native::Place& place = image.places.at(operation.place);
    EXPECT_EQ(image.files.at(place.file), "kernels.c");
    EXPECT_EQ(place.line, 38u);
    EXPECT_EQ(image.texts.at(place.function), "increment");
    EXPECT_FALSE(place.about);
  }
  EXPECT_FALSE(each.library);
}

TEST(Depends, ListsIncludedFiles) {
  const std::string list = ::testing::TempDir() + "/heddle-lower-depends";
  EXPECT_EQ(lower("--output /dev/null --depends " + list + " stack.cpp").code, 0);
  std::ifstream in(list);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  EXPECT_THAT(text, HasSubstr("stack.cpp\n"));
  EXPECT_THAT(text, HasSubstr("/atomic\n"));
  std::filesystem::remove(list);
}

TEST(Flags, GoToClang) {
  EXPECT_EQ(lower("--output /dev/null constants.c -- -DUNUSED").code, 0);
  EXPECT_EQ(lower("--output /dev/null stack.cpp -- -std=c++17").code, 0);
  EXPECT_THAT(lower("constants.c -- -Dtwice=1+").output, HasSubstr("error"));
}

}  // namespace
}  // namespace heddle::lower::lower_test
