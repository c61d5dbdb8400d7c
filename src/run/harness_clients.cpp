// Parses the switches about clients, counts how each client ended, and makes failing ones smaller.
#include "run/harness_clients.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "core/model_error.h"
#include "native/enumerate_clients.h"
#include "report/numbers.h"
#include "run/client_outcomes.h"
#include "run/errors.h"
#include "run/suggestions.h"

namespace heddle::run {
namespace {

std::string given_switch(const Switches& switches, const std::string& name) {
  const auto found = switches.find(name);
  return found == switches.end() ? "" : found->second;
}

std::uint64_t number_of(const Switches& switches, const std::string& name, std::uint64_t least, std::uint64_t most,
                        std::uint64_t otherwise) {
  const std::string given = given_switch(switches, name);
  if (given.empty()) return otherwise;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), value);
  if (error != std::errc() || end != given.data() + given.size() || value < least || value > most) {
    throw UsageError(fmt::format("--{} {}: it is a number from {} to {}", name, given, least, most));
  }
  return value;
}

native::ClientBounds bounds_of(const Switches& switches) {
  using native::Client;
  native::ClientBounds bounds;
  bounds.threads = static_cast<std::uint32_t>(number_of(switches, "client-threads", 2, Client::most_threads, 2));
  bounds.calls = static_cast<std::uint32_t>(number_of(switches, "calls", 1, Client::most_calls, 2));
  bounds.values = static_cast<std::uint32_t>(number_of(switches, "values", 1, 100, 2));
  bounds.most = number_of(switches, "clients", 1, 1'000'000, bounds.most);
  bounds.seed = number_of(switches, "client-seed", 0, ~std::uint64_t{0}, bounds.seed);
  return bounds;
}

void refuse_client_switches(const Switches& switches, const std::string& why) {
  for (const char* name : {"client", "client-threads", "calls", "values", "clients", "client-seed", "granularity",
                           "history", "linearizable"}) {
    if (switches.contains(name)) throw UsageError(fmt::format("{}; drop --{}", why, name));
  }
}

}  // namespace

ChosenClients choose_clients(const std::string& file, const std::optional<native::Harness>& harness,
                             const Switches& switches) {
  if (!harness) {
    refuse_client_switches(switches, file + " has no harness");
    return {};
  }
  if (switches.contains("client")) {
    for (const char* name : {"client-threads", "calls", "values", "clients", "client-seed"}) {
      if (switches.contains(name)) throw UsageError(fmt::format("--client says it all; drop --{}", name));
    }
    try {
      return {{native::parse_client(switches.at("client"), *harness)}, "this client", false};
    } catch (const native::ClientError& error) {
      throw UsageError(fmt::format("--client: {}", error.what()));
    }
  }
  const native::ClientBounds bounds = bounds_of(switches);
  native::Clients clients = native::enumerate_clients(*harness, bounds);
  const auto counted = [](std::uint64_t n, const char* what) { return report::counted(n, what); };
  std::string which = clients.complete() ? fmt::format("all {}", counted(clients.list.size(), "client"))
                                         : fmt::format("{} of about {:.3g} clients", clients.list.size(), clients.all);
  which += fmt::format(" of at most {}, {} each, {}", counted(bounds.threads, "thread"), counted(bounds.calls, "call"),
                       counted(bounds.values, "value"));
  const bool sampled = !clients.complete();
  return {std::move(clients.list), std::move(which), sampled};
}

const Specification& fitting_specification(const std::string& name, const native::Harness& harness) {
  const Specification* const found = find_specification(name);
  if (found == nullptr) {
    std::vector<std::string> names;
    for (const Specification* one : specifications()) names.emplace_back(one->name());
    const std::string meant = did_you_mean(name, names);
    throw UsageError(fmt::format("--linearizable: there is no object '{}'{} There are {}", name,
                                 meant.empty() ? "." : meant, listed(names)));
  }
  const std::vector<std::string> missing = native::methods_without(*found, harness);
  if (missing.empty()) return *found;
  std::string remedy;
  for (const Specification* one : specifications()) {
    if (!native::methods_without(*one, harness).empty()) continue;
    remedy += fmt::format("{}--linearizable {}", remedy.empty() ? "" : " or ", one->name());
  }
  throw UsageError(fmt::format(
      "--linearizable {}: the harness has {}, which is no operation of a {}; {}", name, missing.front(), found->name(),
      remedy.empty() ? "no object of the library has all its methods, but --history compares with the class itself"
                     : remedy + " would fit"));
}

native::SystemOptions with_clients(const std::shared_ptr<const native::Image>& image, const HarnessSettings& settings,
                                   std::vector<native::Client> clients) {
  native::SystemOptions options = settings.system;
  if (clients.empty()) return options;
  options.clients = std::move(clients);
  const native::Harness harness = native::harness_of(*image).value();
  // The class itself, run by the judge, knows which calls may wait; a specification does not.
  if (!settings.histories || settings.specification != nullptr) {
    options.admitted = std::make_shared<const std::vector<std::set<std::string>>>(
        sequential_outcomes(image, options, settings.limits));
  }
  if (settings.specification != nullptr) {
    options.judge = native::judge_by_specification(image, harness, *settings.specification);
  } else if (settings.histories) {
    options.judge = native::judge_by_library(image, harness, options.clients);
  }
  return options;
}

void ClientSurvey::note(const native::System& system, std::span<const Slot> state) {
  // A search that took threads to be alike by mistake is made again, and what it found is not believed.
  if (auto alike = system.alike(); alike != alike_) {
    rows_.clear();
    alike_ = std::move(alike);
  }
  Row& row = rows_[system.client(state)];
  if (row.client.empty()) row.client = system.client_text(state);
  const std::uint64_t bits = system.evaluate(state, ~std::uint64_t{0});
  bool fails = false;
  for (std::size_t i = 0; i < system.properties().size(); ++i) {
    if ((bits >> i & 1) != 0) continue;
    row.kinds.insert(system.properties()[i].name);
    fails = true;
  }
  if (const auto outcome = system.outcome(state)) {
    (fails ? row.bad : row.good).merge(system.renamed_outcomes(system.client(state), *outcome));
  }
}

std::vector<report::FailingClient> ClientSurvey::failing() const {
  std::vector<report::FailingClient> out;
  for (const auto& [number, row] : rows_) {
    if (row.kinds.empty()) continue;
    out.push_back({row.client,
                   {row.kinds.begin(), row.kinds.end()},
                   {row.good.begin(), row.good.end()},
                   {row.bad.begin(), row.bad.end()}});
  }
  return out;
}

}  // namespace heddle::run
