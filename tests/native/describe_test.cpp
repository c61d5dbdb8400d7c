// Steps of native programs in words: places, accesses with values, locks, threads, output, calls of clients.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/facets/describer.h"
#include "native/system.h"
#include "support/image_builder.h"

namespace heddle::native::describe_test {
namespace {

using heddle::testing::FunctionBuilder;
using heddle::testing::ImageBuilder;
using testing::ElementsAre;
using testing::IsEmpty;

// "5 x write 0 -> 1": line, object and part, kind, values.
std::string text_of(const trace::Access& access) {
  std::string out = std::to_string(access.place.line) + " " + access.object + access.part + " " + access.kind;
  if (!access.before.empty()) out += " " + access.before;
  if (!access.after.empty()) out += " -> " + access.after;
  return out;
}

std::vector<std::string> texts_of(const trace::Step& step) {
  std::vector<std::string> out;
  for (const trace::Access& access : step.accesses) out.push_back(text_of(access));
  return out;
}

std::vector<std::string> texts_of(const std::vector<trace::Field>& fields, const TransitionSystem& system) {
  std::vector<std::string> out;
  for (const trace::Field& field : fields) {
    out.push_back(system.describer().lanes()[field.lane].name + " " + field.name + " " + field.value);
  }
  return out;
}

// Runs the threads in the given order, a segment each.
struct Played {
  explicit Played(Image image, SystemOptions options = {})
      : system(std::make_shared<const Image>(std::move(image)), std::move(options)) {
    state = system.initial_states()[0];
  }
  void go(std::initializer_list<std::uint32_t> threads) {
    for (const std::uint32_t thread : threads) {
      SlotVector to;
      ASSERT_TRUE(system.execute(state, {thread, 0}, to)) << "thread " << thread;
      steps.push_back(system.describer().describe_step(state, {thread, 0}, to));
      state = to;
    }
  }

  System system;
  SlotVector state;
  std::vector<trace::Step> steps;
};

// Two threads count x under a mutex and then write y without it. The place of an operation is the line of its number
// plus one.
Image counters() {
  ImageBuilder builder;
  const Word x = builder.global("x", 4), y = builder.global("y", 8), m = builder.global("m", 40);
  FunctionBuilder& lock = builder.function("pthread_mutex_lock", 1);
  lock.function.library = true;
  const auto owner = lock.offset(0, 24);
  lock.external("__heddle_atomic_begin", {lock.constant(1)}, 0);
  lock.external("__heddle_await", {lock.binary(Code::Eq, lock.load(owner, 8), lock.constant(0), 64)}, 0);
  lock.store(lock.offset(0, 24), lock.external("__heddle_me", {}), 8);
  lock.external("__heddle_atomic_end", {}, 0);
  lock.give_back();
  FunctionBuilder& unlock = builder.function("pthread_mutex_unlock", 1);
  unlock.function.library = true;
  unlock.external("__heddle_atomic_begin", {unlock.constant(2)}, 0);
  unlock.store(unlock.offset(0, 24), unlock.constant(0), 8);
  unlock.external("__heddle_atomic_end", {}, 0);
  unlock.give_back();

  FunctionBuilder& worker = builder.function("worker", 1);
  worker.call(lock.index, {worker.constant(m)}, 0);                               // 1
  const auto old = worker.load(worker.constant(x), 4);                            // 2
  const auto now = worker.binary(Code::Add, old, worker.constant(1), 32);         // 3
  worker.store(worker.constant(x), now, 4);                                       // 4
  worker.call(unlock.index, {worker.constant(m)}, 0);                             // 5
  worker.store(worker.constant(y + 4), worker.constant(1), 4);                    // 6
  worker.external("printf", {worker.constant(builder.text_constant("done\n"))});  // 7
  worker.give_back();

  FunctionBuilder& main = builder.function("main");
  const auto first = main.external("__heddle_spawn", {main.constant(worker.pointer()), main.constant(0)});  // 1
  main.external("__heddle_spawn", {main.constant(worker.pointer()), main.constant(0)});                     // 2
  main.external("__heddle_atomic_begin", {main.constant(4)}, 0);                                            // 3
  main.external("__heddle_await", {main.external("__heddle_ended", {first})}, 0);
  main.external("__heddle_joined", {first}, 0);
  main.external("__heddle_atomic_end", {}, 0);
  main.exit(main.constant(0));
  return builder.image();
}

TEST(Describe, StepsSayWhereTheyAreAndWhatTheyDo) {
  Played run(counters());
  run.go({0, 0, 0, 1, 1, 1, 0});
  ASSERT_EQ(run.steps.size(), 7u);
  EXPECT_EQ(run.steps[0].name, "begins");
  EXPECT_EQ(run.steps[0].place.function, "main");
  EXPECT_THAT(run.steps[0].accesses, IsEmpty());
  EXPECT_EQ(run.steps[1].name, "test.c:1");
  EXPECT_THAT(texts_of(run.steps[1]), ElementsAre("1 thread 1 start"));
  EXPECT_THAT(texts_of(run.steps[2]), ElementsAre("2 thread 2 start"));
  EXPECT_EQ(run.steps[3].place.function, "worker");
  EXPECT_EQ(run.steps[4].name, "test.c:1");
  EXPECT_THAT(texts_of(run.steps[4]),
              ElementsAre("1 m lock -> \"taken by thread 1\"", "2 x read 0", "4 x write 0 -> 1"));
  EXPECT_THAT(texts_of(run.steps[5]),
              ElementsAre("5 m unlock -> \"free\"", "6 y+4 write 0 -> 1", "7 output print -> \"done\\u000a\""));
  EXPECT_EQ(run.steps[5].output, "done\n");
  EXPECT_EQ(run.steps[5].place.file, "test.c");
  EXPECT_EQ(run.steps[5].place.line, 5u);
  EXPECT_THAT(texts_of(run.steps[6]), ::testing::Contains("6 thread 1 join"));

  // A mutex is not shown by its bytes.
  ASSERT_EQ(run.steps[4].diffs.size(), 2u);
  EXPECT_EQ(run.steps[4].diffs[0].name, "m");
  EXPECT_EQ(run.steps[4].diffs[0].before, "\"free\"");
  EXPECT_EQ(run.steps[4].diffs[0].after, "\"taken by thread 1\"");
  EXPECT_EQ(run.steps[4].diffs[1].name, "x");
}

TEST(Describe, ARaceIsToldUpToTheAccessThatRaces) {
  Played run(counters());
  run.go({0, 0, 0, 1, 1, 1, 2, 2, 2});
  EXPECT_THAT(texts_of(run.steps.back()), ElementsAre("5 m unlock -> \"free\"", "6 y+4 write 1 -> 1"));
  EXPECT_THAT(texts_of(run.system.describer().describe_property(0, run.state), run.system),
              ElementsAre("thread 1 writes \"y+4 at test.c:6\"", "thread 2 writes \"y+4 at test.c:6\""));
}

TEST(Describe, ThreadsSayWhatTheyWaitFor) {
  Played run(counters());
  run.go({0, 0, 0, 1, 1, 2});
  EXPECT_THAT(texts_of(run.system.describer().describe_property(1, run.state), run.system),
              ElementsAre("main waits \"for the end of thread 1 at test.c:3\"", "thread 1 waits \"at test.c:5\"",
                          "thread 2 waits \"for m at test.c:1, taken by thread 1\""));
}

// A client whose only thread calls push(7) and pop().
TEST(Describe, CallsOfClientsAreOperations) {
  ImageBuilder builder;
  const Word x = builder.global("x", 4);
  std::string arities(8, '\0');
  arities[0] = 1;
  builder.global("__heddle_methods", 10, std::string("push, pop") + '\0', true);
  builder.global("__heddle_arities", 8, arities, true);
  FunctionBuilder& worker = builder.function("worker", 1);
  const auto result = [&](const std::string& text) {
    worker.external("__heddle_result", {worker.constant(builder.text_constant(text)), worker.constant(text.size())}, 0);
  };
  worker.external("__heddle_call_begin", {});
  worker.store(worker.constant(x), worker.constant(7), 4);
  result("void");
  worker.external("__heddle_call_end", {}, 0);
  worker.external("__heddle_call_begin", {});
  result("(7, true)");
  worker.external("__heddle_call_end", {}, 0);
  worker.give_back();
  FunctionBuilder& main = builder.function("main");
  const auto started = main.external("__heddle_spawn", {main.constant(worker.pointer()), main.constant(0)});
  main.external("__heddle_atomic_begin", {main.constant(4)}, 0);
  main.external("__heddle_await", {main.external("__heddle_ended", {started})}, 0);
  main.external("__heddle_atomic_end", {}, 0);
  main.exit(main.constant(0));
  Client client;
  client.threads = {{{0, {7}}, {1, {}}}};
  SystemOptions options;
  options.clients = {client};
  Played run(builder.image(), options);
  run.go({0, 0, 1});
  EXPECT_THAT(texts_of(run.steps.back()), ElementsAre("0 push(7) call", "2 x write 0 -> 7", "0 push return -> null",
                                                      "0 pop() call", "0 pop return -> \"(7, true)\""));
  const auto& operations = run.steps.back().operations;
  ASSERT_EQ(operations.size(), 4u);
  EXPECT_EQ(operations[0].kind, trace::Operation::Kind::Invoke);
  EXPECT_EQ(operations[0].value, R"({"op":"push","value":7})");
  EXPECT_EQ(operations[1].value, "null");
  EXPECT_EQ(operations[2].value, R"({"op":"pop"})");
  EXPECT_EQ(operations[3].kind, trace::Operation::Kind::Return);
  EXPECT_EQ(operations[3].value, "\"(7, true)\"");
}

}  // namespace
}  // namespace heddle::native::describe_test
