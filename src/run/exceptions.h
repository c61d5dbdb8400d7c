// Turns what a run throws into its verdict, for every caller of this folder: what went wrong is never a pass, and
// never a program that ends without a word.
#pragma once

#include <functional>

#include "report/run_json.h"

namespace heddle::run {

// Runs `work`. If it throws, the report gets the verdict: memory that ran out and Ctrl-C make it `unknown`, anything
// else an `error` with the exception's words. `on_memory` is what a user can do about memory; empty: nothing is said.
void conclude_exceptions(report::RunReport& report, const std::function<void()>& work, std::string_view on_memory = {});

}  // namespace heddle::run
