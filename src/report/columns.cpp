// Tries limits on widths in the order of preference, and leaves out quiet lanes where none fits.
#include "report/columns.h"

#include <algorithm>
#include <numeric>

namespace heddle::report {
namespace {

constexpr int narrowest = 9;     // "accep… 1" and a gap
constexpr int comfortable = 12;  // "acceptor 1" and a gap
constexpr int widest = 26;       // longer text runs over the next lifelines, which looks better than empty columns
constexpr int beside_text = 3;   // the lifeline, a space before the text, a space after it

// How wide the last column and the gap under an arrow may become, provided that the limit on the other columns stays at
// least `text`. The first preference that fits is taken.
struct Preference {
  int text, last, arrow;
};
constexpr Preference preferences[] = {
    {16, 48, 32},          {16, 40, 26},        {comfortable, 32, 26},     {comfortable, 26, 20},
    {comfortable, 26, 17}, {narrowest, 26, 14}, {narrowest, 26, narrowest}};

std::vector<int> widths(const std::vector<LaneNeed>& needs, const std::vector<std::uint32_t>& lanes, Preference limit) {
  std::vector<int> out;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const LaneNeed& need = needs[lanes[i]];
    const bool last = i + 1 == lanes.size();
    // Arrows to the next lane count only if that lane is drawn next to this one.
    const bool next_to_it = !last && lanes[i + 1] == lanes[i] + 1;
    const int text = std::min(need.text + beside_text, last ? limit.last : limit.text);
    const int arrow = next_to_it ? std::min(need.to_next, limit.arrow) : 0;
    out.push_back(std::max({narrowest, text, arrow}));
  }
  return out;
}

// Returns limits under which `lanes` fit into `room`; a text limit of 0 means that there are none.
Preference best_limits(const std::vector<LaneNeed>& needs, const std::vector<std::uint32_t>& lanes, int room) {
  for (const Preference& preference : preferences) {
    for (int text = widest; text >= preference.text; --text) {
      const Preference limit{text, std::max(text, preference.last), preference.arrow};
      const std::vector<int> all = widths(needs, lanes, limit);
      if (std::accumulate(all.begin(), all.end(), 0) <= room) return limit;
    }
  }
  return {0, 0, 0};
}

}  // namespace

std::optional<Columns> lay_out(const std::vector<LaneNeed>& needs, int begin, int end) {
  std::vector<std::uint32_t> lanes;
  for (std::uint32_t lane = 0; lane < needs.size(); ++lane) {
    if (needs[lane].takes_part || needs[lane].always_drawn) lanes.push_back(lane);
  }
  Preference limits = best_limits(needs, lanes, end - begin);
  Columns columns;
  if (limits.text < comfortable) {
    std::vector<std::uint32_t> active;
    for (const std::uint32_t lane : lanes) (needs[lane].takes_part ? active : columns.left_out).push_back(lane);
    if (active.empty()) active.swap(columns.left_out);
    lanes = active;
    limits = best_limits(needs, lanes, end - begin);
  }
  if (limits.text == 0) return std::nullopt;

  columns.lifeline.assign(needs.size(), Columns::absent);
  const std::vector<int> all = widths(needs, lanes, limits);
  int position = begin;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    columns.lifeline[lanes[i]] = position;
    position += all[i];
  }
  return columns;
}

}  // namespace heddle::report
