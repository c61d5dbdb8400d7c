// The clients of a harness (include/heddle/native.h): which ones a run checks, what their results are compared with,
// and which smaller client fails in the same way.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "check/specification.h"
#include "core/budget.h"
#include "core/path.h"
#include "native/system.h"
#include "report/program_report.h"
#include "run/switches.h"

namespace heddle::run {

// How clients are run.
struct HarnessSettings {
  native::SystemOptions system = {};             // without clients
  bool histories = false;                        // compare the order of real time, too
  const Specification* specification = nullptr;  // ... with this object; null: with the class itself
  Limits limits = {};                            // of the search for the outcomes that clients may have
};

// The clients of a run, and what the report says about them.
struct ChosenClients {
  std::vector<native::Client> list;
  std::string text;      // "this client", "all 78 clients of at most ..."
  bool sampled = false;  // there are more within the bounds
};

// Throws UsageError for a client that is not one, and for bounds that contradict each other.
ChosenClients choose_clients(const std::string& file, const std::optional<native::Harness>& harness,
                             const Switches& switches);

// Returns the specification that --linearizable names. Throws UsageError if there is no such specification, or the
// harness has methods that it lacks.
const Specification& fitting_specification(const std::string& name, const native::Harness& harness);

// Returns the settings with the clients and what they are compared with.
native::SystemOptions with_clients(const std::shared_ptr<const native::Image>& image, const HarnessSettings& settings,
                                   std::vector<native::Client> clients);

// Notes of every client how its runs end. Not thread-safe.
class ClientSurvey {
 public:
  // A state without steps.
  void note(const native::System& system, std::span<const Slot> state);
  // The clients that fail, in the order of the system's.
  std::vector<report::FailingClient> failing() const;

 private:
  struct Row {
    std::string client;
    std::set<std::string> kinds, good, bad;
  };
  std::map<std::size_t, Row> rows_;
  std::vector<std::vector<std::uint32_t>> alike_;  // System::alike
};

// A client from which no call can be taken, and of which no argument can be lowered, such that the property is still
// false in some run.
struct SmallestClient {
  native::Client client;
  std::unique_ptr<native::System> system;
  Finding finding;
};
// None: the client itself is such a one, or the limits were too narrow to find out.
std::optional<SmallestClient> smallest_client(const std::shared_ptr<const native::Image>& image,
                                              const HarnessSettings& settings, const native::Client& client,
                                              const std::string& property, const Limits& limits);

}  // namespace heddle::run
