// The machine: runs one thread of an image, with checked memory, up to where other threads may come in.
//
//   Machine machine(image, settings);
//   ThreadState thread = machine.start(0, image.start);
//   const Stop stop = machine.run(thread, world);     // the pending operation, then on to the next visible one
//
// A visible operation is one that other threads may notice: an atomic access, a lock, spawn; with Granularity::All
// every access of memory that is not the thread's own. A thread rests before a visible operation. A run executes that
// operation and goes on until the thread is before the next one, or has ended; that is a segment. Calls of the runtime
// (runtime/native) bracket several accesses into one visible operation by __heddle_atomic_begin and _end; inside, no
// operation is visible and all accesses count as atomic. Sections of statements (statements.h), and whole calls of
// clients, may be asked to be visible operations as well: a thread rests where one begins and runs through it, or is
// blocked if it would have to wait inside. As long as thread 0 has not started another, nothing of it is
// visible but choices, the first start, and now and then an access of a run that is very long.
//
// Memory. Objects that only the thread itself can name are private: stack objects and allocations are private until a
// pointer to them is stored in shared memory or handed to a new thread; this publishes them and all that they reach.
// Private objects are part of the ThreadState. Everything else is seen through World, and only through World: the memo
// of segments (segments.h) relies on it.
//
// Invariants
//   1. A run is a function of the thread's state and of what World answers.
//   2. A new object gets the smallest index of its kind (Label) that no private object of the thread has, freed ones
//      included, and no object that the thread has published ever had. So names depend on the thread's own state alone,
//      and a dangling pointer never meets a new object. tidy() drops private objects that nothing mentions any more.
// Thread-safe: a Machine is constant; ThreadState and World belong to one run.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "native/image.h"
#include "native/liveness.h"
#include "native/statements.h"

namespace heddle::native {

enum class ObjectKind : std::uint8_t { Stack, Malloc, New, NewArray, Global, ThreadLocal };

// An operation of a function.
struct Site {
  std::uint32_t function = none, at = 0;
  friend bool operator==(const Site&, const Site&) = default;
};

struct Object {
  ObjectKind kind = ObjectKind::Stack;
  // Every access is an error, and `bytes` is empty. A stack object outside its scope is freed as well; its `bytes` are
  // then zeros, as many as the object has when its scope is entered again.
  bool freed = false;
  std::string bytes;
  // The shadow of the bytes (shadow.h): as long as these, or empty if all of them are defined.
  std::string undefined = {};
  // Where it was made; of a heap object: in the user's code. Of a thread's copy of a variable: no function, and the
  // global.
  Site made = {};
  std::uint32_t type = none;  // of what it is, or of its elements (Image::types)
  friend bool operator==(const Object&, const Object&) = default;
};

struct Frame {
  std::uint32_t function = 0;
  std::uint32_t at = 0;  // the operation to execute next; in a frame that waits for a call: the call
  std::vector<Word> registers;
  // The shadow of the registers: as many words, or empty if all of them are defined.
  std::vector<Word> undefined = {};
  std::vector<std::uint32_t> stack_objects;  // indices of objects that die with the frame
};

struct ThreadState {
  std::uint32_t self = 0;
  bool fresh = true;          // it has not begun: nothing is pending, the run goes on to the first visible operation
  bool spawned = false;       // it has started another thread
  std::vector<Frame> frames;  // the innermost last; empty: the thread has ended
  std::map<std::uint32_t, Object> objects;        // the private ones by index
  std::vector<std::uint32_t> published;           // indices ever published, ascending
  std::map<std::uint32_t, std::uint32_t> locals;  // global -> index of this thread's copy
  std::string results;                            // of the calls that this client thread has finished, a line each
};

struct SharedAccess {
  enum class Kind : std::uint8_t { PlainRead, PlainWrite, AtomicRead, AtomicWrite, Free };
  Label label;
  std::uint32_t offset = 0, size = 0;
  Kind kind = Kind::PlainRead;
  std::uint32_t function = 0, at = 0;  // the operation
  // Inside an atomic section, where all accesses count as atomic. `plain`: this one would not be otherwise.
  bool in_section = false, plain = false;
};

// What a visible operation is. The numbers are known to runtime/native.
enum class Pending : std::uint8_t {
  Access = 0,   // of memory, atomic unless Granularity::All
  Acquire = 1,  // of a lock: may wait, and may make others wait
  Release = 2,  // of a lock
  TryAcquire = 3,
  Wait = 4,  // for something that others do: a thread's end, a condition variable, a futex
  Notify = 5,
  Spawn = 6,
  Other = 7,
  Call = 8,  // a client's call begins or ends; the runtime does not say this
};

// What a run sees of the rest of the state, and where it leaves what it does to it.
class World {
 public:
  virtual ~World() = default;
  // A published object or a mutable global as it is now; null: there is none. Valid until the next call.
  virtual const Object* object(Label label) = 0;
  // The same, to be changed. REQUIRES: object(label) is not null.
  virtual Object& change(Label label) = 0;
  // A private object becomes shared. REQUIRES: label.owner is the running thread.
  virtual void publish(Label label, Object object) = 0;
  virtual bool has_ended(std::uint32_t thread) = 0;
  // The running thread has waited for the end of `thread`. REQUIRES: has_ended(thread).
  virtual void join(std::uint32_t thread) = 0;
  // Starts a thread that calls `function` with `argument`; returns its number, or `none` if there are too many.
  virtual std::uint32_t spawn(std::uint32_t function, Word argument) = 0;
  // The alternative to take at a choice among `alternatives`. A run may ask more than once inside atomic parts.
  virtual std::uint32_t choose(std::uint32_t alternatives) = 0;
  virtual void access(const SharedAccess& access) = 0;
  // Two pointers to different objects are compared. Called for each of the two that is published, and with none for one
  // that belongs to the thread alone and is freed.
  virtual void compares(std::optional<Label> /*object*/) {}
  // The program says that these bytes belong to a lock that it has written by hand.
  virtual void lock_word(Label /*object*/, std::uint32_t /*offset*/, std::uint32_t /*size*/) {}
  virtual void output(std::string_view text) = 0;
  // What the client of a harness wants (Client::answer).
  virtual std::int32_t client(std::uint32_t /*thread*/, std::uint32_t /*call*/, std::uint32_t /*what*/) { return 0; }
  // The n-th call of a client thread begins; the call that began last ends.
  virtual void call_begins(std::uint32_t /*n*/) {}
  virtual void call_ends() {}
  // A visible operation of several accesses begins and ends: __heddle_atomic_begin and _end.
  virtual void atomic_begins(Pending /*pending*/) {}
  virtual void atomic_ends() {}
  // Whether it wants to hear of statements; asked once a run. The innermost frame enters one (Code::Statement).
  virtual bool hears_statements() const { return false; }
  virtual void statement(std::uint32_t /*statement*/) {}
  // Called now and then in long runs; false: stop with Stop::Kind::Interrupted.
  virtual bool go_on() { return true; }
};

// From the heap, and not freed.
bool wants_free(const Object& object);

// A global as it is when the program begins.
Object initial_global(const Global& global);

// Words for kinds of findings, as users see them.
enum class Failure : std::uint8_t {
  Assertion,
  Memory,
  Uninitialised,
  Arithmetic,
  Terminate,
  Unsupported,
  Endless,
  Leak,
};
std::string_view text(Failure failure);

struct Stop {
  enum class Kind : std::uint8_t {
    Visible,      // before a visible operation, which is pending
    Choice,       // before a choice, which is pending: `alternatives`
    Blocked,      // the pending operation waits for others; the thread's state says only where it waits
    Ended,        // the thread has ended
    Exited,       // the process has ended, with exit code `code`
    Failed,       // an error of the program: `failure` at the innermost frame's `at`
    Interrupted,  // World::go_on said no
  };
  Kind kind = Kind::Visible;
  std::uint32_t alternatives = 0;
  // Of a visible operation: what it is. Of __heddle_atomic_begin(kind): kind.
  Pending pending = Pending::Access;
  int code = 0;
  Failure failure = Failure::Assertion;
  std::string text;                 // of a failure: "heap object of 8 bytes accessed at offset 8"
  std::optional<Label> about = {};  // of a failure: the object that was no longer there
  // Blocked: the thread that alone can end this; none: it is not known.
  std::uint32_t waits_for = none;
};

enum class Granularity : std::uint8_t {
  RaceFree,  // plain accesses are part of the segment of the visible operation before them
  All,       // every access of shared memory is visible
};

// The calls of client threads (include/heddle/native.h).
enum class Calls : std::uint8_t {
  Local,    // that a call begins or ends is nothing to others
  Begun,    // its beginning is a visible operation; its end belongs to the latest one before it
  Visible,  // its beginning and its end are visible operations
  Atomic,   // the whole call is one visible operation
};

struct MachineSettings {
  Granularity granularity = Granularity::RaceFree;
  std::uint64_t longest_segment = 50'000'000;  // operations; more is Failure::Endless
  std::uint32_t deepest_stack = 10'000;        // frames; more is Failure::Unsupported
  Calls calls = Calls::Local;
  std::vector<Section> sections = {};  // atomic; no two share a statement
  // What __VERIFIER_nondet_int and the like may be.
  struct Range {
    std::int64_t first = 0, last = 2;
  } nondet = {};
  // A segment rests before a plain access of shared memory after so many of them: a loop that waits for plain memory
  // must let others come in.
  std::uint32_t most_plain = 4'096;
  // tidy() does nothing: for tests that must not depend on what is forgotten.
  bool keep_everything = false;
};

class Machine {
 public:
  // REQUIRES: the image outlives the machine.
  Machine(const Image& image, MachineSettings settings);

  ThreadState start(std::uint32_t self, std::uint32_t function, const std::vector<Word>& arguments) const;
  // Executes the pending operation, if any, and goes on to the next visible one.
  // REQUIRES: the thread has not ended.
  Stop run(ThreadState& thread, World& world) const;
  // Forgets what cannot matter: registers that are not live become 0, and private objects that nothing mentions are
  // dropped. Returns the objects dropped that were never freed: leaks.
  std::vector<Object> tidy(ThreadState& thread) const;

  const Image& image() const { return image_; }
  const Liveness& liveness() const { return liveness_; }

 private:
  friend class Execution;

  const Image& image_;
  MachineSettings settings_;
  Liveness liveness_;
  std::vector<Object> constants_;          // by global: those that are constant
  std::vector<std::uint8_t> externals_;    // an External (externals.h) for each of the image
  std::vector<std::uint32_t> section_of_;  // by statement; empty: there are no sections
};

}  // namespace heddle::native
