// The states of a system and the messages that can be received in each, numbered for schedulers.
//
// A scheduler walks the same states over and over, once for every schedule through them. Therefore a state is expanded
// only once, when it is first met. From then on it is a list of receives with the states they lead to, and a step of a
// schedule is an index.
//
// Clients of a harness are folded into the system's receives, as in Al-Mahfoudh, Stutsman, Gopalakrishnan (2023): a
// client's request is made when it is received, and an answer reaches its client when it is sent. That loses no
// violation. Take a run in which requests are made earlier, or answers arrive later. Its folded form has the same
// receives at the system's own processes, hence the same results. Its operations are shorter, so two operations that
// are ordered in the run are ordered in the folded form. So a linearization of the folded form is one of the run.
// Folded are only
//   - steps that invoke, consume nothing, send one message and enable nothing but the receipt of that message: a client
//     that may ask again before it was heard is not folded;
//   - steps that only return and are all that their process can do. An answer that nobody takes when it is sent may be
//     a second answer, which the client might have taken for the first: leaves_out() reports such answers.
// Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "core/content_table.h"
#include "core/facets/events.h"
#include "core/path.h"
#include "core/transition_system.h"
#include "stateless/event.h"
#include "stateless/receipts.h"

namespace heddle::schedule {

using Node = std::uint32_t;

// One receipt: a process takes a message, or several, or none (a spontaneous step). Holds the event and where it leads.
struct Receive : Event {
  std::uint32_t name = 0;     // the same event has the same name in every state
  std::uint64_t senders = 0;  // processes whose messages are taken, bit p mod 64; a spontaneous step has its process
  std::uint64_t key = Receipt::any_key;
  bool excluded = false;

  Node target = 0;
  struct Range {
    std::uint32_t first = 0, count = 0;
  };
  Range events, steps;  // see ReceiveGraph
};

class ReceiveGraph {
 public:
  struct Options {
    bool fold_clients = true;
  };
  explicit ReceiveGraph(const TransitionSystem& system) : ReceiveGraph(system, Options{}) {}
  // Throws ModelError if the system has several initial states.
  ReceiveGraph(const TransitionSystem& system, Options options);

  const TransitionSystem& system() const { return system_; }
  Node initial() const { return initial_; }
  // Returns the receives of a state. The span stays valid.
  std::span<const Receive> receives(Node node);
  // Returns the receive of that name in a state, or null.
  const Receive* find(Node node, std::uint32_t name);
  std::span<const Slot> state(Node node) const { return states_.words(node); }
  // Returns 0 if the system keeps no histories.
  Slot history(Node node) const { return history_slot_ ? state(node)[*history_slot_] : 0; }
  // Whether a client was sent an answer that it did not take at once: folding may then leave out histories.
  bool leaves_out() const { return leaves_out_; }
  // Whether nothing can be received although a client still waits to be heard.
  bool unheard(Node node);

  std::span<const Receipt::Event> events(const Receive& r) const { return part(events_, r.events); }
  // Returns the events of the steps that the model starts after; they come before any receive.
  std::span<const Receipt::Event> initial_events() const { return part(events_, initial_events_); }
  // Returns the number of operations under way in the initial state of the system.
  std::uint32_t initially_open() const { return initially_open_; }
  // Returns the steps of the system that the receive stands for, clients' steps included.
  std::span<const Step> steps(const Receive& r) const { return part(steps_, r.steps); }
  std::span<const Step> initial_steps() const { return part(steps_, initial_steps_); }

  std::size_t nodes() const { return states_.last(); }
  std::size_t bytes() const;

 private:
  struct Expanded {
    bool known = false, unheard = false;
    std::vector<Receive> receives;
  };
  // A receive under construction, with the clients' steps folded into it.
  struct Draft {
    SlotVector state;
    Effects effects;  // of the receive
    Receipt receipt;
    std::vector<Receipt::Event> events;
    std::vector<Step> steps;
    std::vector<std::uint32_t> settled;  // clients that have taken an answer
  };
  template <class T>
  static std::span<const T> part(const std::vector<T>& all, Receive::Range range) {
    return {all.data() + range.first, range.count};
  }
  template <class T>
  static Receive::Range append(std::vector<T>& all, const std::vector<T>& more) {
    all.insert(all.end(), more.begin(), more.end());
    return {static_cast<std::uint32_t>(all.size() - more.size()), static_cast<std::uint32_t>(more.size())};
  }
  void expand(Node node);
  void receipt_of(std::span<const Slot> state, Step step, Receipt& out) const;
  bool receive_request(const StepBuffer& before, std::span<const Slot> from, const Draft& asked,
                       std::vector<Draft>& out);
  void settle(Draft& draft);
  void look_for_leftovers(const Draft& draft);
  Receive keep(Draft& draft);

  const TransitionSystem& system_;
  Options options_;
  std::optional<std::uint32_t> history_slot_;
  ContentTable states_;
  ContentTable names_;
  std::vector<Expanded> expanded_;
  std::size_t receive_bytes_ = 0;
  std::vector<Receipt::Event> events_;
  std::vector<Step> steps_;
  Node initial_ = 0;
  std::uint32_t initially_open_ = 0;
  bool leaves_out_ = false;
  std::set<std::uint32_t> clients_;  // processes seen to invoke
  Receive::Range initial_events_, initial_steps_;
};

}  // namespace heddle::schedule
