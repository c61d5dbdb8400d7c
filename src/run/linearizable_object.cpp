// Compares the words of names, and if they say nothing, the operations that happen in a few states.
#include "run/linearizable_object.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>
#include <vector>

#include "check/model_history.h"
#include "check/specification.h"
#include "core/facets/histories.h"
#include "explore/search.h"
#include "history/trace.h"
#include "run/errors.h"
#include "run/suggestions.h"

namespace heddle::run {
namespace {

// "SequentialRegister", "key_value_store" -> " sequential register ", " key value store ".
std::string words_of(std::string_view name) {
  std::string out = " ";
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    const bool begins = std::isupper(c) != 0 && i > 0 && std::isupper(static_cast<unsigned char>(name[i - 1])) == 0;
    if ((begins || std::isalnum(c) == 0) && out.back() != ' ') out += ' ';
    if (std::isalnum(c) != 0) out += static_cast<char>(std::tolower(c));
  }
  return out.back() == ' ' ? out : out + ' ';
}

// Returns the object of the library that a name speaks of; empty if there is none. The longest match counts, so that a
// priority queue is not taken for a queue.
std::string object_named_in(std::string_view name) {
  struct Synonym {
    const char* words;
    const char* object;
  };
  constexpr Synonym synonyms[] = {{" key value store ", "map"}, {" kv store ", "map"},  {" kv ", "map"},
                                  {" dictionary ", "map"},      {" cell ", "register"}, {" fifo ", "queue"}};
  const std::string words = words_of(name);
  std::string best, best_words;
  const auto consider = [&](const std::string& candidate, std::string_view object) {
    if (words.find(candidate) == words.npos || candidate.size() <= best_words.size()) return;
    best = object;
    best_words = candidate;
  };
  for (const Specification* one : specifications()) consider(words_of(one->name()), one->name());
  for (const Synonym& one : synonyms) consider(one.words, one.object);
  return best;
}

// Returns the objects that have all operations in a sample of the model's states; none if the operations have no names.
std::vector<std::string> objects_by_operations(const TransitionSystem& system, const Histories& source,
                                               std::size_t property) {
  RecordedHistory named;
  std::set<std::string, std::less<>> known;
  for (const SlotVector& state : sample_states(system, {.seconds = 0.5, .depth = 100})) {
    const auto met = source.history_of(property, state);
    if (met == nullptr) continue;
    for (const RecordedOperation& operation : met->history.operations) {
      const std::string_view json = met->history.values.as_text(operation.argument);
      if (!known.emplace(json).second) continue;
      const auto call = history::named_call(json, named.values);
      if (!call) return {};
      named.invoke(named.process("0"), named.name(call->function), call->key, call->argument);
    }
  }
  std::vector<std::string> out;
  for (const Specification* one : specifications()) {
    const bool fits = std::ranges::none_of(named.operations, [&](const RecordedOperation& operation) {
      return one->reject(named, operation).has_value();
    });
    if (fits && !named.operations.empty()) out.emplace_back(one->name());
  }
  return out;
}

}  // namespace

void check_linearizable(const std::string& object, const Instance& instance, const TransitionSystem& system,
                        const std::function<void(const std::string&)>& say) {
  const std::uint64_t which = history_properties_of(system);
  const Histories* const source = system.histories();
  if (which == 0 || source == nullptr) {
    throw UsageError(fmt::format(
        "--linearizable {}: {} does not say what its clients may see; have them call Invoke and Return, and state "
        "m.linearizable<Specification, Operation>(\"linearizability\") with a struct that is the sequential {}",
        object, instance.model, object));
  }
  const Specification* wanted = find_specification(object);
  if (wanted == nullptr) {
    std::vector<std::string> names;
    for (const Specification* one : specifications()) names.emplace_back(one->name());
    const std::string meant = did_you_mean(object, names);
    throw UsageError(fmt::format("--linearizable: there is no object '{}'{} There are {}", object,
                                 meant.empty() ? "." : meant, listed(names)));
  }
  const SlotVector initial = system.initial_states()[0];
  for (std::size_t i = 0; i < system.properties().size(); ++i) {
    if ((which >> i & 1) == 0) continue;
    const std::string specification(source->history_of(i, initial)->specification->name());
    std::vector<std::string> fitting;
    if (const std::string named = object_named_in(specification); !named.empty()) {
      fitting = {named};
    } else {
      fitting = objects_by_operations(system, *source, i);
    }
    if (const std::string named = object_named_in(instance.model); fitting.empty() && !named.empty()) {
      fitting = {named};
    }
    if (fitting.empty()) {
      throw UsageError(
          fmt::format("--linearizable {}: nothing tells which object {} of {} is; call the struct after it, give "
                      "operations an enum "
                      "field `kind`, or leave --linearizable out",
                      object, specification, instance.model));
    }
    if (std::ranges::find(fitting, wanted->name()) == fitting.end()) {
      std::string remedy;
      for (const std::string& one : fitting) remedy += (remedy.empty() ? "" : " or ") + ("--linearizable " + one);
      throw UsageError(
          fmt::format("--linearizable {}: the clients of {} are compared with its own {}, which is no {}; {} "
                      "would fit",
                      object, instance.model, specification, wanted->name(), remedy));
    }
    say(fmt::format("{}: every history is compared with {}, the model's own sequential {}", system.properties()[i].name,
                    specification, wanted->name()));
  }
}

}  // namespace heddle::run
