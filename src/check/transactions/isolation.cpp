// The table of levels with all their names.
#include "check/transactions/isolation.h"

#include <array>
#include <cctype>

namespace heddle {
namespace {

struct Known {
  std::string_view name;
  Isolation isolation;
};
// The first name of each is its own. Without predicates Adya's PL-2.99 is PL-3.
constexpr Known known[] = {{"read-uncommitted", Isolation::ReadUncommitted},
                           {"read-committed", Isolation::ReadCommitted},
                           {"monotonic-atomic-view", Isolation::MonotonicAtomicView},
                           {"repeatable-read", Isolation::RepeatableRead},
                           {"snapshot-isolation", Isolation::SnapshotIsolation},
                           {"serializable", Isolation::Serializable},
                           {"pl-1", Isolation::ReadUncommitted},
                           {"pl-2", Isolation::ReadCommitted},
                           {"pl-2+", Isolation::RepeatableRead},
                           {"consistent-view", Isolation::RepeatableRead},
                           {"pl-si", Isolation::SnapshotIsolation},
                           {"si", Isolation::SnapshotIsolation},
                           {"pl-2.99", Isolation::Serializable},
                           {"pl-3", Isolation::Serializable}};

constexpr std::string_view anomaly_names[] = {"none",
                                              "duplicate elements",
                                              "incompatible order",
                                              "G0",
                                              "G1a",
                                              "dirty update",
                                              "G1b",
                                              "internal",
                                              "G1c",
                                              "fractured read",
                                              "G-single",
                                              "lost update",
                                              "G-nonadjacent",
                                              "long fork",
                                              "G2-item",
                                              "write skew",
                                              "wrong total",
                                              "impossible count",
                                              "no version order"};

}  // namespace

std::string_view name(Isolation isolation) { return known[static_cast<int>(isolation)].name; }

std::string name(const Level& level) {
  constexpr std::string_view prefixes[] = {"", "session-", "strict-"};
  return std::string(prefixes[static_cast<int>(level.respects)]) + std::string(name(level.isolation));
}

std::optional<Level> level_named(std::string_view given) {
  std::string lower;
  for (const char c : given) lower += c == '_' || c == ' ' ? '-' : static_cast<char>(std::tolower(c));
  std::string_view rest = lower;
  Level level;
  constexpr std::pair<std::string_view, Respects> prefixes[] = {{"strong-session-", Respects::Sessions},
                                                                {"session-", Respects::Sessions},
                                                                {"strict-", Respects::RealTime},
                                                                {"strong-", Respects::RealTime}};
  for (const auto& [prefix, respects] : prefixes) {
    if (!rest.starts_with(prefix)) continue;
    level.respects = respects;
    rest.remove_prefix(prefix.size());
    break;
  }
  for (const Known& one : known) {
    if (one.name != rest) continue;
    level.isolation = one.isolation;
    return level;
  }
  return std::nullopt;
}

const std::vector<Level>& all_levels() {
  static const std::vector<Level> levels = [] {
    std::vector<Level> all;
    for (int r = 0; r < respected_orders; ++r) {
      for (int i = 0; i < isolations; ++i) all.push_back({static_cast<Isolation>(i), static_cast<Respects>(r)});
    }
    return all;
  }();
  return levels;
}

std::string_view name(Anomaly anomaly) { return anomaly_names[static_cast<int>(anomaly)]; }

}  // namespace heddle
