// Walks back over the path at every step and charges it where it depends on what was done.
#include "reduce/eager_source_sets.h"

namespace heddle {
namespace {

class EagerSearch final : public SourceSetSearch {
 public:
  using SourceSetSearch::SourceSetSearch;

 protected:
  void begins(Frame& f) override {
    const Candidate& c = f.explored();
    charge(sets_.single(c.thread, c.accesses), depth() - 1);
  }
  void meets(Frame&, std::uint32_t number) override {
    if (!is_open(number)) return charge(future(number), depth());
    for (std::size_t i = component(); i < depth(); ++i) charge_everybody(frame(i));
  }
  void waits(std::span<const ThreadAction> actions) override {
    for (std::uint32_t t = 0; t < actions.size(); ++t) {
      if (!actions[t].enabled()) charge(sets_.single(t, actions[t].pending.accesses), depth() - 1);
    }
  }
  void cuts_off() override {
    for (std::size_t i = 0; i + 1 < depth(); ++i) charge_everybody(frame(i));
  }

 private:
  static void charge_everybody(Frame& f) { f.current[f.explored().thread] = everybody; }

  // Charges accesses that may happen to all steps of the path, up to that of the frame before `end`.
  void charge(FutureSets::Set set, std::size_t end) {
    for (std::size_t i = 0; i < end; ++i) {
      Frame& f = frame(i);
      if (f.reducible) continue;
      const Candidate& c = f.explored();
      std::uint64_t found = sets_.conflicting_threads(set, c.accesses);
      if (set != FutureSets::everything) found &= ~(std::uint64_t{1} << c.thread);
      f.current[c.thread] |= found;
    }
  }
};

}  // namespace

SearchResult eager_source_sets(const TransitionSystem& system, const SearchOptions& options,
                               const SourceSetOptions& how) {
  return EagerSearch(system, options, how).run();
}

}  // namespace heddle
