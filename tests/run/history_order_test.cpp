// Properties of histories without real time, from end to end: what holds with less order, and what is violated only for a
// moment.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heddle/check.h"
#include "heddle/heddle.h"

namespace heddle::history_order_test {
namespace {

using testing::HasSubstr;

struct Server;
struct Op {
  enum class Kind { read, write } kind = Kind::read;
  int value = 0;
};
struct Ask {
  Op op;
};
struct Told {
  int value = 0;
};
struct Cell {
  int value = 0;
  int apply(const Op& op) {
    if (op.kind == Op::Kind::write) value = op.value;
    return op.kind == Op::Kind::write ? 0 : value;
  }
};

// The first client writes 1, the other one reads until it has done so twice.
struct Client {
  int done = 0;
  bool waits = false;
  void ask(const Run& run, Id<Client> self, Invoke<Op> invoke, To<Server, Ask> out) {
    const bool writes = self == Model::id<Client>(0);
    require(!waits && done < (writes ? 1 : run["reads"]));
    waits = true;
    const Op op{writes ? Op::Kind::write : Op::Kind::read, writes ? 1 : 0};
    invoke(op);
    out.send({op});
  }
  void told(const Told& answer, Return<int> give) {
    require(waits);
    waits = false;
    ++done;
    give(answer.value);
  }
  static constexpr auto transitions = heddle::transitions<&Client::ask, &Client::told>;
};

// Answers reads by a script, whatever has been written.
struct Server {
  int reads = 0;
  void serve(const Ask& ask, const Run& run, Reply<Told> out) {
    if (ask.op.kind == Op::Kind::write) return out.send({0});
    const std::string& script = run.text("script");
    out.send({script[static_cast<std::size_t>(reads)] - '0'});
    ++reads;
  }
  static constexpr auto transitions = heddle::transitions<&Server::serve>;
};

Definition scripted(void (*property)(Model&)) {
  return {.name = "scripted",
          .summary = "",
          .parameters = {{"reads", 2, 1, 2, ""}, {"script", {"00", "10", "11"}, "answers to reads"}},
          .build = [property](Model& m) {
            m.add<Client>(2);
            m.add<Server>();
            property(m);
          }};
}
Definition linearizable() {
  return scripted([](Model& m) { m.linearizable<Cell, Op>("linearizable"); });
}
Definition in_order() {
  return scripted([](Model& m) { m.sequentially_consistent<Cell, Op>("in order"); });
}
Definition serializable() {
  return scripted([](Model& m) { m.serializable<Cell, Op>("serializable"); });
}

Checked checked(const Definition& model, const std::string& script, const std::string& reads, bool reduce) {
  return check(model, {.parameters = {{"script", script}, {"reads", reads}}, .reduce = reduce});
}

// One read sees the write, the next one of the same client does not.
TEST(HistoryOrderOfModels, AClientThatGoesBackInTimeBreaksItsOwnOrder) {
  for (const bool reduce : {false, true}) {
    EXPECT_TRUE(checked(linearizable(), "10", "2", reduce).violated());
    EXPECT_TRUE(checked(in_order(), "10", "2", reduce).violated());
  }
}

// Two reads answer 0, also after the write has returned: only real time rules that out.
TEST(HistoryOrderOfModels, StaleReadsBreakRealTimeOnly) {
  for (const bool reduce : {false, true}) {
    EXPECT_TRUE(checked(linearizable(), "00", "2", reduce).violated());
    EXPECT_TRUE(checked(in_order(), "00", "2", reduce).holds());
    EXPECT_TRUE(checked(serializable(), "00", "2", reduce).holds());
  }
}

// A read answers 1 before anybody writes that, and when all is done the history has an order again.
TEST(HistoryOrderOfModels, WhatIsWrongForAMomentIsFound) {
  for (const bool reduce : {false, true}) {
    const Checked order = checked(in_order(), "11", "1", reduce);
    EXPECT_TRUE(order.violated()) << order.message;
    const Checked none = checked(serializable(), "11", "1", reduce);
    EXPECT_TRUE(none.violated()) << none.message;
    EXPECT_THAT(none.trace, HasSubstr("return 1"));
  }
}

}  // namespace
}  // namespace heddle::history_order_test
