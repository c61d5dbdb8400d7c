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
// written nothing. Only others can end that. A step of it that changes nothing is not listed, and where all threads are
// blocked or spin, no step is: nothing can ever change there. Such a state has a spin if a thread spins, and otherwise
// a deadlock.
//
// Beyond the contract of a door: with any step, a slot of a published object that nothing mentions any more becomes 0.
// No thread can notice that. Descriptions do not mention such objects.
// Thread-safe, except reconsider().
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/facets/assumptions.h"
#include "core/facets/describer.h"
#include "core/facets/events.h"
#include "core/facets/threads.h"
#include "core/facets/visibility.h"
#include "core/transition_system.h"
#include "native/image.h"
#include "native/layout.h"
#include "native/machine.h"
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
  // Of a harness: one initial state for each. Empty: the program has a main of its own.
  std::vector<Client> clients = {};
  // The outcomes that each client may have (System::outcome); null: every outcome.
  std::shared_ptr<const std::vector<std::set<std::string>>> admitted = {};
};

class System final : public TransitionSystem,
                     private Describer,
                     private Events,
                     private Threads,
                     private Visibility,
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
  const Events* events() const override { return this; }
  const Threads* threads() const override { return this; }
  const Assumptions* assumptions() const override { return this; }
  Assumptions* assumptions() override { return this; }

  // How often the machine ran; the other steps were known.
  std::uint64_t runs() const;
  // The results of a client's calls in a state without steps: "void, 1 | true"; "waits" stands for a call that does not
  // return. None if an error has ended the process.
  std::optional<std::string> outcome(std::span<const Slot> state) const;
  // The number of the client that a state belongs to. REQUIRES: there are clients.
  std::size_t client(std::span<const Slot> state) const { return state[Layout::client] - 1; }
  // The ending of a process that has ended.
  std::optional<Ending> ending(std::span<const Slot> state) const;

 private:
  // Everything that depends on how much room a state has.
  struct States {
    Layout layout;
    Segments segments;

    States(const Machine& machine, const SystemOptions& options, Room room)
        : layout(machine.image(), room),
          segments(machine, layout, options.clients, {options.memoise, options.races == Races::Report}) {}
  };

  // Visibility
  bool may_change_truth(std::span<const Slot> from, std::span<const Change> changes) const override;
  // Events
  void effects(std::span<const Slot> state, Step step, Effects& out) const override;
  bool steps_of(std::span<const Slot> state, std::uint32_t process, StepBuffer& out) const override;
  // Threads
  std::uint32_t thread_count(std::span<const Slot> state) const override;
  bool pending(std::span<const Slot> state, std::uint32_t thread, PendingAction& out) const override;
  // Assumptions: there is room for all threads and objects.
  bool mistaken() const override { return false; }
  void reconsider() override;
  std::string left_out() const override { return {}; }
  SymmetryCheck check_symmetry(std::uint64_t, const std::function<bool()>&) override { return {}; }
  void note_state(std::span<const Slot>, bool) override {}
  void forsake_class(std::size_t) override {}
  // Describer
  std::vector<trace::Lane> lanes() const override;
  trace::Step describe_step(std::span<const Slot> from, Step step, std::span<const Slot> to) const override;
  std::vector<trace::Field> describe_state(std::span<const Slot> state) const override;
  std::vector<trace::Field> describe_property(std::size_t index, std::span<const Slot> state) const override;
  Coverage coverage(std::span<const std::uint64_t> executed, bool renamed) const override;

  void describe_events(std::span<const Slot> from, std::span<const Slot> to, const Account& account,
                       trace::Step& out) const;
  trace::Place begin_of(const Account& account, bool fresh) const;
  std::vector<Label> start_records(std::span<const Slot> state) const;
  std::string waiting_text(std::span<const Slot> state, std::uint32_t thread) const;
  std::string place_of(const ThreadState& thread) const;
  bool is_raced(std::span<const Slot> state, std::uint32_t thread, Footprints::Number latest) const;
  bool is_safe(const Rest& rest, const Segment& segment) const;
  bool spins(std::span<const Slot> state, std::uint32_t thread) const;
  bool is_stuck(std::span<const Slot> state) const;
  bool runs_in(std::span<const Slot> state, std::uint32_t thread) const;
  void add_steps(std::span<const Slot> state, std::uint32_t thread, StepBuffer& out) const;
  std::uint32_t racing_with(std::span<const Slot> state, std::uint32_t thread, const Segment& segment) const;
  void sweep(std::span<const Slot> state, StepBuffer& out) const;

  const std::shared_ptr<const Image> image_;
  const std::optional<Harness> harness_;
  const SystemOptions options_;
  const Machine machine_;
  std::vector<Property> properties_;
  std::uint64_t of_stuck_states_ = 0;
  // Some operation looks at a lock without waiting for it: releases are then not safe.
  const bool tries_locks_;
  std::unique_ptr<States> states_;
};

}  // namespace heddle::native
