// The state of the actor door, shared by its files; actor_system.h says what it is for.
//
// Thread-safety: tables are lock-free or locked inside; everything else is fixed after construction.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <shared_mutex>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "actor/actor_system.h"
#include "actor/fault_budget.h"
#include "actor/history.h"
#include "actor/messages.h"
#include "actor/outcome.h"
#include "actor/predicates.h"
#include "actor/purity.h"
#include "check/model_history.h"
#include "check/refinement/abstract_object.h"
#include "check/refinement/refinements.h"
#include "core/content_table.h"
#include "core/facets/assumptions.h"
#include "core/facets/dependence.h"
#include "core/facets/describer.h"
#include "core/facets/events.h"
#include "core/facets/forgetting.h"
#include "core/facets/partial_states.h"
#include "core/facets/symmetries.h"
#include "core/facets/visibility.h"
#include "core/failure_properties.h"
#include "core/pair_map.h"
#include "core/reserved_array.h"
#include "stateless/receipts.h"

namespace heddle::actor {

class System final : public TransitionSystem,
                     public Assumptions,
                     public Dependence,
                     public Describer,
                     public Events,
                     public Forgetting,
                     public Histories,
                     public PartialStates,
                     public Receipts,
                     public Refinements,
                     public Symmetries,
                     public Visibility {
 public:
  System(Model model, const ActorOptions& options);
  ~System() override;

  std::vector<SlotVector> initial_states() const override;
  void expand(std::span<const Slot> state, StepBuffer& out) const override;
  bool execute(std::span<const Slot> state, Step step, SlotVector& to) const override;
  std::uint32_t transition_count() const override { return static_cast<std::uint32_t>(transitions_.size()); }
  std::string transition_name(std::uint32_t transition) const override;
  void footprint(std::span<const Slot> state, Step step, std::vector<Access>& out) const override;
  std::span<const Property> properties() const override { return properties_; }
  std::uint64_t evaluate(std::span<const Slot> state, std::uint64_t which) const override;
  std::size_t bytes() const override;

  // Facets. A facet is null if the run has no use for it.
  const Assumptions* assumptions() const override { return this; }
  Assumptions* assumptions() override { return this; }
  const Dependence* dependence() const override { return relations_possible() ? this : nullptr; }
  const Describer& describer() const override { return *this; }
  const Events* events() const override { return this; }
  const Forgetting* forgetting() const override { return this; }
  const Histories* histories() const override { return history_slot_ != 0 ? this : nullptr; }
  const PartialStates* partial_states() const override { return this; }
  const Receipts* receipts() const override { return this; }
  const Refinements* refinements() const override { return object_slot_ != 0 ? this : nullptr; }
  const Symmetries* symmetries() const override { return this; }
  const Visibility* visibility() const override { return this; }

  // Assumptions: dropping.cpp, symmetry_check.cpp
  bool mistaken() const override;
  void reconsider() override;
  std::string left_out() const override;
  SymmetryCheck check_symmetry(std::uint64_t which, const std::function<bool()>& go_on) override;
  void note_state(std::span<const Slot> state, bool deadlock) override;
  void forsake_class(std::size_t symmetry_class) override;
  // Dependence: relations.cpp
  const Relations& relations() const override;
  void awaiting(std::span<const Slot> state, BitSet& pairs) const override;
  // Describer: describe.cpp, missing_steps.cpp, coverage.cpp
  std::vector<trace::Lane> lanes() const override;
  trace::Step describe_step(std::span<const Slot> from, Step step, std::span<const Slot> to) const override;
  std::vector<trace::Field> describe_state(std::span<const Slot> state) const override;
  std::vector<trace::Field> describe_property(std::size_t index, std::span<const Slot> state) const override;
  std::vector<MissingStep> missing_steps(std::span<const Slot> state) const override;
  std::vector<std::string> growth() const override;
  Coverage coverage(std::span<const std::uint64_t> executed, bool renamed) const override;
  std::vector<std::string> warnings() const override;
  // Events: effects.cpp
  void effects(std::span<const Slot> state, Step step, Effects& out) const override;
  bool steps_of(std::span<const Slot> state, std::uint32_t process, StepBuffer& out) const override;
  // Forgetting: auxiliary.cpp
  bool forget_auxiliary(SlotVector& state) const override;
  std::vector<std::string> parts() const override;
  void forget_part(std::size_t part, SlotVector& state) const override;
  // Histories: model_history.cpp
  std::uint32_t history_slot() const override { return history_slot_; }
  std::uint64_t history_properties() const override;
  std::unique_ptr<ModelHistory> history_of(std::size_t property, std::span<const Slot> state) const override;
  // PartialStates: partial_states.cpp
  bool stands_for(std::span<const Slot> state, const TransitionSystem& full,
                  std::span<const Slot> whole) const override;
  bool same_step(std::span<const Slot> from, Step step, const TransitionSystem& full, std::span<const Slot> whole_from,
                 Step whole_step) const override;
  // Receipts: receipts.cpp
  void receipt(std::span<const Slot> state, Step step, Receipt& out) const override;
  // Refinements: linearization_points.cpp
  RefinementRun refinement_run() const override;
  RefinementFailure refinement_failure(std::span<const Slot> state) const override;
  // Symmetries: symmetry.cpp
  std::vector<SymmetryClass> symmetry_classes() const override;
  std::uint32_t renaming(std::span<const std::uint32_t> to) const override;
  Slot renamed(std::uint32_t slot, Slot value, std::uint32_t number) const override;
  bool mentions_members(std::uint32_t slot) const override { return fault_slot_ == 0 || slot != fault_slot_; }
  std::uint64_t fingerprint(std::uint32_t slot, Slot value, std::span<std::uint64_t> marks) const override;
  // Visibility: properties.cpp
  bool may_change_truth(std::span<const Slot> from, std::span<const Change> changes) const override;
  bool may_change_in_passing(std::span<const Slot> from, std::span<const Change> changes) const override;
  std::size_t observed() const override { return predicates_->observed(); }

 private:
  friend class StateView;

  struct Process {
    static constexpr std::size_t most_cells = std::size_t{1} << 27;
    const ProcessInfo* info;
    Kind* kind;
    Slot initial;
    std::vector<std::uint32_t> first_of_handler;  // transitions of handler h begin here
    std::uint32_t first_special = 0;
    std::uint32_t machine = 0;                   // co-located processes are on one machine; numbered from 0
    std::vector<std::uint32_t> companions;       // the others on its machine, ascending
    std::vector<FaultBudget::Kind> crash_kinds;  // what a crash of the machine counts as; none: it does not crash
    // By cell: a bit for each pair of Relations::net that its transitions have, set if the pair waits. The top bit says
    // that the others are known.
    mutable ReservedArray<std::uint64_t> waiting{most_cells};
    bool byzantine;
    // Its outcomes by cell, and by (cell, ghost) for transitions that take the ghost variable.
    struct Entry {
      const Outcome* first;
      std::uint32_t count;
    };
    mutable ReservedArray<Entry> outcomes{most_cells};
    struct GhostMemo {
      PairMap numbers;
      std::atomic<std::uint32_t> used{0};
      ReservedArray<Entry> outcomes{most_cells};
    };
    std::unique_ptr<GhostMemo> with_ghost;
    // The effects of the outcomes, by (cell, ghost); only stateless searches ask.
    struct EffectsMemo {
      std::mutex mutex;
      std::unordered_map<std::uint64_t, std::vector<Effects>> lists;
    };
    std::unique_ptr<EffectsMemo> effects = std::make_unique<EffectsMemo>();
  };

  // switches.cpp
  void check_switches() const;
  void find_machines();
  void allow_faults();
  // Returns the counts of faults after one more fault; 0 if that is too many.
  Slot faults_after(Slot counts, std::uint32_t p, Extra::Cost cost) const;
  // REQUIRES: the network may be partitioned, so there are at most 16 machines.
  std::uint32_t machine_bit(std::uint32_t p) const { return std::uint32_t{1} << processes_[p].machine; }

  // actor_system.cpp
  void take_first_step(std::uint32_t p, void (*run)(detail::HandlerCall&), std::vector<SlotVector>& states) const;
  void expand_process(std::span<const Slot> state, std::uint32_t p, StepBuffer& out) const;
  void emit(std::span<const Slot> state, std::uint32_t p, const Outcome& outcome, StepBuffer& out) const;
  void emit_extra(std::span<const Slot> state, std::uint32_t p, const Outcome& outcome, StepBuffer& out) const;
  std::uint32_t history_after(std::uint32_t history, std::uint32_t transition, std::span<const std::uint32_t> events,
                              std::vector<std::uint32_t>* recorded = nullptr) const;
  void emit_partitions(std::span<const Slot> state, StepBuffer& out) const;
  Slot receive(std::uint32_t q, Slot cell, MessageNumber message) const;
  std::span<const Outcome> outcomes(std::uint32_t p, Slot cell) const;
  std::span<const Outcome> known_or_computed(Process::Entry& entry, std::uint32_t p, Slot cell,
                                             std::optional<std::uint32_t> ghost) const;
  std::span<const Outcome> ghost_outcomes(std::uint32_t p, Slot cell, std::uint32_t ghost) const;
  Process::Entry keep(std::vector<DetailedOutcome> detailed) const;

  // outcomes.cpp
  std::vector<DetailedOutcome> compute_outcomes(std::uint32_t p, Slot cell, std::optional<std::uint32_t> ghost) const;
  void handler_outcomes(std::uint32_t p, Slot cell, std::uint32_t t, std::optional<std::uint32_t> ghost,
                        std::vector<DetailedOutcome>& out) const;
  const std::vector<HandlerResult>& handler_results(std::uint32_t p, std::uint32_t t, std::uint32_t local,
                                                    std::span<const std::uint32_t> consumed, std::uint32_t ghost,
                                                    std::vector<HandlerResult>& scratch) const;
  // `guards`: where guards were false is written there, and nothing is noted for coverage.
  std::vector<HandlerResult> run_handler(std::uint32_t p, std::uint32_t t, std::uint32_t local,
                                         std::span<const std::uint32_t> consumed, std::uint32_t ghost,
                                         std::vector<std::source_location>* guards = nullptr) const;
  std::vector<std::vector<std::uint32_t>> consumable(std::uint32_t p, Slot cell, const TransitionInfo& t) const;
  void resolve_sends(std::uint32_t p, const TransitionInfo& t, std::span<const std::uint32_t> consumed,
                     const std::vector<detail::Sent>& sent, std::vector<Send>& out) const;
  Slot make_cell(std::uint32_t p, std::uint32_t local, InboxNumber inbox) const;

  // splits.cpp
  void find_channels();
  std::vector<std::uint32_t> possible_senders(std::uint32_t p, const TransitionInfo& t) const;
  std::size_t threshold(const TransitionInfo& t) const;
  void find_thresholds();
  void make_transitions();
  std::uint32_t transition_of(std::uint32_t p, const DetailedOutcome& d) const;

  // relations.cpp
  static constexpr std::size_t most_related = 128;  // processes; beyond, the relations would be too large to be of use
  bool relations_possible() const;
  Relations make_relations() const;
  void add_necessary(Relations& r) const;
  bool may_feed(const StaticTransition& t, const StaticTransition& other) const;
  bool shares_ghost(const StaticTransition& t) const;
  bool may_enable_by_ghost(const StaticTransition& t, const StaticTransition& other) const;
  bool may_enable_locally(const StaticTransition& t, const StaticTransition& other) const;
  bool waits(Slot cell, const Relations::Necessary& pair) const;
  const detail::Annotation* annotation_of(const StaticTransition& t) const;
  bool can_send(std::uint32_t from, std::uint32_t to, const detail::TypeInfo* type) const {
    return channels_.contains({from, to, type});
  }
  const TransitionInfo& handler_of(const StaticTransition& t) const {
    return processes_[t.process].info->info->transitions[static_cast<std::size_t>(t.handler)];
  }
  // auxiliary.cpp
  std::uint32_t intern_local(Kind& kind, std::string_view bytes) const;
  std::uint32_t intern_ghost(std::string_view bytes) const;
  // A field of a role, of a message type or of the ghost variable.
  struct Part {
    const Kind* kind;              // null unless of a role
    const detail::TypeInfo* type;  // null if of a role
    std::size_t position;
    std::string name;
  };
  std::vector<Part> all_parts() const;
  template <class Local, class Message, class GhostContent>
  void rewrite(SlotVector& state, Local&& local, Message&& message, GhostContent&& ghost) const;

  // dropping.cpp
  struct Notes {
    HandlerUse& use;
    std::size_t handler;
    bool input;  // the messages are all that the handler waits for
  };
  void prepare_dropping() const;
  MessageNumber whoever_sent(const Kind& kind, MessageNumber message) const;
  bool may_take(const Kind& kind, std::uint32_t local, MessageNumber message) const;
  bool may_take(const TransitionInfo& t, std::uint32_t p, std::string_view local, MessageNumber message) const;
  bool may_take(const TransitionInfo& t, std::uint32_t p, std::string_view local,
                std::span<const MessageNumber> messages, bool only_first, const Notes* notes = nullptr) const;
  void note_dropped(const Kind& kind, HandlerUse& use) const;
  bool is_dead(const Kind& kind, std::uint32_t local, MessageNumber message) const;
  InboxNumber without_dead(const Kind& kind, std::uint32_t local, InboxNumber inbox) const;
  void note_step(const Kind& kind, std::uint32_t from, std::uint32_t to) const;
  void stop_dropping() const;
  void look_after_dropping() const;

  // partial_states.cpp
  using MessageContent = std::tuple<const detail::TypeInfo*, std::uint32_t, bool, detail::Bytes>;
  std::vector<MessageContent> contents_of(std::span<const std::uint32_t> entries) const;

  // symmetry.cpp
  MessageNumber renamed_message(MessageNumber message, std::uint32_t number) const;
  std::uint32_t renamed_local(Kind& kind, std::uint32_t local, std::uint32_t number) const;
  InboxNumber renamed_inbox(InboxNumber inbox, std::uint32_t number) const;
  std::vector<std::vector<std::uint32_t>> all_renamings(std::size_t most) const;

  // symmetry_check.cpp
  // Two neighbouring members of a class change places.
  struct Exchange {
    std::size_t symmetry_class;
    std::string name;  // of the class
    std::vector<std::uint32_t> to;
    std::uint32_t number;  // of the renaming
  };
  struct WideObservations;
  class ObservationClosure;
  std::vector<Exchange> exchanges() const;
  std::uint32_t renamed_part(Read read, std::uint32_t value, std::uint32_t number) const;

  // handler_symmetry.cpp
  class HandlerEffects;
  std::string handler_name(std::uint32_t p, std::uint32_t t) const;
  std::optional<SymmetryCheck::Fault> handlers_fault(std::span<const Exchange> exchanges,
                                                     const std::function<bool()>& go_on, SymmetryCheck& check) const;
  std::string order_matters(const std::function<bool()>& go_on, bool& finished) const;
  static bool matters_in(std::span<const std::uint32_t> call, std::uint32_t effects_of_it, HandlerEffects& effects);

  // dropping_check.cpp
  class DroppedPairs;
  std::string why_not_dropped(const std::function<bool()>& go_on, bool& finished) const;

  // faults.cpp
  void find_domains();
  void add_network_outcomes(std::uint32_t p, Slot cell, std::vector<DetailedOutcome>& out) const;
  void add_crash_outcomes(std::uint32_t p, Slot cell, std::vector<DetailedOutcome>& out) const;
  void add_machine_outcomes(std::uint32_t p, Slot cell, std::vector<DetailedOutcome>& out) const;
  void add_byzantine_outcomes(std::uint32_t p, Slot cell, std::vector<DetailedOutcome>& out) const;
  Slot crash_cell(std::uint32_t p, Slot cell) const;
  // Whether a crash of this machine makes a client lose sight of its open operation.
  bool forgets_operations(std::uint32_t p) const;
  Slot recover_cell(std::uint32_t p, Slot cell) const;

  // spawning.cpp
  void find_places();
  void mention(const detail::RoleTag* role, std::uint16_t index, BitSet& out) const;
  void mention_ids(std::string_view bytes, detail::Forget forget, const detail::Shape& shape, BitSet& out) const;
  void mention_inbox(InboxNumber inbox, BitSet& out) const;
  const BitSet& mentioned(std::uint32_t slot, Slot value) const;
  BitSet remembered_after(std::uint32_t p, const Spawning& spawning, InboxNumber rest) const;
  std::vector<std::uint32_t> places_for(std::span<const Slot> state, std::uint32_t p, const Spawning& spawning) const;
  detail::Renaming naming(const Spawning& spawning, const std::vector<std::uint32_t>& places) const;
  std::vector<std::uint32_t> events_of(std::span<const Slot> state, std::uint32_t p, const Extra& extra) const;
  Slot moved_beside(Slot partition, std::uint32_t p, std::span<const std::uint32_t> places) const;
  bool apply_spawn(std::span<const Slot> state, std::uint32_t p, const Outcome& outcome, StepBuffer& out) const;

  // effects.cpp
  std::vector<Effects> compute_effects(std::uint32_t p, Slot cell, std::optional<std::uint32_t> ghost) const;
  std::uint64_t effects_label(std::uint32_t p, const DetailedOutcome& d) const;
  std::ptrdiff_t older_copies(std::span<const std::uint32_t> waiting, const DetailedOutcome& d,
                              MessageNumber message) const;
  bool appends_blindly(const DetailedOutcome& d) const;
  void common_accesses(std::uint32_t p, std::vector<Access>& out) const;

  // receipts.cpp
  std::uint64_t key_of(const DetailedOutcome& d) const;

  // symmetry.cpp
  struct SymmetryTables;
  SymmetryTables& symmetry_tables() const;
  std::size_t symmetry_bytes() const;
  std::vector<SymmetryClass> find_classes() const;
  bool exchangeable(std::span<const std::uint32_t> one, std::span<const std::uint32_t> other,
                    const std::vector<SlotVector>& initial) const;

  // linearization_points.cpp
  // The annotations that apply to a handler, and everything that they take as parameters.
  struct Annotated {
    std::vector<const detail::LinearizationPoint*> points;
    detail::Takes takes;
  };
  void prepare_refinement();
  void annotate(std::uint32_t p, std::uint32_t t, std::uint32_t local, std::span<const std::uint32_t> consumed,
                HandlerResult& result) const;
  std::uint32_t situation_of(const Annotated& points, std::uint32_t p, std::uint32_t t, std::uint32_t local,
                             std::uint32_t after, std::span<const std::uint32_t> consumed) const;
  std::uint32_t situation_of_no_handler() const;
  std::uint32_t run_points(std::uint32_t situation, detail::AnnotationInput in) const;
  std::uint32_t calls_in(std::span<const Slot> before, std::span<const Change> changes, std::uint32_t situation) const;
  std::uint32_t look_around(std::uint32_t situation, std::span<const Slot> both, std::vector<Read>& reads) const;
  std::vector<trace::Call> describe_calls(std::span<const Slot> from, const Extra& extra,
                                          std::span<const Slot> to) const;
  std::vector<trace::Field> describe_failure(std::span<const Slot> state) const;
  void emit_calls(std::span<const Slot> state, const Extra& extra, StepBuffer& out) const;
  const Annotated* annotated(const StaticTransition& t) const;
  std::size_t refinement_property() const { return model_.properties().size() + model_.specifications().size(); }
  bool is_refinement(std::size_t property) const { return object_slot_ != 0 && property == refinement_property(); }

  // purity.cpp
  void audit(std::uint32_t p, std::uint32_t t, const detail::HandlerCall& first, bool rejected,
             const detail::HandlerCall& again) const;
  void audit_predicate(std::size_t i, std::span<const Slot> state, bool holds) const;

  // failures.cpp
  void add_failure_properties();
  std::uint32_t intern_failure(const TransitionInfo& t, std::uint32_t p, const UserFailure& failure) const;
  void emit_failure(std::span<const Slot> state, std::uint32_t p, const Outcome& outcome, StepBuffer& out) const;
  std::uint64_t truth_after_failure(Slot failed) const;
  std::uint32_t process_failed(Slot failed) const { return right_of(failed_.key(failed)); }
  std::uint64_t failure_bit(UserFailure::Kind kind) const;
  std::string failure_text(Slot failed) const;
  std::vector<trace::Field> describe_failed_code(std::size_t property, std::span<const Slot> state) const;
  std::vector<trace::Field> describe_assertion(std::size_t property, std::span<const Slot> state) const;
  bool failed(std::span<const Slot> state) const { return failure_slot_ != 0 && state[failure_slot_] != 0; }

  // properties.cpp
  bool false_by_assertion(std::size_t property) const;
  std::uint32_t run_predicate(std::size_t i, std::span<const Slot> state, std::vector<Read>& reads) const;
  std::optional<UserFailure> try_predicate(std::size_t i, std::span<const Slot> state, std::vector<Read>& reads,
                                           bool& holds) const;

  // describe.cpp
  std::string lane_name(std::uint32_t p) const;
  DetailedOutcome find_outcome(std::span<const Slot> state, std::uint32_t p, Step step) const;
  std::string describe_place(std::uint32_t p, Slot cell, const DetailedOutcome& d) const;
  trace::Message describe_message(MessageNumber number, std::uint32_t to) const;
  void lane_fields(std::uint32_t p, Slot cell, std::vector<trace::Field>& out) const;
  std::string inbox_json(std::uint32_t p, Slot cell) const;
  // missing_steps.cpp
  std::string why_missing(std::span<const Slot> state, std::uint32_t p, std::uint32_t t) const;
  std::uint32_t object_lane() const { return network_lane() + 1; }
  std::uint32_t network_lane() const { return static_cast<std::uint32_t>(processes_.size()); }

  std::uint32_t local_of(std::uint32_t p, Slot cell) const { return left_of(processes_[p].kind->cells.key(cell)); }
  InboxNumber inbox_of(std::uint32_t p, Slot cell) const { return right_of(processes_[p].kind->cells.key(cell)); }
  std::string_view local_bytes(std::uint32_t p, Slot cell) const {
    return processes_[p].kind->locals.content(local_of(p, cell) & ~crashed);
  }
  std::uint32_t process_named(const detail::RoleTag* role, std::uint16_t index) const;

  Model model_;
  ActorOptions options_;
  mutable Messages messages_;
  mutable Inboxes inboxes_;
  mutable HistoryTable histories_;
  bool passing_history_ = false;  // a history can be wrong and its continuation right
  mutable ContentTable ghosts_;
  mutable PuritySample purity_, predicates_sample_;  // of transitions, of properties
  mutable ContentTable failures_;                    // of user code (failures.cpp)
  mutable PairTable failed_;                         // (failure, process): the failure slot is a number in it
  mutable ContentTable labels_;                      // of steps, for Effects
  mutable ContentTable keys_;                        // of messages, for Receipt
  std::vector<std::unique_ptr<Kind>> kinds_;
  mutable std::vector<Process> processes_;
  std::vector<StaticTransition> transitions_;
  std::unordered_map<const TransitionInfo*, std::size_t> thresholds_;                // of quorums
  std::unordered_map<const detail::TypeInfo*, std::vector<detail::Bytes>> domains_;  // of what Byzantine processes send
  std::set<std::tuple<std::uint32_t, std::uint32_t, const detail::TypeInfo*>> channels_;  // (from, to, type)
  mutable std::once_flag relations_made_;
  mutable std::unique_ptr<Relations> relations_;
  mutable std::vector<std::uint32_t>
      net_of_;  // where the pairs of process p begin in Relations::net; one more for the end
  // Slots after the processes; 0: the run does not have it.
  std::uint32_t fault_slot_ = 0, partition_slot_ = 0, ghost_slot_ = 0, history_slot_ = 0, object_slot_ = 0,
                failure_slot_ = 0, slots_ = 0;
  bool may_be_absent_ = false;  // processes come and go
  std::uint32_t machines_ = 0;
  FaultBudget budget_;
  FaultBudget::Kind losses_ = 0, duplications_ = 0, partitions_ = 0;
  std::vector<Property> properties_;
  std::unique_ptr<Predicates> predicates_;
  // Used only if a refinement is checked.
  mutable std::unique_ptr<AbstractObject> object_;
  std::map<void (*)(detail::HandlerCall&), Annotated> annotated_;
  Annotated any_step_;
  mutable ContentTable situations_;
  std::unique_ptr<Predicates> looking_around_;
  std::map<const detail::RoleTag*, std::vector<std::uint32_t>>
      places_;  // of roles that are spawned, in the order they are taken
  struct Mentions {
    std::shared_mutex mutex;
    std::unordered_map<std::uint64_t, BitSet> of;  // (slot, value) -> processes
  };
  mutable Mentions mentions_;
  mutable std::once_flag symmetries_made_;
  mutable std::shared_ptr<SymmetryTables> symmetries_;
  mutable std::shared_ptr<WideObservations> wide_;  // null until a check of symmetry was made
  mutable bool checking_ = false;  // in check_symmetry: what handlers do under other names does not count

  // Memoised handlers: words (process, transition, local, ghost, consumed...) -> results.
  struct HandlerMemo {
    ContentTable keys;
    std::mutex mutex;
    ReservedArray<const std::vector<HandlerResult>*> results;
    std::vector<std::unique_ptr<std::vector<HandlerResult>>> owned;
  };
  mutable HandlerMemo handlers_;

  // Outcome lists live as long as the system.
  struct Kept {
    std::vector<Outcome> outcomes;
    std::vector<Send> sends;
    std::vector<std::unique_ptr<Extra>> extras;
  };
  // Whether dead messages are dropped. That ends once dropping turns out not to be worth it, or not to be sound.
  mutable std::atomic<bool> dropping_{false};
  mutable std::atomic<bool> stopped_dropping_{false};
  mutable std::atomic<std::uint64_t> cells_computed_{0}, cells_at_mistake_{0};
  mutable std::mutex kept_mutex_;
  mutable std::vector<std::unique_ptr<Kept>> kept_;
  mutable std::map<std::pair<std::uint32_t, std::uint32_t>, std::unique_ptr<Extra>>
      extras_of_calls_;  // (calls, situation)
  mutable std::atomic<std::size_t> kept_bytes_{0};
};

}  // namespace heddle::actor
