// The table of doors: everything that Heddle can open, a row each.
//
//   const Source source = open("paxos");           // by the first row that accepts it
//   taken_by("check")                              // what `heddle check` takes
//
// A new door is a row here, a folder that makes a TransitionSystem, and nothing else. A row may stand for files that
// are not transition systems (recorded histories, logs of calls). It then says which command takes them and what
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
  std::string model = {};  // chooses one of several models in a file; empty: the file has only one
  bool preferred = false;  // `model` is a wish: if the file has only one model, its name may be another
};

struct Door {
  std::string name;      // "net"
  std::string commands;  // separated by spaces
  std::string takes;     // for --help: "a .net or .pnml file"
  std::string reads;     // for errors: "nets in .net and .pnml files"; empty: no files
  std::function<bool(const std::string& given)> accepts = {};
  // The groups of switches (switches.h), and the single switches, that mean something here. "model" stands for
  // parameters and bugs.
  std::vector<std::string> options = {};
  std::string lacks = {};  // for errors: why the others mean nothing: "a net has no messages and processes"
  // Throws UsageError or ModelError. None: the command reads the file itself.
  std::function<Source(const Given&)> open = {};
  bool told = false;           // runs say which door was taken, because the file could be another's, too
  std::string component = {};  // the program beside `heddle` that this door needs; empty: none

  bool of(const std::string& command) const;
  bool has_option(const std::string& option) const;
};

const std::vector<Door>& doors();

// Returns what a command takes: "A library model (`heddle models`), a model's .cpp file, a .net or .pnml file".
std::string taken_by(const std::string& command, const std::vector<Door>& table = doors());

// Opens what the user named. Throws UsageError, with the closest names, if no door accepts it, and ModelError if the
// file's content is wrong.
Source open(const Given& given, const std::vector<Door>& table = doors());
Source open(const std::string& given, const std::string& model = "");

}  // namespace heddle::run
