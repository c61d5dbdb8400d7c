// Models whose code fails: what a run does about an assertion, an exception or a crash in a handler (core/user_code.h).
//
//   watching_failures([&](bool watch) { search(*instance.build({.watch_failures = watch})); });
#pragma once

#include <functional>

#include "core/failure_properties.h"
#include "core/trace.h"
#include "report/run_json.h"
#include "run/result.h"

namespace heddle::run {

// Runs `work`. If a step fails that has no state to lead to, or one has crashed the process before this, `work` runs (again) with
// `watch` true, and makes its systems with ActorOptions::watch_failures.
void watching_failures(const std::function<void(bool watch)>& work);

// What the trace of a violation says of failed code goes into the judgement: for an assertion a note, for a crash the error,
// which is the verdict then.
void judge_failure(const Property& property, const trace::Trace& trace, Judgement& judgement);

// A crash that brought this process about and has not been met again must not end in `holds`.
void report_earlier_crash(report::RunReport& report);

}  // namespace heddle::run
