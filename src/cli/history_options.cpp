// The rows of the table of options for commands that read recorded histories and logs of calls: lin, convert, refine.
#include "check/check_history.h"
#include "cli/command_arguments.h"
#include "cli/history_arguments.h"
#include "cli/option_groups.h"
#include "cli/option_rows.h"
#include "cli/option_values.h"
#include "run/doors.h"

namespace heddle::cli {

Rows lin_rows() {
  return {
      {.names = "FILE", .help = run::taken_by("lin"), .places = {{"lin"}}, .into = texts(&LinOptions::files)},
      {.names = "--spec",
       .value = "NAME",
       .help = "What it is a history of: register, cas_register, map, ...",
       .manual = "what it is a history of; left out, the error names those that would fit",
       .places = {{"lin"}},
       .into = text(&LinOptions::spec)},
      {.names = "--specs,--list-specs",
       .help = "List the specifications",
       .manual = "lists the specifications; with `--json` an array of `{name, usage}`",
       .places = {{"lin"}},
       .into = flag(&LinOptions::list_specs)},
  };
}

Rows convert_rows() {
  return {
      {.names = "IN",
       .help = "A recorded history; - for standard input",
       .places = {{"convert"}},
       .into = text(&ConvertOptions::in),
       .required = true},
      {.names = "OUT",
       .help = "Where it goes; - for standard output",
       .places = {{"convert"}},
       .into = text(&ConvertOptions::out),
       .required = true},
      {.names = "--to",
       .value = "NAME",
       .help = "edn, json (a line each event) or jepsen-log; default: by the ending of OUT",
       .manual = "`json`: a line each event; default: by the ending of `OUT`",
       .places = {{"convert"}},
       .into = text(&ConvertOptions::to),
       .values = {"edn", "json", "jepsen-log"}},
  };
}

Rows reading_rows() {
  return {
      {.names = "--format",
       .value = "NAME",
       .help = "edn, json, jepsen-log or trace; default: by content",
       .manual = "default: by content",
       .places = {{"lin convert", group::reading}},
       .into = text(&HistoryArguments::format),
       .values = {"edn", "json", "jepsen-log", "trace"}},
      {.names = "--format",
       .value = "NAME",
       .help = "edn or json; default: by content",
       .manual = "default: by content",
       .places = {{"serializable", group::reading}},
       .into = text(&HistoryArguments::format),
       .values = {"edn", "json"}},
      {.names = "--keyed",
       .help = "Values are pairs [key value]; default: by content",
       .manual = "values are pairs `[key value]`; default: by content",
       .places = {{"lin convert", group::reading}},
       .into = flag(&HistoryArguments::keyed)},
      {.names = "--no-keyed",
       .help = "They are not, even if they look like it",
       .places = {{"lin convert", group::reading}},
       .into = flag(&HistoryArguments::not_keyed),
       .excludes = "--keyed"},
      {.names = "--failed-cas",
       .value = "MEANING",
       .help = "A failed compare-and-set without a recorded error is a mismatch (default), or ignored like other "
               "failures",
       .manual = "what a failed compare-and-set without a recorded error says",
       .places = {{"lin", group::reading}},
       .into = choice(&HistoryArguments::failed_cas, failed_cas_meanings())},
  };
}

Rows checking_rows() {
  return {
      {.names = "--initial",
       .value = "VALUE",
       .help = "What the object holds when the recording begins: 0, or [1 2] for a queue",
       .manual = "what the object holds at first: `0`, or a list for a queue; nothing by default",
       .places = {{"lin", group::checking}},
       .into = text(&LinOptions::initial)},
      {.names = "--method",
       .value = "METHOD",
       .help = "auto, monitor (near-linear, where there is one) or wgl (search)",
       .manual = "`auto` (default): a monitor where one applies, search otherwise",
       .places = {{"lin", group::checking}},
       .into = choice(&HistoryCheckOptions::method, history_methods())},
      {.names = "--threads",
       .value = "N",
       .help = "Threads for partitions; default: all the machine has",
       .places = {{"lin", group::checking}},
       .into = number(&LinOptions::threads).within(1, 256)},
      {.names = "--no-partition",
       .help = "The history as one, for comparison",
       .places = {{"lin", group::checking}},
       .into = flag(&LinOptions::no_partition)},
  };
}

Rows witness_rows() {
  return {
      {.names = "--witness",
       .value = "FILE",
       .help = "Where the operations of a violation go; default: heddle-witness.edn",
       .manual = "where the operations of a violation go; default `heddle-witness.edn`; those of "
                 "several files: `w.edn`, `w-2.edn`, ...",
       .places = {{"lin", group::witness}},
       .into = text(&LinOptions::witness)},
      {.names = "--witness",
       .value = "FILE",
       .help = "Where a few transactions go that break the level; default: heddle-witness.edn",
       .manual = "where a few transactions go that already break the level, as EDN; default `heddle-witness.edn`",
       .places = {{"serializable", group::witness}},
       .into = text(&SerializableOptions::witness)},
      {.names = "--no-witness",
       .help = "Do not write it",
       .places = {{"serializable", group::witness}},
       .into = flag(&SerializableOptions::no_witness)},
      {.names = "--no-witness",
       .help = "Do not write it",
       .places = {{"lin", group::witness}},
       .into = flag(&LinOptions::no_witness)},
  };
}

Rows serializable_rows() {
  return {
      {.names = "HISTORY",
       .help = run::taken_by("serializable"),
       .places = {{"serializable"}},
       .into = text(&SerializableOptions::file),
       .required = true},
      {.names = "--level",
       .value = "LEVEL",
       .help = "The question: serializable, snapshot-isolation, session-..., strict-...; default: serializable, with a "
               "table of all levels",
       .manual = "the question: `read-uncommitted`, `read-committed`, `monotonic-atomic-view`, `repeatable-read`, "
                 "`snapshot-isolation` or `serializable`, each also as `session-...` and `strict-...`; left out, it is "
                 "`serializable`, and a table says which of all levels hold",
       .places = {{"serializable"}},
       .into = text(&SerializableOptions::level)},
      {.names = "--explain",
       .help = "Explain every level: what rules it out, the order that shows that it holds, or what stays open",
       .manual = "explains every level of the table, or the one that is asked for: what rules it out, the order that "
                 "shows that it holds, or what stays open; without it, what rules out the one in question",
       .places = {{"serializable"}},
       .into = flag(&SerializableOptions::explain)},
      {.names = "--initial",
       .value = "VALUE",
       .help = "What every register holds when the recording begins, such as 0; default: nil",
       .manual = "what every register holds at first; default nil",
       .places = {{"serializable", group::reading}},
       .into = text(&SerializableOptions::initial)},
      {.names = "--total",
       .value = "N",
       .help = "Of a bank: what all accounts have together",
       .manual = "of a bank: what all accounts have together",
       .places = {{"serializable", group::reading}},
       .into = text(&SerializableOptions::total)},
      {.names = "--wfr",
       .help =
           "Assume that writes follow reads: what a transaction reads of a register was written before what it then "
           "writes to it",
       .manual =
           "assume that what a transaction reads of a register was written before what it then writes to it; from "
           "`read-committed` on this follows",
       .places = {{"serializable", group::reading}},
       .into = flag(&SerializableOptions::writes_follow_reads)},
      {.names = "--dot",
       .value = "FILE",
       .help = "Where the graph of a violation goes, for Graphviz",
       .places = {{"serializable", group::witness}},
       .into = text(&SerializableOptions::dot)},
  };
}

Rows refine_rows() {
  return {
      {.names = "LOG", .help = run::taken_by("refine"), .places = {{"refine"}}, .into = text(&RefineOptions::file)},
      {.names = "--object",
       .value = "NAME",
       .help = "The abstract object: qtree, the Quorum Tree",
       .manual = "the abstract object; the only one is the Quorum Tree",
       .places = {{"refine", group::object}},
       .into = text(&RefineOptions::object).one_of({"qtree"}),
       .recorded = Option::Recorded::Always},
      {.names = "--spec",
       .value = "VARIANT",
       .help = "strict (default), or literal: as printed, which accepts too much and is slow on long logs",
       .manual = "`literal` accepts too much, and takes quadratic time",
       .places = {{"refine", group::object}},
       .into = text(&RefineOptions::spec).one_of({"strict", "literal"}),
       .recorded = Option::Recorded::Always},
      {.names = "--log-of-commands",
       .help = "Rounds may have other values than their parents (Raft, HotStuff)",
       .places = {{"refine", group::object}},
       .into = flag(&RefineOptions::log_of_commands).known_as("on"),
       .recorded = Option::Recorded::IfGiven},
      {.names = "--clients",
       .value = "VALUES",
       .help = "Values that clients have asked for, with commas between them; default: any",
       .manual = "what clients have asked for; default: not checked",
       .places = {{"refine", group::object}},
       .into = texts(&RefineOptions::clients).separated_by(','),
       .values = {"v1,v2"},
       .recorded = Option::Recorded::IfGiven},
  };
}

}  // namespace heddle::cli
