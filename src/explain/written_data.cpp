// Collects the bytes that somebody writes, and drops all other accesses.
#include "explain/written_data.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

namespace heddle::explain {
namespace {

using Bytes = std::pair<std::uint32_t, std::uint32_t>;  // begin, end

// Ascending, without overlaps.
void unite(std::vector<Bytes>& all) {
  std::ranges::sort(all);
  std::vector<Bytes> out;
  for (const Bytes& one : all) {
    if (!out.empty() && one.first <= out.back().second) {
      out.back().second = std::max(out.back().second, one.second);
    } else {
      out.push_back(one);
    }
  }
  all = std::move(out);
}

}  // namespace

void drop_unwritten(RecordedExecution& execution) {
  std::map<std::uint32_t, std::vector<Bytes>> written;  // by object
  for (const Action& action : execution.actions) {
    for (const DataAccess& x : action.accesses) {
      if (x.write) written[x.object].emplace_back(x.begin, x.end);
    }
  }
  for (auto& [object, bytes] : written) unite(bytes);
  const auto is_data = [&](const DataAccess& x) {
    const auto found = written.find(x.object);
    if (found == written.end()) return false;
    const auto after = std::ranges::upper_bound(found->second, x.begin, {}, &Bytes::second);
    return after != found->second.end() && after->first < x.end;
  };
  for (Action& action : execution.actions) std::erase_if(action.accesses, std::not_fn(is_data));
  std::erase_if(execution.actions,
                [](const Action& action) { return action.kind == Action::Kind::Data && action.accesses.empty(); });
}

}  // namespace heddle::explain
