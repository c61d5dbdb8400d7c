// Models that read data declared auxiliary, by the library's own access. docs/auxiliary.md promises for them:
// wherever the default reductions reach another verdict than the oracle, which forgets nothing, the full audit
// finds the mistake.
#include <gtest/gtest.h>

#include "oracle/agree.h"
#include "reduce/audit_auxiliary.h"

namespace heddle::oracle::back_door_test {
namespace {

using unkind::Draw;

struct Clerk;
struct Letter {
  int number = 0;
  Auxiliary<int> by;
};
struct Clerk {
  int state = 0;
  int written = 0;
  Auxiliary<int> last;

  static int read(const Auxiliary<int>& auxiliary) {
    const auto& value = detail::AuxiliaryAccess::raw(auxiliary);
    return value ? *value : 0;
  }
  void write(const Run& run, Choice choose, ToAll<Clerk, Letter> out) {
    Draw d(run, 31, state, written);
    require(written < 2 && !d.one_in(4));
    ++written;
    const int how = static_cast<int>(choose(2));
    last = how;
    if (d.one_in(2)) out.send({d.below(2), Auxiliary<int>(how)});
  }
  void take(const Letter& letter, const Run& run) {
    Draw d(run, 32, state, letter.number + (run["reads"] == 1 ? 2 * read(letter.by) : 0));
    require(!d.one_in(3));
    state = d.below(3);
  }
  void answer(const Run& run) {
    Draw d(run, 33, state, run["reads"] == 2 ? read(last) : 0);
    require(d.one_in(3));
    state = (state + 1) % 3;
  }
  static constexpr auto transitions = heddle::transitions<&Clerk::write, &Clerk::take, &Clerk::answer>;
};

Model clerks(std::uint64_t seed, int reads) {
  return Model({.name = "clerks",
                .summary = "",
                .parameters = {{"seed", 0, 0, 1'000'000, ""}, {"reads", 0, 0, 2, "nothing, of messages, of fields"}},
                .build =
                    [](Model& m) {
                      m.add<Clerk>(2);
                      Draw d(m.run(), 103, 0);
                      const int sum = 1 + d.below(4);
                      m.always("sum", [sum](const View& v) {
                        int all = 0;
                        for (const Clerk& c : v.all<Clerk>()) all += c.state;
                        return all != sum;
                      });
                      m.deadlock_free([](const View& v) { return v.all<Clerk>()[0].written == 2; });
                    }},
               {{"seed", std::to_string(seed)}, {"reads", std::to_string(reads)}});
}

TEST(OracleBackDoor, AWrongVerdictIsFoundByTheAudit) {
  std::size_t wrong = 0, read = 0;
  for (std::uint64_t seed = 0; seed < testing::count_of(60, 3000); ++seed) {
    for (int reads = 0; reads < 3; ++reads) {
      const Model model = clerks(seed, reads);
      const Found found = explore(Oracle(model), most_states);
      if (found.too_large) continue;
      SCOPED_TRACE("seed " + std::to_string(seed) + ", reads " + std::to_string(reads));
      std::string program;
      try {
        program = reduced(model, everything());
      } catch (const ModelError& error) {
        program = error.what();
      }
      const AuxiliaryAudit audit = audit_auxiliary(*make_actor_system(model), AuxiliaryAudit::Kind::Full);
      read += audit.mismatch.has_value();
      if (reads == 0) {
        EXPECT_TRUE(audit.proves());
        EXPECT_EQ(program, verdicts(found));
      } else if (program != verdicts(found)) {
        ++wrong;
        EXPECT_TRUE(audit.mismatch) << program << "\n" << verdicts(found);
      }
    }
  }
  EXPECT_GT(read, 0u);
  ::testing::Test::RecordProperty("wrong", static_cast<int>(wrong));
}

}  // namespace
}  // namespace heddle::oracle::back_door_test
