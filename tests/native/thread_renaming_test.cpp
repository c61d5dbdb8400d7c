// Renaming threads in bytes is an action of the group of permutations, and finds every name.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "native/thread_renaming.h"
#include "support/check_random.h"

namespace heddle::native::thread_renaming_test {
namespace {

constexpr std::uint32_t threads = 8;

ThreadRenaming renaming_of(const std::vector<std::uint32_t>& to) {
  ThreadRenaming out;
  for (std::uint32_t t = 0; t < to.size(); ++t) out.set(t + 1, to[t] + 1);
  return out;
}

std::vector<std::uint32_t> random_permutation() {
  std::vector<std::uint32_t> to(threads);
  std::iota(to.begin(), to.end(), 0);
  for (std::uint32_t i = threads; i > 1; --i) std::swap(to[i - 1], to[*rc::gen::inRange<std::uint32_t>(0, i)]);
  return to;
}

// Names, sets, parts of them and bytes that look like them, side by side.
std::string random_bytes() {
  std::string out;
  for (int i = *rc::gen::inRange(0, 8); i > 0; --i) {
    Word word = *rc::gen::arbitrary<Word>();
    switch (*rc::gen::inRange(0, 5)) {
      case 0:
        word = Label{*rc::gen::inRange(0u, 30u), *rc::gen::inRange(0u, 100u)}.pointer(*rc::gen::inRange(0u, 64u));
        break;
      case 1:
        word = name_of_thread(*rc::gen::inRange(0u, 30u));
        break;
      case 2:
        word = set_of_thread(*rc::gen::inRange(0u, 30u)) | set_of_thread(*rc::gen::inRange(0u, 30u));
        break;
      case 3:
        word = 0x6B6B6B6B6B6B6B6B ^ (word & 0xFF) << 8 * *rc::gen::inRange(0, 8);
        break;
      default:
        break;
    }
    const std::string bytes(reinterpret_cast<const char*>(&word), sizeof word);
    out += bytes.substr(0, *rc::gen::inRange<std::size_t>(1, 9));
  }
  return out;
}

std::string renamed(std::string bytes, const ThreadRenaming& by) {
  by.bytes(bytes);
  return bytes;
}

TEST(ThreadRenaming, IsAnActionOfTheGroup) {
  heddle::testing::check_random(heddle::testing::count_of(2'000, 100'000), [] {
    const std::vector<std::uint32_t> p = random_permutation(), q = random_permutation();
    std::vector<std::uint32_t> product(threads), inverse(threads);
    for (std::uint32_t t = 0; t < threads; ++t) {
      product[t] = q[p[t]];
      inverse[p[t]] = t;
    }
    const std::string bytes = random_bytes();
    RC_ASSERT(renamed(renamed(bytes, renaming_of(p)), renaming_of(q)) == renamed(bytes, renaming_of(product)));
    RC_ASSERT(renamed(renamed(bytes, renaming_of(p)), renaming_of(inverse)) == bytes);
    // Who is named is renamed as well.
    std::uint32_t expected = threads_named(bytes) & ~0x1FEu;
    for (std::uint32_t t = 0; t < threads; ++t) {
      if ((threads_named(bytes) >> (t + 1) & 1) != 0) expected |= 1u << (p[t] + 1);
    }
    RC_ASSERT(threads_named(renamed(bytes, renaming_of(p))) == expected);
  });
}

TEST(ThreadRenaming, FindsNamesAtEveryOffset) {
  ThreadRenaming exchange;
  exchange.set(2, 5);
  exchange.set(5, 2);
  for (std::size_t offset = 0; offset < 8; ++offset) {
    const auto at = [&](Word word) {
      std::string bytes(offset, 'x');
      return bytes.append(reinterpret_cast<const char*>(&word), sizeof word) + "yz";
    };
    EXPECT_EQ(renamed(at(Label{2, 6}.pointer(24)), exchange), at(Label{5, 6}.pointer(24)));
    EXPECT_EQ(renamed(at(name_of_thread(5)), exchange), at(name_of_thread(2)));
    EXPECT_EQ(renamed(at(set_of_thread(2) | set_of_thread(3)), exchange), at(set_of_thread(5) | set_of_thread(3)));
    EXPECT_EQ(renamed(at(Label{3, 6}.pointer()), exchange), at(Label{3, 6}.pointer()));
    EXPECT_EQ(threads_named(at(name_of_thread(2))), 1u << 2);
  }
  EXPECT_EQ(exchange.word(name_of_thread(2)), name_of_thread(5));
  EXPECT_EQ(exchange.word(7), 7u);
  for (std::uint32_t t = 0; t < Label::max_threads; ++t) EXPECT_EQ(thread_named(name_of_thread(t)), t);
  EXPECT_EQ(thread_named(0), none);
  EXPECT_EQ(thread_named(Label{2, 6}.pointer()), none);
}

}  // namespace
}  // namespace heddle::native::thread_renaming_test
