// Turns a core into sentences and into the bars of a timeline.
#include "explain/history_explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "check/model_history.h"
#include "core/remaining.h"
#include "explain/answer_core.h"
#include "explain/operation_text.h"
#include "report/numbers.h"
#include "report/utf8.h"
#include "report/values.h"

namespace heddle::explain {
namespace {

std::string joined(const std::vector<std::string>& words, std::string_view last) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? fmt::format(" {} ", last) : std::string(", ");
    out += words[i];
  }
  return out;
}

// Recorded processes are mostly numbers; those of a model have names, and those of a program are threads.
std::string process_text(const RecordedHistory& history, const RecordedOperation& op, bool ascii) {
  const std::string name = report::printable(history.processes[op.process], ascii);
  return history.functions[op.function].empty() || name.starts_with("thread ") ? name : "process " + name;
}

class Words {
 public:
  Words(const RecordedHistory& history, const Specification& specification, const PartitionResult& failed,
        const HistoryCore& core, bool ascii)
      : history_(history), specification_(specification), failed_(failed), core_(core), ascii_(ascii) {}

  std::vector<std::string> sentences() const {
    std::vector<std::string> out{what_is_wrong()};
    if (!failed_.reason.empty()) out.push_back(failed_.reason + ".");
    for (const std::uint32_t i : core_.operations) {
      if (i != core_.stuck) out.push_back(relation(i));
    }
    if (!core_.proven) {
      out.emplace_back("These are the operations around the place; which of them matter was too much to find out.");
    } else if (core_.others) {
      out.emplace_back(
          "The other operations before that do not matter: it cannot be, whenever they happened and whatever they "
          "answered.");
    }
    if (!failed_.longest.empty()) out.push_back(longest());
    return out;
  }

 private:
  const RecordedOperation& op(std::uint32_t i) const { return history_.operations[i]; }
  std::string of_key() const {
    const Value key = op(core_.stuck).key;
    return key == no_key ? "" : " on " + value_text(history_.values, key, ascii_);
  }
  std::string process(std::uint32_t i) const { return process_text(history_, op(i), ascii_); }
  std::string who(std::uint32_t i) const {
    std::string out = fmt::format("{} by {}", call_text(history_, op(i), ascii_), process(i));
    if (op(i).invoked_line > 0) out += fmt::format(" (line {})", op(i).invoked_line);
    return out;
  }

  std::string what_is_wrong() const {
    const RecordedOperation& stuck = op(core_.stuck);
    const std::string did = answers(history_, stuck) ? "returned " + answer_text(history_, stuck, ascii_) : "succeeded";
    const std::string start = fmt::format("{}{} {}", who(core_.stuck), of_key(), did);
    const bool told = std::ranges::none_of(core_.objects, &std::string::empty);
    if (core_.objects.empty() || core_.objects.size() > 4 || !told)
      return start + ", and no order of the operations explains that.";
    std::vector<std::string> objects;
    objects.reserve(core_.objects.size());
    // The object of a model is a struct; a struct with a single field stands for that field.
    const bool of_a_model = history_.functions[stuck.function].empty();
    for (const std::string& json : core_.objects) {
      objects.push_back(json == "null" ? "nil"
                        : of_a_model   ? report::operation_phrase(json, ascii_)
                                       : report::value_phrase(json, ascii_));
    }
    return fmt::format("{}, but at every moment it could have happened the {} was {}.", start, specification_.name(),
                       joined(objects, "or"));
  }

  // Shows how far one gets: the end of an order of as many operations as possible.
  std::string longest() const {
    constexpr std::size_t shown = 4;
    const std::vector<std::uint32_t>& order = failed_.longest.front();
    std::vector<std::string> last;
    for (std::size_t i = order.size() - std::min(order.size(), shown); i < order.size(); ++i) {
      last.push_back(operation_text(history_, op(order[i]), ascii_));
    }
    if (last.empty()) return "Not even the first operation can be placed.";
    return fmt::format("At most {} of the {} operations{} can be put in an order; one that works {} {}.", order.size(),
                       failed_.operations.size(), of_key(), order.size() > shown ? "ends with" : "is",
                       fmt::join(last, ", "));
  }

  std::string relation(std::uint32_t i) const {
    const RecordedOperation& stuck = op(core_.stuck);
    const RecordedOperation& other = op(i);
    std::string text = who(i);
    if (answers(history_, other)) text += " returned " + answer_text(history_, other, ascii_) + " and";
    if (other.returned != never && other.returned < stuck.invoked) return text + " had returned before it began.";
    if (stuck.returned < other.invoked) return text + " began after it had returned.";
    if (other.outcome == Outcome::Unknown) return text + " may have happened at any time since it began.";
    return text + " was under way at the same time.";
  }

  const RecordedHistory& history_;
  const Specification& specification_;
  const PartitionResult& failed_;
  const HistoryCore& core_;
  bool ascii_;
};

// What a picture of the history can hold. More are left out where they are farthest from the operation in question.
constexpr std::size_t most_shown = 2'000;

// The part of the partition that is shown: all of it, or what lies around `stuck`.
std::vector<std::uint32_t> shown_part(const PartitionResult& failed, std::uint32_t stuck) {
  const auto& all = failed.operations;
  if (all.size() <= most_shown) return all;
  const auto at = std::ranges::lower_bound(all, stuck) - all.begin();
  const std::ptrdiff_t first = std::clamp<std::ptrdiff_t>(at - static_cast<std::ptrdiff_t>(most_shown * 3 / 4), 0,
                                                          static_cast<std::ptrdiff_t>(all.size() - most_shown));
  return {all.begin() + first, all.begin() + first + static_cast<std::ptrdiff_t>(most_shown)};
}

report::HistoryFinding finding_of(const RecordedHistory& history, const Specification& specification,
                                  const PartitionResult& failed, const HistoryExplanation& explanation, bool ascii) {
  report::HistoryFinding out;
  out.specification = specification.name();
  out.subject = report::counted(failed.operations.size(), "operation");
  const Value key = history.operations[explanation.core.stuck].key;
  if (key != no_key) out.subject += " of key " + value_text(history.values, key, ascii);
  const std::vector<std::uint32_t> part = shown_part(failed, explanation.core.stuck);
  out.left_out = failed.operations.size() - part.size();
  std::map<std::uint32_t, std::size_t> shown;
  for (const std::uint32_t i : part) {
    const RecordedOperation& op = history.operations[i];
    shown[i] = out.operations.size();
    out.operations.push_back({.process = process_text(history, op, ascii),
                              .text = operation_text(history, op, ascii),
                              .begin = op.invoked,
                              .end = op.returned == never ? std::nullopt : std::optional(op.returned),
                              .line = op.invoked_line});
  }
  for (const std::uint32_t i : explanation.core.operations) {
    if (const auto found = shown.find(i); found != shown.end()) out.core.push_back(found->second);
  }
  out.core_proven = explanation.core.proven;
  out.stuck = shown.at(explanation.core.stuck);
  out.sentences = explanation.sentences;
  if (failed.longest.empty()) return out;
  const std::unique_ptr<Object> object = specification.object(history, failed.operations);
  Object::State state = object->initial();
  for (const std::uint32_t i : failed.longest.front()) {
    if (state != Object::impossible) state = object->apply(state, history.operations[i]);
    const auto found = shown.find(i);
    if (found == shown.end()) {
      ++out.order_skipped;
    } else {
      out.order.push_back({found->second, state == Object::impossible ? "" : object->describe(state).json()});
    }
  }
  return out;
}

}  // namespace

HistoryExplanation explain_history(const RecordedHistory& history, const Specification& specification,
                                   const PartitionResult& failed, bool ascii, Budget* budget) {
  HistoryExplanation out;
  HistoryCoreOptions options;
  options.budget = budget;
  out.core = find_core(history, specification, failed, options);
  out.sentences = Words(history, specification, failed, out.core, ascii).sentences();
  for (const std::uint32_t i : out.core.operations) {
    const RecordedOperation& op = history.operations[i];
    out.timeline.push_back({.row = process_text(history, op, ascii),
                            .text = operation_text(history, op, ascii),
                            .begin = op.invoked,
                            .end = op.returned,
                            .open = op.returned == never,
                            .bad = i == out.core.stuck});
  }
  out.finding = finding_of(history, specification, failed, out, ascii);
  return out;
}

namespace {

// Puts into words why a history of a model has no order, where real time does not count.
HistoryExplanation explain_without_real_time(const ModelHistory& model, bool ascii, Budget* budget) {
  const RecordedHistory& history = model.history;
  PartitionResult all;
  std::vector<std::uint32_t> answered;
  for (std::uint32_t i = 0; i < history.operations.size(); ++i) {
    all.operations.push_back(i);
    if (history.operations[i].outcome == Outcome::Ok) answered.push_back(i);
  }
  const AnswerCore found = answer_core(history.operations.size(), answered, model.admitted_if, budget);

  HistoryExplanation out;
  out.core.operations = found.operations;
  out.core.stuck = found.operations.back();
  out.core.proven = found.minimal;
  out.core.others = found.operations.size() < history.operations.size();
  const bool of_clients = model.order == detail::HistoryOrder::Clients;
  out.sentences.push_back(fmt::format("No order of the operations{} gives these answers of the {}.",
                                      of_clients ? " that keeps those of each client in their order" : "",
                                      model.specification->name()));
  for (const std::uint32_t i : found.operations) {
    const RecordedOperation& op = history.operations[i];
    out.sentences.push_back(fmt::format("{} by {} returned {}.", call_text(history, op, ascii),
                                        process_text(history, op, ascii), answer_text(history, op, ascii)));
    out.timeline.push_back({.row = process_text(history, op, ascii),
                            .text = operation_text(history, op, ascii),
                            .begin = op.invoked,
                            .end = op.returned,
                            .open = false});
  }
  if (!found.minimal) {
    out.sentences.emplace_back("Which of these answers matter was too much to find out.");
  } else if (out.core.others) {
    out.sentences.emplace_back("It does not matter what the other operations answered, if they did.");
  }
  out.finding = finding_of(history, *model.specification, all, out, ascii);
  return out;
}

}  // namespace

std::optional<HistoryExplanation> explain_run(const TransitionSystem& system, std::size_t property,
                                              std::span<const Slot> last, bool ascii, Budget* budget) {
  const Histories* const source = system.histories();
  if (source == nullptr) return std::nullopt;
  const std::unique_ptr<ModelHistory> model = source->history_of(property, last);
  if (model == nullptr) return std::nullopt;
  if (model->order != detail::HistoryOrder::RealTime) return explain_without_real_time(*model, ascii, budget);
  HistoryCheckOptions options;
  options.method = HistoryCheckOptions::Method::Wgl;
  if (budget != nullptr) options.limits = remaining(*budget);
  const HistoryResult result = check_history(model->history, *model->specification, options);
  if (result.failed.empty()) return std::nullopt;
  return explain_history(model->history, *model->specification, result.failed.front(), ascii, budget);
}

std::string render(const HistoryExplanation& explanation, const report::TimelineOptions& options) {
  std::string out;
  for (std::size_t i = 0; i < explanation.sentences.size(); ++i) {
    const std::string start = i == 0 ? "" : "- ";
    for (const std::string& line : report::wrap(start + explanation.sentences[i], options.width, 2)) out += line + "\n";
  }
  return out + "\n" + report::draw_timeline(explanation.timeline, options);
}

}  // namespace heddle::explain
