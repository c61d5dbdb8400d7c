#include "core/content_table.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <thread>

namespace heddle::content_table_test {
namespace {

RC_GTEST_PROP(ContentTable, AgreesWithAMap, (const std::vector<std::string>& contents)) {
  ContentTable table;
  std::map<std::string, std::uint32_t> map;
  for (const std::string& content : contents) {
    const auto interned = table.intern_new(std::string_view(content));
    const auto [it, is_new] = map.try_emplace(content, interned.number);
    RC_ASSERT(interned.is_new == is_new);
    RC_ASSERT(interned.number == it->second);
    RC_ASSERT(table.content(interned.number) == content);
  }
  RC_ASSERT(table.last() == map.size());
}

TEST(ContentTable, WordsComeBackAligned) {
  ContentTable table;
  table.intern(std::string_view("abc"));
  const std::vector<std::uint32_t> words{1, 2, 3};
  const auto number = table.intern(std::span<const std::uint32_t>(words));
  const auto back = table.words(number);
  EXPECT_EQ(std::vector<std::uint32_t>(back.begin(), back.end()), words);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(back.data()) % alignof(std::uint32_t), 0u);
}

TEST(ContentTable, ThreadsAgreeOnNumbers) {
  ContentTable table;
  std::vector<std::vector<std::uint32_t>> numbers(3);
  {
    std::vector<std::jthread> workers;
    for (unsigned t = 0; t < 3; ++t) {
      workers.emplace_back([&, t] {
        for (std::uint32_t i = 0; i < 5000; ++i)
          numbers[t].push_back(table.intern(std::string_view(std::to_string(i))));
      });
    }
  }
  EXPECT_EQ(numbers[0], numbers[1]);
  EXPECT_EQ(numbers[0], numbers[2]);
  EXPECT_EQ(table.last(), 5000u);
}

}  // namespace
}  // namespace heddle::content_table_test
