// What a user names after `heddle check`: a model of the library, a model in a .cpp file, a net in a .net or .pnml file.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "actor/actor_system.h"
#include "cli/switches.h"
#include "core/transition_system.h"
#include "heddle/model.h"

namespace heddle::cli {

struct ModelSource {
  std::string file;                      // empty for a model of the library
  std::optional<Definition> definition;  // none for a net
};

// `model` chooses one of several models in a .cpp file; empty: there is only one. If it is merely `preferred`, the only model
// of a file may have another name. Throws UsageError, with the names that are closest, if there is no such model, and
// ModelError if the file is no model.
ModelSource find_source(const std::string& given, const std::string& model, bool preferred = false);

// As on the command line.
struct RunSettings {
  std::map<std::string, std::string> parameters;
  std::string bug;
  Switches switches;
  ActorOptions actor;
};

// A model ready to run, and the settings that are in force: defaults included.
struct Instance {
  std::string model;
  std::map<std::string, std::string> parameters;
  std::string bug;
  std::string broken_by_bug;  // the property it breaks
  std::map<std::string, std::string>
      options;  // as trace::Trace has them: switches, and "file" unless it is the library's
  std::unique_ptr<TransitionSystem> system;

  // "paxos (acceptors=3, learners=1, proposers=2), bug accept_always; loss=1, network=fifo".
  std::string title() const;
};

// Throws UsageError or ModelError. Where a bug is switched on, parameters that were not given are those that show it.
Instance make_instance(const ModelSource& source, const RunSettings& settings);

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

}  // namespace heddle::cli
