// Adds up files and partitions, and writes the fields and words of the section.
#include "report/history_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/json_text.h"
#include "report/numbers.h"
#include "report/run_json.h"

namespace heddle::report {
namespace {

int badness(Verdict verdict) {
  constexpr int order[] = {0, 2, 1, 3};  // holds, violated, unknown, error
  return order[static_cast<int>(verdict)];
}

struct Totals {
  std::uint64_t operations = 0, partitions = 0, decided = 0;
  std::string method, witness;
};

Totals totals(const HistoryReport& history) {
  Totals out;
  bool monitor = false, wgl = false;
  for (const HistoryFileReport& file : history.files) {
    out.operations += file.operations;
    out.partitions += file.partitions;
    out.decided += file.decided;
    monitor = monitor || file.method.find("monitor") != file.method.npos;
    wgl = wgl || file.method.find("wgl") != file.method.npos;
    if (out.witness.empty()) out.witness = file.witness;
  }
  out.method = monitor && wgl ? "monitor+wgl" : monitor ? "monitor" : wgl ? "wgl" : "";
  return out;
}

std::string file_object(const HistoryFileReport& file) {
  return fmt::format(
      "{{\"file\": {}, \"format\": {}, \"verdict\": {}, \"error\": {}, \"operations\": {}, \"processes\": {}, "
      "\"partitions\": {}, \"decided\": {}, \"method\": {}, \"finding\": {}, \"witness\": {}, \"stopped_by\": {}, "
      "\"warning\": {}, \"seconds\": {:.6f}, \"checker_bytes\": {}}}",
      quoted(file.file), quoted_or_null(file.format), quoted(name(file.verdict)), quoted_or_null(file.error),
      file.operations, file.processes, file.partitions, file.decided, quoted_or_null(file.method),
      quoted_or_null(file.finding), quoted_or_null(file.witness), quoted_or_null(file.stopped_by),
      quoted_or_null(file.warning), file.seconds, file.checker_bytes);
}

const HistoryFileReport* first_with(const HistoryReport& history, Verdict verdict) {
  const auto it = std::ranges::find(history.files, verdict, &HistoryFileReport::verdict);
  return it == history.files.end() ? nullptr : &*it;
}

// " (also 2 more files)" for 3 files with the same verdict.
std::string also(std::size_t files) {
  return files > 1 ? fmt::format(" (also {})", counted(files - 1, "more file")) : "";
}

// " in 3 files" if there are several.
std::string in_files(std::size_t files) { return files > 1 ? fmt::format(" in {} files", files) : ""; }

}  // namespace

Verdict worst(const HistoryReport& history) {
  Verdict out = history.files.empty() ? Verdict::Error : Verdict::Holds;
  for (const HistoryFileReport& file : history.files) {
    if (badness(file.verdict) > badness(out)) out = file.verdict;
  }
  return out;
}

std::vector<JsonField> HistoryReport::fields(const RunReport& /*run*/) const {
  const Totals all = totals(*this);
  std::string list = "[";
  for (std::size_t i = 0; i < files.size(); ++i) {
    list += fmt::format("{}\n    {}", i > 0 ? "," : "", file_object(files[i]));
  }
  return {{"spec", quoted_or_null(specification)},          {"operations", std::to_string(all.operations)},
          {"partitions", std::to_string(all.partitions)},   {"decided", std::to_string(all.decided)},
          {"method", quoted_or_null(all.method)},           {"witness", quoted_or_null(all.witness)},
          {"files", list + (files.empty() ? "]" : "\n  ]")}};
}

ClosingWords HistoryReport::closing_words(const RunReport& run) const {
  const Totals all = totals(*this);
  const auto count = [&](Verdict verdict) {
    return static_cast<std::size_t>(std::ranges::count(files, verdict, &HistoryFileReport::verdict));
  };
  const std::string operations = counted(all.operations, "operation") + in_files(files.size());
  const std::string partitions =
      counted(all.partitions, "partition") + (all.method.empty() ? "" : ", by " + all.method);
  ClosingWords words;
  std::string& out = words.subject;
  switch (run.verdict) {
    case Verdict::Holds:
      out = fmt::format("{} {} linearizable as {}; {}", operations, all.operations == 1 ? "is" : "are", specification,
                        partitions);
      break;
    case Verdict::Violated: {
      const HistoryFileReport& file = *first_with(*this, Verdict::Violated);
      out = fmt::format("{}: {} not linearizable as {}", file.file,
                        file.finding + (file.finding.starts_with("1 ") ? " is" : " are"), specification);
      out += also(count(Verdict::Violated));
      // The operations of one partition. The number of all operations is shown only if it differs.
      const bool all_of_them = file.finding == operations;
      out += all_of_them ? "; " + partitions : fmt::format("; {} in all; {}", operations, partitions);
      break;
    }
    case Verdict::Unknown: {
      // Null if the command ended otherwise, out of memory for instance.
      const HistoryFileReport* file = first_with(*this, Verdict::Unknown);
      out = file == nullptr ? run.stopped_by : file->stopped_by;
      out += fmt::format("; no violation in {} of {} of {}", with_separators(all.decided),
                         counted(all.partitions, "partition"), operations);
      break;
    }
    case Verdict::Error:
      out = first_line(run.error) + also(count(Verdict::Error));
      if (const HistoryFileReport* file = first_with(*this, Verdict::Violated))
        out += fmt::format("; {}: violated", file->file);
      return words;
  }
  if (!all.witness.empty()) words.files = "witness in " + all.witness;
  return words;
}

}  // namespace heddle::report
