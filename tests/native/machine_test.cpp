// The machine on programs written by hand: memory that is checked, where threads rest, what becomes shared.
#include "native/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "native/run_main.h"
#include "support/long_run.h"

namespace heddle::native::machine_test {
namespace {

using main_alone::failure_of;
using main_alone::run_main;
using testing::FunctionBuilder;
using testing::HasSubstr;
using testing::ImageBuilder;
using End = AloneResult::End;

// Remembers what a run asks for.
class RecordingWorld : public World {
 public:
  const Object* object(Label label) override {
    const auto found = objects.find(label);
    return found == objects.end() ? nullptr : &found->second;
  }
  Object& change(Label label) override { return objects.at(label); }
  void publish(Label label, Object object) override { objects[label] = std::move(object); }
  bool has_ended(std::uint32_t thread) override { return thread == 1; }
  void join(std::uint32_t thread) override { joined.push_back(thread); }
  std::uint32_t spawn(std::uint32_t function, Word argument) override {
    spawned.emplace_back(function, argument);
    return 7;
  }
  std::uint32_t choose(std::uint32_t alternatives) override { return alternatives - 1; }
  void access(const SharedAccess& access) override { accesses.push_back(access); }
  void output(std::string_view text) override { written += text; }
  bool go_on() override { return ++asked < 3; }

  std::map<Label, Object> objects;
  std::vector<SharedAccess> accesses;
  std::vector<std::pair<std::uint32_t, Word>> spawned;
  std::vector<std::uint32_t> joined;
  std::string written;
  int asked = 0;
};

struct Fixture {
  explicit Fixture(Image given, Granularity granularity = Granularity::RaceFree)
      : image(std::move(given)), machine(image, {granularity, 1'000'000, 100}) {
    for (std::uint32_t i = 0; i < image.globals.size(); ++i) {
      if (!image.globals[i].constant) world.objects[{Label::global_owner, i}] = initial_global(image.globals[i]);
    }
    thread = machine.start(1, image.start, {});
  }
  Stop run() { return machine.run(thread, world); }

  Image image;
  Machine machine;
  RecordingWorld world;
  ThreadState thread;
};

TEST(Machine, AddsAndExits) {
  ImageBuilder builder;
  FunctionBuilder& main = builder.function("main");
  main.exit(main.binary(Code::Add, main.constant(40), main.constant(2), 32));
  const AloneResult result = run_alone(builder.image());
  EXPECT_EQ(result.end, End::Exited);
  EXPECT_EQ(result.code, 42);
}

TEST(Machine, CallsPassArgumentsAndResults) {
  ImageBuilder builder;
  FunctionBuilder& sum = builder.function("sum", 1, 1);  // recursive: n == 0 ? 0 : n + sum(n - 1)
  const auto branch = sum.branch(sum.binary(Code::Eq, 0, sum.constant(0)));
  sum.aim(branch, sum.here());
  sum.give_back(sum.constant(0));
  sum.aim_else(branch, sum.here());
  const auto rest = sum.call(sum.index, {sum.binary(Code::Sub, 0, sum.constant(1))});
  sum.give_back(sum.binary(Code::Add, 0, rest));
  FunctionBuilder& main = builder.function("main");
  const auto direct = main.call(sum.index, {main.constant(10)});
  const auto indirect = main.call_indirect(main.constant(sum.pointer()), {main.constant(3)});
  main.exit(main.binary(Code::Add, direct, indirect));
  EXPECT_EQ(run_alone(builder.image()).code, 61);
}

TEST(Machine, DeepRecursionIsRefused) {
  ImageBuilder builder;
  FunctionBuilder& main = builder.function("main");
  main.call(main.index, {}, 0);
  main.emit({.code = Code::Return});
  const AloneResult result = run_alone(builder.image());
  EXPECT_EQ(result.failure, Failure::Unsupported);
  EXPECT_THAT(result.text, HasSubstr("calls are 10000 deep"));
  EXPECT_EQ(result.stack.size(), 10'000U);
}

TEST(Machine, CallsThroughWrongPointersFail) {
  const auto call = [](Word pointer) {
    return failure_of([&](ImageBuilder&, FunctionBuilder& main) {
      main.call_indirect(main.constant(pointer), {main.constant(1), main.constant(2)}, 0);
    });
  };
  EXPECT_EQ(call(0), "calls a function through a null pointer");
  EXPECT_THAT(call(1234), HasSubstr("not a function"));
  EXPECT_THAT(call(Label{Label::function_owner, 99}.pointer()), HasSubstr("not a function"));
  EXPECT_THAT(call(Label{Label::function_owner, 0}.pointer(4)), HasSubstr("not a function"));
  EXPECT_THAT(call(Label{Label::function_owner, 0}.pointer()), HasSubstr("as if it were of another type"));
}

// Accesses that are wrong, each in its own words.
TEST(Machine, WrongAccessesFail) {
  const auto heap = [](FunctionBuilder& main, Word size = 8, Word kind = 1) {
    return main.external("__heddle_alloc", {main.constant(size), main.constant(kind)});
  };
  const auto free = [](FunctionBuilder& main, std::uint32_t pointer, Word kind = 1) {
    main.external("__heddle_free", {pointer, main.constant(kind)}, 0);
  };
  using B = ImageBuilder;
  using F = FunctionBuilder;
  EXPECT_EQ(failure_of([&](B&, F& f) { f.store(f.offset(heap(f), 8), f.constant(1), 4); }),
            "write of 4 bytes at offset 8 of a heap object of 8 bytes");
  EXPECT_EQ(failure_of([&](B&, F& f) { f.load(f.offset(heap(f), 5), 4); }),
            "read of 4 bytes at offset 5 of a heap object of 8 bytes");
  EXPECT_EQ(failure_of([&](B&, F& f) { f.load(f.offset(heap(f), ~Word{0}), 1); }),
            "read of 1 byte at offset -1 of a heap object of 8 bytes");
  EXPECT_EQ(failure_of([&](B&, F& f) { f.load(f.constant(0), 4); }), "read of 4 bytes through a null pointer");
  EXPECT_EQ(failure_of([&](B&, F& f) { f.load(f.constant(16), 4); }),
            "read of 4 bytes through a null pointer, at offset 16");
  EXPECT_THAT(failure_of([&](B&, F& f) { f.load(f.constant(0x12345678), 4); }), HasSubstr("not a pointer"));
  EXPECT_THAT(failure_of([&](B&, F& f) { f.load(f.binary(Code::Or, heap(f), f.constant(Word{1} << 60)), 4); }),
              HasSubstr("upper 16 bits"));
  EXPECT_THAT(failure_of([&](B& b, F& f) { f.store(f.constant(b.text_constant("abc")), f.constant(1), 1); }),
              HasSubstr("constant"));
  EXPECT_THAT(failure_of([&](B&, F& f) { f.load(f.constant(Label{Label::function_owner, 0}.pointer()), 1); }),
              HasSubstr("function as if it were data"));
  EXPECT_EQ(failure_of([&](B& b, F& f) { f.load(f.constant(b.global("counter", 4) + 4), 1); }),
            "read of 1 byte at offset 4 of the global counter of 4 bytes");
  EXPECT_EQ(failure_of([&](B&, F& f) {
              const auto p = heap(f);
              free(f, p);
              f.load(p, 4);
            }),
            "read of a heap object after it was freed");
  EXPECT_EQ(failure_of([&](B&, F& f) {
              const auto p = heap(f);
              free(f, p);
              free(f, p);
            }),
            "free of a heap object that was already freed");
  EXPECT_EQ(failure_of([&](B&, F& f) { free(f, heap(f, 8, 2)); }), "free of an object that was made by new");
  EXPECT_EQ(failure_of([&](B&, F& f) { free(f, heap(f, 8, 2), 3); }), "delete[] of an object that was made by new");
  EXPECT_EQ(failure_of([&](B&, F& f) { free(f, f.offset(heap(f), 4)); }),
            "free of a pointer to offset 4 of a heap object");
  EXPECT_EQ(failure_of([&](B&, F& f) { free(f, f.stack_object(4)); }), "free of a local variable");
  EXPECT_EQ(failure_of([&](B&, F& f) { free(f, f.constant(0)); }), "exit code 0\n");
  EXPECT_THAT(failure_of([&](B&, F& f) { f.load(f.offset(heap(f), 2), 4, Ordering::Relaxed); }),
              HasSubstr("not aligned"));
  EXPECT_EQ(failure_of([&](B&, F& f) {
              const auto p = f.stack_object(4);
              f.emit({.code = Code::LifetimeEnd, .a = p});
              f.load(p, 4);
            }),
            "read of a local variable outside its scope");
  EXPECT_EQ(failure_of([&](B&, F& f) {
              const auto p = f.stack_object(4);
              f.emit({.code = Code::LifetimeEnd, .a = p});
              f.emit({.code = Code::LifetimeStart, .a = p});
              f.load(p, 4);
            }),
            "exit code 0\n");
  EXPECT_EQ(failure_of([&](B& b, F& f) {
              F& callee = b.function("leaks", 0, 1);
              callee.give_back(callee.stack_object(4));
              f.load(f.call(callee.index, {}), 4);
            }),
            "read of a local variable after its function has returned");
  EXPECT_THAT(failure_of([&](B&, F& f) { heap(f, Word{1} << 40); }), HasSubstr("are supported"));
  EXPECT_THAT(failure_of([&](B&, F& f) {
                const auto p = heap(f);
                f.emit({.code = Code::MemoryCopy, .a = f.offset(p, 1), .b = p, .c = f.constant(4)});
              }),
              HasSubstr("overlap"));
  EXPECT_EQ(failure_of([&](B&, F& f) { f.binary(Code::SDiv, f.constant(1), f.constant(0), 32); }), "division by zero");
  EXPECT_THAT(failure_of([&](B&, F& f) { f.binary(Code::SRem, f.constant(0x80000000), f.constant(0xFFFFFFFF), 32); }),
              HasSubstr("overflow"));
  EXPECT_EQ(failure_of([&](B&, F& f) { f.external("strtok", {f.constant(0)}); }),
            "calls strtok, which Heddle does not know; `heddle doctor --list-externals` lists what it knows");
}

TEST(Machine, AFailureHasItsPlace) {
  const AloneResult result = run_main([](ImageBuilder& builder, FunctionBuilder& main) {
    FunctionBuilder& callee = builder.function("callee");
    callee.constant(0);
    callee.load(constant_bit, 4);
    callee.give_back();
    main.call(callee.index, {}, 0);
  });
  ASSERT_EQ(result.stack.size(), 2U);
  EXPECT_EQ(text(result.stack[0]), "callee at test.c:1:1");
  EXPECT_EQ(text(result.stack[1]), "main at test.c:1:1");
}

TEST(Machine, ManyShortLivedObjectsReuseNames) {
  // 20,000 allocations are more than there are names; freed ones that nothing mentions are forgotten on the way.
  ImageBuilder builder;
  FunctionBuilder& main = builder.function("main");
  const auto i = main.fresh();
  const auto loop = main.here();
  const auto p = main.external("__heddle_alloc", {main.constant(8), main.constant(1)});
  main.external("__heddle_free", {p, main.constant(1)}, 0);
  main.emit({.code = Code::Add, .width = 64, .result = i, .a = i, .b = main.constant(1)});
  const auto branch = main.branch(main.binary(Code::Ult, i, main.constant(20'000)), loop);
  main.aim_else(branch, main.here());
  main.exit(main.constant(3));
  EXPECT_EQ(run_alone(builder.image()).code, 3);
}

TEST(Machine, TooManyObjectsAreUnsupported) {
  ImageBuilder builder;
  FunctionBuilder& main = builder.function("main");
  const auto loop = main.here();
  main.external("__heddle_alloc", {main.constant(8), main.constant(1)});
  main.jump(loop);
  const AloneResult result = run_alone(builder.image());
  EXPECT_EQ(result.failure, Failure::Unsupported);
  EXPECT_THAT(result.text, HasSubstr("4095 objects"));
}

TEST(Machine, AnEndlessLoopIsFound) {
  ImageBuilder builder;
  FunctionBuilder& main = builder.function("main");
  main.jump(0);
  AloneSettings settings;
  settings.machine.longest_segment = 100'000;
  EXPECT_EQ(run_alone(builder.image(), settings).failure, Failure::Endless);
}

TEST(Machine, ALongRunCanBeInterrupted) {
  ImageBuilder builder;
  FunctionBuilder& main = builder.function("main");
  main.jump(0);
  Fixture f(builder.image());
  EXPECT_EQ(f.run().kind, Stop::Kind::Interrupted);
}

TEST(Machine, AnAtomicAccessOfSharedMemoryIsVisible) {
  ImageBuilder builder;
  const Word cell = builder.global("cell", 8, "\x05");
  FunctionBuilder& main = builder.function("main");
  main.load(main.constant(cell), 4);  // plain: rides along
  const auto value = main.load(main.constant(cell), 4, Ordering::SequentiallyConsistent);
  main.store(main.constant(cell), main.binary(Code::Add, value, main.constant(1), 32), 4, Ordering::Release);
  main.give_back();
  Fixture f(builder.image());
  Stop stop = f.run();
  EXPECT_EQ(stop.kind, Stop::Kind::Visible);
  EXPECT_EQ(stop.pending, Pending::Access);
  EXPECT_EQ(f.thread.frames.back().at, 1U);
  ASSERT_EQ(f.world.accesses.size(), 1U);
  EXPECT_EQ(f.world.accesses[0].kind, SharedAccess::Kind::PlainRead);
  f.world.objects[{Label::global_owner, 0}].bytes[0] = 9;  // another thread
  stop = f.run();
  EXPECT_EQ(stop.kind, Stop::Kind::Visible);
  EXPECT_EQ(f.thread.frames.back().at, 3U);
  stop = f.run();
  EXPECT_EQ(stop.kind, Stop::Kind::Ended);
  EXPECT_TRUE(f.thread.frames.empty());
  EXPECT_EQ(f.world.objects[(Label{Label::global_owner, 0})].bytes[0], 10);
  ASSERT_EQ(f.world.accesses.size(), 3U);
  EXPECT_EQ(f.world.accesses[1].kind, SharedAccess::Kind::AtomicRead);
  EXPECT_EQ(f.world.accesses[2].kind, SharedAccess::Kind::AtomicWrite);
  EXPECT_EQ(f.world.accesses[2].at, 3U);
}

TEST(Machine, WithAllEveryAccessOfSharedMemoryIsVisible) {
  ImageBuilder builder;
  const Word cell = builder.global("cell", 8);
  const Word constant = builder.text_constant("abcdefg");
  FunctionBuilder& main = builder.function("main");
  const auto own = main.stack_object(8);
  main.store(own, main.constant(1), 4);                                                              // private
  main.load(main.constant(constant), 4, Ordering::Relaxed);                                          // constant
  main.load(main.constant(cell), 4);                                                                 // visible
  main.emit({.code = Code::MemoryCopy, .a = own, .b = main.constant(cell), .c = main.constant(8)});  // visible
  main.emit({.code = Code::MemorySet, .a = main.constant(cell), .b = main.constant(1), .c = main.constant(8)});
  main.give_back();
  Fixture f(builder.image(), Granularity::All);
  std::vector<std::uint32_t> rests;
  while (f.run().kind == Stop::Kind::Visible) rests.push_back(f.thread.frames.back().at);
  EXPECT_EQ(rests, (std::vector<std::uint32_t>{3, 4, 5}));
}

TEST(Machine, ThreadZeroIsQuietUntilItSpawns) {
  ImageBuilder builder;
  const Word cell = builder.global("cell", 8);
  FunctionBuilder& other = builder.function("other", 1, 1);
  other.give_back(0);
  FunctionBuilder& main = builder.function("main");
  main.load(main.constant(cell), 4, Ordering::Acquire);
  main.external("__heddle_atomic_begin", {main.constant(1)}, 0);
  main.external("__heddle_atomic_end", {}, 0);
  main.external("__heddle_spawn", {main.constant(other.pointer()), main.constant(0)});  // 3
  main.load(main.constant(cell), 4, Ordering::Acquire);                                 // 4
  main.give_back();
  Fixture f(builder.image());
  f.thread = f.machine.start(0, f.image.start, {});
  Stop stop = f.run();
  EXPECT_EQ(stop.pending, Pending::Spawn);
  EXPECT_EQ(f.thread.frames.back().at, 3U);
  stop = f.run();
  EXPECT_EQ(stop.pending, Pending::Access);
  EXPECT_EQ(f.thread.frames.back().at, 4U);
  EXPECT_EQ(f.world.spawned.size(), 1U);
}

TEST(Machine, AnAtomicPartIsOneOperation) {
  ImageBuilder builder;
  const Word lock = builder.global("lock", 8);
  FunctionBuilder& main = builder.function("main");
  main.external("__heddle_atomic_begin", {main.constant(1)}, 0);  // 0
  const auto held = main.load(main.constant(lock), 4);
  main.store(main.constant(lock), main.constant(1), 4);
  main.external("__heddle_await", {main.binary(Code::Eq, held, main.constant(0), 32)}, 0);
  main.load(main.constant(lock), 4, Ordering::SequentiallyConsistent);
  main.external("__heddle_atomic_end", {}, 0);
  main.load(main.constant(lock), 4, Ordering::SequentiallyConsistent);  // 7
  main.give_back();
  Fixture f(builder.image());
  const Stop stop = f.run();
  EXPECT_EQ(stop.kind, Stop::Kind::Visible);
  EXPECT_EQ(stop.pending, Pending::Acquire);
  EXPECT_EQ(f.thread.frames.back().at, 0U);
  const ThreadState before = f.thread;
  f.world.objects[{Label::global_owner, 0}].bytes[0] = 1;
  EXPECT_EQ(f.run().kind, Stop::Kind::Blocked);
  f.thread = before;
  f.world.objects[{Label::global_owner, 0}].bytes[0] = 0;
  f.world.accesses.clear();
  EXPECT_EQ(f.run().kind, Stop::Kind::Visible);
  EXPECT_EQ(f.thread.frames.back().at, 7U);
  ASSERT_EQ(f.world.accesses.size(), 3U);
  EXPECT_EQ(f.world.accesses[0].kind, SharedAccess::Kind::AtomicRead);
  EXPECT_EQ(f.world.accesses[1].kind, SharedAccess::Kind::AtomicWrite);
}

TEST(Machine, CompareExchange) {
  ImageBuilder builder;
  const Word cell = builder.global("cell", 16, "\x05");
  FunctionBuilder& main = builder.function("main");
  const auto exchange = [&](Word expected, Word wanted) {
    return main.emit({.code = Code::CompareExchange,
                      .width = 8,
                      .flags = 5,
                      .a = main.constant(cell),
                      .b = main.constant(expected),
                      .c = main.constant(wanted)});
  };
  const auto fails = exchange(4, 6), succeeds = exchange(5, 7);
  main.external("__heddle_error",
                {main.constant(0), main.constant(builder.text_constant("%ld %ld %ld %ld")), fails, fails + 1, succeeds,
                 succeeds + 1},
                0);
  main.give_back();
  Fixture f(builder.image());
  f.run();
  f.run();
  EXPECT_EQ(f.run().text, "5 0 5 1");
  EXPECT_EQ(f.world.accesses[0].kind, SharedAccess::Kind::AtomicRead);
  EXPECT_EQ(f.world.accesses[1].kind, SharedAccess::Kind::AtomicWrite);
  EXPECT_EQ(f.world.objects.begin()->second.bytes[0], 7);
}

TEST(Machine, AChoiceStopsBeforeAndTakesWhatTheWorldSays) {
  ImageBuilder builder;
  FunctionBuilder& main = builder.function("main");
  main.exit(main.external("__heddle_choose", {main.constant(5)}));
  Fixture f(builder.image());
  const Stop stop = f.run();
  EXPECT_EQ(stop.kind, Stop::Kind::Choice);
  EXPECT_EQ(stop.alternatives, 5U);
  EXPECT_EQ(f.run().kind, Stop::Kind::Visible);  // others may come before the process ends
  EXPECT_EQ(f.run().code, 4);
}

TEST(Machine, StoringAPointerPublishesAllThatItReaches) {
  ImageBuilder builder;
  const Word cell = builder.global("cell", 16);
  FunctionBuilder& main = builder.function("main");
  const auto a = main.external("__heddle_alloc", {main.constant(16), main.constant(1)});  // index 0
  const auto b = main.external("__heddle_alloc", {main.constant(16), main.constant(1)});  // 2
  const auto c = main.external("__heddle_alloc", {main.constant(16), main.constant(1)});  // 4
  main.stack_object(8);                                                                   // 1
  main.store(main.offset(a, 3), b, 8);                                                    // at an odd offset
  main.store(b, a, 8);                                                                    // a cycle
  main.store(main.constant(cell), a, 8);
  main.load(main.constant(cell), 8, Ordering::Relaxed);
  main.store(c, a, 8);
  main.give_back();
  Fixture f(builder.image());
  f.run();
  EXPECT_EQ(f.thread.published, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_TRUE(f.world.objects.contains({1, 0}));
  EXPECT_TRUE(f.world.objects.contains({1, 2}));
  EXPECT_TRUE(f.thread.objects.contains(4));
  EXPECT_TRUE(f.thread.objects.contains(1));
  // c is live, the stack object is not.
  EXPECT_TRUE(f.machine.tidy(f.thread).empty());
  EXPECT_TRUE(f.thread.objects.contains(4));
  EXPECT_FALSE(f.thread.objects.contains(1));
  EXPECT_TRUE(f.thread.frames.back().stack_objects.empty());
  EXPECT_EQ(f.run().kind, Stop::Kind::Ended);
  const std::vector<Object> leaked = f.machine.tidy(f.thread);
  ASSERT_EQ(leaked.size(), 1u);
  EXPECT_EQ(leaked[0].kind, ObjectKind::Malloc);
}

TEST(Machine, APointerWrittenByteByBytePublishes) {
  ImageBuilder builder;
  const Word cell = builder.global("cell", 16);
  FunctionBuilder& main = builder.function("main");
  const auto a = main.external("__heddle_alloc", {main.constant(16), main.constant(1)});
  for (Word i = 0; i < 8; ++i) {
    const auto byte = main.binary(Code::LShr, a, main.constant(8 * i));
    main.store(main.constant(cell + 3 + i), main.binary(Code::And, byte, main.constant(255)), 1);
  }
  main.load(main.constant(cell), 8, Ordering::Relaxed);
  main.give_back();
  Fixture f(builder.image());
  f.run();
  EXPECT_EQ(f.thread.published.size(), 1U);
}

TEST(Machine, SpawnPublishesItsArgumentAndReturnFreesIt) {
  ImageBuilder builder;
  FunctionBuilder& other = builder.function("other", 1, 1);
  other.give_back(0);
  FunctionBuilder& main = builder.function("main");
  const auto own = main.stack_object(8);
  main.external("__heddle_spawn", {main.constant(other.pointer()), own});
  main.give_back();
  Fixture f(builder.image());
  EXPECT_EQ(f.run().pending, Pending::Spawn);
  EXPECT_TRUE(f.thread.published.empty());
  EXPECT_EQ(f.run().kind, Stop::Kind::Ended);
  EXPECT_EQ(f.world.spawned, (std::vector<std::pair<std::uint32_t, Word>>{{0, Label{1, 1}.pointer()}}));
  EXPECT_TRUE(f.world.objects.at({1, 1}).freed);
  EXPECT_EQ(f.world.accesses.back().kind, SharedAccess::Kind::Free);
}

TEST(Machine, AThreadCanEndInsideCalls) {
  ImageBuilder builder;
  const Word cell = builder.global("cell", 8);
  FunctionBuilder& ends = builder.function("ends");
  ends.external("__heddle_end", {}, 0);
  ends.emit({.code = Code::Unreachable});
  FunctionBuilder& main = builder.function("main");
  main.store(main.constant(cell), main.stack_object(4), 8);
  main.call(ends.index, {}, 0);
  main.give_back();
  Fixture f(builder.image());
  EXPECT_EQ(f.run().kind, Stop::Kind::Ended);
  EXPECT_TRUE(f.thread.frames.empty());
  EXPECT_TRUE(f.world.objects.at({1, 1}).freed);
}

TEST(Machine, ThreadLocalCopiesBelongToTheThread) {
  ImageBuilder builder;
  builder.global("own", 8, "\x07", false, true);
  FunctionBuilder& main = builder.function("main");
  const auto p = main.emit({.code = Code::ThreadLocal, .immediate = 0});
  main.store(p, main.binary(Code::Add, main.load(p, 8), main.constant(1)), 8);
  const auto again = main.emit({.code = Code::ThreadLocal, .immediate = 0});
  main.exit(main.load(again, 8));
  EXPECT_EQ(run_alone(builder.image()).code, 8);
}

}  // namespace
}  // namespace heddle::native::machine_test
