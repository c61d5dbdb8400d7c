// What the user gave on the command line, as structs.
//
// Every part of the program that has options has a struct of its own for them: a command, the output, a door. The option
// table (option_table.h) says which option sets which member. Parsing fills the structs in; whoever declared a struct asks
// for it by its type. So a new door brings a struct and rows, and nothing between the command line and the door changes.
//
//   const OutputOptions output = given.of<OutputOptions>();
//
// A struct that no option has set is as its members' initializers say: these are the options' defaults.
#pragma once

#include <any>
#include <map>
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
  // To be set.
  template <class Struct>
  Struct& of() {
    std::any& part = parts_[typeid(Struct)];
    if (!part.has_value()) part.emplace<Struct>();
    return std::any_cast<Struct&>(part);
  }

  // The options that a trace or the JSON of a run records, by name, as text: {"network": "fifo", "loss": "1"}.
  std::map<std::string, std::string> recorded;

 private:
  std::map<std::type_index, std::any> parts_;
};

}  // namespace heddle::cli
