// Images survive being written and read; what is damaged or refers to nothing is refused.
#include "native/image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <xxhash.h>

#include <cstring>

#include "support/check_random.h"
#include "support/image_builder.h"
#include "support/random_image.h"

namespace heddle::native::image_test {
namespace {

using testing::check_random;
using testing::count_of;
using testing::FunctionBuilder;
using testing::HasSubstr;
using testing::ImageBuilder;

constexpr std::size_t header = 20;

void repair_checksum(std::string& bytes) {
  const std::uint64_t checksum = XXH3_64bits(bytes.data() + header, bytes.size() - header);
  std::memcpy(bytes.data() + 12, &checksum, sizeof checksum);
}

TEST(Image, SurvivesWritingAndReading) {
  check_random(count_of(200, 5'000), [] {
    const Image image = testing::random_image();
    const std::string bytes = write_image(image);
    RC_ASSERT(read_image(bytes) == image);
    RC_ASSERT(!dump(image).empty());
  });
}

TEST(Image, ADamagedByteIsNoticed) {
  check_random(count_of(300, 20'000), [] {
    std::string bytes = write_image(testing::random_image());
    const auto at = *rc::gen::inRange<std::size_t>(0, bytes.size());
    bytes[at] = static_cast<char>(bytes[at] ^ *rc::gen::inRange(1, 256));
    RC_ASSERT_THROWS_AS(read_image(bytes), ImageError);
  });
}

// With a checksum that is right, a damaged image is refused or is another image; it never leads out of its tables.
TEST(Image, DamageBehindTheChecksumIsRefusedOrHarmless) {
  std::size_t refused = 0, accepted = 0;
  check_random(count_of(2'000, 100'000), [&] {
    std::string bytes = write_image(testing::random_image());
    const auto changes = *rc::gen::inRange(1, 4);
    for (int i = 0; i < changes; ++i) {
      const auto at = *rc::gen::inRange<std::size_t>(header, bytes.size());
      bytes[at] = static_cast<char>(*rc::gen::element(0, 1, 0x7F, 0x80, 0xFF, 3, 17));
    }
    if (*rc::gen::inRange(0, 10) == 0) bytes.resize(*rc::gen::inRange<std::size_t>(header, bytes.size()));
    repair_checksum(bytes);
    try {
      const Image image = read_image(bytes);
      RC_ASSERT(write_image(image) == bytes);
      RC_ASSERT(!dump(image).empty());
      ++accepted;
    } catch (const ImageError&) {
      ++refused;
    }
  });
  EXPECT_GT(refused, 0U);
  EXPECT_GT(accepted, 0U);
}

TEST(Image, OtherFilesAreRefused) {
  EXPECT_THROW(read_image(""), ImageError);
  EXPECT_THROW(read_image("\x7F"
                          "ELF and some more bytes, enough for a header"),
               ImageError);
  ImageBuilder builder;
  FunctionBuilder& main = builder.function("main");
  main.give_back();
  std::string bytes = write_image(builder.image());
  bytes[8] = 77;
  try {
    read_image(bytes);
    FAIL();
  } catch (const ImageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("version 77"));
  }
}

// One wrong thing each.
TEST(Image, WrongIndicesAreRefused) {
  const auto refused = [](const std::function<void(Image&)>& change) {
    ImageBuilder builder;
    const Word cell = builder.global("cell", 8, "", false, false);
    const std::uint32_t number = builder.scalar("int", Type::Kind::Signed, 4);                   // 0
    const std::uint32_t pair = builder.structure("pair", {{"a", 0, number}, {"b", 4, number}});  // 1
    builder.set_type(cell, builder.array(pair, 2));                                              // 2
    FunctionBuilder& main = builder.function("main");
    const auto value = main.load(main.constant(cell), 8);  // 0
    main.binary(Code::Add, value, value, 128 - 64);        // 1
    main.branch(value, 0, 3);                              // 2
    main.exit(value);                                      // 3, 4
    Image image = builder.image();
    change(image);
    try {
      read_image(write_image(image));
      return false;
    } catch (const ImageError&) {
      return true;
    }
  };
  const auto operation = [&](std::size_t at, const std::function<void(Operation&)>& change) {
    return refused([&](Image& image) { change(image.functions[0].operations[at]); });
  };
  EXPECT_FALSE(refused([](Image&) {}));
  EXPECT_TRUE(operation(0, [](Operation& x) { x.a = none; }));
  EXPECT_TRUE(operation(0, [](Operation& x) { x.a = constant_bit | 50; }));
  EXPECT_TRUE(operation(0, [](Operation& x) { x.width = 17; }));
  EXPECT_TRUE(operation(0, [](Operation& x) { x.width = 0; }));
  EXPECT_TRUE(operation(0, [](Operation& x) { x.flags = 6; }));
  EXPECT_TRUE(operation(0, [](Operation& x) { x.result = 2; }));
  EXPECT_TRUE(operation(0, [](Operation& x) { x.place = 1'000; }));
  EXPECT_TRUE(operation(1, [](Operation& x) { x.width = 129; }));
  EXPECT_TRUE(operation(1, [](Operation& x) { x.b = 2; }));
  EXPECT_TRUE(operation(1, [](Operation& x) { x.width = 128; }));  // the second word of the result is not there
  EXPECT_TRUE(operation(1, [](Operation& x) { x.code = Code::FAdd, x.width = 63; }));
  EXPECT_TRUE(operation(2, [](Operation& x) { x.immediate = 5; }));
  EXPECT_TRUE(operation(2, [](Operation& x) { x.c = 5; }));
  EXPECT_TRUE(operation(3, [](Operation& x) { x.immediate = 1; }));
  EXPECT_TRUE(operation(3, [](Operation& x) { x.c = 2; }));
  EXPECT_TRUE(operation(4, [](Operation& x) { x.code = Code::Fence; }));
  EXPECT_TRUE(operation(1, [](Operation& x) { x.code = Code::ThreadLocal, x.immediate = 0; }));
  EXPECT_TRUE(operation(1, [](Operation& x) { x.code = Code::Statement, x.immediate = 0; }));
  EXPECT_TRUE(operation(1, [](Operation& x) { x.code = Code::Copy, x.immediate = Word{1} << 40; }));
  EXPECT_TRUE(refused([](Image& image) { image.functions[0].parameters = 1; }));  // the start has none
  EXPECT_TRUE(refused([](Image& image) { image.functions[0].operations.clear(); }));
  EXPECT_TRUE(refused([](Image& image) { image.functions[0].name = 99; }));
  EXPECT_TRUE(refused([](Image& image) { image.functions[0].registers = ~0u; }));
  EXPECT_TRUE(refused([](Image& image) { image.functions[0].arguments[0].words = 3; }));
  EXPECT_TRUE(refused([](Image& image) { image.globals[0].size = Label::max_size + 1; }));
  EXPECT_TRUE(refused([](Image& image) { image.globals[0].bytes = "123456789"; }));
  EXPECT_TRUE(refused([](Image& image) { image.globals[0].type = 3; }));
  EXPECT_FALSE(refused([](Image& image) { image.functions[0].made = {{0, 1}, {4, 2}}; }));
  EXPECT_TRUE(refused([](Image& image) { image.functions[0].made = {{0, 3}}; }));
  EXPECT_TRUE(refused([](Image& image) { image.functions[0].made = {{5, 1}}; }));
  EXPECT_TRUE(refused([](Image& image) { image.functions[0].made = {{2, 1}, {2, 2}}; }));
  const auto type = [&](std::size_t index, const std::function<void(Type&)>& change) {
    return refused([&](Image& image) { change(image.types[index]); });
  };
  EXPECT_TRUE(type(0, [](Type& x) { x.size = 0; }));
  EXPECT_TRUE(type(0, [](Type& x) { x.size = 3; }));
  EXPECT_TRUE(type(0, [](Type& x) { x.name = 99; }));
  EXPECT_TRUE(type(0, [](Type& x) { x.kind = Type::Kind::Floating, x.size = 2; }));
  EXPECT_TRUE(type(0, [](Type& x) { x.enumerators = {{0, 99}}; }));
  EXPECT_TRUE(type(1, [](Type& x) { x.members[1].offset = 3; }));  // they overlap
  EXPECT_TRUE(type(1, [](Type& x) { x.members[1].offset = 5; }));  // beyond its end
  EXPECT_FALSE(type(1, [](Type& x) { x.members[1].bit = 1, x.members[1].bits = 31; }));
  EXPECT_TRUE(type(1, [](Type& x) { x.members[1].bit = 8, x.members[1].bits = 3; }));
  EXPECT_TRUE(type(1, [](Type& x) { x.members[1].bits = 33; }));
  EXPECT_TRUE(type(1, [](Type& x) { x.members[1].bit = 1; }));
  EXPECT_TRUE(type(1, [](Type& x) { x.members[0].type = 1; }));  // itself
  EXPECT_TRUE(type(1, [](Type& x) { x.members[0].name = 99; }));
  EXPECT_TRUE(type(1, [](Type& x) { x.kind = Type::Kind::Opaque; }));
  EXPECT_TRUE(type(2, [](Type& x) { x.element = none; }));
  EXPECT_TRUE(type(2, [](Type& x) { x.element = 2; }));
  EXPECT_TRUE(type(2, [](Type& x) { x.size = 15; }));
  EXPECT_TRUE(type(2, [](Type& x) { x.kind = Type::Kind::Pointer; }));
  EXPECT_TRUE(refused([](Image& image) {
    for (std::uint32_t depth = 0; depth <= Type::max_depth; ++depth) {
      Type deeper;
      deeper.kind = Type::Kind::Array;
      deeper.size = 4;
      deeper.element = depth == 0 ? 0 : static_cast<std::uint32_t>(image.types.size() - 1);
      image.types.push_back(deeper);
    }
  }));
  EXPECT_TRUE(refused([](Image& image) { image.globals.resize(Label::max_index + 2, image.globals[0]); }));
  EXPECT_TRUE(refused([](Image& image) { image.places[0].inlined_at = 0; }));
  EXPECT_TRUE(refused([](Image& image) { image.externals[0] = 99; }));
  EXPECT_TRUE(refused([](Image& image) { image.start = 1; }));
  EXPECT_TRUE(refused([](Image& image) { image.warnings.push_back(99); }));
}

TEST(Image, IsPrinted) {
  ImageBuilder builder;
  const Word cell = builder.global("cell", 8, "\x01\x02");
  FunctionBuilder& main = builder.function("main");
  const auto value = main.load(main.constant(cell + 4), 4, Ordering::Acquire);
  main.binary(Code::Add, value, main.constant(7), 32);
  main.branch(value, 0, 3);
  main.exit(value);
  EXPECT_EQ(dump(builder.image()),
            "global 0 cell: 8 bytes = 0102\n"
            "\n"
            "function 0 main: 0 parameters, 2 registers, 0 result words\n"
            "    0  r0 = load acquire 4 &cell+4                        ; test.c:1:1\n"
            "    1  r1 = add 32 r0, 7                                  ; test.c:2:1\n"
            "    2  branch r0 ? 0 : 3                                  ; test.c:3:1\n"
            "    3  call_external __heddle_exit(r0)                    ; test.c:4:1\n"
            "    4  unreachable                                        ; test.c:5:1\n"
            "start main\n");
}

}  // namespace
}  // namespace heddle::native::image_test
