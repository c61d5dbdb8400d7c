// The doors to protocols in C++: models of the library by name, and models in .cpp files, which are compiled and loaded
// (compile_model.h).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "heddle/model.h"
#include "run/doors.h"

namespace heddle::run {

bool is_source_file(const std::string& given);

// REQUIRES: the library has a model of that name. Throws UsageError if --model names another one.
Source open_library(const Given& given);
// Throws as load_models does, and UsageError, with the names of the file's models, if none of them is the wanted one.
Source open_source_file(const Given& given);
// Opens a model that is not in the library.
Source open_definition(const Definition& definition);

// Wraps a model that has been built already, with its settings as they are.
Instance instance_of(Model model);

// Throws UsageError if --model chooses a model although no file was given.
void check_wish(const Given& given);

// Splits texts of the form "k=v". Throws UsageError for any other form.
std::map<std::string, std::string> parse_parameters(const std::vector<std::string>& texts);

// Returns the value of every parameter: the given one, or the default.
std::map<std::string, std::string> all_parameters(const Definition& definition,
                                                  const std::map<std::string, std::string>& given);

// Throws ModelError if a bug claims to break a property that neither `model` nor the model with that bug has.
void check_bugs(const Definition& definition, const Model& model);

const Bug* find_bug(const Definition& definition, const std::string& name);

// "acceptors (3, from 1 to 9), messages (quorum or single)".
std::string parameters_text(const Definition& definition);

std::vector<std::string> library_names();

}  // namespace heddle::run
