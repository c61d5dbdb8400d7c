#include "check/specs/user_specification.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "check/check_history.h"

namespace heddle::user_specification_test {
namespace {

using testing::HasSubstr;

struct Counter {
  long count = 0;
  long read() const { return count; }
  void add(long n) { count += n; }
  bool take(long n) {
    require(n >= 0);  // nobody takes less than nothing
    if (count < n) return false;
    count -= n;
    return true;
  }
  std::optional<long> peek(const std::string&, long) { return count == 0 ? std::nullopt : std::optional(count); }
  static constexpr auto operations = heddle::operations<&Counter::read, &Counter::add, &Counter::take, &Counter::peek>;
};

struct PerKey {
  long value = 0;
  long read() const { return value; }
  void write(long v) { value = v; }
  static constexpr bool per_key = true;
  static constexpr auto operations = heddle::operations<&PerKey::read, &PerKey::write>;
};

template <class Object>
std::unique_ptr<Specification> specification(const char* name) {
  return make_user_specification(detail::make_specification<Object>(name, Object{}, Object::operations));
}

struct Builder {
  RecordedHistory history;
  void whole(const char* function, Value argument, Value result, Value key = no_key) {
    history.complete(history.invoke(history.process("0"), history.name(function), key, argument), Outcome::Ok, result);
  }
  Value number(long n) { return history.values.integer(n); }
  Verdict check(const Specification& s) const { return check_history(history, s).verdict; }
};

TEST(UserSpecification, AnswersMustBeTheObjects) {
  const auto counter = specification<Counter>("counter");
  for (const bool wrong : {false, true}) {
    Builder b;
    b.whole("add", b.number(3), nil);
    b.whole("take", b.number(2), b.history.values.boolean(true));
    b.whole("take", b.number(2), b.history.values.boolean(wrong));
    b.whole("read", nil, b.number(1));
    EXPECT_EQ(b.check(*counter), wrong ? Verdict::Violated : Verdict::Holds);
  }
}

TEST(UserSpecification, SeveralParametersAreAListAndNilIsNothing) {
  const auto counter = specification<Counter>("counter");
  Builder b;
  const Value pair[] = {b.history.values.text("x"), b.number(1)};
  b.whole("peek", b.history.values.list(pair), nil);
  b.whole("add", b.number(3), nil);
  b.whole("peek", b.history.values.list(pair), b.number(3));
  EXPECT_EQ(b.check(*counter), Verdict::Holds);
}

TEST(UserSpecification, AGuardMakesAnOperationImpossible) {
  const auto counter = specification<Counter>("counter");
  Builder b;
  b.whole("take", b.number(-1), b.history.values.boolean(true));
  EXPECT_EQ(b.check(*counter), Verdict::Violated);
}

TEST(UserSpecification, AnObjectForEveryKeyOrOneForAll) {
  const auto per_key = specification<PerKey>("per_key");
  Builder b;
  const Value x = b.history.values.text("x"), y = b.history.values.text("y");
  b.whole("write", b.number(1), nil, x);
  b.whole("read", nil, b.number(0), y);
  EXPECT_EQ(b.check(*per_key), Verdict::Holds);
  EXPECT_EQ(per_key->partition(b.history).size(), 2u);
  const auto counter = specification<Counter>("counter");  // one object: the key would be a parameter
  EXPECT_EQ(check_history(b.history, *counter).verdict, Verdict::Error);
}

TEST(UserSpecification, SaysWhatDoesNotFit) {
  const auto counter = specification<Counter>("counter");
  Builder b;
  b.whole("increase", nil, nil);
  EXPECT_THAT(check_history(b.history, *counter).error,
              HasSubstr("counter has no operation 'increase'; it has read/0, add/1"));
  Builder c;
  c.whole("add", c.history.values.text("three"), nil);
  EXPECT_THAT(check_history(c.history, *counter).error, HasSubstr("add of \"three\": an integer is expected"));
  Builder d;
  d.whole("peek", d.number(1), nil);
  EXPECT_THAT(check_history(d.history, *counter).error, HasSubstr("peek takes 2 values"));
}

// The library's register and the same written by a user must agree on every history.
struct UserRegister {
  std::optional<long> value;
  std::optional<long> read() const { return value; }
  void write(long v) { value = v; }
  static constexpr auto operations = heddle::operations<&UserRegister::read, &UserRegister::write>;
};

TEST(UserSpecification, AgreesWithTheLibrary) {
  const auto user = specification<UserRegister>("user_register");
  const Specification& library = *find_specification("register");
  std::mt19937 random(3);
  const auto roll = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  std::map<Verdict, int> verdicts;
  for (int round = 0; round < 3000; ++round) {
    RecordedHistory h;
    std::map<int, std::size_t> open;
    for (int i = 0; i < 16; ++i) {
      const int p = roll(3);
      if (const auto it = open.find(p); it != open.end()) {
        const bool write = h.operations[it->second].argument != nil;
        h.complete(it->second, roll(8) == 0 ? Outcome::Unknown : Outcome::Ok,
                   write || roll(4) == 0 ? nil : h.values.integer(roll(2)));
        open.erase(it);
      } else {
        const bool write = roll(2) == 0;
        open[p] = h.invoke(h.process(std::to_string(p)), h.name(write ? "write" : "read"), no_key,
                           write ? h.values.integer(roll(2)) : nil);
      }
    }
    const Verdict verdict = check_history(h, library).verdict;
    ++verdicts[verdict];
    ASSERT_EQ(check_history(h, *user).verdict, verdict);
  }
  EXPECT_GT(verdicts[Verdict::Holds], 100);
  EXPECT_GT(verdicts[Verdict::Violated], 100);
}

}  // namespace
}  // namespace heddle::user_specification_test
