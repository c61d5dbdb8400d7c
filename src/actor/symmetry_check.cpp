// Checks that properties are symmetric on all that a search has seen. Ids are scalarsets, but a property can name
// a member by its position (v.all<P>()[0]) or stop at the first one that fits, and then it tells apart states
// that differ only in names.
//
// The evaluations of a predicate are kept by what it read (predicates.h). An *observation* is a list of parts of
// slots with their values. Renaming an observation gives an observation. Exchanges of neighbouring members
// generate all renamings. So it is enough to close the set of observations under exchanges, one orbit after the
// other, to evaluate the predicate once for each observation, and to compare the two ends of each exchange. If
// all agree, the predicate has one value on the whole orbit of every state of the search.
//
// A predicate that stops early may, in a renamed state, look at something that the observation does not
// determine. For such a property the observations of all states are taken instead, wide enough to hold everything
// the property has looked at under any name. The search is repeated for that (note_state).
#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <unordered_map>

#include "actor/orbit.h"
#include "actor/state_view.h"
#include "actor/symmetry_tables.h"
#include "actor/system.h"

namespace heddle::actor {

namespace {

// Words of an observation: the property, then pairs (what is read, its value) in ascending order.
using Words = std::vector<std::uint32_t>;
std::uint32_t code_of(Read read) { return read.slot * Read::parts + static_cast<std::uint32_t>(read.part); }
Read read_of(std::uint32_t code) { return {code / Read::parts, static_cast<Read::Part>(code % Read::parts)}; }

// Thrown where a predicate looks at something that the observation does not have.
struct Undetermined {
  Read read;
};

constexpr std::size_t rounds_between_questions = 1024;

}  // namespace

// The properties that need whole states, what they need of them, and the states seen so far.
struct System::WideObservations {
  std::map<std::size_t, std::set<std::uint32_t>> wanted;  // property -> codes of reads
  std::unique_ptr<ContentTable> seen = std::make_unique<ContentTable>();
  std::atomic<bool> noted{false};  // a search has reported its states
};

class System::ObservationClosure {
 public:
  ObservationClosure(const System& system, std::uint64_t which, std::span<const Exchange> exchanges)
      : system_(system), which_(which), exchanges_(exchanges) {}

  // Returns the class whose members some property tells apart, and what to say about it.
  std::optional<SymmetryCheck::Fault> run(const std::function<bool()>& go_on, SymmetryCheck& check) {
    add_all();
    done_.resize(observations_.last() + 1);
    for (ContentTable::Number n = 1; n <= observations_.last(); ++n) {
      const std::size_t property = observations_.words(n)[0];
      if (done_[n] || verdicts_[n] == undetermined || wide_.contains(property)) continue;
      const Exchange* const exchange = differing(n, go_on, check);
      if (renamings_ > most_renamings()) {
        const Exchange& largest = *std::ranges::max_element(exchanges_, {}, [&](const Exchange& e) {
          return std::ranges::count(exchanges_, e.symmetry_class, &Exchange::symmetry_class);
        });
        return SymmetryCheck::Fault{largest.symmetry_class, "what property '" + system_.properties_[property].name +
                                                                "' looks at mentions members of " + largest.name +
                                                                " in too many ways to compare all of them"};
      }
      if (exchange != nullptr) {
        return SymmetryCheck::Fault{exchange->symmetry_class, "property '" + system_.properties_[property].name +
                                                                  "' tells members of " + exchange->name + " apart"};
      }
      if (!check.finished) return std::nullopt;
    }
    check.wants_states = !wide_.empty();
    return std::nullopt;
  }

 private:
  static constexpr std::uint8_t failed = 2, undetermined = 3;
  // An orbit may be as large as the group, and each of its members is renamed by every exchange. This bounds the
  // work: 5,000 renamings of an observation are enough for classes of six.
  std::size_t most_renamings() const { return 50'000 + 5'000 * std::size_t{observations_.last()}; }

  // Goes through the orbit of an observation. Returns an exchange that changes what the predicate says of it, or
  // null. Observations of the search that lie in the orbit are marked as done.
  const Exchange* differing(ContentTable::Number n, const std::function<bool()>& go_on, SymmetryCheck& check) {
    orbit_.begin(observations_.words(n));
    came_by_.assign(1, 0);
    for (std::size_t k = 0; k < orbit_.size(); ++k) {
      if (++rounds_ % rounds_between_questions == 0 && !go_on()) {
        check.finished = false;
        return nullptr;
      }
      for (const Exchange& exchange : exchanges_) {
        if (came_by_[k] == exchange.number) continue;  // an exchange is its own inverse
        if (++renamings_ > most_renamings()) return nullptr;
        rename(orbit_[k], exchange);
        if (!orbit_.add(image_)) continue;
        came_by_.push_back(exchange.number);
        const auto known = number_of_.find(text(image_));
        if (known != number_of_.end()) done_[known->second] = true;
        const std::uint8_t verdict = known != number_of_.end() ? verdicts_[known->second] : evaluate(image_);
        if (verdict == undetermined) return nullptr;
        if (verdict != verdicts_[n]) return &exchange;
      }
    }
    return nullptr;
  }

  static std::string_view text(std::span<const std::uint32_t> words) {
    return {reinterpret_cast<const char*>(words.data()), words.size_bytes()};
  }

  // Adds what properties have looked at so far.
  void add_all() {
    WideObservations& whole = *system_.wide_;
    const auto concerns = [&](std::size_t i) { return (which_ >> i & 1) != 0; };
    system_.predicates_->each_leaf([&](std::size_t i, std::span<const Predicates::Found> found, std::uint32_t verdict) {
      if (!concerns(i)) return;
      auto& reads = reads_[i];
      for (const auto& f : found) reads.insert(code_of(f.read));
      if (whole.wanted.contains(i)) return;
      pairs_.clear();
      for (const auto& f : found) pairs_.emplace_back(code_of(f.read), f.value);
      std::sort(pairs_.begin(), pairs_.end());
      image_.assign(1, static_cast<std::uint32_t>(i));
      for (const auto& [code, value] : pairs_) image_.insert(image_.end(), {code, value});
      add(image_, verdict > 1 ? failed : static_cast<std::uint8_t>(verdict));
    });
    for (ContentTable::Number n = 1; n <= whole.seen->last(); ++n) {
      const auto words = whole.seen->words(n);
      if (!concerns(words[0])) continue;
      image_.assign(words.begin(), words.end());
      add(image_, std::nullopt);
    }
    for (const auto& [i, reads] : whole.wanted) {
      if (concerns(i) && !whole.noted) wide_.insert(i);
    }
    // Partial order reduction relies on what properties may look at, so each read is watched under any name.
    for (const auto& [i, reads] : reads_) {
      if (!system_.predicates_->watched(i)) continue;
      for (const std::uint32_t code : under_any_name(reads)) system_.predicates_->watch(read_of(code));
    }
  }

  std::set<std::uint32_t> under_any_name(std::set<std::uint32_t> codes) const {
    for (const SymmetryClass& c : system_.symmetry_tables().classes) {
      for (std::size_t k = 0; k < c.members[0].size(); ++k) {
        for (std::uint32_t part = 0; part < Read::parts; ++part) {
          const auto code = [&](const auto& member) { return code_of({member[k], static_cast<Read::Part>(part)}); };
          if (std::ranges::none_of(c.members, [&](const auto& m) { return codes.contains(code(m)); })) continue;
          for (const auto& member : c.members) codes.insert(code(member));
        }
      }
    }
    return codes;
  }

  void add(const Words& words, std::optional<std::uint8_t> verdict) {
    const auto [number, is_new] = observations_.intern_new(std::span<const std::uint32_t>(words));
    if (!is_new) return;
    number_of_.emplace(observations_.content(number), number);
    verdicts_.resize(number + 1);
    verdicts_[number] = verdict ? *verdict : evaluate(words);
  }

  // Puts the renamed observation into image_.
  void rename(std::span<const std::uint32_t> words, const Exchange& exchange) {
    pairs_.clear();
    for (std::size_t w = 1; w < words.size(); w += 2) {
      const Read read = read_of(words[w]);
      const Read moved{exchange.to[read.slot], read.part};
      pairs_.emplace_back(code_of(moved), system_.renamed_part(read, words[w + 1], exchange.number));
    }
    std::sort(pairs_.begin(), pairs_.end());
    image_.assign(1, words[0]);
    for (const auto& [code, value] : pairs_) image_.insert(image_.end(), {code, value});
  }

  // Shows an observation to a predicate.
  class View final : public StateView {
   public:
    View(const System& system, std::span<const std::uint32_t> words, std::vector<Read>& reads)
        : StateView(system, {}, reads), words_(words) {}

   private:
    std::uint32_t value(Read read) const override {
      const std::uint32_t code = code_of(read);
      for (std::size_t w = 1; w < words_.size(); w += 2) {
        if (words_[w] == code) return words_[w + 1];
      }
      throw Undetermined{read};
    }
    std::span<const std::uint32_t> words_;
  };

  std::uint8_t evaluate(const Words& words) {
    const std::size_t i = words[0];
    if (wide_.contains(i)) return undetermined;
    std::vector<Read> reads;
    const detail::PropertyInfo& property = system_.model_.properties()[i];
    bool holds = false;
    try {
      const auto failure =
          run_user_code({"property", property.name}, [&] { holds = property.predicate(View(system_, words, reads)); });
      if (!failure) return holds ? 1 : 0;
      const bool is_false = failure->kind == UserFailure::Kind::Assertion && system_.false_by_assertion(i);
      return is_false ? 0 : failed;  // as in run_predicate
    } catch (const Undetermined& u) {
      // The property needs whole states: all it has read so far, and this read.
      WideObservations& whole = *system_.wide_;
      std::set<std::uint32_t> codes = reads_[i];
      codes.insert(code_of(u.read));
      for (std::size_t w = 1; w < words.size(); w += 2) codes.insert(words[w]);
      codes.merge(whole.wanted[i]);
      whole.wanted[i] = under_any_name(std::move(codes));
      wide_.insert(i);
      return undetermined;
    } catch (...) {
      return failed;
    }
  }

  const System& system_;
  const std::uint64_t which_;
  const std::span<const Exchange> exchanges_;
  ContentTable observations_;  // those of the search
  std::unordered_map<std::string_view, ContentTable::Number> number_of_;
  std::vector<std::uint8_t> verdicts_;
  std::vector<bool> done_;
  Orbit orbit_;
  std::vector<std::uint32_t> came_by_;  // for each member of the orbit, the exchange by which it was found; 0: none
  std::size_t rounds_ = 0, renamings_ = 0;
  std::map<std::size_t, std::set<std::uint32_t>> reads_;  // by property
  std::set<std::size_t> wide_;                            // properties that need whole states of another search
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
  Words image_;
};

std::uint32_t System::renamed_part(Read read, std::uint32_t value, std::uint32_t number) const {
  if (value == 0 || read.part == Read::Part::Present || read.part == Read::Part::Up) return value;
  if (read.part == Read::Part::Whole) return renamed(read.slot, value, number);
  if (read.part == Read::Part::Inbox) return renamed_inbox(value, number);
  return renamed_local(*processes_[read.slot].kind, value & ~crashed, number) | (value & crashed);
}

std::vector<System::Exchange> System::exchanges() const {
  std::vector<Exchange> all;
  const auto& classes = symmetry_tables().classes;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    for (std::size_t m = 0; m + 1 < classes[c].members.size(); ++m) {
      Exchange e{c, classes[c].name, std::vector<std::uint32_t>(slots_), 0};
      for (std::uint32_t s = 0; s < slots_; ++s) e.to[s] = s;
      for (std::size_t k = 0; k < classes[c].members[m].size(); ++k) {
        std::swap(e.to[classes[c].members[m][k]], e.to[classes[c].members[m + 1][k]]);
      }
      e.number = renaming(e.to);
      all.push_back(std::move(e));
    }
  }
  return all;
}

SymmetryCheck System::check_symmetry(std::uint64_t which, const std::function<bool()>& go_on) {
  SymmetryCheck check;
  struct Checking {
    bool& on;
    explicit Checking(bool& flag) : on(flag) { on = true; }
    ~Checking() { on = false; }
  } const checking(checking_);
  if (!wide_) wide_ = std::make_shared<WideObservations>();
  std::vector<Exchange> left;
  if (which != 0) left = exchanges();
  const auto one_fault = [&] {
    auto fault = handlers_fault(left, go_on, check);
    if (!fault && check.finished) fault = ObservationClosure(*this, which, left).run(go_on, check);
    return fault;
  };
  while (!left.empty() && check.finished) {
    const auto fault = one_fault();
    if (!fault) break;
    check.faults.push_back(*fault);
    std::erase_if(left, [&](const Exchange& e) { return e.symmetry_class == fault->symmetry_class; });
  }
  wide_->seen = std::make_unique<ContentTable>();
  wide_->noted = false;
  if (check.finished && dropping_ && !left_out().empty()) {
    const std::string why = why_not_dropped(go_on, check.finished);
    if (!why.empty()) {
      check.faults.push_back({~std::size_t{0}, why});
      stop_dropping();
    }
  }
  return check;
}

void System::note_state(std::span<const Slot> state, bool deadlock) {
  wide_->noted = true;
  std::vector<std::uint32_t> words;
  for (const auto& [i, codes] : wide_->wanted) {
    if (properties_[i].of_final_states() != deadlock) continue;
    words.assign(1, static_cast<std::uint32_t>(i));
    for (const std::uint32_t code : codes) {
      words.push_back(code);
      words.push_back(predicates_->value(read_of(code), state));
    }
    wide_->seen->intern(std::span<const std::uint32_t>(words));
  }
}

void System::forsake_class(std::size_t symmetry_class) {
  SymmetryTables& known = symmetry_tables();
  known.classes.erase(known.classes.begin() + static_cast<std::ptrdiff_t>(symmetry_class));
  known.give_colours(processes_.size());
  known.seen_messages.clear();
  known.seen_locals.clear();
  if (dropping_ && options_.drop_dead == ActorOptions::DropDead::UpToRenaming) prepare_dropping();
  reconsider();
}

}  // namespace heddle::actor
