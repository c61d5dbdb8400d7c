// Protocols in C++ as the user names them: models of the library, and models in .cpp files, which are compiled and loaded
// (compile_model.h).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "heddle/model.h"
#include "run/doors.h"

namespace heddle::run {

bool is_source_file(const std::string& given);

// REQUIRES: the library has a model of that name. Throws UsageError if another model is wished for.
Source open_library(const Given& given);
// Throws UsageError, with the names there are, if the file has not the model wished for, and ModelError if it is not a model.
Source open_source_file(const Given& given);
// A model that is not in the library, by its definition.
Source open_definition(const Definition& definition);

// A model that has been built already, as it is.
Instance instance_of(Model model);

// Throws UsageError where --model chooses something although no file was given.
void check_wish(const Given& given);

// "k=v" texts to pairs; throws UsageError.
std::map<std::string, std::string> parse_parameters(const std::vector<std::string>& texts);

// The value of every parameter when the given ones are overridden.
std::map<std::string, std::string> all_parameters(const Definition& definition,
                                                  const std::map<std::string, std::string>& given);

// Throws ModelError if a bug is said to break a property that neither `model` nor the model with that bug has.
void check_bugs(const Definition& definition, const Model& model);

const Bug* find_bug(const Definition& definition, const std::string& name);

// "acceptors (3, from 1 to 9), messages (quorum or single)".
std::string parameters_text(const Definition& definition);

std::vector<std::string> library_names();

}  // namespace heddle::run
