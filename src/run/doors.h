// The table of doors: everything that Heddle can open, a row each.
//
//   const Source source = open("paxos");          // by the first row that accepts it
//   doors_of("check")                              // what `heddle check` takes
//
// A new door is a row here, a folder that makes a TransitionSystem, and nothing else. A row may also stand for files of a
// command that has no transition system (recorded histories, logs of calls): it says to which command they belong and what
// --help calls them; the command reads them itself.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "run/source.h"

namespace heddle::run {

// What the user has named.
struct Given {
  std::string text = {};   // a name or a file
  std::string model = {};  // chooses one of several models in a file; empty: there is only one
  bool preferred = false;  // `model` is a wish: the only model of a file may have another name
};

struct Door {
  std::string name;      // "net"
  std::string commands;  // separated by spaces
  std::string takes;     // for --help: "a .net or .pnml file"
  std::string reads;     // for errors: "nets in .net and .pnml files"; empty: no files
  std::function<bool(const std::string& given)> accepts = {};
  // Of the options of the commands, which groups (switches.h), or which single switches, mean something here. "model" stands for
  // parameters and bugs.
  std::vector<std::string> options = {};
  std::string lacks = {};  // for errors, why others do not: "a net has no messages and processes"
  // Throws UsageError or ModelError. None: the command reads the file itself.
  std::function<Source(const Given&)> open = {};
  std::string component = {};  // the program beside `heddle` that this door needs; empty: none

  bool of(const std::string& command) const;
  bool has_option(const std::string& name) const;
};

const std::vector<Door>& doors();

// "A library model (`heddle models`), a model's .cpp file, a .net or .pnml file".
std::string taken_by(const std::string& command, const std::vector<Door>& table = doors());

// Throws UsageError, with the names that are closest, if no door accepts it, and ModelError if a file is not what it should be.
Source open(const Given& given, const std::vector<Door>& table = doors());
Source open(const std::string& given, const std::string& model = "");

}  // namespace heddle::run
