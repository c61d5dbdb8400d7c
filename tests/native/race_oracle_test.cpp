// Races, deadlocks, failures and final memory of random programs, compared with a naive explorer.
//
// The programs have threads over shared cells, locks and one heap object: plain and atomic accesses, locks that wait or
// try, free. The explorer executes one access a step, knows neither segments nor the machine, and calls two enabled
// accesses of different threads that touch the same thing a race if one writes and one is plain.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "native/system.h"
#include "reduce/reduced_search.h"
#include "support/check_random.h"
#include "support/image_builder.h"

namespace heddle::native::race_oracle_test {
namespace {

using testing::FunctionBuilder;
using testing::ImageBuilder;

struct Access {
  enum class Op { Load, Store, AtomicLoad, AtomicStore, Add, Lock, Unlock, TryLock, Free, Use, SkipIfZero, Fail };
  Op op = Op::Load;
  unsigned target = 0;  // a cell or a lock
  unsigned value = 1;   // stored or added; of SkipIfZero: how many accesses are skipped
};

constexpr unsigned cells = 2, locks = 2;

struct Threads {
  std::vector<std::vector<Access>> list;
};

std::string text_of(const Access& a) {
  static const char* const names[] = {"load",   "store", "atomic load", "atomic store", "add",       "lock",
                                      "unlock", "try",   "free",        "use",          "skip if 0", "fail"};
  return std::string(names[static_cast<int>(a.op)]) + " " + std::to_string(a.target) + " " + std::to_string(a.value);
}

std::ostream& operator<<(std::ostream& out, const Threads& p) {
  for (const auto& thread : p.list) {
    out << "{ ";
    for (const Access& a : thread) out << text_of(a) << "; ";
    out << "} ";
  }
  return out;
}

struct Found {
  bool race = false, deadlock = false, memory = false, assertion = false;
  std::set<std::vector<unsigned>> finals;  // values of the cells when all threads have ended
  friend bool operator==(const Found&, const Found&) = default;
};

std::ostream& operator<<(std::ostream& out, const Found& f) {
  out << "race " << f.race << " deadlock " << f.deadlock << " memory " << f.memory << " assertion " << f.assertion;
  for (const auto& final : f.finals) {
    out << " [";
    for (const unsigned v : final) out << v << " ";
    out << "]";
  }
  return out;
}

class Explorer {
 public:
  explicit Explorer(const Threads& program) : program_(program) {
    State start;
    start.at.resize(program.list.size());
    start.reg.resize(program.list.size());
    visit(start);
  }
  const Found& found() const { return found_; }

 private:
  struct State {
    std::vector<unsigned> at, reg;
    unsigned cell[cells] = {};
    unsigned holder[locks] = {};  // 0: free
    bool freed = false;
    friend auto operator<=>(const State&, const State&) = default;
  };
  struct Touch {
    unsigned thing = ~0u;  // nothing
    bool write = false, plain = false;
  };

  bool ended(const State& s, unsigned t) const { return s.at[t] >= program_.list[t].size(); }
  const Access& next(const State& s, unsigned t) const { return program_.list[t][s.at[t]]; }
  bool blocked(const State& s, unsigned t) const {
    const Access& a = next(s, t);
    return a.op == Access::Op::Lock && s.holder[a.target % locks] != 0;
  }
  static Touch touch(const Access& a) {
    using enum Access::Op;
    const unsigned cell = a.target % cells;
    switch (a.op) {
      case Load:
        return {cell, false, true};
      case Store:
        return {cell, true, true};
      case AtomicLoad:
        return {cell, false, false};
      case AtomicStore:
      case Add:
        return {cell, true, false};
      case Free:
        return {100, true, true};
      case Use:
        return {100, false, true};
      default:
        return {};
    }
  }
  void visit(const State& s) {
    if (!seen_.insert(s).second) return;
    bool moved = false, all_ended = true;
    for (unsigned t = 0; t < program_.list.size(); ++t) {
      if (ended(s, t)) continue;
      all_ended = false;
      if (blocked(s, t)) continue;
      for (unsigned u = 0; u < t; ++u) {
        if (ended(s, u) || blocked(s, u)) continue;
        const Touch a = touch(next(s, t)), b = touch(next(s, u));
        if (a.thing != ~0u && a.thing == b.thing && (a.write || b.write) && (a.plain || b.plain)) found_.race = true;
      }
      moved = true;
      step(s, t);
    }
    if (all_ended) found_.finals.insert({s.cell[0], s.cell[1]});
    if (!moved && !all_ended) found_.deadlock = true;
  }
  void step(State s, unsigned t) {
    using enum Access::Op;
    const Access& a = next(s, t);
    unsigned& cell = s.cell[a.target % cells];
    unsigned& holder = s.holder[a.target % locks];
    ++s.at[t];
    switch (a.op) {
      case Load:
      case AtomicLoad:
        s.reg[t] = cell;
        break;
      case Store:
      case AtomicStore:
        cell = a.value;
        break;
      case Add:
        s.reg[t] = cell;
        cell += a.value;
        break;
      case Lock:
        holder = t + 1;
        break;
      case Unlock:
        if (holder != t + 1) {
          found_.assertion = true;
          return;
        }
        holder = 0;
        break;
      case TryLock:
        s.reg[t] = holder == 0 ? 1 : 0;
        if (holder == 0) holder = t + 1;
        break;
      case Free:
      case Use:
        if (s.freed) {
          found_.memory = true;
          return;
        }
        s.freed = a.op == Free;
        break;
      case SkipIfZero:
        if (s.reg[t] == 0) s.at[t] += a.value;
        break;
      case Fail:
        found_.assertion = true;
        return;
    }
    visit(s);
  }

  const Threads& program_;
  std::set<State> seen_;
  Found found_;
};

// The program as an image. Locks are written as the runtime writes them.
Image image_of(const Threads& program) {
  ImageBuilder builder;
  std::vector<Word> cell, lock;
  for (unsigned c = 0; c < cells; ++c) cell.push_back(builder.global("x" + std::to_string(c), 8));
  for (unsigned l = 0; l < locks; ++l) lock.push_back(builder.global("m" + std::to_string(l), 8));
  const Word object = builder.global("p", 8);
  const Word text = builder.text_constant("not held");
  std::vector<Word> starts;
  for (unsigned t = 0; t < program.list.size(); ++t) {
    FunctionBuilder& f = builder.function("thread" + std::to_string(t), 1, 1);
    const auto pointer = f.load(f.constant(object), 8, Ordering::SequentiallyConsistent);
    const auto reg = f.fresh();
    f.emit({.code = Code::Copy, .result = reg, .a = f.constant(0), .immediate = 1});
    const auto set = [&](FunctionBuilder::Operand value) {
      f.emit({.code = Code::Copy, .result = reg, .a = value, .immediate = 1});
    };
    const auto begin = [&](Pending kind) {
      f.external("__heddle_atomic_begin", {f.constant(static_cast<Word>(kind))}, 0);
    };
    const auto end = [&] { f.external("__heddle_atomic_end", {}, 0); };
    std::vector<std::uint32_t> where;                          // each access begins
    std::vector<std::pair<std::uint32_t, std::size_t>> skips;  // a branch, and the access it skips to
    for (std::size_t i = 0; i < program.list[t].size(); ++i) {
      using enum Access::Op;
      const Access& a = program.list[t][i];
      where.push_back(f.here());
      const auto x = f.constant(cell[a.target % cells]), m = f.constant(lock[a.target % locks]);
      const auto me = f.constant(t + 1);
      switch (a.op) {
        case Load:
          set(f.load(x, 8));
          break;
        case Store:
          f.store(x, f.constant(a.value), 8);
          break;
        case AtomicLoad:
          set(f.load(x, 8, Ordering::SequentiallyConsistent));
          break;
        case AtomicStore:
          f.store(x, f.constant(a.value), 8, Ordering::SequentiallyConsistent);
          break;
        case Add:
          set(f.emit({.code = Code::ReadModifyWrite,
                      .width = 8,
                      .flags = static_cast<std::uint32_t>(Ordering::SequentiallyConsistent),
                      .a = x,
                      .b = f.constant(a.value),
                      .immediate = static_cast<Word>(Rmw::Add)}));
          break;
        case Lock: {
          begin(Pending::Acquire);
          const auto free = f.binary(Code::Eq, f.load(m, 8), f.constant(0));
          f.external("__heddle_await", {free}, 0);
          f.store(m, me, 8);
          end();
          break;
        }
        case Unlock: {
          begin(Pending::Release);
          const auto branch = f.branch(f.binary(Code::Eq, f.load(m, 8), me));
          f.aim_else(branch, f.here());
          f.external("__heddle_error", {f.constant(static_cast<Word>(Failure::Assertion)), f.constant(text)}, 0);
          f.emit({.code = Code::Unreachable});
          f.aim(branch, f.here());
          f.store(m, f.constant(0), 8);
          end();
          break;
        }
        case TryLock: {
          begin(Pending::TryAcquire);
          const auto held = f.load(m, 8);
          const auto free = f.emit(
              {.code = Code::ZeroExtend, .width = 64, .a = f.binary(Code::Eq, held, f.constant(0)), .immediate = 1});
          const auto branch = f.branch(f.binary(Code::Eq, held, f.constant(0)));
          f.aim(branch, f.here());
          f.store(m, me, 8);
          f.aim_else(branch, f.here());
          end();
          set(free);
          break;
        }
        case Free:
          f.external("__heddle_free", {pointer, f.constant(static_cast<Word>(ObjectKind::Malloc))}, 0);
          break;
        case Use:
          f.load(pointer, 8);
          break;
        case SkipIfZero:
          skips.emplace_back(f.branch(f.binary(Code::Eq, reg, f.constant(0))), i + 1 + a.value);
          f.aim_else(skips.back().first, f.here());
          break;
        case Fail:
          f.external("__heddle_error", {f.constant(static_cast<Word>(Failure::Assertion)), f.constant(text)}, 0);
          f.emit({.code = Code::Unreachable});
          break;
      }
    }
    where.push_back(f.here());
    for (const auto& [branch, to] : skips) f.aim(branch, where[std::min(to, where.size() - 1)]);
    f.give_back(f.constant(0));
    starts.push_back(f.pointer());
  }
  FunctionBuilder& main = builder.function("main");
  const auto made =
      main.external("__heddle_alloc", {main.constant(8), main.constant(static_cast<Word>(ObjectKind::Malloc))});
  main.store(main.constant(object), made, 8, Ordering::SequentiallyConsistent);
  main.external("__heddle_atomic_begin", {main.constant(static_cast<Word>(Pending::Spawn))}, 0);
  std::vector<FunctionBuilder::Operand> threads;
  for (const Word start : starts)
    threads.push_back(main.external("__heddle_spawn", {main.constant(start), main.constant(0)}));
  main.external("__heddle_atomic_end", {}, 0);
  main.external("__heddle_atomic_begin", {main.constant(static_cast<Word>(Pending::Wait))}, 0);
  for (const auto thread : threads) {
    main.external("__heddle_await", {main.external("__heddle_ended", {thread})}, 0);
    main.external("__heddle_joined", {thread}, 0);
  }
  main.external("__heddle_atomic_end", {}, 0);
  main.exit(main.constant(0));
  return builder.image();
}

struct Way {
  const char* name;
  ReductionPlan plan = {};
  SearchOptions::Order order = SearchOptions::Order::BreadthFirst;
  SearchOptions::Dpor dpor = SearchOptions::Dpor::Source;
};

const Way nothing{"nothing left out"};
const Way reductions[] = {
    {"safe sets", {.safe = true}},
    {"safe sets, depth first", {.safe = true}, SearchOptions::Order::DepthFirst},
    {"thread futures", {.futures = true}},
    {"thread futures, depth first", {.futures = true}, SearchOptions::Order::DepthFirst},
    {"lazy source sets", {.lazy = true}},
    {"eager source sets", {.eager = true}},
    {"source-DPOR", {}, SearchOptions::Order::Dpor},
    {"optimal DPOR", {}, SearchOptions::Order::Dpor, SearchOptions::Dpor::Optimal},
};

Found searched(const std::shared_ptr<const Image>& image, const SystemOptions& how, const Way& way) {
  System system(image, how);
  Found found;
  SearchOptions options;
  options.stop_at_violation = false;
  options.order = way.order;
  options.dpor = way.dpor;
  options.on_deadlock = [&](std::span<const Slot> state) {
    const auto ending = system.ending(state);
    if (!ending || ending->kind != Ending::Kind::Exit) return;
    std::map<std::string, std::string> values;
    for (const trace::Field& field : system.describer().describe_state(state)) values[field.name] = field.value;
    found.finals.insert(
        {static_cast<unsigned>(std::stoul(values.at("x0"))), static_cast<unsigned>(std::stoul(values.at("x1")))});
  };
  ReductionReport report;
  const SearchResult result = reduced_search(system, options, way.plan, report);
  RC_ASSERT(result.complete);
  for (const Finding& f : result.violations) {
    const std::string& name = system.properties()[f.property].name;
    found.race |= name == "race";
    found.deadlock |= name == "deadlock";
    found.memory |= name == "memory";
    found.assertion |= name == "assertion";
    RC_ASSERT(name != "spin");
  }
  return found;
}

Threads random_threads() {
  using Op = Access::Op;
  const auto access = rc::gen::exec([] {
    Access a;
    a.op = *rc::gen::weightedElement<Op>({{4, Op::Load},
                                          {4, Op::Store},
                                          {2, Op::AtomicLoad},
                                          {2, Op::AtomicStore},
                                          {2, Op::Add},
                                          {5, Op::Lock},
                                          {5, Op::Unlock},
                                          {1, Op::TryLock},
                                          {1, Op::Free},
                                          {2, Op::Use},
                                          {2, Op::SkipIfZero},
                                          {1, Op::Fail}});
    a.target = *rc::gen::inRange(0u, 2u);
    a.value = *rc::gen::inRange(1u, 3u);
    return a;
  });
  Threads program;
  const auto threads = *rc::gen::inRange(2, 4);
  for (int t = 0; t < threads; ++t) {
    program.list.push_back(*rc::gen::resize(threads == 2 ? 6 : 4, rc::gen::container<std::vector<Access>>(access)));
    // Half of the threads hold a lock around all they do, so that there are programs without races.
    if (*rc::gen::inRange(0, 2) == 0) {
      program.list.back().insert(program.list.back().begin(), {Op::Lock, 0, 1});
      program.list.back().push_back({Op::Unlock, 0, 1});
    }
  }
  return program;
}

void agrees(const Threads& program) {
  const Found expected = Explorer(program).found();
  RC_LOG() << program << "\nexpected: " << expected << "\n";
  const auto image = std::make_shared<const Image>(image_of(program));
  RC_CLASSIFY(expected.race, "races");
  RC_CLASSIFY(expected.deadlock, "deadlocks");
  RC_CLASSIFY(expected.memory, "uses freed memory");
  std::vector<Way> ways(std::begin(reductions), std::end(reductions));
  ways.insert(ways.begin(), nothing);
  for (const Way& way : ways) {
    RC_LOG() << way.name << "\n";
    const Found report = searched(image, {}, way);
    // A race hides what would come after it. Without races everything is as the explorer says.
    RC_ASSERT(report.race == expected.race);
    if (!expected.race) RC_ASSERT(report == expected);
    Found allowed = searched(image, {.races = Races::Allow}, way);
    allowed.race = expected.race;
    RC_ASSERT(allowed == expected);
  }
  if (!expected.race) RC_ASSERT(searched(image, {.memoise = false}, nothing) == expected);
}

TEST(RaceOracle, SlowRandomProgramsAgreeWithANaiveExplorer) {
  testing::check_random(testing::count_of(150, 5'000), [] { agrees(random_threads()); }, 11);
}

// The second thread may access the cell after the first one, which then fails.
TEST(RaceOracle, AFailureDoesNotHideARaceBeforeIt) {
  using enum Access::Op;
  const std::vector<std::vector<Access>> ways_to_fail = {{{Store, 0, 1}, {Fail}}, {{Free, 0}, {Use, 0}, {Store, 1}}};
  const std::vector<Access> atomic = {{AtomicLoad, 0}}, uses = {{AtomicStore, 1}, {Use, 0}};
  for (const Threads& program : {Threads{{ways_to_fail[0], atomic}}, Threads{{ways_to_fail[1], uses}},
                                 Threads{{{{Lock, 0}, {Store, 0, 1}, {Fail}}, atomic, atomic}}}) {
    const Found found = Explorer(program).found();
    EXPECT_TRUE(found.race && (found.assertion || found.memory));
    testing::check_random(1, [&] { agrees(program); });
  }
}

// What a step has done before it failed lets others go on, here to what has been freed, before the process ends.
TEST(RaceOracle, AFailureDoesNotHideWhatOthersDoBeforeIt) {
  using enum Access::Op;
  const Threads program{{{{Lock, 0}, {Unlock, 0}, {Use, 0}}, {{Lock, 0}, {Free, 0}, {Fail}, {Unlock, 0}}}};
  const Found found = Explorer(program).found();
  EXPECT_TRUE(found.memory && found.assertion);
  testing::check_random(1, [&] { agrees(program); });
}

// Whether a lock can be taken at once shows who has released it.
TEST(RaceOracle, AReleaseIsNotSafeBesideATry) {
  using enum Access::Op;
  const Threads program{{{{Lock, 0}, {Unlock, 0}}, {{Lock, 0}, {Unlock, 0}, {TryLock, 0}, {Unlock, 0}}}};
  testing::check_random(1, [&] { agrees(program); });
}

// The second thread races with the plain store only if it comes after the atomic one, before the release.
TEST(RaceOracle, AReleaseDoesNotHideARace) {
  using enum Access::Op;
  const Threads program{{{{Lock, 0}, {AtomicStore, 0, 1}, {Store, 1, 1}, {Unlock, 0}},
                         {{AtomicLoad, 0}, {SkipIfZero, 0, 2}, {AtomicLoad, 0}, {Load, 1}}}};
  EXPECT_TRUE(Explorer(program).found().race);
  testing::check_random(1, [&] { agrees(program); });
}

// The first thread fails while the second one waits for its lock. Nobody waits after that, so that the second might
// have had the lock first is seen before.
TEST(RaceOracle, WhoWaitsWhereARunEndsMayComeFirst) {
  using enum Access::Op;
  const std::vector<Access> fails = {{Lock, 0}, {Free, 0}, {Use, 0}, {Unlock, 0}},
                            unlocks_twice = {{Lock, 0}, {Unlock, 0}, {Unlock, 0}};
  for (const Threads& program : {Threads{{fails, unlocks_twice}}, Threads{{unlocks_twice, fails}},
                                 Threads{{fails, {{Use, 0}, {Lock, 0}, {Unlock, 0}, {Unlock, 0}}}}}) {
    testing::check_random(1, [&] { agrees(program); });
  }
  const Found found = Explorer(Threads{{fails, unlocks_twice}}).found();
  EXPECT_TRUE(found.assertion && found.memory);
}

// The main thread starts another and returns: the other may still fail before the process has ended.
TEST(NativeSystem, OthersMayRunBeforeTheProcessEnds) {
  ImageBuilder builder;
  FunctionBuilder& fails = builder.function("fails", 1, 1);
  const Word text = builder.text_constant("fails");
  fails.external("__heddle_error", {fails.constant(static_cast<Word>(Failure::Assertion)), fails.constant(text)}, 0);
  fails.emit({.code = Code::Unreachable});
  FunctionBuilder& main = builder.function("main");
  main.external("__heddle_spawn", {main.constant(fails.pointer()), main.constant(0)});
  main.exit(main.constant(0));
  System system(std::make_shared<const Image>(builder.image()), {});
  const SearchResult result = search(system);
  ASSERT_EQ(result.violations.size(), 1u);
  EXPECT_EQ(system.properties()[result.violations[0].property].name, "assertion");
}

}  // namespace
}  // namespace heddle::native::race_oracle_test
