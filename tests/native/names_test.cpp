// Objects, parts and values are called as in the source, and each object has one name that no other has.
#include "native/names.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "support/image_builder.h"

namespace heddle::native::names_test {
namespace {

using testing::FunctionBuilder;
using testing::ImageBuilder;
using namespace std::string_literals;

std::string bytes_of(std::initializer_list<std::uint64_t> words) {
  std::string out;
  for (const std::uint64_t word : words) {
    for (int i = 0; i < 8; ++i) out += static_cast<char>(word >> 8 * i & 0xFF);
  }
  return out;
}

// struct Node { int key; bool marked; Node* next; }; struct Set { Node* head; int sizes[2]; Mode mode; };
class NamesTest : public ::testing::Test {
 protected:
  NamesTest() {
    const std::uint32_t number = builder.scalar("int", Type::Kind::Signed, 4);
    const std::uint32_t truth = builder.scalar("bool", Type::Kind::Boolean, 1);
    const std::uint32_t link = builder.scalar("", Type::Kind::Pointer, 8);
    const std::uint32_t lock = builder.scalar("lock", Type::Kind::Opaque, 8);
    Type mode;
    mode.kind = Type::Kind::Signed;
    mode.size = 4;
    mode.enumerators = {{0, builder.text("idle")}, {~Word{0}, builder.text("broken")}};
    const std::uint32_t modes = builder.type(mode);
    node = builder.structure("Node", {{"key", 0, number}, {"marked", 4, truth}, {"next", 8, link}});
    set = builder.structure(
        "Set", {{"head", 0, link}, {"sizes", 8, builder.array(number, 2)}, {"mode", 16, modes}, {"lock", 24, lock}});
    all = builder.global("all", 64);
    builder.set_type(all, builder.array(set, 2));
    plain = builder.global("plain", 24);

    FunctionBuilder& main = builder.function("main");
    const std::uint32_t variable = main.stack_object(24);  // operation 0
    main.function.operations[0].flags = builder.text("local") + 1;
    main.call(1, {variable, variable});  // operation 1: as if it allocated
    main.function.made = {{0, node}, {1, node}};
    main.exit(variable);
    FunctionBuilder& again = builder.function("again", 2, 1);
    again.stack_object(8);
    again.function.operations[0].flags = builder.text("twice") + 1;
    again.call(1, {0, 1});
    again.give_back(0);
    image = builder.image();
    variables.emplace(image);
  }

  Names names() {
    return {image, *variables, Label{0, 0}, [this](Label label) -> std::optional<Object> {
              const auto at = objects.find(label);
              if (at == objects.end()) return std::nullopt;
              return at->second;
            }};
  }
  void add(Label label, ObjectKind kind, std::size_t size, Site made) {
    objects[label] = {kind, false, std::string(size, '\0'),
                      {},   made,  image.functions[made.function].made_type(made.at)};
  }

  ImageBuilder builder;
  std::uint32_t node = none, set = none;
  Word all = 0, plain = 0;
  Image image;
  std::optional<Variables> variables;
  std::map<Label, Object> objects;
};

TEST_F(NamesTest, PartsOfGlobals) {
  Names n = names();
  const Label label = Label::of(all);
  EXPECT_EQ(n.object(label), "all");
  EXPECT_EQ(n.part(label, 0, 8), "[0].head");
  EXPECT_EQ(n.part(label, 44, 4), "[1].sizes[1]");
  EXPECT_EQ(n.part(label, 48, 4), "[1].mode");
  EXPECT_EQ(n.part(label, 0, 64), "");
  EXPECT_EQ(n.part(label, 40, 8), "[1].sizes");       // both
  EXPECT_EQ(n.part(label, 45, 2), "[1].sizes[1]+1");  // within one
  EXPECT_EQ(n.part(label, 4, 8), "[0]+4");            // across two members
  EXPECT_EQ(n.part(label, 20, 4), "[0]+20");          // between members
  EXPECT_EQ(n.thing_at(label, 60), "[1].lock");
  EXPECT_EQ(n.part(label, 1'000, 4), "+1000");
  EXPECT_EQ(n.part(Label::of(plain), 8, 8), "+8");
  EXPECT_EQ(n.part(Label::of(plain), 0, 24), "");
  EXPECT_EQ(n.part(Label::of(plain), 0, 8), "+0");
}

TEST_F(NamesTest, AVariableOfMainHasItsOwnName) {
  add({0, 1}, ObjectKind::Stack, 16, {0, 0});
  add({1, 1}, ObjectKind::Stack, 16, {0, 0});  // another thread's
  add({0, 3}, ObjectKind::Stack, 8, {1, 0});   // of a function that calls itself
  Names n = names();
  EXPECT_EQ(n.object({0, 1}) + n.part({0, 1}, 8, 8), "local.next");
  EXPECT_EQ(n.object({1, 1}) + n.part({1, 1}, 8, 8), "local 1.1->next");
  EXPECT_EQ(n.object({0, 3}), "twice 0.3");
}

TEST_F(NamesTest, TheObjectOfAHarnessHasTheNameOfItsClass) {
  add({0, 0}, ObjectKind::New, 16, {0, 1});
  Names n = names();
  EXPECT_EQ(n.object({0, 0}) + n.part({0, 0}, 8, 8), "Node.next");
}

TEST_F(NamesTest, HeapObjectsHaveTheNameOfTheirType) {
  add({0, 2}, ObjectKind::New, 16, {0, 1});
  add({0, 4}, ObjectKind::NewArray, 48, {0, 1});
  add({0, 6}, ObjectKind::Malloc, 20, {0, 1});  // not an array of nodes
  Names n = names();
  EXPECT_EQ(n.object({0, 2}) + n.part({0, 2}, 4, 1), "Node 0.2->marked");
  EXPECT_EQ(n.object({0, 4}) + n.part({0, 4}, 16, 4), "Node 0.4[1].key");
  EXPECT_EQ(n.object({0, 6}) + n.part({0, 6}, 16, 4), "object 0.6+16");
  EXPECT_EQ(n.object({0, 8}), "object 0.8");  // nobody knows
  EXPECT_EQ(n.word(Label{0, 2}.pointer(0)), R"("&Node 0.2")");
  EXPECT_EQ(n.word(Label{0, 2}.pointer(8)), R"("&Node 0.2->next")");
  EXPECT_EQ(n.word(Label{0, 2}.pointer(1)), R"("&Node 0.2->key+1")");
  EXPECT_EQ(n.word(Label{0, 4}.pointer(16)), R"("&Node 0.4[1]")");
  EXPECT_EQ(n.word(Label{0, 4}.pointer(48)), R"("&Node 0.4+48")");  // behind the last
  EXPECT_EQ(n.word(all), R"("&all")");
  EXPECT_EQ(n.word(7), "7");
}

TEST_F(NamesTest, ValuesHaveTheirTypes) {
  add({0, 2}, ObjectKind::New, 16, {0, 1});
  Names n = names();
  const std::string one = bytes_of({0x1'FFFF'FFFF, Label{0, 2}.pointer()});
  EXPECT_EQ(n.value({0, 2}, one, {}), R"({"key": -1, "marked": true, "next": "&Node 0.2"})");
  EXPECT_EQ(n.value({0, 2}, bytes_of({7, 0}), "\1\1\1\1\0\0\0\0\0\0\0\0\0\0\0\0"s),
            R"({"key": "uninitialised", "marked": false, "next": null})");
  const std::string sets = bytes_of({0, 0x5'0000'0004, 0xFFFF'FFFF, 3, 0, 0, 5, 0});
  EXPECT_EQ(n.value(Label::of(all), sets, {}), R"([{"head": null, "sizes": [4, 5], "mode": "broken", "lock": 3}, )"
                                               R"({"head": null, "sizes": [0, 0], "mode": 5, "lock": 0}])");
  EXPECT_EQ(n.value(Label::of(all), 16, std::string(4, '\0'), {}), R"("idle")");
  EXPECT_EQ(n.value(Label::of(all), 12, "\2\0\0\0"s, {}), "2");
  EXPECT_EQ(n.value(Label::of(all), 4, "\2\0\0\0\0\0\0\0"s, {}), "2");  // across members: a number
  EXPECT_EQ(n.value(Label::of(plain), bytes_of({1, 2, 3}), {}), "[1, 2, 3]");
}

TEST_F(NamesTest, BitFieldsAreTakenOutOfTheirBytes) {
  const std::uint32_t number = builder.scalar("int", Type::Kind::Signed, 4);
  const std::uint32_t natural = builder.scalar("unsigned", Type::Kind::Unsigned, 4);
  const std::uint32_t fields = builder.structure(
      "Fields", {{"a", 0, natural, 0, 3}, {"b", 0, number, 3, 10}, {"c", 2, natural, 0, 8}, {"n", 4, number}});
  const Word global = builder.global("fields", 8);
  builder.set_type(global, fields);
  image = builder.image();
  variables.emplace(image);
  Names n = names();
  const Label label = Label::of(global);
  const std::string bytes = bytes_of({0x0000'0007'00C8'1FFD});  // a = 5, b = -1, c = 200, n = 7
  EXPECT_EQ(n.value(label, bytes, {}), R"({"a": 5, "b": -1, "c": 200, "n": 7})");
  EXPECT_EQ(n.part(label, 0, 2), ".a|b");
  EXPECT_EQ(n.value(label, 0, bytes.substr(0, 2), {}), R"({"a": 5, "b": -1})");
  EXPECT_EQ(n.part(label, 2, 1), ".c");
  EXPECT_EQ(n.value(label, 2, bytes.substr(2, 1), {}), "200");
  EXPECT_EQ(n.part(label, 0, 4), ".a|b|c");
  EXPECT_EQ(n.part(label, 3, 1), "+3");  // nothing is there
  EXPECT_EQ(n.part(label, 1, 1), "+1");  // within one
}

TEST_F(NamesTest, GlobalsOfOneNameAreToldApart) {
  const Word one = builder.global("f()::count", 4), two = builder.global("f()::count", 4);
  image = builder.image();
  variables.emplace(image);
  EXPECT_NE(names().object(Label::of(one)), names().object(Label::of(two)));
}

TEST_F(NamesTest, WhatIsDefinedInPartIsShownByteByByte) {
  Names n = names();
  EXPECT_EQ(n.value(Label::of(plain), bytes_of({1, 2}), "\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0"s),
            R"([1, 0, 0, 0, "uninitialised", 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0])");
}

// One name for one object, and no two objects of one name, whatever is asked first.
TEST_F(NamesTest, NamesAreDifferent) {
  for (std::uint32_t owner = 0; owner < 3; ++owner) {
    add({owner, 1}, ObjectKind::Stack, 16, {0, 0});
    add({owner, 3}, ObjectKind::Stack, 8, {1, 0});
    add({owner, 5}, ObjectKind::Stack, 8, {1, 0});
    add({owner, 2}, ObjectKind::New, 16, {0, 1});
    add({owner, 4}, ObjectKind::New, 16, {0, 1});
  }
  std::map<std::string, Label> seen;
  Names n = names();
  for (const auto& [label, object] : objects) {
    EXPECT_TRUE(seen.emplace(n.object(label), label).second) << n.object(label);
    EXPECT_EQ(names().object(label), n.object(label));
  }
}

}  // namespace
}  // namespace heddle::native::names_test
