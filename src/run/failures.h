// Handles models whose code fails: an assertion, an exception or a crash in a handler (core/user_code.h).
//
//   watching_failures([&](bool watch) { search(*instance.build({.watch_failures = watch})); });
#pragma once

#include <functional>

#include "core/failure_properties.h"
#include "core/trace.h"
#include "report/run_json.h"
#include "run/result.h"

namespace heddle::run {

// Runs `work` with `watch` false. If user code fails and no state stands for that, runs it again with `watch` true. If
// a crash has ended an earlier process of this command, runs it with `watch` true only.
// REQUIRES: `work` builds its systems with ActorOptions::watch_failures if `watch` is true.
void watching_failures(const std::function<void(bool watch)>& work);

// Copies what the trace of a violation says of failed code into the judgement: an assertion becomes a note, a crash
// becomes the error and makes the verdict `error`.
void judge_failure(const Property& property, const trace::Trace& trace, Judgement& judgement);

// Makes the verdict `error` if this process was started because of a crash and has not met that crash again. A
// violation or an error that was found stays.
void report_earlier_crash(report::RunReport& report);

}  // namespace heddle::run
