// How a model enters the library: by its name, its parameters and bugs, and the function that builds it
// (model.h shows one).
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

class Model;

// Values of parameters by name.
struct Settings : std::map<std::string, std::string> {
  Settings();
  Settings(std::initializer_list<value_type> values);          // NOLINT: written in braces
  Settings(const std::map<std::string, std::string>& values);  // NOLINT: as good
  Settings(const Settings&);
  Settings& operator=(const Settings&);
  ~Settings();
};

struct Parameter {
  Parameter(std::string n, long value, long low, long high, std::string text);
  // The first choice is the default.
  Parameter(std::string n, std::vector<std::string> options, std::string text);
  Parameter(const Parameter&);
  Parameter& operator=(const Parameter&);
  ~Parameter();

  std::string name;
  std::string fallback;
  long least = 0, most = 0;
  std::vector<std::string> choices;  // empty for integers
  std::string help;
};

struct Bug {
  std::string name;
  std::string property;      // the property it breaks
  Settings parameters = {};  // the smallest parameters that show it, where they differ from the defaults
  std::string help = {};
};

// What a complete search without reductions must find; checked by the tests.
struct Expected {
  Settings parameters = {};
  std::size_t states = 0;
  std::size_t transitions = 0;  // 0: not given
  std::size_t deadlocks = 0;
  std::string source = {};  // where the figure comes from
};

struct Definition {
  std::string name;
  std::string summary;
  std::vector<Parameter> parameters = {};
  std::vector<Bug> bugs = {};
  std::vector<Expected> expected = {};
  std::vector<std::string> violates = {};  // properties that the protocol breaks without any bug, being wrong by itself
  std::function<void(Model&)> build;
};

// Puts a model into the library when the program (or the shared object of a single-file model) is loaded.
class Register {
 public:
  explicit Register(Definition definition);
};

const std::vector<Definition>& library();
const Definition* find_model(std::string_view name);

}  // namespace heddle

// Made by the program, not by every model again.
extern template class std::vector<heddle::Bug>;
extern template class std::vector<heddle::Expected>;
