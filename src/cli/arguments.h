// Holds what the user gave on the command line, as structs.
//
// Every part of the program that has options declares a struct for them: a command, the output, a door. The option
// table (option_table.h) says which option sets which member. Parsing fills in the structs, and each part asks for
// its struct by type. So a new door brings a struct and rows, and nothing between the command line and the door
// changes.
//
//   const OutputOptions output = given.of<OutputOptions>();
//
// The initializers of the members are the options' defaults.
#pragma once

#include <any>
#include <map>
#include <set>
#include <string>
#include <typeindex>

namespace heddle::cli {

class Arguments {
 public:
  template <class Struct>
  Struct of() const {
    const auto part = parts_.find(typeid(Struct));
    return part == parts_.end() ? Struct{} : std::any_cast<const Struct&>(part->second);
  }
  // For parsing, which sets the members.
  template <class Struct>
  Struct& of() {
    std::any& part = parts_[typeid(Struct)];
    if (!part.has_value()) part.emplace<Struct>();
    return std::any_cast<Struct&>(part);
  }

  // The options that a trace or the JSON of a run records, by name, as text: {"network": "fifo", "loss": "1"}.
  std::map<std::string, std::string> recorded;
  // The names of all options that the user gave, whatever their values.
  std::set<std::string> named;

 private:
  std::map<std::type_index, std::any> parts_;
};

}  // namespace heddle::cli
