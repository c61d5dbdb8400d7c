// Random traces for RapidCheck: few lanes, odd names, nested values.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/trace.h"

namespace heddle::report {

inline rc::Gen<std::string> odd_text() {
  return rc::gen::element<std::string>("", "promised", "acceptor 1", "acceptor 12", "a \"quoted\" name", "zwei\nZeilen",
                                       "Öl → 漢字", "\x1b[31mred", "back\\slash", "x",
                                       "a_name_much_longer_than_any_column_of_the_picture");
}

// JSON text without white space between tokens.
inline rc::Gen<std::string> value_text(int depth = 3) {
  rc::Gen<std::string> leaf = rc::gen::element<std::string>(
      "null", "true", "false", "0", "-17", "3.25", "1e300", "123456789012345678901234567890", "\"\"", "\"idle\"",
      "\"none\"", "\"with space\"", R"("\u001b[2J\n")", "\"\\\"]},{[:\"", "\"漢字\"", "{}", "[]");
  if (depth == 0) return leaf;
  const rc::Gen<std::vector<std::string>> inner = rc::gen::container<std::vector<std::string>>(value_text(depth - 1));
  const rc::Gen<std::string> array = rc::gen::map(inner, [](const std::vector<std::string>& values) {
    std::string out = "[";
    for (const std::string& value : values) out += (out.size() > 1 ? "," : "") + value;
    return out + "]";
  });
  const rc::Gen<std::string> object = rc::gen::map(inner, [](const std::vector<std::string>& values) {
    std::string out = "{";
    for (std::size_t i = 0; i < values.size(); ++i) {
      out += (i > 0 ? ",\"f" : "\"f") + std::to_string(i) + "\":" + values[i];
    }
    return out + "}";
  });
  return rc::gen::oneOf(leaf, leaf, array, object);
}

inline trace::Trace random_trace() {
  trace::Trace trace;
  const auto text = [] { return *odd_text(); };
  const auto value = [] { return *rc::gen::resize(3, value_text()); };
  const auto below = [](std::uint32_t n) { return *rc::gen::inRange<std::uint32_t>(0, n); };

  trace.model = text();
  for (std::uint32_t i = below(3); i > 0; --i) {
    trace.parameters[text()] = *rc::gen::element<std::string>("3", "-1", "007", "1.5", "true", "ring", "");
    trace.options[text()] = text();
  }
  trace.bug = text();
  const std::uint32_t lane_count = 1 + below(14);
  const auto lane = [&] { return below(lane_count); };
  for (std::uint32_t i = 0; i < lane_count; ++i) trace.lanes.push_back({text() + std::to_string(i), text(), text()});
  const auto fields = [&] {
    std::vector<trace::Field> out;
    for (std::uint32_t i = below(3); i > 0; --i) out.push_back({lane(), text(), value()});
    return out;
  };
  const auto messages = [&] {
    std::vector<trace::Message> out;
    for (std::uint32_t i = below(4); i > 0; --i) out.push_back({text(), lane(), lane(), value()});
    return out;
  };
  const bool threads = below(3) == 0;  // that run source text and send no messages
  trace.initial = fields();
  for (std::uint32_t i = below(6); i > 0; --i) {
    trace::Step step;
    step.lane = lane();
    step.name = text();
    step.kind = *rc::gen::element<std::string>("step", "timeout", "deliver", "crash", "recover", "lose", "duplicate",
                                               "partition", "heal", "byzantine", "a kind of tomorrow");
    if (below(3) == 0) step.choice = "[" + value() + "]";
    if (!threads) step.received = messages();
    if (!threads) step.sent = messages();
    for (std::uint32_t k = below(3); k > 0; --k) {
      step.operations.push_back(
          {*rc::gen::element(trace::Operation::Kind::Invoke, trace::Operation::Kind::Return), lane(), value()});
      step.calls.push_back({text(), text(), *rc::gen::element<std::string>("accepted", "stutter", "rejected")});
      step.diffs.push_back({lane(), text(), value(), value()});
    }
    const auto place = [&] { return trace::Place{text(), below(3), below(3), text()}; };
    if (threads || below(5) == 0) {
      step.place = place();
      for (std::uint32_t k = below(3); k > 0; --k) step.place.stack.push_back(place());
      for (std::uint32_t k = below(3); k > 0; --k) {
        const std::string kind = *rc::gen::element<std::string>("read", "write", "free", "lock", "start", "a new one");
        step.accesses.push_back(
            {text(), text(), kind, below(2) == 0 ? "" : value(), below(2) == 0 ? "" : value(), place()});
      }
      step.output = text();
    }
    trace.steps.push_back(step);
  }
  trace.final = fields();
  trace.verdict = *rc::gen::element<std::string>("holds", "violated", "unknown");
  trace.property = text();
  trace.explanation = fields();
  return trace;
}

}  // namespace heddle::report
