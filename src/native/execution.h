// One run of a thread: the loop over operations (execution.cpp), calls and externals (execution_calls.cpp), undefined
// values (execution_shadow.cpp).
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "native/arithmetic.h"
#include "native/externals.h"
#include "native/format.h"
#include "native/machine.h"
#include "native/memory.h"
#include "native/shadow.h"

namespace heddle::native {

class Execution {
 public:
  Execution(const Machine& machine, ThreadState& thread, World& world);
  Stop run();

 private:
  Stop loop();
  // Each returns how the run ends, or nothing if it goes on.
  std::optional<Stop> memory_operation(const Operation& x);
  std::optional<Stop> call_external(const Operation& x);
  std::optional<Stop> return_from(const Operation& x);
  bool is_main() const;
  std::optional<Stop> spawn(const Operation& x);
  std::optional<Stop> choose(const Operation& x, std::uint32_t alternatives, Word first = 0);
  std::optional<Stop> begin_atomic(Pending pending);
  void end_atomic();
  void note_atomic() {
    memory_.inside_atomic = alone();
    memory_.inside_section = !sections_.empty() && atomic_depth_ == 0;
  }
  std::optional<Stop> enter_statement(std::uint32_t statement);
  std::optional<Stop> open_section(std::uint32_t section);
  void close_section();
  // The section that the innermost frame has opened, or none.
  std::uint32_t own_section() const {
    return !sections_.empty() && sections_.back().depth == thread_.frames.size() ? sections_.back().section : none;
  }
  std::optional<Stop> begin_call(const Operation& x);
  std::uint32_t calls_made() const;
  std::optional<Stop> end_call();
  std::optional<Stop> count_operations();

  void call_direct(const Operation& x) { enter(static_cast<std::uint32_t>(x.immediate), x); }
  void call_indirect(const Operation& x);
  void enter(std::uint32_t callee, const Operation& x);
  Stop end_thread();
  std::uint32_t function_at(Word pointer) const;  // throws Fault
  void take_frame();

  // Undefined values. Nearly all frames have none: `undefined_` is null then, and nothing of this is done.
  // Where an undefined value comes from: memory that was read, or a variable that is a register.
  using Origin = std::variant<std::monostate, UndefinedPart, Site>;
  // Before an operation: the shadow of its result, and whether something is decided by undefined bits.
  void shadow(const Operation& x);
  void check_decision(const Operation& x) const;
  void check_external(const Operation& x) const;
  void copy_shadow(const Operation& x, std::uint32_t from, std::uint32_t words);
  void select_shadow(const Operation& x);
  // After it: undefined bits of the result are 0.
  void clear_undefined(const Operation& x);
  Word shadow_word(std::uint32_t number) const { return (number & constant_bit) != 0 ? 0 : undefined_[number]; }
  bool is_undefined(std::uint32_t number, std::uint32_t words) const;
  Shadowed shadowed(std::uint32_t number, unsigned width) const;
  void set_shadow(std::uint32_t first, const Word* undefined, std::uint32_t words, const Origin& origin);
  Origin origin_of(std::uint32_t number, std::uint32_t words) const;
  std::uint64_t origin_key(std::uint32_t number) const { return std::uint64_t{thread_.frames.size()} << 32 | number; }
  // The error: `use` depends on the undefined operand.
  [[noreturn]] void depends(std::string_view use, std::uint32_t number, std::uint32_t words) const;
  std::string text(const Origin& origin) const;
  void pass_shadow(const Operation& call, Frame& next);
  void load_shadow(const Operation& x, const Memory::Target& target);
  // Of a value that is written: null if it is defined.
  const Word* shadow_operand(std::uint32_t number, std::uint32_t words) const {
    return is_undefined(number, words) ? undefined_ + number : nullptr;
  }
  bool compares_undefined(const Operation& x, const Memory::Target& target, const Word* old) const;
  [[noreturn]] void fail_comparison(const Operation& x, const Memory::Target& target) const;
  // Returns true if what a read-modify-write operation writes is defined.
  bool modify_shadow(const Operation& x, const Memory::Target& target, const Word* old, Word* changed, Word* undefined);

  // Externals.
  const Argument& argument(const Operation& x, std::uint32_t index) const;
  Word word_argument(const Operation& x, std::uint32_t index) const;
  std::string format(const Operation& x, std::uint32_t format_argument);
  bool formats_shared(const Operation& x, std::uint32_t first) const;
  void mathematics(const Operation& x);

  // True: the operation on what the pointer mentions is visible, and is not the pending one, which is due.
  bool rests_before(Word pointer, bool atomic) const {
    return may_rest() && (atomic || machine_.settings_.granularity == Granularity::All || too_many_plain()) &&
           memory_.where(pointer) == Memory::Where::Shared;
  }
  bool too_many_plain() const { return memory_.plain_accesses >= machine_.settings_.most_plain; }
  bool may_rest() const { return !is_pending_operation() && !alone() && !quiet(); }
  // Inside a visible operation of many accesses.
  bool alone() const { return atomic_depth_ != 0 || !sections_.empty(); }
  // Nobody else is there to notice anything. A thread that goes on and on rests now and then all the same: so it is
  // seen that it comes back to where it was.
  bool quiet() const { return thread_.self == 0 && !thread_.spawned && executed_ < longest_quiet; }
  static constexpr std::uint64_t longest_quiet = 200'000;  // operations
  bool is_pending_operation() const { return executed_ == 1 && has_pending_; }
  static Stop visible(Pending pending);

  const Word* operand(std::uint32_t number) const { return bases_[number >> 31] + (number & ~constant_bit); }
  Word word(std::uint32_t number) const { return *operand(number); }
  Wide value(std::uint32_t number, unsigned width) const {
    const Word* const words = operand(number);
    return width <= 64 ? Wide{words[0]} : Wide{words[1]} << 64 | words[0];
  }
  void set(const Operation& x, Word result) {
    if (x.result != none) registers_[x.result] = result;
  }
  void set_value(const Operation& x, unsigned width, Wide result) {
    if (x.result == none) return;
    registers_[x.result] = static_cast<Word>(result);
    if (width > 64) registers_[x.result + 1] = static_cast<Word>(result >> 64);
  }
  void set_words(const Operation& x, const Word* words, std::size_t count);
  template <Code code>
  void binary(const Operation& x);
  template <Code code>
  void compare(const Operation& x);
  template <Code code>
  void divide(const Operation& x);
  void with_overflow_operation(const Operation& x);
  void note_comparison(const Operation& x) {
    if (x.width != 64 || !Label::is_pointer(word(x.a))) return;
    thread_.frames.back().at = at_;  // World may want to know where the thread is
    memory_.compare(word(x.a), word(x.b));
  }
  static void need_float(unsigned width);
  void switch_operation(const Operation& x);
  void index(const Operation& x);

  const Machine& machine_;
  const Image& image_;
  ThreadState& thread_;
  World& world_;
  Memory memory_;
  const bool has_pending_;
  const bool hears_statements_, passes_statements_;  // World does; nobody does, and there are no sections
  std::uint64_t executed_ = 0;                       // operations begun
  std::uint64_t next_count_ = 0;                     // how many when count_operations() is due
  std::uint32_t atomic_depth_ = 0;
  // The atomic sections that are open, the innermost last. A thread never rests inside one, so they are not part of its
  // state.
  struct OpenSection {
    std::size_t depth;  // of the frame that has entered it
    std::uint32_t section;
  };
  static constexpr std::uint32_t whole_call = none - 1;  // the section that a call of a client is
  std::vector<OpenSection> sections_;

  // The innermost frame.
  const Function* function_ = nullptr;
  const Operation* operations_ = nullptr;
  Word* registers_ = nullptr;
  Word* undefined_ = nullptr;                  // the shadow of the registers; null: they are defined
  const Word* bases_[2] = {nullptr, nullptr};  // of operands: registers, constants
  std::uint32_t at_ = 0;
  std::vector<std::vector<Word>> spare_registers_;            // of frames that have returned
  boost::unordered_flat_map<std::uint64_t, Origin> origins_;  // of undefined registers, by depth and number
};

}  // namespace heddle::native
