// The headings of --help, and the commands that share options. A heading says in brackets what holds for its options.
#pragma once

#include <string>

namespace heddle::cli {

// The commands that build a model and run it.
inline const std::string runs_a_model = "check audit schedules simulate explore";
// Those that run a program.
inline const std::string runs_a_program = runs_a_model + " explain";

namespace group {

inline const std::string model = "Model";
inline const std::string network = "Network and faults (default: what the model says)";
inline const std::string refinement = "Refinement of an abstract object (docs/refinement.md)";
inline const std::string programs = "Programs in C and C++ (docs/native.md)";
inline const std::string debugging = "Debugging";
inline const std::string search = "Search";
inline const std::string repairs = "Repairs (docs/root-cause.md)";
inline const std::string budgets = "Budgets (what was covered is reported when one runs out)";
inline const std::string budgets_of_lin = "Budgets (what was decided is reported when one runs out)";
inline const std::string budgets_of_refine = "Budgets (what was checked is reported when one runs out)";
inline const std::string store = "Store";
inline const std::string reductions = "Reductions (docs/reductions.md says what each preserves)";
inline const std::string trace = "Trace";
inline const std::string schedules = "Schedules";
inline const std::string run = "Run";
inline const std::string server = "Server";
inline const std::string reading = "Reading";
inline const std::string checking = "Checking";
inline const std::string witness = "Witness";
inline const std::string object = "Object";
inline const std::string output = "Output";

}  // namespace group

}  // namespace heddle::cli
