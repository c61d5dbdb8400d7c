// What a step does to data, statement by statement: the raw material of the search for a root cause.
//
//   for (const CodeEvent& event : system.code_events(state, step)) ...
//
// CodeWitness stands between the machine and another World. It passes everything on and notes which statements of the
// called method are entered and which shared data is accessed in between. The method is the outermost code of the
// user's on the stack of a client thread: what it calls, be it the user's or the library's, happens in its statements.
//
// Not data (Cirisci 2022, 2.3): the words of locks, condition variables and the like, which only the runtime touches
// inside one operation of a synchronising kind; words that the program says belong to a lock of its own (LockWord);
// globals of the library; private objects, which World never hears of. What a thread writes to an object before it
// publishes the object is ordered before whoever can name the object by the write that published it, so nothing is lost
// with it. Not thread-safe: a witness belongs to one run.
#pragma once

#include <cstdint>
#include <vector>

#include "native/machine.h"

namespace heddle::native {

struct CodeEvent {
  enum class Kind : std::uint8_t {
    Call,       // call `number` of the client's thread begins
    Return,     // it ends
    Statement,  // the method enters statement `number`
    Access,     // of data, in the statement that was entered last
    LockWord,   // the bytes belong to a lock, so that accesses to them are not accesses to data
  };
  Kind kind = Kind::Access;
  std::uint32_t number = 0;
  Label label = {};
  std::uint32_t offset = 0, size = 0;
  bool write = false;
  // Of the access in the user's code. The file is its number in Image::files.
  std::uint32_t file = none;
  std::uint32_t line = 0;  // 0: not known
};

class CodeWitness final : public World {
 public:
  // `running` is the thread's state while it runs. REQUIRES: all outlive this.
  CodeWitness(const Image& image, const ThreadState& running, World& inner)
      : image_(image), running_(running), inner_(inner) {}

  const Object* object(Label label) override { return inner_.object(label); }
  Object& change(Label label) override { return inner_.change(label); }
  void publish(Label label, Object object) override { inner_.publish(label, std::move(object)); }
  bool has_ended(std::uint32_t thread) override { return inner_.has_ended(thread); }
  void join(std::uint32_t thread) override { inner_.join(thread); }
  std::uint32_t spawn(std::uint32_t function, Word argument) override { return inner_.spawn(function, argument); }
  std::uint32_t choose(std::uint32_t alternatives) override { return inner_.choose(alternatives); }
  void access(const SharedAccess& access) override;
  void lock_word(Label object, std::uint32_t offset, std::uint32_t size) override;
  void output(std::string_view text) override { inner_.output(text); }
  std::int32_t client(std::uint32_t thread, std::uint32_t call, std::uint32_t what) override {
    return inner_.client(thread, call, what);
  }
  void call_begins(std::uint32_t n) override;
  void call_ends() override;
  void atomic_begins(Pending pending) override;
  void atomic_ends() override;
  bool hears_statements() const override { return true; }
  void statement(std::uint32_t statement) override;
  bool go_on() override { return inner_.go_on(); }

  std::vector<CodeEvent> take() { return std::move(events_); }

 private:
  bool is_library(std::uint32_t function) const { return image_.functions[function].library; }

  const Image& image_;
  const ThreadState& running_;
  World& inner_;
  std::vector<CodeEvent> events_;
  bool synchronises_ = false;  // inside an operation of a lock or the like
};

}  // namespace heddle::native
