// How much of its order a history of clients keeps: real time, the order of each client, none.
#include <gtest/gtest.h>

#include <string>

#include "check/history_table.h"
#include "check/linearizability.h"

namespace heddle::history_order_test {
namespace {

using enum detail::HistoryOrder;

// A register: "w1" writes 1 and returns "ok", "r" returns the value.
const SequentialSpecification register_object{"0", [](std::string& state, std::string_view operation) -> std::string {
                                                if (operation[0] == 'w') {
                                                  state = operation.substr(1);
                                                  return "ok";
                                                }
                                                return state;
                                              }};

// Clients 0, 1, 2 of a register.
class Register {
 public:
  Register() {
    table_.set_clients({0, 1, 2}, false);
    history_ = table_.empty();
  }
  void invoke(std::uint32_t client, const std::string& operation) { event(client, false, operation); }
  void answer(std::uint32_t client, const std::string& result) { event(client, true, result); }
  void call(std::uint32_t client, const std::string& operation, const std::string& result) {
    invoke(client, operation);
    answer(client, result);
  }
  void crash(std::uint32_t client) { history_ = table_.give_up(history_, client); }
  bool admitted(detail::HistoryOrder order) const {
    return is_linearizable(table_.decode(history_, order), register_object);
  }

 private:
  void event(std::uint32_t client, bool is_return, const std::string& value) {
    history_ = table_.append(history_, table_.intern_event(client, is_return, value));
  }
  HistoryTable table_;
  std::uint32_t history_ = 0;
};

TEST(HistoryOrder, AStaleReadOfAnotherClientNeedsNoRealTime) {
  Register c;
  c.call(0, "w1", "ok");
  c.call(1, "r", "0");
  EXPECT_FALSE(c.admitted(RealTime));
  EXPECT_TRUE(c.admitted(detail::HistoryOrder::Clients));
  EXPECT_TRUE(c.admitted(None));
}

TEST(HistoryOrder, AClientThatMissesItsOwnWriteNeedsNoOrderAtAll) {
  Register c;
  c.call(0, "w1", "ok");
  c.call(0, "r", "0");
  EXPECT_FALSE(c.admitted(RealTime));
  EXPECT_FALSE(c.admitted(detail::HistoryOrder::Clients));
  EXPECT_TRUE(c.admitted(None));
}

TEST(HistoryOrder, AValueThatNobodyWroteHasNoOrder) {
  Register c;
  c.call(0, "w1", "ok");
  c.call(1, "r", "2");
  EXPECT_FALSE(c.admitted(detail::HistoryOrder::Clients));
  EXPECT_FALSE(c.admitted(None));
}

TEST(HistoryOrder, ALaterWriteExplainsAnEarlierRead) {
  Register c;
  c.call(0, "r", "1");
  EXPECT_FALSE(c.admitted(detail::HistoryOrder::Clients));
  EXPECT_FALSE(c.admitted(None));
  c.invoke(1, "w1");
  EXPECT_FALSE(c.admitted(RealTime));
  EXPECT_TRUE(c.admitted(detail::HistoryOrder::Clients));
  EXPECT_TRUE(c.admitted(None));
}

// Two clients see two writes in different orders.
TEST(HistoryOrder, ReadersDisagree) {
  Register c;
  c.invoke(2, "w1");
  c.call(0, "r", "1");
  c.call(0, "r", "0");
  EXPECT_FALSE(c.admitted(detail::HistoryOrder::Clients));
  EXPECT_TRUE(c.admitted(None));
}

// What a client did not get an answer to before it crashed may happen later than what it does afterwards. What it got an
// answer to may not.
TEST(HistoryOrder, ACrashKeepsTheOrderOfWhatWasAnswered) {
  Register c;
  c.call(0, "w1", "ok");
  c.invoke(0, "w2");
  c.crash(0);
  c.call(0, "r", "1");
  EXPECT_TRUE(c.admitted(detail::HistoryOrder::Clients));
  c.call(0, "r", "2");
  EXPECT_TRUE(c.admitted(detail::HistoryOrder::Clients));
  c.call(0, "r", "0");
  EXPECT_FALSE(c.admitted(detail::HistoryOrder::Clients));
  EXPECT_TRUE(c.admitted(None));
}

}  // namespace
}  // namespace heddle::history_order_test
