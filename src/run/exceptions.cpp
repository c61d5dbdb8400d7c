// One handler for each kind of exception, from the special to the general.
#include "run/exceptions.h"

#include <fmt/format.h>

#include <exception>
#include <new>

#include "core/step_interrupted.h"
#include "history/source_text.h"
#include "run/errors.h"

namespace heddle::run {

void conclude_exceptions(report::RunReport& report, const std::function<void()>& work, std::string_view on_memory) {
  try {
    work();
  } catch (const Stopped& stopped) {
    report.verdict = Verdict::Unknown;
    report.stopped_by = stopped.what();
  } catch (const StepInterrupted& stopped) {
    report.verdict = Verdict::Unknown;
    report.stopped_by = stopped.what();
  } catch (const history::ReadingStopped& stopped) {
    report.verdict = Verdict::Unknown;
    report.stopped_by = stopped.what();
  } catch (const std::bad_alloc&) {
    report.verdict = Verdict::Unknown;
    report.cut_short = true;
    report.stopped_by = on_memory.empty() ? "out of memory" : fmt::format("out of memory ({})", on_memory);
  } catch (const std::exception& error) {
    report.verdict = Verdict::Error;
    report.error = error.what();
  } catch (...) {
    report.verdict = Verdict::Error;
    report.error = "the model threw something that is no std::exception; throw one with a message";
  }
}

}  // namespace heddle::run
