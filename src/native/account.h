// What happens in a segment, for people: accesses with their values, locks, threads started and joined, output, calls.
//
// Teller stands between the machine and another World. It passes everything on and notes what a person wants to know.
// What the runtime does inside a lock or a condition variable becomes one event about that object; what no code of the
// user's has caused is left out, and so is what belongs to the runtime itself.
// Not thread-safe: a Teller belongs to one run.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "native/machine.h"

namespace heddle::native {

struct Event {
  enum class Kind : std::uint8_t {
    Access,
    Together,  // several accesses of the runtime that are one operation, of what `pending` says; `access` is the object
    Start,     // of thread `number`
    Join,      // of thread `number`
    Print,     // of `text`
    Call,      // call `number` of the client's thread
    Return,    // of the latest call; `text` is its result
    LeftOut,   // `number` accesses are not told
  };
  Kind kind = Kind::Access;
  // Told in the user's code: `function` and `at` are there, whoever made it. Calls have none.
  SharedAccess access = {.label = {}, .function = none, .at = 0};
  ObjectKind object = ObjectKind::Global;
  // The bytes accessed, before and after, and their shadows (shadow.h); empty: they are many, or all defined.
  std::string before = {}, after = {}, undefined_before = {}, undefined_after = {};
  Pending pending = Pending::Access;
  bool changed = false;         // Together: something was written
  std::uint32_t holder = none;  // Together, of a mutex: the thread that holds it afterwards
  bool mutex = false;           // Together: of a mutex
  std::uint32_t number = 0;
  std::string text = {};
};

struct Account {
  Stop stop;
  ThreadState before, after;
  std::vector<SharedAccess> accesses;
  std::string output;
  std::vector<std::uint32_t> choices;  // the alternatives taken
  std::vector<Event> events;
  // Of a thread that is blocked: the operation that waits, and the thread whose end it waits for.
  std::optional<Event> waiting;
  std::uint32_t waits_for = none;
};

class Teller final : public World {
 public:
  // `running` is the thread's state while it runs. REQUIRES: all outlive this.
  Teller(const Image& image, const ThreadState& running, World& inner)
      : image_(image), running_(running), inner_(inner) {}

  const Object* object(Label label) override;
  Object& change(Label label) override;
  void publish(Label label, Object object) override;
  bool has_ended(std::uint32_t thread) override;
  void join(std::uint32_t thread) override;
  std::uint32_t spawn(std::uint32_t function, Word argument) override;
  std::uint32_t choose(std::uint32_t alternatives) override { return inner_.choose(alternatives); }
  void access(const SharedAccess& access) override;
  void output(std::string_view text) override;
  std::int32_t client(std::uint32_t thread, std::uint32_t call, std::uint32_t what) override {
    return inner_.client(thread, call, what);
  }
  void call_begins(std::uint32_t n) override;
  void call_ends() override;
  void atomic_begins(Pending pending) override;
  void atomic_ends() override;
  bool go_on() override { return inner_.go_on(); }

  // Moves what was noted to the account.
  void tell(Account& account);

 private:
  bool is_library(std::uint32_t function) const { return image_.functions[function].library; }
  bool tell_in_users_code(SharedAccess& access) const;
  std::optional<std::uint32_t> given_offset(const Frame& user, Label label) const;
  void note(Event event);
  void note_together(const SharedAccess& access);

  const Image& image_;
  const ThreadState& running_;
  World& inner_;
  std::map<Label, Object> known_;  // as they were after the latest access
  std::vector<Event> events_;
  std::size_t accesses_ = 0;       // of events_
  std::optional<Event> together_;  // that has begun
  std::uint32_t waits_for_ = none;
};

}  // namespace heddle::native
