// A native program as states and steps, for every search, reduction and explanation.
//
//   const System system(image, {});         // image: made by heddle-lower from C or C++ (image.h)
//   breadth_first(system, ...)
//
// A step is a segment of a thread: its pending visible operation and what it does by itself afterwards (machine.h).
// Transition t is thread t; `detail` is the alternative of a choice. States are laid out in layout.h; segments are
// memoised in segments.h. Memory is sequentially consistent.
//
// Properties are the kinds of errors, by one word each: race, assertion, memory, ... are false in a state whose process
// has ended in that way; deadlock and spin are false in a state without steps whose process has not ended.
//
// A thread spins in a state if, left alone, it reads shared memory over and over, comes back to where it was and has
// written nothing; what it counts does not matter if nothing depends on it. Only others can end that. A step of it
// that changes nothing is not listed. Where all threads are blocked or spin, nothing can ever change: there, no step
// is listed in a state from which a thread goes back in its code, which it does once in every round. Such a state has
// a spin if a thread spins, and otherwise a deadlock. A thread that does something else before, such as to return from
// a call, does not spin yet.
//
// Threads are in a knot if each of them waits for something that only another one of them can bring about: a lock that
// it holds, or its end. That lasts for ever, whatever others do; it is a deadlock, and no step is listed.
//
// With `leaks`, a step that loses the last mention of a heap object ends the process. What nobody can name any more
// stays so: whichever of several threads loses its mention last, one of them is found to.
//
// Beyond the contract of a door: with any step, a slot of a published object that nothing mentions any more becomes 0.
// No thread can notice that. Descriptions do not mention such objects.
// Thread-safe, except reconsider().
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/facets/assumptions.h"
#include "core/facets/describer.h"
#include "core/facets/events.h"
#include "core/facets/histories.h"
#include "core/facets/symmetries.h"
#include "core/facets/threads.h"
#include "core/facets/visibility.h"
#include "core/pair_map.h"
#include "core/transition_system.h"
#include "native/history_judge.h"
#include "native/image.h"
#include "native/layout.h"
#include "native/machine.h"
#include "native/names.h"
#include "native/segments.h"

namespace heddle::native {

enum class Races : std::uint8_t {
  Report,  // a data race is a violation; plain accesses ride along with visible operations
  Allow,   // every shared access is a step of its own
};

struct SystemOptions {
  Races races = Races::Report;
  Calls calls = Calls::Local;
  bool memoise = true;
  bool leaks = false;     // losing a heap object that was not freed is a violation
  bool symmetry = false;  // threads that make the same calls are taken to be alike, and compared (symmetry.cpp)
  // States differ in everything: dead registers, garbage and the numbers of objects. For tests; it may not end.
  bool raw_identity = false;
  std::vector<Section> sections = {};  // of the program that are atomic
  MachineSettings::Range nondet = {};  // what functions of verification suites may return
  // Told of comparisons with pointers to freed memory; null: nobody asks.
  std::shared_ptr<FreedComparisons> freed_comparisons = {};
  // Of a harness: one initial state for each. Empty: the program has a main of its own.
  std::vector<Client> clients = {};
  // The outcomes that each client may have (System::outcome); null: every outcome.
  std::shared_ptr<const std::vector<std::set<std::string>>> admitted = {};
  // States hold the history of calls with its real-time order, and this decides which ones are good; null: outcomes are
  // compared.
  std::shared_ptr<HistoryJudge> judge = {};
};

class System final : public TransitionSystem,
                     private Describer,
                     private Events,
                     private Threads,
                     private Visibility,
                     private Symmetries,
                     private Histories,
                     private Assumptions {
 public:
  System(std::shared_ptr<const Image> image, SystemOptions options);

  std::vector<SlotVector> initial_states() const override;
  void expand(std::span<const Slot> state, StepBuffer& out) const override;
  bool execute(std::span<const Slot> state, Step step, SlotVector& to) const override;
  std::uint32_t transition_count() const override { return Label::max_threads; }
  std::string transition_name(std::uint32_t transition) const override;
  void footprint(std::span<const Slot> state, Step step, std::vector<Access>& out) const override;
  std::span<const Property> properties() const override { return properties_; }
  std::uint64_t evaluate(std::span<const Slot> state, std::uint64_t which) const override;
  std::size_t bytes() const override;

  const Describer& describer() const override { return *this; }
  const Visibility* visibility() const override { return this; }
  const Symmetries* symmetries() const override { return options_.symmetry ? this : nullptr; }
  const Events* events() const override { return this; }
  const Threads* threads() const override { return this; }
  const Histories* histories() const override { return options_.judge ? this : nullptr; }
  const Assumptions* assumptions() const override { return this; }
  Assumptions* assumptions() override { return this; }

  // How often the machine ran; the other steps were known.
  std::uint64_t runs() const;
  // What a step does, in terms of statements and data. A function of the step and of the slots in its footprint.
  // REQUIRES: the step is enabled.
  std::vector<CodeEvent> code_events(std::span<const Slot> state, Step step) const {
    return states_->segments.code_events(state, step.transition, step.detail);
  }
  const Image& image() const { return *image_; }
  const std::vector<Client>& clients() const { return options_.clients; }
  // The results of a client's calls in a state without steps: "void, 1 | true"; "waits" stands for a call that does not
  // return. None if an error has ended the process.
  std::optional<std::string> outcome(std::span<const Slot> state) const;
  // Whether a thread has been started and has done nothing yet.
  bool is_fresh(std::span<const Slot> state, std::uint32_t thread) const;
  // Whether what a thread does next is not determined. REQUIRES: it runs.
  bool chooses(std::span<const Slot> state, std::uint32_t thread) const {
    return states_->segments.of(state, thread, 0).next() != 0;
  }
  // Returns the result of a thread's latest call, and makes it as if it had called nothing yet.
  std::string take_result(SlotVector& state, std::uint32_t thread) const;
  // The number of the client that a state belongs to. REQUIRES: there are clients.
  std::size_t client(std::span<const Slot> state) const { return state[Layout::client] - 1; }
  std::string client_text(std::span<const Slot> state) const {
    return text(options_.clients[client(state)], *harness_);
  }
  // The outcomes of a client's runs that differ in the names of threads from one with this outcome.
  std::set<std::string> renamed_outcomes(std::size_t client, const std::string& outcome) const;
  // Classes of threads that are taken to be alike.
  std::vector<std::vector<std::uint32_t>> alike() const;
  // The ending of a process that has ended.
  std::optional<Ending> ending(std::span<const Slot> state) const;

 private:
  // Everything that depends on how much room a state has.
  struct States {
    Layout layout;
    Segments segments;

    States(const Machine& machine, const SystemOptions& options, Room room, HistoryTable& histories,
           std::vector<std::vector<std::uint32_t>> alike)
        : layout(machine.image(), room),
          segments(machine, layout, options.clients,
                   {.memoise = options.memoise,
                    .watch_races = options.races == Races::Report,
                    .histories = options.judge ? &histories : nullptr,
                    .leaks = options.leaks,
                    .sections = !options.sections.empty(),
                    .comparisons = options.freed_comparisons.get(),
                    .alike = std::move(alike)}) {}
  };

  // Visibility
  bool may_change_truth(std::span<const Slot> from, std::span<const Change> changes) const override;
  // How a process has ended stays so.
  bool may_change_in_passing(std::span<const Slot>, std::span<const Change>) const override { return false; }
  // Events
  void effects(std::span<const Slot> state, Step step, Effects& out) const override;
  bool steps_of(std::span<const Slot> state, std::uint32_t process, StepBuffer& out) const override;
  // Threads
  std::uint32_t thread_count(std::span<const Slot> state) const override;
  bool pending(std::span<const Slot> state, std::uint32_t thread, PendingAction& out) const override;
  std::uint32_t process_of(std::uint32_t thread) const override { return Layout::first_thread + thread; }
  std::uint32_t place_count() const override { return states_->segments.place_count(); }
  std::uint64_t local_state(std::span<const Slot> state, std::uint32_t thread) const override;
  // Histories
  std::uint32_t history_slot() const override { return Layout::history; }
  std::uint64_t history_properties() const override;
  std::unique_ptr<ModelHistory> history_of(std::size_t property, std::span<const Slot> state) const override;
  // Assumptions: there is room for all threads and objects, and threads that make the same calls are alike.
  bool mistaken() const override { return false; }
  void reconsider() override;
  std::string left_out() const override { return {}; }
  SymmetryCheck check_symmetry(std::uint64_t which, const std::function<bool()>& go_on) override;
  void note_state(std::span<const Slot>, bool) override {}
  void forsake_class(std::size_t symmetry_class) override;
  // Symmetries
  std::vector<SymmetryClass> symmetry_classes() const override;
  std::string why_not_alike() const override;
  std::uint32_t renaming(std::span<const std::uint32_t> to) const override;
  Slot renamed(std::uint32_t slot, Slot value, std::uint32_t renaming) const override;
  bool mentions_members(std::uint32_t slot) const override;
  std::uint64_t fingerprint(std::uint32_t slot, Slot value, std::span<std::uint64_t> marks) const override;
  // Describer
  std::vector<trace::Lane> lanes() const override;
  trace::Step describe_step(std::span<const Slot> from, Step step, std::span<const Slot> to) const override;
  std::vector<trace::Field> describe_state(std::span<const Slot> state) const override;
  std::vector<trace::Field> describe_property(std::size_t index, std::span<const Slot> state) const override;
  std::vector<MissingStep> missing_steps(std::span<const Slot> state) const override;
  Coverage coverage(std::span<const std::uint64_t> executed, bool renamed) const override;

  void describe_events(std::span<const Slot> from, std::span<const Slot> to, const Account& account, Names& names,
                       trace::Step& out) const;
  const Variables& variables() const;
  Names names(std::vector<std::span<const Slot>> states, const Account* account = nullptr) const;
  trace::Place begin_of(const Account& account, bool fresh) const;
  std::vector<Label> start_records(std::span<const Slot> state) const;
  std::string waiting_text(std::span<const Slot> state, std::uint32_t thread) const;
  std::string place_of(const ThreadState& thread) const;
  bool may_wait(std::span<const Slot> state) const;
  bool is_good(std::span<const Slot> state) const;
  bool is_raced(std::span<const Slot> state, std::uint32_t thread, Footprints::Number latest) const;
  bool is_safe(BriefRest rest, const Segment& segment) const;
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};    // no thread
  static constexpr std::size_t longest_round = 10'000;          // segments of a thread that spins
  enum class Spins : std::uint8_t { No, Later, Yes, Unknown };  // Later: after something that it does once
  Spins spins_within(std::span<const Slot> state, std::uint32_t thread, std::size_t longest,
                     std::vector<Access>* reads) const;
  // `reads`: what it reads meanwhile is added.
  bool spins(std::span<const Slot> state, std::uint32_t thread, std::vector<Access>* reads = nullptr) const;
  std::uint32_t waits_for(std::span<const Slot> state, std::uint32_t thread) const;
  // The threads in a knot, a bit each.
  std::uint32_t knot(std::span<const Slot> state) const;
  bool ties_knot(std::span<const Slot> state, std::uint32_t thread, const Segment& segment) const;
  bool is_stuck(std::span<const Slot> state) const;
  bool lists_nothing(std::span<const Slot> state) const;
  bool may_block_others(BriefRest rest) const;
  bool ends_in(std::span<const Slot> state, Step step, const Segment& segment) const;
  bool changes_own_slot_only(std::uint32_t thread, const Segment& segment) const;
  bool section_races(const Segment& one, const Segment& other) const;
  std::uint32_t raced_by(std::span<const Slot> state, const Ending& race) const;
  // Calls f(choice, segment) for each alternative of what the thread does next, as long as it returns true. REQUIRES:
  // it runs.
  template <class F>
  void for_each_alternative(std::span<const Slot> state, std::uint32_t thread, F&& f) const {
    for (std::uint32_t choice = 0;;) {
      const Segment segment = states_->segments.of(state, thread, choice);
      if (!f(choice, segment)) return;
      choice = segment.next();
      if (choice == 0) return;
    }
  }
  bool runs_in(std::span<const Slot> state, std::uint32_t thread) const;
  void add_steps(std::span<const Slot> state, std::uint32_t thread, StepBuffer& out) const;
  std::uint32_t racing_with(std::span<const Slot> state, std::uint32_t thread, const Segment& segment) const;
  void sweep(std::span<const Slot> state, std::uint32_t thread, std::span<const std::uint32_t> lost,
             StepBuffer& out) const;
  // Whether the segment may end the process by a leak, which depends on the whole state.
  bool may_leak(const Segment& segment) const { return options_.leaks && !segment.lost().empty(); }

  const std::shared_ptr<const Image> image_;
  const std::optional<Harness> harness_;
  const SystemOptions options_;
  const Machine machine_;
  std::vector<Property> properties_;
  std::uint64_t of_stuck_states_ = 0;
  // Releases are then not safe.
  const bool looks_at_locks_;
  mutable HistoryTable histories_;
  mutable PairMap verdicts_;                          // of histories
  std::vector<std::vector<std::uint32_t>> forsaken_;  // classes of threads that turned out not to be alike
  std::unique_ptr<States> states_;
  mutable std::once_flag variables_known_;
  mutable std::optional<Variables> variables_;
};

}  // namespace heddle::native
