// Prints and finishes a run: one closing line or object, the page of --html, and the exit code, also after exceptions.
#include "cli/output.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <utility>

#include "cli/errors.h"
#include "cli/standard_output.h"
#include "core/budget.h"
#include "core/user_code.h"
#include "heddle_paths.h"
#include "report/closing_line.h"
#include "report/page_report.h"
#include "run/exceptions.h"
#include "run/failures.h"
#include "run/report_page.h"
#include "run/words.h"

namespace heddle::cli {
namespace {

constexpr int width_without_terminal = 100;

int terminal_width() {
  winsize size = {};
  return ::ioctl(::fileno(standard_output()), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col
                                                                                         : width_without_terminal;
}

// Prints a line. fmt::print would throw if the file is closed.
void print(std::FILE* file, std::string_view line) {
  std::fwrite(line.data(), 1, line.size(), file);
  std::fputc('\n', file);
}

// Returns the exit code of a run whose output was to be written: an error if it could not be.
int written(int code) {
  if (std::fflush(standard_output()) == 0 && std::ferror(standard_output()) == 0) return code;
  std::fputs("error: standard output cannot be written to; is the disk full?\n", stderr);
  return exit_code(Verdict::Error);
}

std::string command_line;  // remember_command
std::vector<std::string> words_of_command;

// Finds out before the work that a page cannot be written, not after it.
void prepare_page(const std::string& file) {
  namespace fs = std::filesystem;
  const fs::path path = file;
  const fs::path directory = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::error_code error;
  if (fs::is_directory(path, error)) throw UsageError(fmt::format("--html: {} is a directory; name a file", file));
  if (!fs::is_directory(directory, error)) {
    throw UsageError(fmt::format("--html: there is no directory {} for the page; create it, or name another file",
                                 directory.string()));
  }
  run::report_page();
}

// A page that cannot be written does not change the verdict.
void write_page(const Output& output, report::RunReport& report) {
  auto& page = report.sections.at<report::PageReport>();
  if (report.verdict == Verdict::Error) return;
  try {
    page.written = true;
    run::write_report(file_named(page.file), {.trace = page.trace.get(),
                                              .run = report::to_json(report),
                                              .command = command_line,
                                              .version = report.version});
  } catch (const std::runtime_error& error) {
    page.written = false;
    report.note += fmt::format("{}the report was not written: {}", report.note.empty() ? "" : "; ", error.what());
    output.say(fmt::format("warning: the report was not written: {}", error.what()));
  }
}

// The run that the terminate handler has to finish.
struct {
  const Output* output = nullptr;
  report::RunReport* report = nullptr;
  std::string doing;
} in_progress;

[[noreturn]] void finish_and_exit() {
  blame_user_code_for_terminate();
  std::string what = "std::terminate was called";
  try {
    if (const std::exception_ptr exception = std::current_exception()) std::rethrow_exception(exception);
  } catch (const std::exception& error) {
    what = error.what();
  } catch (...) {
    what = "an exception that is no std::exception";
  }
  in_progress.report->verdict = Verdict::Error;
  in_progress.report->error = in_progress.doing.empty() ? what : fmt::format("{}: {}", in_progress.doing, what);
  in_progress.report->seconds = command_seconds();
  std::_Exit(in_progress.output->finish(*in_progress.report));
}

}  // namespace

void Output::say(std::string_view text) const {
  if (options_.quiet) return;
  std::FILE* file = options_.json ? stderr : standard_output();
  print(file, text);
  std::fflush(file);
}

void Output::show(std::string_view rendered) const {
  while (rendered.ends_with('\n')) rendered.remove_suffix(1);
  say(rendered);
}

void Output::show(const trace::Trace& trace, bool title) const {
  report::TextOptions text = text_options();
  text.title = title;
  show(report::render_text(trace, text));
}

report::TextOptions Output::text_options() const {
  report::TextOptions text;
  text.width = options_.width > 0 ? options_.width : terminal_width();
  text.ascii = options_.ascii;
  text.color =
      ::isatty(options_.json ? STDERR_FILENO : ::fileno(standard_output())) != 0 && std::getenv("NO_COLOR") == nullptr;
  return text;
}

std::string Output::last_words(const report::RunReport& report) const {
  report::RunReport ended = report;
  ended.verdict = Verdict::Error;
  ended.error =
      "a signal or a call of exit() ended the program outside of the code it watches: a thread that the model has "
      "started, or memory that the model has damaged; --audit-handlers, or a build of the model with a sanitizer, may "
      "show the cause";
  std::string text = options_.json ? report::to_json(ended) : report::closing_line(ended);
  if (!text.ends_with('\n')) text += '\n';
  return text;
}

int Output::finish(const report::RunReport& report) const {
  return finish(report::closing_line(report), report::to_json(report)) == 0 ? exit_code(report.verdict)
                                                                            : exit_code(Verdict::Error);
}

int Output::finish_nothing() const {
  expect_no_end({});
  return written(0);
}

int Output::finish(std::string_view line, std::string_view json) const {
  std::string_view text = options_.json ? json : line;
  if (text.ends_with('\n')) text.remove_suffix(1);
  expect_no_end({});
  print(standard_output(), text);
  return written(0);
}

void remember_command(const std::vector<std::string>& words) {
  words_of_command = words;
  command_line = "heddle";
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--html") {
      ++i;  // its value; the page itself is not part of what it shows
    } else if (!words[i].starts_with("--html=")) {
      command_line += " " + run::shell_quoted(words[i]);
    }
  }
}

const std::vector<std::string>& command_words() { return words_of_command; }

double command_seconds() { return seconds_since_start(); }

int run_and_finish(const Output& output, report::RunReport& report, const std::function<void()>& work) {
  report.version = paths::version;
  in_progress.output = &output;
  in_progress.report = &report;
  std::set_terminate(finish_and_exit);
  expect_no_end(output.last_words(report));
  run::conclude_exceptions(
      report,
      [&] {
        if (const std::string& html = output.options().html; !html.empty()) {
          prepare_page(html);
          report.sections.at<report::PageReport>().file = html;
        }
        work();
        for (const std::string& text : report::texts(report)) output.say(text);
      },
      "--memory sets a limit at which what was covered is reported");
  run::report_earlier_crash(report);
  if (report.peak_bytes == 0) report.peak_bytes = peak_resident_bytes();
  report.seconds = command_seconds();
  if (report.sections.find<report::PageReport>() != nullptr) write_page(output, report);
  return output.finish(report);
}

void expect_the_worst(std::string doing) {
  in_progress.doing = std::move(doing);
  std::set_terminate(finish_and_exit);
}

int run_plainly(const Output& output, std::string_view command, const std::function<int(const Output&)>& work) {
  report::RunReport report;
  report.command = command;
  report.version = paths::version;
  in_progress.output = &output;
  in_progress.report = &report;
  std::exception_ptr failure;
  try {
    return work(output);
  } catch (const Interrupted&) {
    // There was no search, so there is nothing to say of states.
    report.verdict = Verdict::Unknown;
    report.stopped_by = "interrupted";
    report.seconds = command_seconds();
    const int code = output.finish("unknown: interrupted", report::to_json(report));
    return code == 0 ? exit_code(report.verdict) : exit_code(Verdict::Error);
  } catch (...) {
    failure = std::current_exception();
  }
  return run_and_finish(output, report, [&] { std::rethrow_exception(failure); });
}

}  // namespace heddle::cli
