// Takes operations, from the end on, until they have no order whatever the others do in between, and then leaves out
// what is not needed for that.
#include "explain/history_core.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include <boost/unordered/unordered_flat_set.hpp>

namespace heddle::explain {
namespace {

enum class Answer : std::uint8_t { None, Some, TooMuch };  // whether there is an order

// Decides whether there is an order of the firm operations, given what relaxed ones may do in between.
class RelaxedSearch {
 public:
  RelaxedSearch(Object& object, std::span<const RecordedOperation> firm, std::span<const RecordedOperation> relaxed,
                bool repeat, const HistoryCoreOptions& options)
      : object_(object),
        firm_(firm),
        relaxed_(relaxed),
        repeat_(repeat),
        limit_(options.configurations),
        budget_(options.budget) {
    for (std::size_t i = 0; i < firm_.size(); ++i) {
      std::uint64_t before = 0;
      for (std::size_t j = 0; j < firm_.size(); ++j) {
        if (firm_[j].returned < firm_[i].invoked) before |= bit(j);
      }
      before_.push_back(before);
      if (firm_[i].outcome == Outcome::Ok) required_ |= bit(i);
    }
  }

  Answer run() {
    std::vector<Configuration> open{{0, 0, object_.initial()}};
    seen_.insert(open.front());
    std::size_t work = 0;
    while (!open.empty()) {
      if (out_of_budget()) return Answer::TooMuch;
      const Configuration c = open.back();
      open.pop_back();
      if ((c.placed & required_) == required_) return Answer::Some;
      const auto reach = [&](std::uint64_t placed, std::uint64_t used, Object::State state) {
        if (state == Object::impossible) return;
        if (seen_.insert({placed, used, state}).second) open.push_back({placed, used, state});
      };
      for (std::size_t i = 0; i < firm_.size(); ++i) {
        if (!may_follow(c.placed, i)) continue;
        reach(c.placed | bit(i), c.used, object_.apply(c.state, firm_[i]));
      }
      for (std::size_t i = 0; i < relaxed_.size(); ++i) {
        if (repeat_) {
          reach(c.placed, 0, object_.apply(c.state, relaxed_[i]));
        } else if ((c.used & bit(i)) == 0) {
          reach(c.placed, c.used | bit(i), object_.apply(c.state, relaxed_[i]));
        }
      }
      work += firm_.size() + relaxed_.size();
      if (seen_.size() > limit_ || work > 100 * limit_) return Answer::TooMuch;
    }
    return Answer::None;
  }

  // Returns the object's states at which firm operation `x` could be placed next, over all orders of the other firm
  // operations. Relaxed operations are left out.
  std::set<Object::State> moments(std::size_t x) {
    std::set<Object::State> out;
    std::map<std::pair<std::uint64_t, Object::State>, bool> known;
    completable(0, object_.initial(), x, known, out);
    return out;
  }

 private:
  struct Configuration {
    std::uint64_t placed, used;
    Object::State state;
    friend bool operator==(const Configuration&, const Configuration&) = default;
    friend std::size_t hash_value(const Configuration& c) {
      std::uint64_t h = c.placed * 0x9E3779B97F4A7C15u;
      h = (h ^ (h >> 29) ^ c.used) * 0xD6E8FEB86659FD93u;
      h = (h ^ (h >> 32) ^ c.state) * 0x9E3779B97F4A7C15u;
      return h ^ (h >> 31);
    }
  };
  static std::uint64_t bit(std::size_t i) { return std::uint64_t{1} << i; }
  bool out_of_budget() { return budget_ != nullptr && ++looks_ % 64 == 0 && !budget_->check(0); }
  bool may_follow(std::uint64_t placed, std::size_t i) const {
    return (placed & bit(i)) == 0 && (before_[i] & ~placed & required_) == 0;
  }

  // Returns true if all operations but `x` can still be placed. Adds to `out` the states in which x could be next.
  bool completable(std::uint64_t placed, Object::State state, std::size_t x,
                   std::map<std::pair<std::uint64_t, Object::State>, bool>& known, std::set<Object::State>& out) {
    const auto [it, is_new] = known.emplace(std::pair(placed, state), false);
    if (!is_new || known.size() > limit_ || out_of_budget()) return it->second;
    const std::uint64_t others = required_ & ~bit(x);
    bool can = (placed & others) == others;
    for (std::size_t i = 0; i < firm_.size(); ++i) {
      if (i == x || (placed & bit(i)) != 0 || (before_[i] & ~placed & others) != 0) continue;
      const Object::State next = object_.apply(state, firm_[i]);
      if (next != Object::impossible && completable(placed | bit(i), next, x, known, out)) can = true;
    }
    if (can && (before_[x] & ~placed & required_) == 0 && !follows(x, placed)) out.insert(state);
    known[std::pair(placed, state)] = can;
    return can;
  }
  // True if an operation is placed that began after x had returned.
  bool follows(std::size_t x, std::uint64_t placed) const {
    for (std::size_t i = 0; i < firm_.size(); ++i) {
      if ((placed & bit(i)) != 0 && (before_[i] & bit(x)) != 0) return true;
    }
    return false;
  }

  Object& object_;
  std::span<const RecordedOperation> firm_, relaxed_;
  bool repeat_;
  std::size_t limit_;
  Budget* budget_;
  std::uint64_t looks_ = 0;
  std::uint64_t required_ = 0;
  std::vector<std::uint64_t> before_;
  boost::unordered_flat_set<Configuration> seen_;
};

// True for specifications of the library that only compare values. A map is one of them if nothing is appended, which
// the caller checks.
bool compares_only(const Specification& specification) {
  return std::ranges::any_of(std::array{"register", "cas_register", "map"},
                             [&](const char* name) { return find_specification(name) == &specification; });
}

// The history up to the moment at which one operation returned. Linearizability is closed under prefixes, so later
// events explain nothing. An operation that was still open then has an unknown outcome.
class Prefix {
 public:
  Prefix(const RecordedHistory& history, const Specification& specification, const std::vector<std::uint32_t>& part,
         std::uint32_t last, const HistoryCoreOptions& options)
      : history_(history), specification_(specification), options_(options), opaque_(compares_only(specification)) {
    const std::uint32_t end = history.operations[last].returned;
    for (const std::uint32_t i : part) {
      RecordedOperation op = history.operations[i];
      if (op.outcome == Outcome::Failed || op.invoked > end) continue;
      if (op.returned > end) {
        op.outcome = Outcome::Unknown;
        op.returned = never;
      }
      members_.push_back({i, op});
      if (history.functions[op.function] == "append") opaque_ = false;
      ++classes_.try_emplace(std::pair(op.function, op.argument), relaxed(op), 0u).first->second.second;
    }
    // Operations that returned last come first, `last` before all.
    std::ranges::sort(members_, {}, [&](const Member& m) {
      return std::tuple(m.index == last ? 0 : 1, m.op.returned == never ? 0u : end - m.op.returned, m.index);
    });
  }

  std::size_t size() const { return members_.size(); }
  bool has(const std::vector<std::uint32_t>& indices) const { return named(indices).size() == indices.size(); }
  // The `count` operations nearest to the end.
  std::vector<std::uint32_t> window(std::size_t count) const {
    std::vector<std::uint32_t> out;
    for (std::size_t i = 0; i < std::min(count, size()); ++i) out.push_back(members_[i].index);
    return out;
  }

  // True if the firm operations leave no order even when all others are relaxed.
  bool rules_out(const std::vector<std::uint32_t>& firm) const {
    if (out_of_budget()) return false;
    const std::vector<RecordedOperation> kept = named(firm);
    std::map<Class, std::size_t> firm_of_class;
    for (const RecordedOperation& op : kept) ++firm_of_class[std::pair(op.function, op.argument)];
    std::vector<RecordedOperation> repeated;
    for (const auto& [name, one] : classes_) {
      const auto it = firm_of_class.find(name);
      if (it == firm_of_class.end() || it->second < one.second) repeated.push_back(one.first);
    }
    std::set<Value> mentioned;
    for (const RecordedOperation& op : kept) {
      mention(op.argument, mentioned);
      mention(op.result, mentioned);
    }
    const Answer answer = Extract(*this, kept, repeated, opaque_ ? &mentioned : nullptr).search(true).run();
    if (answer != Answer::TooMuch) return answer == Answer::None && !out_of_budget();
    if (members_.size() - kept.size() > 62) return false;
    std::vector<RecordedOperation> once;
    for (const Member& m : members_) {
      if (std::ranges::find(firm, m.index) == firm.end()) once.push_back(relaxed(m.op));
    }
    return Extract(*this, kept, once).search(false).run() == Answer::None && !out_of_budget();
  }

  std::vector<std::string> objects(const std::vector<std::uint32_t>& core, std::uint32_t stuck) const {
    const auto x = static_cast<std::size_t>(std::ranges::find(core, stuck) - core.begin());
    Extract extract(*this, named(core), {});
    std::vector<std::string> out;
    for (const Object::State s : extract.search(true).moments(x)) out.push_back(extract.object->describe(s).text);
    if (out_of_budget()) out.clear();  // there may be more
    return out;
  }

 private:
  using Class = std::pair<std::uint32_t, Value>;  // function, argument
  bool out_of_budget() const { return options_.budget != nullptr && !options_.budget->check(0); }
  struct Member {
    std::uint32_t index;
    RecordedOperation op;
  };
  static RecordedOperation relaxed(RecordedOperation op) {
    op.outcome = Outcome::Unknown;
    op.returned = never;
    return op;
  }
  std::vector<RecordedOperation> named(const std::vector<std::uint32_t>& indices) const {
    std::vector<RecordedOperation> out;
    for (const std::uint32_t i : indices) {
      const auto it = std::ranges::find(members_, i, &Member::index);
      if (it != members_.end()) out.push_back(it->op);
    }
    return out;
  }

  void mention(Value value, std::set<Value>& out) const {
    out.insert(value);
    if (history_.values.kind(value) != ValueTable::Kind::List) return;
    for (const Value member : history_.values.members(value)) mention(member, out);
  }

  // A separate history of some operations: objects may ask for more than an operation's own fields.
  struct Extract {
    // `mentioned`: values that firm operations mention. All other values of relaxed operations become one value. This
    // is sound for an object that only compares values: firm operations cannot tell these values apart, and taking
    // different values for equal lets relaxed operations do more, not less.
    Extract(const Prefix& prefix, const std::vector<RecordedOperation>& firm,
            const std::vector<RecordedOperation>& relaxed, const std::set<Value>* mentioned = nullptr)
        : options(prefix.options_), firm_count(firm.size()), from(prefix.history_.values) {
      history.functions = prefix.history_.functions;
      history.processes = prefix.history_.processes;
      history.events = prefix.history_.events;
      for (RecordedOperation op : firm) {
        for (Value* v : {&op.key, &op.argument, &op.result}) *v = copy_value(from, *v, history.values);
        history.operations.push_back(op);
      }
      std::set<Class> known;
      for (RecordedOperation op : relaxed) {
        if (prefix.out_of_budget()) break;  // the caller then ignores the result
        op.key = copy_value(from, op.key, history.values);
        op.argument =
            mentioned != nullptr ? blurred(op.argument, *mentioned) : copy_value(from, op.argument, history.values);
        op.result = nil;
        if (mentioned == nullptr || known.emplace(op.function, op.argument).second) history.operations.push_back(op);
      }
      std::vector<std::uint32_t> all(history.operations.size());
      std::iota(all.begin(), all.end(), 0);
      object = prefix.specification_.object(history, all);
    }
    Value blurred(Value value, const std::set<Value>& mentioned) {
      if (value == nil) return nil;
      if (from.kind(value) != ValueTable::Kind::List) {
        return mentioned.contains(value) ? copy_value(from, value, history.values) : history.values.keyword("other");
      }
      std::vector<Value> members = from.members(value);
      for (Value& member : members) member = blurred(member, mentioned);
      return history.values.list(members);
    }
    RelaxedSearch search(bool repeat) {
      const std::span<const RecordedOperation> all = history.operations;
      return {*object, all.first(firm_count), all.subspan(firm_count), repeat, options};
    }
    const HistoryCoreOptions& options;
    std::size_t firm_count;
    const ValueTable& from;
    RecordedHistory history;
    std::unique_ptr<Object> object;
  };

  const RecordedHistory& history_;
  const Specification& specification_;
  const HistoryCoreOptions& options_;
  std::vector<Member> members_;
  bool opaque_;
  std::map<Class, std::pair<RecordedOperation, std::size_t>> classes_;  // one relaxed member, and how many there are
};

// Returns operations at which the checker may have got stuck, the likeliest first: those that returned first among the
// operations that it could not place.
std::vector<std::uint32_t> candidates(const RecordedHistory& history, const PartitionResult& failed) {
  const auto returned_first = [&](std::uint32_t a, std::uint32_t b) {
    return history.operations[a].returned < history.operations[b].returned;
  };
  std::vector<std::uint32_t> out;
  if (failed.stuck != never) out.push_back(failed.stuck);
  for (const auto& order : failed.longest) {
    const std::set<std::uint32_t> placed(order.begin(), order.end());
    std::vector<std::uint32_t> left;
    for (const std::uint32_t i : failed.operations) {
      if (history.operations[i].outcome == Outcome::Ok && !placed.contains(i)) left.push_back(i);
    }
    std::ranges::sort(left, returned_first);
    for (std::size_t i = 0; i < std::min<std::size_t>(left.size(), 3); ++i) {
      if (std::ranges::find(out, left[i]) == out.end()) out.push_back(left[i]);
    }
  }
  std::vector<std::uint32_t> culprits;
  for (const std::uint32_t i : failed.culprits) {
    if (history.operations[i].outcome == Outcome::Ok) culprits.push_back(i);
  }
  if (!culprits.empty()) out.push_back(*std::ranges::max_element(culprits, returned_first));
  if (out.empty()) {  // nothing is known: the operation of the partition that returned last
    for (const std::uint32_t i : failed.operations) {
      if (history.operations[i].outcome == Outcome::Ok) out.push_back(i);
    }
    std::ranges::sort(out, returned_first);
    if (out.size() > 1) out.erase(out.begin(), out.end() - 1);
  }
  return out;
}

// An answer is easier to explain than an effect, and a late one easier than an early one.
std::uint32_t most_telling(const RecordedHistory& history, const std::vector<std::uint32_t>& core) {
  return *std::ranges::max_element(core, [&](std::uint32_t a, std::uint32_t b) {
    const auto rank = [&](std::uint32_t i) {
      const RecordedOperation& op = history.operations[i];
      const bool answers = op.outcome == Outcome::Ok && (op.result != op.argument || op.result == nil);
      return std::tuple(op.outcome == Outcome::Ok, answers, op.returned);
    };
    return rank(a) < rank(b);
  });
}

}  // namespace

HistoryCore find_core(const RecordedHistory& history, const Specification& specification, const PartitionResult& failed,
                      const HistoryCoreOptions& options) {
  HistoryCore core;
  const std::vector<std::uint32_t> stuck = candidates(history, failed);
  for (const std::uint32_t last : stuck) {
    if (options.budget != nullptr && !options.budget->check(0)) break;
    Prefix prefix(history, specification, failed.operations, last, options);
    // The operations that a monitor names are a window by themselves: they may be far apart.
    std::vector<std::vector<std::uint32_t>> windows;
    if (!failed.culprits.empty() && failed.culprits.size() <= options.largest_window && prefix.has(failed.culprits)) {
      windows.push_back(failed.culprits);
    }
    for (std::size_t w = 2;; w = std::min(2 * w, options.largest_window)) {
      windows.push_back(prefix.window(w));
      if (w >= prefix.size() || w == options.largest_window) break;
    }
    const auto found = std::ranges::find_if(windows, [&](const auto& w) { return prefix.rules_out(w); });
    if (found == windows.end()) continue;
    core.operations = *found;
    // Relaxes the oldest first: the operations that happened last explain best.
    std::ranges::sort(core.operations);
    for (const std::uint32_t i : std::vector(core.operations)) {
      if (options.budget != nullptr && !options.budget->check(0)) break;
      std::vector<std::uint32_t> without = core.operations;
      std::erase(without, i);
      if (!without.empty() && prefix.rules_out(without)) core.operations = std::move(without);
    }
    core.proven = true;
    core.until = history.operations[last].returned;
    core.others = core.operations.size() < prefix.size();
    core.stuck = std::ranges::find(core.operations, last) != core.operations.end() &&
                         history.operations[last].result != history.operations[last].argument
                     ? last
                     : most_telling(history, core.operations);
    core.objects = prefix.objects(core.operations, core.stuck);
    return core;
  }
  if (!failed.culprits.empty()) {
    core.operations = failed.culprits;
  } else if (!stuck.empty()) {
    core.operations = Prefix(history, specification, failed.operations, stuck.front(), options).window(8);
  } else {
    core.operations = failed.operations;
  }
  std::ranges::sort(core.operations);
  core.stuck = stuck.empty() ? core.operations.front() : stuck.front();
  core.others = core.operations.size() < failed.operations.size();
  return core;
}

}  // namespace heddle::explain
