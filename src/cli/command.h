// A command of the program. add_x() declares the command's options; if the user chose it, parsing sets `run`.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace heddle::cli {

// Does the work and returns the exit code.
using Command = std::function<int()>;

void add_check(CLI::App& app, Command& run);
void add_audit(CLI::App& app, Command& run);
void add_schedules(CLI::App& app, Command& run);
void add_replay(CLI::App& app, Command& run);
void add_simulate(CLI::App& app, Command& run);
void add_models(CLI::App& app, Command& run);
void add_lin(CLI::App& app, Command& run);
void add_refine(CLI::App& app, Command& run);
void add_convert(CLI::App& app, Command& run);
void add_new(CLI::App& app, Command& run);

}  // namespace heddle::cli
