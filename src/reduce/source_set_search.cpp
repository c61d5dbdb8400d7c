// The depth-first search itself: frames with threads to explore, stored futures, and revisited states.
#include "reduce/source_set_search.h"

#include <algorithm>
#include <cassert>
#include <new>
#include <utility>

#include "explore/searches.h"
#include "reduce/backtrack_set.h"

namespace heddle {
namespace {

constexpr unsigned states_between_budget_checks = 256;

// How many places accesses may name. A door that numbers places of its own names most of them in the first states.
std::size_t places_of(const TransitionSystem& system, const Limits& limits) {
  const std::vector<SlotVector> initial = system.initial_states();
  const std::size_t length = store_length(system, initial);
  if (system.threads()->place_count() == 0) return length == 0 ? 4096 : length;
  StepBuffer steps;
  for (const SlotVector& state : sample_states(system, limits)) {
    steps.clear();
    system.expand(state, steps);
  }
  return 2 * std::size_t{system.threads()->place_count()};
}

}  // namespace

std::string conflicts_with_source_sets(const SearchOptions& options) {
  if (options.threads > 1) return "source sets are explored by one thread; drop --threads";
  if (options.store != SearchOptions::Store::Exact && options.store != SearchOptions::Store::None) {
    return "source sets need all states, or none; drop --store";
  }
  if (options.selector || options.canonicalizer) return "source sets do not go together with other reductions of steps";
  if (!remembers_states(options.order)) return "source sets need a search that remembers states; drop --search";
  return {};
}

SourceSetSearch::SourceSetSearch(const TransitionSystem& system, const SearchOptions& options, SourceSetOptions how)
    : sets_(places_of(system, options.limits)),
      how_(std::move(how)),
      system_(system),
      options_(options),
      stateless_(options.store == SearchOptions::Store::None),
      store_(store_length(system, system.initial_states()), sample_states(system, options.limits)),
      cursor_(store_),
      board_(system),
      budget_(options.limits),
      progress_(options.progress),
      actions_(system),
      ranking_(how_.order),
      futures_(1) {
  if (const std::string why = conflicts_with_source_sets(options); !why.empty()) throw ModelError(why);
  result_.executed.resize(system.transition_count());
}

SearchResult SourceSetSearch::run() {
  const std::vector<SlotVector> initial = system_.initial_states();
  try {
    for (initial_ = 0; initial_ < initial.size() && !stopped_; ++initial_) {
      const Key key = cursor_.load_slots(initial[initial_]);
      if (known(key) != 0) continue;
      enter(key);
      while (depth_ > 0 && !stopped_) step();
    }
  } catch (const TableFull&) {
    budget_.stop(Budget::Stop::Memory);
  } catch (const std::bad_alloc&) {
    budget_.stop(Budget::Stop::Memory);
  }
  for (const auto& [property, path] : board_.found()) {
    (board_.is_sometimes(property) ? result_.witnesses : result_.violations)
        .push_back(concrete_finding(system_, options_, property, path));
  }
  if (options_.stop_at_violation && !result_.violations.empty()) result_.stopped_by = "violation found";
  result_.counters.store_bytes = store_.bytes() + futures_.capacity() * sizeof(FutureSets::Set) + sets_.bytes();
  result_.counters.door_bytes = system_.bytes();
  if (stateless_) std::swap(result_.counters.states, result_.counters.nodes);
  conclude(system_, budget_, result_);
  return std::move(result_);
}

Path SourceSetSearch::path() const {
  Path p{initial_, {}};
  for (std::size_t i = 0; i + 1 < depth_; ++i) p.steps.push_back(frames_[i].children[frames_[i].next - 1].step);
  return p;
}

// Pushes a frame for a state that is new.
void SourceSetSearch::enter(Key key) {
  const auto next = static_cast<std::uint32_t>(futures_.size());
  const Stored stored = stateless_ ? Stored{next, true} : store_.insert(key, TreeStore::hash(key));
  assert(stored.is_new && stored.number == futures_.size());
  futures_.push_back(on_path);
  open_.push_back(stored.number);
  components_.push_back(depth_);
  if (frames_.size() == depth_) frames_.emplace_back();
  Frame& f = frames_[depth_++];
  f.number = stored.number;
  f.reducible = f.exploring = false;
  f.threads.clear();
  f.children.clear();
  f.enabled = f.done = f.backtrack = 0;
  f.future = FutureSets::empty;
  cursor_.load(key);
  const std::span<const Slot> slots = cursor_.slots();
  Counters& c = result_.counters;
  ++c.states;
  ++c.pushes;
  c.depth = std::max<std::uint64_t>(c.depth, depth_ - 1);
  c.stack = std::max<std::uint64_t>(c.stack, depth_);
  if (c.states % states_between_budget_checks == 0 && !proceed()) return;
  if (options_.on_state) options_.on_state(slots);
  const bool look = board_.interested() || board_.bound() != 0;
  const std::uint64_t truth = look ? system_.evaluate(slots, board_.open() | board_.bound()) : 0;
  if (look) board_.state(truth, [&] { return path(); });
  stopped_ |= options_.stop_at_violation && board_.violated();
  if (stopped_) return;
  if ((board_.bound() & ~truth) != 0 || depth_ - 1 >= options_.limits.depth) {
    ++c.cut_off;
    f.future = FutureSets::everything;
    return cuts_off();
  }
  steps_.clear();
  system_.expand(slots, steps_);
  actions_.look(slots, steps_, 0);
  if (actions_.all().size() > most_threads) throw ModelError("source sets know 63 threads at most; use --reduce safe");
  f.current.assign(most_threads + 1, 0);
  if (how_.on_step) f.state.assign(slots.begin(), slots.end());
  bool waiting = false;
  for (std::uint32_t t = 0; t < actions_.all().size(); ++t) {
    const ThreadAction& a = actions_.all()[t];
    if (a.enabled() || a.pending.accesses.empty()) continue;
    waiting = true;
    f.future = sets_.unite(f.future, sets_.single(t, a.pending.accesses));
    notes(f.number, t, a.pending.accesses, 0);
  }
  if (waiting) waits(actions_.all());
  if (steps_.size() > 0) return add_threads(slots, f);
  ++c.deadlocks;
  if (board_.deadlock_free() != 0) {
    board_.deadlock(system_.evaluate(slots), [&] { return path(); });
    stopped_ |= options_.stop_at_violation && board_.violated();
  }
  if (options_.on_deadlock) options_.on_deadlock(slots);
}

// Puts the threads that may be explored into the frame: one that is safe, or all that are enabled.
void SourceSetSearch::add_threads(std::span<const Slot>, Frame& f) {
  const auto add = [&](std::uint32_t t) {
    const ThreadAction& a = actions_.all()[t];
    Candidate c{t, static_cast<std::uint32_t>(f.children.size()), 0, a.pending.ends, a.pending.accesses};
    for (std::size_t i = a.first; i < a.first + a.pending.steps.size(); ++i) {
      const Key key = cursor_.after(steps_.changes(i));
      f.children.push_back({steps_.step(i), key, known(key)});
    }
    c.end = static_cast<std::uint32_t>(f.children.size());
    f.threads.push_back(std::move(c));
  };
  for (std::uint32_t t = 0; t < actions_.all().size() && how_.safe_sets; ++t) {
    const ThreadAction& a = actions_.all()[t];
    if (!a.enabled() || !a.pending.safe) continue;
    add(t);
    const bool off_path = std::ranges::any_of(
        f.children, [&](const Child& child) { return child.number == 0 || futures_[child.number] != on_path; });
    if (off_path) {
      f.reducible = true;
      f.enabled = std::uint64_t{1} << t;
      result_.counters.left_out += steps_.size() - f.children.size();
      return;
    }
    f.threads.clear();
    f.children.clear();
  }
  for (std::uint32_t t = 0; t < actions_.all().size(); ++t) {
    if (!actions_.all()[t].enabled()) continue;
    add(t);
    f.enabled |= std::uint64_t{1} << t;
  }
}

void SourceSetSearch::step() {
  Frame& f = frames_[depth_ - 1];
  if (f.exploring && f.next < f.explored().end) return follow(f, f.children[f.next++]);
  if (f.exploring) {
    go_on(f);
  } else if (f.enabled == 0 || !choose(f)) {
    leave();
  }
}

// Executes a step of the thread that is being explored.
void SourceSetSearch::follow(Frame& f, Child& child) {
  ++result_.counters.transitions;
  ++result_.executed[child.step.transition];
  if (how_.on_step) how_.on_step(f.state, child.step);
  if (child.number == 0) child.number = known(child.key);
  const bool is_new = child.number == 0;
  const Candidate& c = f.explored();
  if (is_new) child.number = static_cast<std::uint32_t>(futures_.size());
  notes(f.number, c.thread, c.accesses, child.number);
  if (is_new) return enter(child.key);
  if (is_open(child.number)) {
    // The path from that component to here is one component now.
    while (frames_[components_.back()].number > child.number) components_.pop_back();
    assert(!components_.empty());
  } else {
    f.future = sets_.unite(f.future, futures_[child.number]);
  }
  meets(f, child.number);
}

// A thread has been explored: leaves the state if that is enough, otherwise chooses the next one.
void SourceSetSearch::go_on(Frame& f) {
  f.exploring = false;
  f.done |= std::uint64_t{1} << f.explored().thread;
  assert((f.done & ~f.enabled) == 0);
  if (f.done == f.enabled) return leave();
  if (leaves_early() && std::ranges::all_of(f.threads, [&](const Candidate& c) {
        return (f.done >> c.thread & 1) != 0 || is_visited(f, c);
      })) {
    follow_rest(f);
    return leave();
  }
  explored(f);
  // Everything that others do has to come before the end.
  if (f.explored().ends) f.current[f.explored().thread] = everybody;
  f.backtrack = extended_backtrack(f.enabled, f.done, f.backtrack, f.current);
  if (how_.persistent && closed_subset(f.done, f.current) != f.done) {
    for (std::uint64_t todo = f.done; todo != 0; todo &= todo - 1) {
      const std::uint64_t all = f.current[static_cast<std::size_t>(std::countr_zero(todo))];
      f.backtrack |= (all & ~f.enabled) != 0 ? f.enabled : all;
    }
  }
  assert((f.done & ~f.backtrack) == 0);
  if (f.backtrack == f.done || !choose(f)) leave();
}

bool SourceSetSearch::is_visited(Frame& f, const Candidate& c) {
  for (std::uint32_t i = c.first; i < c.end; ++i) {
    Child& child = f.children[i];
    if (child.number == 0) child.number = known(child.key);
    if (child.number == 0) return false;
  }
  return true;
}

// Begins to explore a thread. Returns false if none is left.
bool SourceSetSearch::choose(Frame& f) {
  const std::uint64_t wanted = (f.backtrack & ~f.done) != 0 ? f.backtrack & ~f.done : f.enabled & ~f.done;
  if (wanted == 0) return false;
  constexpr std::size_t none = ~std::size_t{0};
  std::size_t best = none;
  std::uint64_t best_rank = 0;
  for (std::size_t i = 0; i < f.threads.size(); ++i) {
    const Candidate& c = f.threads[i];
    if ((wanted >> c.thread & 1) == 0) continue;
    std::uint64_t rank = ranking_.rank(c.thread);
    if (how_.visited_first && !is_visited(f, c)) rank |= std::uint64_t{1} << 62;
    if (c.ends) rank |= std::uint64_t{1} << 63;  // perhaps others are enough
    if (best == none || rank < best_rank) {
      best = i;
      best_rank = rank;
    }
  }
  assert(best != none);
  f.active = best;
  f.next = f.explored().first;
  f.exploring = true;
  const Candidate& c = f.explored();
  f.current[c.thread] |= std::uint64_t{1} << c.thread;
  f.backtrack |= std::uint64_t{1} << c.thread;
  f.future = sets_.unite(f.future, sets_.single(c.thread, c.accesses));
  begins(f);
  return true;
}

// Executes all steps that are left. They lead to known states.
void SourceSetSearch::follow_rest(Frame& f) {
  while (f.done != f.enabled) {
    f.backtrack = f.enabled;
    choose(f);
    while (f.next < f.explored().end) follow(f, f.children[f.next++]);
    f.done |= std::uint64_t{1} << f.explored().thread;
  }
  f.exploring = false;
}

void SourceSetSearch::leave() {
  Frame& f = frames_[depth_ - 1];
  if (!f.reducible) {
    for (const Candidate& c : f.threads) {
      if ((f.done >> c.thread & 1) == 0) result_.counters.left_out += c.end - c.first;
    }
  }
  // What was explored is a source set: all that is enabled, or a closed subset of what was explored.
  assert(stopped_ || f.done == f.enabled || closed_subset(f.done, f.current) != 0);
  assert(futures_[f.number] == on_path && !components_.empty() && components_.back() < depth_);
  futures_[f.number] = in_open_component;
  if (components_.back() == depth_ - 1) {
    components_.pop_back();
    for (; !open_.empty() && open_.back() >= f.number; open_.pop_back()) futures_[open_.back()] = f.future;
  }
  if (stateless_) futures_.resize(f.number + 1);  // nobody comes back to what lies below
  --depth_;
  if (depth_ > 0) frames_[depth_ - 1].future = sets_.unite(frames_[depth_ - 1].future, f.future);
}

bool SourceSetSearch::proceed() {
  const std::size_t bytes = store_.bytes() + system_.bytes() + sets_.bytes() + frames_.size() * 2 * sizeof(Frame) +
                            futures_.capacity() * sizeof(FutureSets::Set) + more_bytes();
  if (!budget_.check(bytes)) stopped_ = true;
  progress_.tick(budget_, [&] { return result_.counters; });
  return !stopped_;
}

}  // namespace heddle
