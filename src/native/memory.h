// Checked memory: what a thread reads and writes, each access with a pointer that is checked first.
//
// An object is private (part of the ThreadState), a constant global (part of the machine), or shared (behind World).
// Storing a mention of a private object in a shared one publishes it and all that it reaches.
//
// Invariants
//   1. World is asked for an object only if the access needs it, after it is known that the thread does not rest.
//   2. No private object of the thread is mentioned by shared memory.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "native/machine.h"

namespace heddle::native {

// An error of the program; ends the run.
struct Fault {
  Failure failure = Failure::Memory;
  std::string text;
  std::optional<Label> about = {};  // the object that was no longer there
};

// Undefined bytes of an object, as they were when they were read.
struct UndefinedPart {
  Label label;
  ObjectKind kind = ObjectKind::Stack;
  Site made;
  std::uint32_t offset = 0, bytes = 0, size = 0;  // the first of them, how many, of how many
};

class Memory {
 public:
  enum class Where : std::uint8_t { Private, Constant, Shared };
  enum class Use : std::uint8_t { Read, Write };
  // A checked range of an object.
  struct Target {
    Where where = Where::Private;
    Label label;
    std::uint32_t offset = 0, size = 0;
    const Object* object = nullptr;  // valid until World is called again
  };

  // `constants`: by global, those that are constant.
  Memory(const Image& image, const std::vector<Object>& constants, ThreadState& thread, World& world);

  // Where the object lies that a pointer mentions. Pointers to nothing count as constant: using them fails anyway.
  Where where(Word pointer) const;

  // Tells World of a comparison of pointers that may come out otherwise if addresses are given out again.
  void compare(Word a, Word b);

  // Checks an access of `size` bytes. Throws Fault.
  Target check(Word pointer, std::uint64_t size, Use use);
  // The content as words. `words` has room for the size of the target.
  static void read(const Target& target, Word* words);
  // Its shadow (shadow.h) in the same form. False: all is defined, and nothing is written to `words`.
  static bool read_shadow(const Target& target, Word* words);
  // `undefined`: the shadow of the words; null: all is defined.
  void write(const Target& target, const Word* words, const Word* undefined = nullptr);
  // `undefined` is as long as the bytes, or empty.
  void write_bytes(const Target& target, std::string_view bytes, std::string_view undefined = {});
  // Tells World of an access, if the target is shared.
  void record(const Target& target, bool atomic, Use use);

  // All in one, for externals: not atomic unless `inside_atomic`.
  // REQUIRES of the reading ones: what they read must be defined; if not, a Fault says that `use` depends on it.
  std::string read_bytes(Word pointer, std::uint64_t size, std::string_view use);
  void write_bytes(Word pointer, std::string_view bytes);
  // Up to the byte 0, or `limit` bytes.
  std::string read_text(Word pointer, std::uint64_t limit, std::string_view use);
  // Undefined bytes stay undefined.
  void copy(Word to, Word from, std::uint64_t size);
  // What of the target is not defined. REQUIRES: read_shadow(target).
  static UndefinedPart undefined_part(const Target& target);
  // "uninitialised memory: 4 bytes at offset 8 of a heap object of 16 bytes, made at queue.c:12"
  std::string text(const UndefinedPart& part) const;

  // A new private object. Throws Fault if it is too large, or if there are too many.
  Word allocate(ObjectKind kind, std::uint64_t size);
  void free(Word pointer, ObjectKind kind);
  // The size of the object; the pointer is its start.
  std::uint32_t size_of(Word pointer);
  Word thread_local_copy(std::uint32_t global);
  // The lifetime of a stack object begins and ends.
  void begin_lifetime(Word pointer);
  void end_lifetime(Word pointer);
  // The object dies with its frame or its thread.
  void drop(std::uint32_t index);
  bool is_published(std::uint32_t index) const { return index < published_.size() && published_[index]; }

  // What the words mention becomes shared.
  void publish(Word word);

  // The operation that accesses are recorded for.
  std::uint32_t function = 0, at = 0;
  bool inside_atomic = false;
  bool inside_section = false;       // ... and not in a visible operation of the runtime
  std::uint32_t plain_accesses = 0;  // of shared memory, in this run

 private:
  Object* private_object(Label label) const {
    return label.owner == thread_.self && label.index < by_index_.size() ? by_index_[label.index] : nullptr;
  }
  std::string describe(Label label, ObjectKind kind, Site made) const;
  std::string describe(Label label, const Object& object) const { return describe(label, object.kind, object.made); }
  void expect_defined(const Target& target, std::string_view use) const;
  Site site_of_allocation(ObjectKind kind) const;
  std::uint32_t type_of_allocation(ObjectKind kind) const;
  [[noreturn]] void no_pointer(Word pointer, std::string_view access);
  void need_definition(std::uint32_t global) const;
  [[noreturn]] void no_object(Word pointer, std::string_view access);
  const Object* find(Label label, Where where);
  Object& to_change(const Target& target);
  // The whole stack object that a pointer mentions; none if it mentions something else.
  std::optional<Target> stack_object(Word pointer);
  // Of a call that needs the start of an object: free, realloc.
  Target start_of(Word pointer, std::string_view what);
  void publish(std::vector<Label> found);
  void publish_written(const Target& target);
  std::uint32_t free_index(bool heap);
  void collect();

  const Image& image_;
  const std::vector<Object>& constants_;
  ThreadState& thread_;
  World& world_;
  std::vector<Object*> by_index_;  // the private objects
  std::vector<bool> published_;
  std::uint32_t next_index_[2] = {0, 1};  // of the heap, of the stack: no smaller index is free
};

}  // namespace heddle::native
