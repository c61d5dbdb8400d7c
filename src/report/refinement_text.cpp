// Follows the object through a trace by the differences of its steps, and writes the table and the tree.
#include "report/refinement_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <vector>

#include "report/json_text.h"
#include "report/json_view.h"
#include "report/utf8.h"
#include "report/values.h"

namespace heddle::report {
namespace {

constexpr std::size_t most_tree_lines = 40;

struct Node {
  std::string instance, round, value, parent, status;
};

std::optional<std::vector<Node>> tree_of(std::string_view json) {
  if (!is_json(json)) return std::nullopt;
  const JsonDocument document(json, "object");
  if (document.root().type() != JsonView::Type::Array) return std::nullopt;
  std::vector<Node> nodes;
  for (const JsonView& element : document.root().elements()) {
    if (element.type() != JsonView::Type::Object) return std::nullopt;
    const auto text = [&](std::string_view key) -> std::optional<std::string> {
      const auto found = element.find(key);
      if (!found) return std::nullopt;
      return found->type() == JsonView::Type::String ? found->string() : found->compact();
    };
    const auto round = text("round"), parent = text("parent"), status = text("status");
    if (!round || !parent || !status) return std::nullopt;
    nodes.push_back(
        {text("instance").value_or("0"), *round, value_phrase(element.member("value").compact()), *parent, *status});
  }
  return nodes;
}

// The number of lines is bounded, not the number of nodes: in a file written by hand a node may be its own parent.
void draw(const std::vector<Node>& nodes, const std::string& instance, const std::string& parent,
          const std::string& indent, bool ascii, std::vector<std::string>& out) {
  if (out.size() > most_tree_lines) return;
  std::vector<const Node*> children;
  for (const Node& n : nodes) {
    if (n.instance == instance && n.parent == parent) children.push_back(&n);
  }
  for (std::size_t i = 0; i < children.size(); ++i) {
    const bool last = i + 1 == children.size();
    const Node& n = *children[i];
    out.push_back(indent + (ascii ? (last ? "`- " : "|- ") : (last ? "└─ " : "├─ ")) +
                  printable(fmt::format("{} {} = {}", n.round, n.status, n.value), ascii));
    draw(nodes, instance, n.round, indent + (last ? "   " : ascii ? "|  " : "│  "), ascii, out);
  }
}

// The object called `name` before and after each step, from the steps' differences.
struct Course {
  std::vector<std::string> before, after;  // of each step, JSON
};

std::string object_name(const trace::Trace& trace) {
  for (const trace::Step& step : trace.steps) {
    if (!step.calls.empty()) return step.calls.front().object;
  }
  return "";
}

Course follow_object(const trace::Trace& trace, const std::string& name) {
  std::string now;
  for (const trace::Field& field : trace.initial) {
    if (field.name == name) now = field.value;
  }
  Course course;
  for (const trace::Step& step : trace.steps) {
    course.before.push_back(now);
    for (const trace::Diff& diff : step.diffs) {
      if (diff.name == name) now = diff.after;
    }
    course.after.push_back(now);
  }
  return course;
}

std::string explained(const trace::Trace& trace, std::string_view name, bool ascii = false) {
  for (const trace::Field& field : trace.explanation) {
    if (field.name != name) continue;
    if (!is_json(field.value)) return printable(field.value, ascii);
    const JsonDocument document(field.value, "explanation");
    const bool text = document.root().type() == JsonView::Type::String;
    return text ? printable(document.root().string(), ascii) : value_phrase(field.value, ascii);
  }
  return "";
}

std::string pad(const std::string& text, int width) {
  return text + std::string(static_cast<std::size_t>(std::max(0, width - display_width(text))), ' ');
}

}  // namespace

std::vector<std::string> object_lines(std::string_view json, bool ascii) {
  const auto nodes = tree_of(json);
  if (!nodes) return {value_phrase(json, ascii)};
  std::vector<std::string> instances;
  for (const Node& n : *nodes) {
    if (std::find(instances.begin(), instances.end(), n.instance) == instances.end()) instances.push_back(n.instance);
  }
  if (instances.empty()) return {"0"};
  std::vector<std::string> out;
  for (const std::string& instance : instances) {
    out.push_back(instances.size() == 1 && instance == "0" ? "0" : printable(fmt::format("[{}] 0", instance), ascii));
    draw(*nodes, instance, "0", "", ascii, out);
  }
  if (out.size() > most_tree_lines) {
    out.resize(most_tree_lines);
    out.emplace_back(ascii ? ".." : "…");
  }
  return out;
}

std::string refinement_table(const trace::Trace& trace, int width, bool ascii) {
  const std::string name = object_name(trace);
  if (name.empty()) return "";
  const Course course = follow_object(trace, name);
  std::vector<CallRow> rows;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const trace::Step& step = trace.steps[i];
    if (step.calls.empty()) continue;
    rows.push_back(
        {fmt::format("{:>3} {}.{}", i + 1, printable(trace.lanes[step.lane].name, ascii), printable(step.name, ascii)),
         step.calls, course.before[i], course.after[i]});
  }
  return call_table(name, "step", rows, width, ascii);
}

std::string call_table(std::string_view name, std::string_view places, const std::vector<CallRow>& calls, int width,
                       bool ascii) {
  struct Row {
    std::vector<std::string> cells[4];
  };
  std::vector<Row> rows;
  Row head;
  head.cells[0] = {std::string(places)};
  head.cells[1] = {"call"};
  head.cells[2] = {"before"};
  head.cells[3] = {"after"};
  rows.push_back(head);
  for (const CallRow& one : calls) {
    Row row;
    row.cells[0] = {one.place};
    bool rejected = false;
    for (const trace::Call& call : one.calls) {
      row.cells[1].push_back(printable(call.call, ascii));
      if (call.answer != "accepted") row.cells[1].back() += call.answer == "rejected" ? " REJECTED" : " (stutter)";
      rejected |= call.answer == "rejected";
    }
    row.cells[2] = object_lines(one.before, ascii);
    row.cells[3] = rejected ? std::vector<std::string>{ascii ? "X" : "✗"} : object_lines(one.after, ascii);
    rows.push_back(std::move(row));
  }
  int widths[4] = {};
  for (const Row& row : rows) {
    for (int c = 0; c < 4; ++c) {
      for (const std::string& line : row.cells[c]) widths[c] = std::max(widths[c], display_width(line));
    }
  }
  // Each column is followed by two cells. The widest column is narrowed first, so that long values do not push the
  // trees out of the picture.
  constexpr int narrowest = 6;
  const auto total = [&] { return 1 + std::accumulate(std::begin(widths), std::end(widths), 0) + 4 * 2; };
  for (int* widest;
       total() > width && *(widest = std::max_element(std::begin(widths), std::end(widths))) > narrowest;) {
    --*widest;
  }
  const std::string_view cut = ascii ? ".." : "…";
  std::string out = shorten("as calls on " + printable(name, ascii), width, cut) + "\n";
  for (const Row& row : rows) {
    std::size_t height = 0;
    for (const auto& cell : row.cells) height = std::max(height, cell.size());
    for (std::size_t k = 0; k < height; ++k) {
      std::string line = " ";
      for (int c = 0; c < 4; ++c) {
        line += " " + pad(k < row.cells[c].size() ? shorten(row.cells[c][k], widths[c], cut) : "", widths[c] + 1);
      }
      line = prefix(line, width);
      while (line.ends_with(' ')) line.pop_back();
      out += line + "\n";
    }
  }
  return out;
}

std::string rejection(const trace::Trace& trace, bool ascii) {
  const std::string call = explained(trace, "rejected", ascii);
  // A field of a model may have this name, too: it must be a call that the trace shows as rejected.
  const trace::Call* rejected = nullptr;
  for (const trace::Step& step : trace.steps) {
    for (const trace::Call& one : step.calls) {
      if (one.answer == "rejected" && printable(one.call, ascii) == call) rejected = &one;
    }
  }
  if (rejected == nullptr) return "";
  std::string out =
      fmt::format("{} rejects {}: {}", printable(rejected->object, ascii), call, explained(trace, "clause", ascii));
  if (const std::string property = explained(trace, "property", ascii); !property.empty()) {
    out += " (" + property + ")";
  }
  if (const std::string because = explained(trace, "because", ascii); !because.empty()) out += ": " + because;
  return out;
}

std::string tree_dot(const trace::Trace& trace) {
  const std::string name = object_name(trace);
  const Course course = follow_object(trace, name);
  return tree_dot(course.after.empty() ? "" : course.after.back(), explained(trace, "rejected"),
                  explained(trace, "clause") + " " + explained(trace, "property"));
}

std::string tree_dot(std::string_view json, std::string_view rejected, std::string_view clause) {
  const auto nodes = tree_of(json);
  std::string out = "digraph qtree {\n  rankdir=LR;\n  node [shape=box];\n";
  if (nodes) {
    std::map<std::string, bool> roots;
    for (const Node& n : *nodes) {
      const std::string prefix = n.instance == "0" ? "" : n.instance + "/";
      if (!std::exchange(roots[n.instance], true)) {
        out += fmt::format("  {} [label={}, color=blue, penwidth=3];\n", quoted(prefix + "0"), quoted(prefix + "0"));
      }
      const std::string_view look = n.status == "COMMITTED" ? "color=blue, penwidth=3"
                                    : n.status == "GHOST"   ? "color=red, peripheries=2"
                                                            : "color=green";
      out += fmt::format("  {} [label={}, {}];\n", quoted(prefix + n.round),
                         quoted(fmt::format("{}{} = {}\n{}", prefix, n.round, n.value, n.status)), look);
      out += fmt::format("  {} -> {};\n", quoted(prefix + n.parent), quoted(prefix + n.round));
    }
  }
  if (!rejected.empty()) {
    out += fmt::format("  rejected [label={}, style=dashed, color=red];\n",
                       quoted(fmt::format("{}\n{}", rejected, clause)));
  }
  return out + "}\n";
}

}  // namespace heddle::report
