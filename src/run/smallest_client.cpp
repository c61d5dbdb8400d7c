// Delta debugging of clients: drop a thread, drop a call, lower an argument, as long as the same property fails.
#include <algorithm>

#include "core/model_error.h"
#include "core/remaining.h"
#include "reduce/reduced_search.h"
#include "run/errors.h"
#include "run/harness_clients.h"

namespace heddle::run {
namespace {

class Shrinking {
 public:
  Shrinking(const std::shared_ptr<const native::Image>& image, const HarnessSettings& settings,
            const std::string& property, const Limits& limits)
      : image_(image), settings_(settings), property_(property), budget_(limits) {}

  std::optional<SmallestClient> run(native::Client client) {
    std::optional<SmallestClient> best;
    for (bool smaller = true; smaller;) {
      smaller = false;
      for (const native::Client& candidate : candidates_of(client)) {
        std::optional<SmallestClient> found = failing(candidate);
        if (!found) continue;
        client = candidate;
        best = std::move(found);
        smaller = true;
        break;
      }
    }
    return best;
  }

 private:
  static std::vector<native::Client> candidates_of(const native::Client& client) {
    std::vector<native::Client> out;
    for (std::size_t t = 0; t < client.threads.size() && client.threads.size() > 1; ++t) {
      out.push_back(client);
      out.back().threads.erase(out.back().threads.begin() + static_cast<std::ptrdiff_t>(t));
    }
    for (std::size_t t = 0; t < client.threads.size(); ++t) {
      const auto& calls = client.threads[t];
      for (std::size_t c = 0; c < calls.size() && calls.size() > 1; ++c) {
        out.push_back(client);
        out.back().threads[t].erase(out.back().threads[t].begin() + static_cast<std::ptrdiff_t>(c));
      }
    }
    for (std::size_t t = 0; t < client.threads.size(); ++t) {
      for (std::size_t c = 0; c < client.threads[t].size(); ++c) {
        for (std::size_t i = 0; i < client.threads[t][c].arguments.size(); ++i) add_lower(client, t, c, i, out);
      }
    }
    return out;
  }
  // 0, half of it, one less.
  static void add_lower(const native::Client& client, std::size_t thread, std::size_t call, std::size_t argument,
                        std::vector<native::Client>& out) {
    const std::int32_t value = client.threads[thread][call].arguments[argument];
    if (value == 0) return;
    for (const std::int32_t lower : std::set<std::int32_t>{0, value / 2, value > 0 ? value - 1 : value + 1}) {
      out.push_back(client);
      out.back().threads[thread][call].arguments[argument] = lower;
    }
  }

  std::optional<SmallestClient> failing(const native::Client& client) {
    if (!budget_.check(0)) return std::nullopt;
    try {
      SmallestClient out;
      out.client = client;
      HarnessSettings how = settings_;
      how.limits = remaining(budget_);
      out.system = std::make_unique<native::System>(image_, with_clients(image_, how, {client}));
      SearchOptions search;
      search.stop_at_violation = false;  // another property may fail first
      search.limits = remaining(budget_);
      ReductionPlan plan;
      plan.safe = true;
      ReductionReport report;
      const SearchResult result = reduced_search(*out.system, search, plan, report);
      for (const Finding& one : result.violations) {
        if (out.system->properties()[one.property].name != property_) continue;
        out.finding = one;
        return out;
      }
    } catch (const ModelError&) {
      // The smaller client cannot be run. The larger one can.
    } catch (const Stopped&) {
      // The limits were too narrow.
    }
    return std::nullopt;
  }

  const std::shared_ptr<const native::Image>& image_;
  const HarnessSettings& settings_;
  const std::string& property_;
  Budget budget_;
};

}  // namespace

std::optional<SmallestClient> smallest_client(const std::shared_ptr<const native::Image>& image,
                                              const HarnessSettings& settings, const native::Client& client,
                                              const std::string& property, const Limits& limits) {
  return Shrinking(image, settings, property, limits).run(client);
}

}  // namespace heddle::run
