// The options of heddle explain.
#include "cli/command_arguments.h"
#include "cli/option_groups.h"
#include "cli/option_rows.h"

namespace heddle::cli {

Rows explain_rows() {
  return {
      {.names = "--all-repairs",
       .help = "List every repair, not only the first few",
       .places = {{"explain", group::repairs}},
       .into = flag(&ExplainOptions::all_repairs)},
      {.names = "--no-verify",
       .help = "Do not search again with the repair in place",
       .places = {{"explain", group::repairs}},
       .into = flag(&ExplainOptions::no_verify)},
      {.names = "--most-repairs",
       .value = "N",
       .help = "Repairs to keep on the way, at most",
       .manual = "how many repairs of one execution, and of several together, are kept at most; if there are more, the "
                 "answer says so",
       .places = {{"explain", group::repairs}},
       .into = number(&ExplainOptions::most_repairs).within(1, 10'000'000)},
      {.names = "--executions",
       .value = "N",
       .help = "Bad and good executions to compare, at most",
       .manual =
           "how many bad and how many good executions are compared at most; if there are more, a sample is drawn with "
           "`--seed`",
       .places = {{"explain", group::repairs}},
       .into = number(&ExplainOptions::most_executions).within(1, 10'000'000)},
      {.names = "--seed",
       .value = "N",
       .help = "Seed of the sample of executions",
       .places = {{"explain", group::repairs}},
       .into = number(&ExplainOptions::seed)},
      {.names = "--bad",
       .value = "FILE",
       .help = "Explain these recorded executions instead of a program's",
       .places = {{"explain", group::repairs}},
       .into = text(&ExplainOptions::bad)},
      {.names = "--good",
       .value = "FILE",
       .help = "... and rank repairs by these",
       .places = {{"explain", group::repairs}},
       .into = text(&ExplainOptions::good)},
      {.names = "--write-bad",
       .value = "FILE",
       .help = "Write the bad executions that are compared to a file",
       .manual = "write the bad executions that are compared to a file, in the form that `--bad` reads",
       .places = {{"explain", group::repairs}},
       .into = text(&ExplainOptions::write_bad)},
      {.names = "--write-good",
       .value = "FILE",
       .help = "... and the good ones",
       .places = {{"explain", group::repairs}},
       .into = text(&ExplainOptions::write_good)},
      {.names = "--linearizable",
       .value = "OBJECT",
       .help = "Compare histories of clients with a queue, set, ...",
       .places = {{"explain", group::repairs}},
       .into = text(&ExplainOptions::linearizable)},
  };
}

}  // namespace heddle::cli
