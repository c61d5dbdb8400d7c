// One table of words for each enum that an option sets.
#include "cli/option_values.h"

namespace heddle::cli {

const Values<SearchOptions::Order>& search_orders() {
  using enum SearchOptions::Order;
  static const Values<SearchOptions::Order> values = {
      {"bfs", BreadthFirst}, {"dfs", DepthFirst}, {"random", RandomWalk}, {"dpor", Dpor}};
  return values;
}

const Values<SearchOptions::Order>& search_descriptions() {
  using enum SearchOptions::Order;
  static const Values<SearchOptions::Order> values = {
      {"breadth-first", BreadthFirst}, {"depth-first", DepthFirst}, {"random walk", RandomWalk}, {"dpor", Dpor}};
  return values;
}

const Values<SearchOptions::Dpor>& dpor_algorithms() {
  using enum SearchOptions::Dpor;
  static const Values<SearchOptions::Dpor> values = {{"source", Source}, {"optimal", Optimal}, {"classic", Classic}};
  return values;
}

const Values<SearchOptions::Store>& search_stores() {
  using enum SearchOptions::Store;
  static const Values<SearchOptions::Store> values = {
      {"exact", Exact}, {"hash-compact", HashCompact}, {"bitstate", Bitstate}, {"none", None}};
  return values;
}

const Values<Split>& split_kinds() {
  using enum Split;
  static const Values<Split> values = {{"none", None}, {"quorum", Quorum}, {"reply", Reply}, {"combined", Combined}};
  return values;
}

const Values<StubbornOptions::Start>& stubborn_starts() {
  using enum StubbornOptions::Start;
  static const Values<StubbornOptions::Start> values = {{"best", Best}, {"first", First}, {"smallest", Smallest}};
  return values;
}

const Values<history::FailedCas>& failed_cas_meanings() {
  using enum history::FailedCas;
  static const Values<history::FailedCas> values = {{"mismatch", Mismatch}, {"ignored", Ignored}};
  return values;
}

const Values<HistoryCheckOptions::Method>& history_methods() {
  using enum HistoryCheckOptions::Method;
  static const Values<HistoryCheckOptions::Method> values = {{"auto", Auto}, {"monitor", Monitor}, {"wgl", Wgl}};
  return values;
}

}  // namespace heddle::cli
