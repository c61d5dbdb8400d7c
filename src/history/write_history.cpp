// Calls the writer of a format, and copies the part of a history that somebody wants to see.
#include "history/write_history.h"

#include <vector>

#include "history/edn.h"
#include "history/event_order.h"
#include "history/jepsen_log.h"
#include "history/json.h"

namespace heddle::history {

std::string write_history(const RecordedHistory& history, Format format) {
  std::string out;
  switch (format) {
    case Format::Edn:
      write_edn(history, out);
      break;
    case Format::Json:
      write_json(history, out);
      break;
    case Format::JepsenLog:
      write_jepsen_log(history, out);
      break;
    case Format::Trace:
      throw HistoryError("a trace is a run of a model, which a history is not; write edn, json or jepsen-log");
  }
  return out;
}

void sub_history(const RecordedHistory& history, std::span<const std::uint32_t> part, RecordedHistory& out) {
  std::vector<bool> wanted(history.operations.size());
  for (const std::uint32_t index : part) wanted[index] = true;
  std::vector<std::size_t> place(history.operations.size());
  for (const OrderedEvent& event : events_in_order(history)) {
    if (!wanted[event.operation]) continue;
    const RecordedOperation& from = history.operations[event.operation];
    if (event.is_invocation) {
      place[event.operation] = out.invoke(
          out.process(history.processes[from.process]), out.name(history.functions[from.function]),
          copy_value(history.values, from.key, out.values), copy_value(history.values, from.argument, out.values));
    } else {
      out.complete(place[event.operation], from.outcome, copy_value(history.values, from.result, out.values));
    }
    RecordedOperation& to = out.operations[place[event.operation]];
    to.invoked_line = from.invoked_line;
    to.returned_line = from.returned_line;
    to.invoked_time = from.invoked_time;
    to.returned_time = from.returned_time;
  }
}

}  // namespace heddle::history
