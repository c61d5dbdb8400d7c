// Distances between names after folding, the nearest first.
#include "run/suggestions.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace heddle::run {
namespace {

constexpr std::size_t most_suggestions = 3;

// Returns the least number of insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

// Drops underscores, dashes and capitals, because nobody remembers where they are.
std::string letters(std::string_view name) {
  std::string all;
  for (const char c : name) {
    if (c != '_' && c != '-') all += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return all;
}

}  // namespace

std::vector<std::string> nearest(std::string_view name, const std::vector<std::string>& names) {
  std::vector<std::pair<std::size_t, std::string>> close;
  for (const std::string& candidate : names) {
    const std::string a = letters(name), b = letters(candidate);
    const std::size_t distance = edits(a, b);
    const bool contained = a.size() >= 3 && !b.empty() && (b.find(a) != b.npos || a.find(b) != a.npos);
    if (distance <= 1 + name.size() / 4) {
      close.emplace_back(distance, candidate);
    } else if (contained) {
      close.emplace_back(100 + distance, candidate);
    }
  }
  std::ranges::stable_sort(close, {}, &std::pair<std::size_t, std::string>::first);
  std::vector<std::string> result;
  for (auto& [distance, candidate] : close) {
    if (result.size() < most_suggestions) result.push_back(std::move(candidate));
  }
  return result;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& candidate : nearest(name, names))
    text += (text.empty() ? "; did you mean " : " or ") + candidate;
  return text.empty() ? text : text + "?";
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

}  // namespace heddle::run
