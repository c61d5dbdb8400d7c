// Runs the work again with failures watched, and describes the step in which the code failed.
#include "run/failures.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/user_code.h"
#include "report/json_view.h"
#include "report/step_text.h"
#include "report/values.h"

namespace heddle::run {
namespace {

const trace::Field* find(const std::vector<trace::Field>& fields, std::string_view name) {
  const auto it = std::ranges::find(fields, name, &trace::Field::name);
  return it == fields.end() ? nullptr : &*it;
}

// Returns the text that a JSON string stands for.
std::string plain(const std::string& json) {
  const report::JsonDocument document(json, "");
  return document.root().string();
}

// Returns " in server, receiving Ping(1) from client 1, where n = 0, busy = false", or nothing if the trace does not
// end with a step of that lane.
std::string where(const trace::Trace& trace, std::uint32_t lane) {
  if (trace.steps.empty() || trace.steps.back().lane != lane) return "";
  std::string text = " in " + trace.lanes[lane].name;
  const auto& received = trace.steps.back().received;
  for (std::size_t i = 0; i < received.size(); ++i) {
    text += fmt::format("{}{} from {}", i == 0 ? ", receiving " : " and ", report::message_phrase(received[i]),
                        trace.lanes[received[i].from].name);
  }
  bool first = true;
  for (const trace::Field& field : trace.final) {
    if (field.lane != lane || field.name == "inbox" || field.name == "failure") continue;
    text += (first ? ", where " : ", ") + report::field_phrase(field, false);
    first = false;
  }
  return text;
}

}  // namespace

void watching_failures(const std::function<void(bool watch)>& work) {
  if (earlier_crash() == nullptr) {
    try {
      return work(false);
    } catch (const UserCodeFailed&) {
      // Run once more, with a state for the failure.
    }
  }
  work(true);
}

void judge_failure(const Property& property, const trace::Trace& trace, Judgement& judgement) {
  const trace::Field* const assertion = find(trace.explanation, "assertion");
  const trace::Field* const place = find(trace.explanation, "at");
  const trace::Field* const function = find(trace.explanation, "in");
  report::FailureReport failure;
  if (assertion != nullptr && place != nullptr && function != nullptr) {
    failure.kind = "assertion";
    failure.expression = assertion->value;
    failure.at = place->value;
    failure.code = function->value;
    failure.lane = trace.lanes[assertion->lane].name;
    failure.what =
        fmt::format("{} failed at {}{}", plain(assertion->value), plain(place->value), where(trace, assertion->lane));
    judgement.note += (judgement.note.empty() ? "" : "; ") + failure.what;
  } else if (const trace::Field* what = find(trace.explanation, "failure");
             what != nullptr && about_failures(property) == AboutFailures::Crashes) {
    failure.kind = "crash";
    failure.lane = trace.lanes[what->lane].name;
    failure.what = plain(what->value) + where(trace, what->lane);
    judgement.verdict = Verdict::Error;
    judgement.error = failure.what;
  } else {
    return;
  }
  judgement.failure = std::move(failure);
}

void report_earlier_crash(report::RunReport& report) {
  const EarlierCrash* const crash = earlier_crash();
  if (crash == nullptr || crash->met || report.verdict == Verdict::Violated || report.verdict == Verdict::Error) return;
  report.verdict = Verdict::Error;
  report.error = fmt::format("{} {}; it has not done so again{}{}", crash->code, crash->how,
                             report.stopped_by.empty()
                                 ? ", so it is not a pure function of its input: --audit-handlers may name the cause"
                                 : " before the search was stopped: ",
                             report.stopped_by);
}

}  // namespace heddle::run
