// What the program does with values it knows by their shapes only.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "heddle/heddle.h"

namespace heddle::detail::value_test {
namespace {

using testing::ElementsAre;
using testing::Pair;

struct Node {};
enum class Phase : std::uint8_t { idle, busy, late = 5 };
enum class Flag : bool { down, up };

struct Ballot {
  int number = 1;
  Id<Node> owner;
  bool operator==(const Ballot&) const = default;
  // Ids have no order: by number, the owner tells apart by hand.
  friend bool operator<(const Ballot& a, const Ballot& b) {
    return a.number != b.number ? a.number < b.number : IdAccess::index(a.owner) < IdAccess::index(b.owner);
  }
};
struct Tree {
  int value = 0;
  std::vector<Tree> children = {};
};
struct Everything {
  bool on = true;
  int small = -7;
  std::uint64_t large = std::numeric_limits<std::uint64_t>::max();
  Phase phase = Phase::late;
  Flag flag = Flag::up;
  std::string text = "a\"b\n";
  Id<Node> nobody = {};
  IdSet<Node> members = {};
  Per<Node, Ballot> last = {};
  std::optional<int> maybe = {};
  std::pair<int, bool> both = {3, true};
  std::variant<int, Ballot> either = Ballot{};
  std::array<int, 2> two = {1, 2};
  std::vector<bool> bits = {true, false};
  std::set<Ballot> ballots = {};
  std::map<int, std::string> names = {};
  Tree tree = {};
  Durable<int> kept = {4};
  Auxiliary<int> log;
};

template <class T>
std::string json(const T& value) {
  std::string out;
  to_json(value, out);
  return out;
}
Id<Node> node(std::uint16_t i) { return IdAccess::make<Node>(i); }
std::uint16_t next_of_four(const RoleTag*, std::uint16_t i) { return static_cast<std::uint16_t>((i + 1) % 4); }

template <class T>
T rename(const T& value) {
  return decode_all<T>(renamed(shape_of<T>(), encoded(value), next_of_four));
}

TEST(Value, EveryKindIsPrinted) {
  Everything value;
  value.names[2] = "two";
  value.tree = {1, {{2, {}}}};
  EXPECT_EQ(json(value),
            R"({"on":true,"small":-7,"large":18446744073709551615,"phase":"late","flag":"up","text":"a\"b\u000a",)"
            R"("nobody":"nobody","members":[],"last":{},"maybe":null,"both":[3,true],)"
            R"("either":{"Ballot":{"number":1,"owner":"nobody"}},"two":[1,2],"bits":[true,false],"ballots":[],)"
            R"("names":[[2,"two"]],"tree":{"value":1,"children":[{"value":2,"children":[]}]},"kept":{"value":4},)"
            R"("log":0})");
  EXPECT_EQ(json(static_cast<Phase>(3)), "\"3\"");
}

TEST(Value, BytesAreReadBackAndSkippedWhole) {
  Everything value;
  value.last[node(2)] = {7, node(1)};
  value.members.insert(node(5));
  const Bytes bytes = encoded(value) + "rest";
  std::string_view in = bytes;
  EXPECT_EQ(shape_of<Everything>().take(in), bytes.substr(0, bytes.size() - 4));
  EXPECT_EQ(in, "rest");
  EXPECT_EQ(json(decode_all<Everything>(bytes)), json(value));
}

TEST(Value, DefaultsAreThoseOfTheType) {
  EXPECT_EQ(default_bytes(shape_of<Everything>()), encoded(Everything{}));
  EXPECT_EQ(default_bytes(shape_of<std::variant<Ballot, int>>()), encoded(std::variant<Ballot, int>{}));
  EXPECT_EQ((default_bytes(shape_of<std::array<Ballot, 2>>())), (encoded(std::array<Ballot, 2>{})));
  EXPECT_EQ((default_bytes(shape_of<std::pair<Ballot, Flag>>())), (encoded(std::pair<Ballot, Flag>{})));
  EXPECT_EQ(default_bytes(shape_of<Auxiliary<Ballot>>()), encoded(Auxiliary<Ballot>{}));
}

TEST(Value, RenamingPutsElementsBackInOrderAndForgetsDefaultsAtTheEnd) {
  const std::set<Ballot> ballots = {{1, node(0)}, {1, node(3)}};
  EXPECT_EQ(rename(ballots), (std::set<Ballot>{{1, node(0)}, {1, node(1)}}));
  EXPECT_EQ(renamed(shape_of<std::set<Ballot>>(), encoded(ballots), next_of_four), encoded(rename(ballots)));

  Per<Node, Ballot> last;
  last[node(3)] = {9, node(3)};  // the others have the default value, which is not all zeros
  const Bytes bytes = renamed(shape_of<Per<Node, Ballot>>(), encoded(last), next_of_four);
  Per<Node, Ballot> expected;
  expected[node(0)] = {9, node(0)};
  EXPECT_EQ(bytes, encoded(expected));

  IdSet<Node> set;
  set.insert(node(3));
  EXPECT_TRUE(rename(set).contains(node(0)));
  EXPECT_EQ(rename(std::optional(node(1))), node(2));
  EXPECT_FALSE(rename(Id<Node>{}));
}

// What a model means by == is not what tells two states apart.
struct Opinion {
  int ballot = 0, value = 0;
  bool operator==(const Opinion& other) const { return ballot == other.ballot; }
};
struct Silent {  // no == at all
  int value = 0;
};
enum class Odd : std::uint8_t { a, b };
[[maybe_unused]] bool operator==(Odd, Odd) { return true; }

template <class T>
void expect_kept(const T& value) {
  Per<Node, T> per;
  per[node(0)] = value;
  const auto again = decode_all<Per<Node, T>>(encoded(per));
  EXPECT_EQ(encoded(again[node(0)]), encoded(value));
  std::size_t visited = 0;
  for (const auto& entry : per) visited += entry.id == node(0) ? 1 : 0;
  EXPECT_EQ(visited, 1u);
  const Bytes moved = renamed(shape_of<Per<Node, T>>(), encoded(per), next_of_four);
  Per<Node, T> expected;
  expected[node(1)] = value;
  EXPECT_EQ(moved, encoded(expected));
}
TEST(Value, MembersAreDroppedByTheirBytesNotByTheirOwnEquality) {
  expect_kept(Opinion{0, 7});
  expect_kept(Silent{7});
  expect_kept(Odd::b);
  expect_kept(std::vector<Opinion>{{}});
  expect_kept(std::optional<Opinion>(Opinion{}));
  Per<Node, Opinion> written;
  written[node(3)] = {};
  EXPECT_EQ(encoded(written), (encoded(Per<Node, Opinion>{})));
  EXPECT_TRUE(written == (Per<Node, Opinion>{})) << "how far it was written makes no difference";
}

// Takes elements of different ballots for equal.
struct Unordered {
  bool operator()(const Opinion& a, const Opinion& b) const { return a.value < b.value && a.ballot == b.ballot; }
};
TEST(Value, NoElementOfASetIsLostInSilence) {
  Bytes bytes;
  put_varint(bytes, 2);
  for (const Opinion& one : {Opinion{1, 1}, Opinion{2, 1}}) encode(one, bytes);  // neither is less than the other
  EXPECT_THROW((decode_all<std::set<Opinion, Unordered>>(bytes)), std::logic_error);
  Bytes pairs;
  put_varint(pairs, 2);
  for (const Opinion& one : {Opinion{1, 1}, Opinion{2, 1}}) encode(std::pair{one, 3}, pairs);
  EXPECT_THROW((decode_all<std::map<Opinion, int, Unordered>>(pairs)), std::logic_error);
}

TEST(Value, FingerprintsDoNotSeeNames) {
  Everything value;
  value.last[node(1)] = {7, node(3)};
  value.members.insert(node(3));
  value.ballots = {{1, node(0)}, {1, node(3)}};
  const auto colour = [](const RoleTag*, std::uint16_t i) { return std::uint64_t{i} * 77; };
  const auto colour_before = [](const RoleTag*, std::uint16_t i) { return std::uint64_t{(i + 3u) % 4} * 77; };
  const Shape& shape = shape_of<Everything>();
  const Bytes bytes = encoded(value);
  EXPECT_EQ(fingerprint(shape, bytes, colour), fingerprint(shape, renamed(shape, bytes, next_of_four), colour_before));
  EXPECT_NE(fingerprint(shape, bytes, colour), fingerprint(shape, encoded(Everything{}), colour));
}

struct Vote {
  Flag flag;
  std::optional<Phase> phase;
};
struct Limited {
  int number = 0;
  static std::vector<Limited> domain(const Run&) { return {{3}, {5}}; }
};

TEST(Value, AllValuesComeFirstFieldOutermost) {
  const heddle::Run run;
  const auto all = [&](const Shape& shape, bool& finite) {
    std::vector<Bytes> values;
    finite = all_values(shape, run, values);
    std::vector<std::string> out;
    for (const Bytes& bytes : values) put_json(shape, bytes, out.emplace_back());
    return out;
  };
  bool finite = false;
  EXPECT_THAT(all(shape_of<Vote>(), finite),
              ElementsAre(R"({"flag":"down","phase":null})", R"({"flag":"down","phase":"idle"})",
                          R"({"flag":"down","phase":"busy"})", R"({"flag":"down","phase":"late"})",
                          R"({"flag":"up","phase":null})", R"({"flag":"up","phase":"idle"})",
                          R"({"flag":"up","phase":"busy"})", R"({"flag":"up","phase":"late"})"));
  EXPECT_TRUE(finite);
  EXPECT_THAT(all(shape_of<Limited>(), finite), ElementsAre(R"({"number":3})", R"({"number":5})"));
  EXPECT_TRUE(finite);
  EXPECT_THAT(all(shape_of<std::optional<int>>(), finite), ElementsAre("null"));
  EXPECT_FALSE(finite);
}

TEST(Value, FieldsAreResetMeasuredAndRecovered) {
  Everything value;
  value.small = 12;
  value.kept.value = 9;
  const Shape& shape = shape_of<Everything>();
  const PartsInfo parts(shape);
  EXPECT_EQ(parts.fields.size(), shape.parts.size() - 1) << "all but the log";
  EXPECT_THAT(parts.fields[1], Pair("small", 1u));
  EXPECT_EQ(decode_all<Everything>(parts.without(encoded(value), 1)).small, 0);

  std::vector<FieldSize> sizes;
  put_sizes(shape, encoded(value), sizes);
  EXPECT_EQ(sizes[1].size, 12);
  EXPECT_EQ(sizes[5].size, 4) << sizes[5].name;
  EXPECT_EQ(sizes[17].size, 9) << sizes[17].name;

  const Everything after = decode_all<Everything>(recovered(shape, encoded(value), encoded(Everything{})));
  EXPECT_EQ(after.small, -7);
  EXPECT_EQ(after.kept.value, 9);
  EXPECT_NE(without_auxiliary(shape, encoded(value)), encoded(value));
  EXPECT_THAT(json(decode_all<Everything>(without_auxiliary(shape, encoded(value)))),
              testing::HasSubstr("\"log\":null"));
}

// The fallback of heddle/detail/fields.h.
struct Long {
  int a0 = 0, a1 = 1, a2 = 2, a3 = 3, a4 = 4, a5 = 5, a6 = 6, a7 = 7, a8 = 8, a9 = 9;
  int b0 = 0, b1 = 1, b2 = 2, b3 = 3, b4 = 4, b5 = 5, b6 = 6, b7 = 7, b8 = 8, b9 = 9;
  int c0 = 0, c1 = 1, c2 = 2, c3 = 3, c4 = 4, c5 = 5;
};
TEST(Value, StructsWithManyFieldsHaveAllOfThem) {
  EXPECT_THAT(json(decode_all<Long>(encoded(Long{}))), testing::EndsWith(R"("c4":4,"c5":5})"));
}

}  // namespace
}  // namespace heddle::detail::value_test
