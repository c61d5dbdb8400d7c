// A model that people step through: what a path leads to, what can happen there, what cannot and why, what holds.
//
//   Exploration exploration(instance, {}, "heddle explore lock");
//   exploration.look({.initial = 0, .choices = {2, 0}});      // JSON, for a window
//
// Nothing is kept between calls: a window has its path, and the states of the path are computed anew each time. So
// there may be any number of windows, and one that is opened again with its address shows what it showed.
// Handlers that fail lead to a state that says so, as in a search that has met one (core/user_code.h).
// Not thread-safe: one thread runs the model.
#pragma once

#include <memory>
#include <string>

#include "core/path.h"
#include "core/trace.h"
#include "request.h"
#include "run/source.h"

namespace heddle::explorer {

class Exploration {
 public:
  // `command` is what the user has typed.
  Exploration(run::Instance instance, run::BuildOptions build, std::string command);

  const run::Instance& instance() const { return instance_; }

  // {"finding": the document of a page (report/page.h) whose trace is the path, "at": the position,
  //  "starts": a text for each initial state, if there are several; at most 200,
  //  "enabled": a trace whose steps are those that are possible, the n-th by choice n; at most 500,
  //  "left_out": how many more there are,
  //  "missing": [{"lane", "name", "why"}], "properties": [{"name", "kind", "here"}]}
  // These functions throw Refusal if the model has no such path, and ModelError for a mistake in the model.
  std::string look(const Position& position);
  trace::Trace trace(const Position& position);
  // Returns the path of a run that was found elsewhere in the same model. Throws Refusal if it is none.
  Position position_of(const trace::Trace& trace);

 private:
  struct Walk {
    Path path;
    std::vector<SlotVector> states;
  };
  Walk walk(const Position& position) const;
  trace::Trace trace_of(const Walk& walk) const;
  std::string properties_at(std::span<const Slot> state, bool final) const;
  std::string starts() const;

  run::Instance instance_;
  std::string command_;
  std::unique_ptr<TransitionSystem> system_;
};

}  // namespace heddle::explorer
