// The table of switches: what each does to a model, and which of them are in force.
#include "run/switches.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "run/errors.h"
#include "run/quantities.h"
#include "run/suggestions.h"
#include "run/words.h"

namespace heddle::run {
namespace {

unsigned count(const std::string& text, const std::string& option) {
  return static_cast<unsigned>(parse_number(text, option, std::numeric_limits<std::uint16_t>::max()));
}

bool truth(const std::string& text, const std::string& option) {
  if (text == "true" || text == "false") return text == "true";
  throw UsageError(fmt::format("{}: '{}' is neither true nor false", option, text));
}

// "Acceptor=1,Proposer=2"
std::map<std::string, unsigned> parse_by_role(const std::string& text, const std::string& option) {
  std::map<std::string, unsigned> result;
  for (const std::string& part : split(text, ',')) {
    const auto equals = part.find('=');
    if (equals == part.npos || equals == 0) {
      throw UsageError(fmt::format("{}: '{}' is not of the form ROLE=N, such as Acceptor=1", option, part));
    }
    const auto [known, added] = result.emplace(part.substr(0, equals), count(part.substr(equals + 1), option));
    if (!added) throw UsageError(fmt::format("{}: {} is given twice; give each role once", option, known->first));
  }
  return result;
}

std::string text_by_role(const std::map<std::string, unsigned>& numbers) {
  std::string text;
  for (const auto& [role, number] : numbers) text += fmt::format("{}{}={}", text.empty() ? "" : ",", role, number);
  return text;
}

// "2", or "Server=1,Client=2"
void parse_crashes(const std::string& text, Faults& faults) {
  faults.crashes = 0;
  faults.crashes_of.clear();
  if (text.find('=') == text.npos && text.find(',') == text.npos) {
    faults.crashes = count(text, "--crashes");
    return;
  }
  for (const std::string& part : split(text, ',')) {
    if (part.find('=') != part.npos) continue;
    throw UsageError(
        fmt::format("--crashes: {} bounds the crashes of all processes; give either that, once, or ROLE=N", part));
  }
  faults.crashes_of = parse_by_role(text, "--crashes");
}

template <class Enum>
Switch choice_switch(Switch row, Enum Network::* member, const Values<Enum>& values) {
  row.values = values.names();
  const std::string option = "--" + row.name;
  row.apply = [=](Model& model, const std::string& text, const Switches&) {
    const std::optional<Enum> value = values.find(text);
    if (!value) throw UsageError(fmt::format("{}: '{}' is none of {}", option, text, listed(values.names())));
    model.network.*member = *value;
  };
  row.in_force = [=](const Model& model) { return values.name(model.network.*member); };
  row.plain = values.name(Network().*member);
  return row;
}

template <class Number>
Switch count_switch(Switch row, Number Network::* member) {
  row.value = "N";
  const std::string option = "--" + row.name;
  row.apply = [=](Model& model, const std::string& text, const Switches&) {
    model.network.*member = count(text, option);
  };
  row.in_force = [=](const Model& model) { return std::to_string(model.network.*member); };
  row.plain = "0";
  return row;
}

Switch crashes_switch() {
  return {.name = "crashes",
          .value = "[ROLE=]N",
          .help = "Processes, or members of a role, that may crash",
          .manual =
              "processes that may crash; with a role only its members, at most N times, "
              "and repeated for several roles",
          .kind = Switch::Kind::Texts,
          .apply =
              [](Model& model, const std::string& text, const Switches& all) {
                parse_crashes(text, model.faults);
                if (!model.faults.crashing() && !all.contains("recovery")) model.faults.recovery = false;
              },
          .in_force =
              [](const Model& model) {
                const Faults& faults = model.faults;
                return faults.crashes_of.empty() ? std::to_string(faults.crashes) : text_by_role(faults.crashes_of);
              },
          .plain = "0"};
}

Switch byzantine_switch() {
  return {.name = "byzantine",
          .value = "ROLE=N",
          .help = "The last N members of a role send any well-formed message",
          .manual =
              "the last N members of a role send any well-formed message; repeat it for "
              "several roles",
          .kind = Switch::Kind::Texts,
          .apply = [](Model& model, const std::string& text,
                      const Switches&) { model.faults.byzantine = parse_by_role(text, "--byzantine"); },
          .in_force = [](const Model& model) { return text_by_role(model.faults.byzantine); }};
}

Switch recovery_switch() {
  return {.name = "recovery",
          .help = "Crashed processes may come back with their durable fields",
          .manual = "crashed processes may come back with their `Durable` fields",
          .kind = Switch::Kind::Flag,
          .apply = [](Model& model, const std::string& text,
                      const Switches&) { model.faults.recovery = truth(text, "--recovery"); },
          .in_force = [](const Model& model) { return std::string(model.faults.recovery ? "true" : "false"); },
          .plain = "false"};
}

Switch deadlock_switch() {
  return {.name = "deadlock",
          .help = "A state without steps is a violation, also if the model does not say so",
          .kind = Switch::Kind::Flag,
          .apply = [](Model& model, const std::string& text, const Switches&) {
            bool stated = !truth(text, "--deadlock");
            for (const auto& p : model.properties()) stated |= p.kind == detail::PropertyInfo::Kind::DeadlockFree;
            if (!stated) model.deadlock_free();
          }};
}

// Of programs in C and C++. Their door reads the values itself.
Switch program_switch(Switch row) {
  row.group = "native";
  row.apply = [name = row.name](Model&, const std::string&, const Switches&) {
    throw UsageError(fmt::format("--{} is about programs in C and C++; this is a protocol", name));
  };
  return row;
}

std::vector<Switch> program_switches() {
  return {
      program_switch({.name = "races",
                      .value = "MODE",
                      .help = "report (default): a data race is a violation; allow: every shared access is a step",
                      .values = {"report", "allow"}}),
      program_switch({.name = "leaks",
                      .help = "A heap object that nothing mentions any more and that was not freed is a violation",
                      .kind = Switch::Kind::Flag}),
      program_switch({.name = "client",
                      .value = "CALLS",
                      .help = "The calls that threads make on a harness's object: 'push(1); pop() | push(2)'"}),
      program_switch({.name = "client-threads",
                      .value = "N",
                      .help = "Without --client: all clients of at most so many threads (default 2)"}),
      program_switch({.name = "calls", .value = "N", .help = "... and so many calls of each (default 2)"}),
      program_switch({.name = "values", .value = "N", .help = "... and arguments 0 to N-1 (default 2)"}),
      program_switch({.name = "clients",
                      .value = "N",
                      .help = "If there are more clients than this (default 1000), so many at random"}),
      program_switch({.name = "client-seed", .value = "N", .help = "Chooses which (default 1)"}),
      program_switch({.name = "history",
                      .help = "Compare the order of calls in real time, too, not only their results",
                      .kind = Switch::Kind::Flag}),
      program_switch({.name = "granularity",
                      .value = "WHAT",
                      .help = "calls: the beginning and the end of a client's call are steps, too",
                      .values = {"accesses", "calls"}}),
      program_switch({.name = "atomic",
                      .value = "WHERE",
                      .help = "Take these statements to be atomic: pop, pop:8-9 or FILE:8-9; repeat it for several",
                      .kind = Switch::Kind::Texts}),
      program_switch({.name = "nondet",
                      .value = "RANGE",
                      .help = "What __VERIFIER_nondet_int() and the like may be, such as -1..4 (default 0..2)"}),
      program_switch(
          {.name = "link", .value = "FILES", .help = "Further source files of the program, separated by commas"}),
      program_switch({.name = "compile-commands",
                      .value = "PLACE",
                      .help = "The build's compile_commands.json, or its folder: where the file's flags come from"}),
      program_switch(
          {.name = "flags", .value = "FLAGS", .help = "For clang, as one text; what stands after -- is the same"})};
}

// --spec and --lp only say how --refines is checked.
Switch refines_switch() {
  return {.name = "refines",
          .value = "OBJECT",
          .help = "Check that the model refines it, such as qtree; none: do not, even for a bug that shows there",
          .manual =
              "run an abstract object such as `qtree` beside the model ([refinement.md](refinement.md)); "
              "`none`: do not, even for a bug that shows there",
          .group = "refinement",
          .apply = [](Model& model, const std::string& object, const Switches& all) {
            if (object == "none") return;
            const auto chosen = [&](const std::string& other, const std::string& fallback) {
              const auto it = all.find(other);
              return it == all.end() ? fallback : it->second;
            };
            model.refine(object, chosen("spec", "strict"), chosen("lp", "corrected"));
          }};
}

Switch refinement_detail(Switch row) {
  row.group = "refinement";
  row.apply = [option = "--" + row.name](Model&, const std::string&, const Switches& all) {
    if (!all.contains("refines")) throw UsageError(option + " says how --refines is checked; give that, too");
  };
  return row;
}

std::vector<Switch> make_switches() {
  std::vector<Switch> table;
  table.push_back(choice_switch(
      {.name = "network",
       .value = "KIND",
       .help = "multiset (any order), soup (messages stay), fifo (per pair)",
       .manual = "any order; a sent message stays and may be received again; in order for "
                 "each pair"},
      &Network::order,
      {{"multiset", Network::Order::Multiset}, {"soup", Network::Order::Soup}, {"fifo", Network::Order::Fifo}}));
  table.back().plain.clear();  // so that the network is always recorded: it says what the verdict is about
  table.push_back(choice_switch(
      {.name = "traffic",
       .value = "MODEL",
       .help = "M, GRM or RM: which sends and receives are steps of their own",
       .manual = "which sends and receives are steps of their own"},
      &Network::traffic, {{"M", Network::Traffic::M}, {"GRM", Network::Traffic::GRM}, {"RM", Network::Traffic::RM}}));
  table.push_back(count_switch(
      {.name = "capacity", .help = "Messages of one sender in transit to one receiver, at most; 0: no limit"},
      &Network::capacity));
  table.push_back(choice_switch({.name = "when-full",
                                 .value = "WHAT",
                                 .help = "block or overwrite",
                                 .manual = "what sending does when `--capacity` is reached"},
                                &Network::when_full,
                                {{"block", Network::WhenFull::Block}, {"overwrite", Network::WhenFull::Overwrite}}));
  table.push_back(count_switch({.name = "loss", .help = "Messages that may get lost"}, &Network::losses));
  table.push_back(
      count_switch({.name = "duplicate", .help = "Messages that may be delivered once more"}, &Network::duplications));
  table.push_back(
      count_switch({.name = "partitions", .help = "How often the network may split in two"}, &Network::partitions));
  table.push_back(crashes_switch());
  table.push_back(byzantine_switch());
  table.push_back(recovery_switch());
  table.push_back(deadlock_switch());
  for (Switch& row : program_switches()) table.push_back(std::move(row));
  table.push_back(refines_switch());
  table.push_back(refinement_detail({.name = "spec",
                                     .value = "VARIANT",
                                     .help = "strict, or literal: the specification as printed",
                                     .manual = "the variant of the specification; `literal`: as printed",
                                     .values = {"strict", "literal"}}));
  table.push_back(refinement_detail({.name = "lp",
                                     .value = "POINTS",
                                     .help = "Linearization points: corrected, thesis (as printed), or search for them",
                                     .manual = "whose linearization points; `search`: none, they are looked for",
                                     .values = {"corrected", "thesis", "search"}}));
  return table;
}

}  // namespace

const std::vector<Switch>& switch_table() {
  static const std::vector<Switch> table = make_switches();
  return table;
}

void apply_switches(Model& model, const Switches& switches, const std::vector<Switch>& table) {
  for (const auto& [name, value] : switches) {
    const auto row = std::ranges::find(table, name, &Switch::name);
    if (row == table.end()) {
      throw UsageError(
          fmt::format("there is no switch '{}' for network and faults; the trace is of another version", name));
    }
    row->apply(model, value, switches);
  }
  if (switches.contains("when-full") && model.network.capacity == 0) {
    throw UsageError("--when-full says what happens in a full channel, but none is ever full; give --capacity N, too");
  }
}

Switches effective_switches(const Model& model, const Switches& given, const std::vector<Switch>& table) {
  Switches result;
  for (const Switch& row : table) {
    const bool is_given = given.contains(row.name);
    if (!row.in_force) {
      if (is_given) result[row.name] = given.at(row.name);
      continue;
    }
    const std::string value = row.in_force(model);
    if (is_given || value != row.plain) result[row.name] = value;
  }
  return result;
}

}  // namespace heddle::run
