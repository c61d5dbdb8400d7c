// Checks a model from your own program, for instance in a unit test.
//
//   #include <heddle/check.h>
//   TEST(Lock, ExcludesEachOther) {
//     const heddle::Checked lock = heddle::check("lock", {.parameters = {{"clients", "3"}}});
//     EXPECT_TRUE(lock.holds()) << lock.message << lock.trace;
//   }
//
// CMake: find_package(heddle), target_link_libraries(my_test heddle::check). docs/library.md has a whole project.
//
// The search is that of `heddle check`: every schedule, with all reductions that apply. A handler that fails an
// assertion is a violation with a trace. A handler that throws is the verdict `error` with a trace. A handler that
// crashes ends the program. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>

#include "heddle/definition.h"

namespace heddle {

struct CheckSettings {
  std::map<std::string, std::string> parameters = {};
  std::string bug = {};  // with the smallest parameters that show it, unless they are given
  // Network and faults as on the command line, without dashes: {{"network", "fifo"}, {"loss", "1"}}. docs/cli.md lists
  // them.
  std::map<std::string, std::string> options = {};
  bool reduce = true;    // false: every state, nothing left out
  unsigned threads = 1;  // with more than one, counts may vary where a reduction applies
  // When the time runs out the search ends. The verdict is then `unknown`, unless a violation was found.
  double seconds = std::numeric_limits<double>::infinity();
  // Bytes that the program may hold. The default is most of what the machine has left.
  std::size_t memory = std::numeric_limits<std::size_t>::max();
};

struct Checked {
  // holds, violated, unknown (a limit was reached) or error (the model or a setting is wrong)
  std::string verdict = {};
  std::string message = {};   // one line that says why, and what was looked at
  std::string property = {};  // the violated one; empty if none is
  std::uint64_t states = 0, transitions = 0;
  std::string trace = {};       // a run that violates the property, as a picture; empty if there is none
  std::string trace_json = {};  // the same run, for `heddle replay` (docs/trace-format.md)

  bool holds() const { return verdict == "holds"; }
  bool violated() const { return verdict == "violated"; }
};

// Checks a model by its name, if it is linked into the program (heddle::Register) or in Heddle's library, or by its
// file: .cpp, .net, .pnml. Does not throw: a mistake in the model or in a setting is the verdict `error`.
Checked check(const std::string& model, const CheckSettings& settings = {});
// Checks a model that is not registered anywhere.
Checked check(const Definition& model, const CheckSettings& settings = {});

// Executes a run again: the JSON of a trace, as in Checked::trace_json, in a file of `heddle check`, or from `heddle
// explore`. The verdict is `violated` if the run still violates something, `holds` if the model can do the run and that
// violates nothing (any more), `unknown` if the model cannot do the run (any more), and `error` otherwise. `model`
// stands for the model that the trace names: the name of one that is linked into the program, or a file. Does not
// throw.
Checked replay(const std::string& trace_json, const std::string& model = "");

}  // namespace heddle
