// Groups equal messages, numbers receivers, and writes the notes of a step.
#include "report/step_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "report/json_text.h"
#include "report/numbers.h"
#include "report/utf8.h"
#include "report/values.h"

namespace heddle::report {
namespace {

constexpr int longest_value = 300;

struct NumberedName {
  std::string stem, number;  // "acceptor 2" is "acceptor", "2"; the number is empty if there is none
};

NumberedName split(const std::string& name) {
  const std::size_t space = name.rfind(' ');
  if (space == std::string::npos || space == 0) return {name, ""};
  const std::string number = name.substr(space + 1);
  const bool small = is_plain_integer(number) && number.size() < 10;
  return small ? NumberedName{name.substr(0, space), number} : NumberedName{name, ""};
}

// "1,2,3", or "1-4" where the numbers follow each other.
std::string number_list(const std::vector<std::string>& numbers) {
  std::string out;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && std::stol(numbers[end]) == std::stol(numbers[end - 1]) + 1) ++end;
    const bool range = end - i >= 4;
    if (!range) end = i + 1;
    if (!out.empty()) out += ",";
    out += range ? fmt::format("{}-{}", numbers[i], numbers[end - 1]) : numbers[i];
    i = end;
  }
  return out;
}

std::string lane_name(const trace::Trace& trace, std::uint32_t lane, bool ascii) {
  return printable(trace.lanes[lane].name, ascii);
}

// A fault is announced by its kind, which the name usually repeats.
std::string title(const trace::Step& step, const Marker& marker, bool ascii) {
  const std::string name = printable(step.name, ascii);
  if (name.empty()) return printable(step.kind, ascii);
  const bool named = !marker.fault || name.find(step.kind) != std::string::npos;
  return named ? name : fmt::format("{}: {}", step.kind, name);
}

std::vector<Note> sent_notes(const trace::Trace& trace, const trace::Step& step, const Glyphs& glyphs) {
  struct Group {
    std::uint32_t from;
    std::string message;
    std::vector<std::uint32_t> to;
  };
  std::vector<Group> groups;
  for (const trace::Message& message : step.sent) {
    const std::string text = message_phrase(message, glyphs.ascii);
    const auto same = [&](const Group& group) { return group.from == message.from && group.message == text; };
    auto group = std::find_if(groups.begin(), groups.end(), same);
    if (group == groups.end()) group = groups.insert(group, {message.from, text, {}});
    group->to.push_back(message.to);
  }
  std::vector<Note> notes;
  for (const Group& group : groups) {
    const bool itself = group.to.size() == 1 && group.to.front() == group.from;
    notes.push_back({group.from,
                     fmt::format("{} {} {}", group.message, glyphs.to,
                                 itself ? "itself" : lane_names(trace, group.to, glyphs.ascii)),
                     Style::Arrow});
  }
  return notes;
}

// Puts a return into words: "ok" where a call such as a write has no answer. The call is not known if it was open in
// the first state.
std::string answer_phrase(const trace::Trace& trace, std::size_t index, const trace::Operation& end, bool ascii) {
  const auto begins = [&](const trace::Operation& one) {
    return one.lane == end.lane && one.kind == trace::Operation::Kind::Invoke;
  };
  // The step itself comes last: an operation that it begins is the next one, unless the step ends what it begins.
  const auto& here = trace.steps[index].operations;
  const auto own = std::find_if(here.begin(), here.end(), begins);
  const trace::Operation* call = own != here.end() && &*own < &end ? &*own : nullptr;
  for (std::size_t i = index; call == nullptr && i-- > 0;) {
    const auto& operations = trace.steps[i].operations;
    const auto found = std::find_if(operations.begin(), operations.end(), begins);
    if (found != operations.end()) call = &*found;
  }
  return call != nullptr && says_nothing(call->value, end.value) ? "ok" : operation_phrase(end.value, ascii);
}

StepText describe_step(const trace::Trace& trace, std::size_t index, const Glyphs& glyphs) {
  const trace::Step& step = trace.steps[index];
  StepText out{.index = index,
               .lane = step.lane,
               .title = {},
               .marker = marker(step.kind, glyphs.ascii),
               .arrows = {},
               .notes = {}};
  out.title = title(step, out.marker, glyphs.ascii);
  out.lost = step.kind == "lose";
  for (const trace::Message& message : step.received) {
    const std::string label = message_phrase(message, glyphs.ascii);
    if (message.from != message.to) {
      out.arrows.push_back({message.from, message.to, label});
    } else {
      out.notes.push_back({message.to, fmt::format("{} {} itself", label, glyphs.from), Style::Arrow});
    }
  }
  if (!step.choice.empty()) {
    const bool chosen = step.kind != "lose" && step.kind != "duplicate";  // else it is a place in a queue
    const std::string phrase =
        step.kind == "partition" ? sides_phrase(step.choice, glyphs.ascii) : choice_phrase(step.choice, glyphs.ascii);
    out.notes.push_back({step.lane, (chosen && step.kind != "partition" ? "chose " : "") + phrase, Style::Plain});
  }
  const auto add_operations = [&](trace::Operation::Kind kind, std::string_view mark, std::string_view verb) {
    for (const trace::Operation& operation : step.operations) {
      if (operation.kind != kind) continue;
      const std::string value = kind == trace::Operation::Kind::Return
                                    ? answer_phrase(trace, index, operation, glyphs.ascii)
                                    : operation_phrase(operation.value, glyphs.ascii);
      out.notes.push_back({operation.lane, fmt::format("{} {} {}", mark, verb, value), Style::Operation});
    }
  };
  // The order that a reader expects is: what began, what changed, what was sent, what ended. But a client that ends one
  // operation and begins the next in one step ends before it begins.
  const bool ends_first = step.operations.size() > 1 && step.operations[0].kind == trace::Operation::Kind::Return;
  if (ends_first) add_operations(trace::Operation::Kind::Return, glyphs.respond, "return");
  add_operations(trace::Operation::Kind::Invoke, glyphs.invoke, "invoke");
  for (const trace::Call& call : step.calls) {
    const std::string_view answer = call.answer == "rejected" ? " REJECTED" : "";
    out.notes.push_back({step.lane, printable(fmt::format("{}.{}{}", call.object, call.call, answer), glyphs.ascii),
                         answer.empty() ? Style::Operation : Style::Bad});
  }
  for (const trace::Diff& diff : step.diffs) {
    if (!step.calls.empty() && diff.name == step.calls.front().object) continue;  // shown on its own
    for (std::string& phrase : diff_phrases(diff, glyphs.becomes, glyphs.ascii)) {
      out.notes.push_back({diff.lane, std::move(phrase), Style::Change});
    }
  }
  for (Note& note : sent_notes(trace, step, glyphs)) out.notes.push_back(std::move(note));
  if (!ends_first) add_operations(trace::Operation::Kind::Return, glyphs.respond, "return");
  return out;
}

}  // namespace

std::vector<StepText> describe_steps(const trace::Trace& trace, const Glyphs& glyphs, std::size_t most) {
  const std::size_t count = trace.steps.size();
  const std::size_t beginning = count > most ? most / 4 : count;
  const std::size_t end = count > most ? count - (most - beginning) : count;
  std::vector<StepText> out;
  out.reserve(beginning + (count - end));
  for (std::size_t i = 0; i < beginning; ++i) out.push_back(describe_step(trace, i, glyphs));
  for (std::size_t i = end; i < count; ++i) out.push_back(describe_step(trace, i, glyphs));
  return out;
}

std::string gap_before(const std::vector<StepText>& steps, std::size_t i) {
  const std::size_t expected = i == 0 ? 0 : steps[i - 1].index + 1;
  if (steps[i].index == expected) return "";
  return fmt::format("(steps {} to {} are not shown)", with_separators(expected + 1), with_separators(steps[i].index));
}

std::string lane_names(const trace::Trace& trace, const std::vector<std::uint32_t>& lanes, bool ascii) {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;  // stem, numbers
  for (const std::uint32_t lane : lanes) {
    const NumberedName name = split(lane_name(trace, lane, ascii));
    const bool joins = !name.number.empty() && !groups.empty() && groups.back().first == name.stem;
    if (!joins) groups.emplace_back(name.stem, std::vector<std::string>());
    if (!name.number.empty()) groups.back().second.push_back(name.number);
  }
  std::string out;
  for (const auto& [stem, numbers] : groups) {
    out += (out.empty() ? "" : ", ") + stem;
    if (!numbers.empty()) out += " " + number_list(numbers);
  }
  return out;
}

std::string field_phrase(const trace::Field& field, bool ascii) {
  const std::string value = shorten_phrase(value_phrase(field.value, ascii), longest_value, ascii ? ".." : "…");
  return fmt::format("{}{}= {}", printable(field.name, ascii), field.name.empty() ? "" : " ", value);
}

}  // namespace heddle::report
