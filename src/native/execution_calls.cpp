// Calls of functions, of the runtime and of what the machine implements itself, and returns from them.
#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "native/execution.h"
#include "native/thread_renaming.h"

namespace heddle::native {
namespace {

constexpr std::string_view printing = "what is printed";

// Results are lines.
std::string one_line(std::string text) {
  for (std::size_t at = 0; (at = text.find('\n', at)) != text.npos; at += 2) text.replace(at, 1, "\\n");
  return text;
}

// As a person writes it: "std::thread::join()". A symbol of C is written as it is; `i` is not a type.
std::string readable_symbol(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return symbol;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return name == nullptr ? symbol : name.get();
}

}  // namespace

std::uint32_t Execution::function_at(Word pointer) const {
  if (pointer == 0) throw Fault{Failure::Memory, "calls a function through a null pointer"};
  const Label label = Label::of(pointer);
  if (!Label::is_pointer(pointer) || pointer >> 48 != 0 || label.owner != Label::function_owner ||
      label.index >= image_.functions.size() || Label::offset(pointer) != 0) {
    throw Fault{Failure::Memory, fmt::format("calls {:#x}, which is not a function", pointer)};
  }
  return label.index;
}

void Execution::call_indirect(const Operation& x) { enter(function_at(word(x.a)), x); }

void Execution::enter(std::uint32_t callee, const Operation& x) {
  const Function& function = image_.functions[callee];
  if (thread_.frames.size() >= machine_.settings_.deepest_stack) {
    throw Fault{Failure::Unsupported,
                fmt::format("calls are {} deep, and Heddle goes no deeper; a recursion without end would overflow the "
                            "stack",
                            thread_.frames.size())};
  }
  Frame next;
  next.function = callee;
  if (!spare_registers_.empty()) {
    next.registers = std::move(spare_registers_.back());
    spare_registers_.pop_back();
  }
  next.registers.assign(function.registers, 0);
  std::uint64_t words = 0;
  for (std::uint32_t i = x.b; i < x.b + x.c; ++i) {
    const Argument& argument = function_->arguments[i];
    if (words + argument.words <= function.parameters) {
      std::memcpy(next.registers.data() + words, operand(argument.operand), argument.words * sizeof(Word));
    }
    words += argument.words;
  }
  if (words != function.parameters || (x.width != 0 && x.width != function.result_words)) {
    // Tables of virtual functions have it in the place of any function.
    if (function.symbol != none && image_.texts[function.symbol] == "__cxa_pure_virtual") {
      throw Fault{Failure::Terminate, "calls a pure virtual function"};
    }
    throw Fault{
        Failure::Memory,
        fmt::format("calls {} as if it were of another type: {} words of arguments, not {}, {} of result, not {}",
                    image_.texts[function.name], words, function.parameters, x.width, function.result_words)};
  }
  if (undefined_ != nullptr) pass_shadow(x, next);
  thread_.frames.back().at = at_;
  thread_.frames.push_back(std::move(next));
  take_frame();
}

// Whether the innermost frame is that of the program's main function, called by the runtime.
bool Execution::is_main() const {
  const Frame* const caller = thread_.frames.size() < 2 ? nullptr : &thread_.frames[thread_.frames.size() - 2];
  return caller != nullptr && image_.functions[caller->function].library && !function_->library &&
         function_->symbol != none && image_.texts[function_->symbol] == "main";
}

std::optional<Stop> Execution::return_from(const Operation& x) {
  if (own_section() != none) close_section();
  if (may_rest() && machine_.settings_.granularity == Granularity::All) {
    const std::vector<std::uint32_t>& dying = thread_.frames.back().stack_objects;
    if (std::ranges::any_of(dying, [&](std::uint32_t index) { return memory_.is_published(index); })) {
      return visible(Pending::Access);
    }
  }
  // Later it would be the runtime that fails, when it is given the exit code.
  if (x.width != 0 && is_undefined(x.a, x.width) && is_main()) depends("the exit code", x.a, x.width);
  for (const std::uint32_t index : thread_.frames.back().stack_objects) memory_.drop(index);
  if (thread_.frames.size() == 1) return end_thread();
  Frame ended = std::move(thread_.frames.back());
  const Word* const result = x.width == 0                ? nullptr
                             : (x.a & constant_bit) != 0 ? operand(x.a)
                                                         : ended.registers.data() + x.a;
  std::vector<Word> undefined;
  Origin origin;
  if (result != nullptr && is_undefined(x.a, x.width)) {
    undefined.assign(undefined_ + x.a, undefined_ + x.a + x.width);
    origin = origin_of(x.a, x.width);
  }
  thread_.frames.pop_back();
  take_frame();
  const Operation& call = function_->operations[at_];
  if (call.result != none && call.width != 0) {
    if (result != nullptr) {
      set_words(call, result, call.width);
      if (!undefined.empty()) set_shadow(call.result, undefined.data(), call.width, origin);
    } else {
      std::fill_n(registers_ + call.result, call.width, 0);
    }
  }
  spare_registers_.push_back(std::move(ended.registers));
  return std::nullopt;
}

// The thread's own copies of variables die with it.
Stop Execution::end_thread() {
  for (const auto& [global, index] : thread_.locals) memory_.drop(index);
  thread_.locals.clear();
  thread_.frames.clear();
  Stop stop;
  stop.kind = Stop::Kind::Ended;
  return stop;
}

const Argument& Execution::argument(const Operation& x, std::uint32_t index) const {
  if (index >= x.c) {
    throw Fault{Failure::Unsupported,
                fmt::format("a call of {} with {} arguments", image_.texts[image_.externals[x.immediate]], x.c)};
  }
  return function_->arguments[x.b + index];
}

Word Execution::word_argument(const Operation& x, std::uint32_t index) const {
  return word(argument(x, index).operand);
}

std::string Execution::format(const Operation& x, std::uint32_t format_argument) {
  std::vector<FormatArgument> arguments;
  for (std::uint32_t i = format_argument + 1; i < x.c; ++i) {
    const Argument& one = argument(x, i);
    const Word* const words = operand(one.operand);
    arguments.push_back({words[0], one.words > 1 ? words[1] : 0, one.floating, one.words > 1});
    if (is_undefined(one.operand, one.words)) {
      arguments.back().refuse = [this, &one] { depends(printing, one.operand, one.words); };
    }
  }
  const ReadText read_text = [&](Word pointer, std::uint64_t limit) {
    return memory_.read_text(pointer, limit, printing);
  };
  return format_text(read_text(word_argument(x, format_argument), ~std::uint64_t{0}), arguments, read_text);
}

// Whether a call may read or write shared memory: some argument points there.
bool Execution::formats_shared(const Operation& x, std::uint32_t first) const {
  for (std::uint32_t i = first; i < x.c; ++i) {
    if (memory_.where(word_argument(x, i)) == Memory::Where::Shared) return true;
  }
  return false;
}

void Execution::mathematics(const Operation& x) {
  std::vector<Wide> arguments;
  const Argument* undefined = nullptr;
  for (std::uint32_t i = 0; i < x.c; ++i) {
    const Argument& one = argument(x, i);
    arguments.push_back(value(one.operand, one.words * 64));
    if (is_undefined(one.operand, one.words)) undefined = &one;
  }
  set_value(x, x.width * 64, call_mathematics(image_.texts[image_.externals[x.immediate]], arguments));
  if (undefined == nullptr) return;
  const std::vector<Word> all(x.width, ~Word{0});
  set_shadow(x.result, all.data(), x.width, origin_of(undefined->operand, undefined->words));
}

std::optional<Stop> Execution::spawn(const Operation& x) {
  if (!is_pending_operation() && !alone()) return visible(Pending::Spawn);
  const std::uint32_t function = function_at(word_argument(x, 0));
  const Word given = word_argument(x, 1);
  if (image_.functions[function].parameters > 1) {
    throw Fault{Failure::Memory, fmt::format("starts a thread with {}, which is not a function of one pointer",
                                             image_.texts[image_.functions[function].name])};
  }
  memory_.publish(given);
  thread_.spawned = true;
  const std::uint32_t number = world_.spawn(function, given);
  if (number == none) {
    throw Fault{
        Failure::Unsupported,
        fmt::format("starts too many threads; Heddle runs at most {} at a time, and those that have ended count "
                    "until somebody waits for them (join)",
                    Label::max_threads)};
  }
  set(x, number);
  return std::nullopt;
}

std::optional<Stop> Execution::choose(const Operation& x, std::uint32_t alternatives, Word first) {
  if (alternatives == 0) throw Fault{Failure::Unsupported, "a choice among no alternatives"};
  if (alternatives > 1 && !is_pending_operation() && !alone()) {
    Stop stop;
    stop.kind = Stop::Kind::Choice;
    stop.alternatives = alternatives;
    stop.pending = Pending::Other;
    return stop;
  }
  set(x, first + (alternatives == 1 ? 0 : world_.choose(alternatives)));
  return std::nullopt;
}

std::optional<Stop> Execution::begin_atomic(Pending pending) {
  if (may_rest()) return visible(pending);
  if (atomic_depth_++ == 0) world_.atomic_begins(pending);
  note_atomic();
  return std::nullopt;
}

void Execution::end_atomic() {
  if (--atomic_depth_ == 0) world_.atomic_ends();
  note_atomic();
}

std::optional<Stop> Execution::open_section(std::uint32_t section) {
  if (may_rest()) return visible(Pending::Other);
  sections_.push_back({thread_.frames.size(), section});
  note_atomic();
  return std::nullopt;
}

void Execution::close_section() {
  sections_.pop_back();
  note_atomic();
}

std::optional<Stop> Execution::enter_statement(std::uint32_t statement) {
  if (machine_.section_of_.empty()) return std::nullopt;
  const std::uint32_t section = machine_.section_of_[statement], open = own_section();
  if (open == section || open == whole_call) return std::nullopt;
  if (open != none) close_section();
  return section == none ? std::nullopt : open_section(section);
}

// Which call is next is a function of the thread's state: as many have been made as there are results.
std::uint32_t Execution::calls_made() const {
  return static_cast<std::uint32_t>(std::ranges::count(thread_.results, '\n'));
}

std::optional<Stop> Execution::begin_call(const Operation& x) {
  const std::uint32_t made = calls_made();
  const bool another = static_cast<std::uint32_t>(world_.client(thread_.self - 1, made, 1)) > made;
  if (another) {
    const Calls calls = machine_.settings_.calls;
    if (calls == Calls::Atomic) {
      if (const std::optional<Stop> stop = open_section(whole_call)) return stop;
    } else if (calls != Calls::Local && may_rest()) {
      return visible(Pending::Call);
    }
    world_.call_begins(made);
  }
  set(x, another ? 1 : 0);
  return std::nullopt;
}

std::optional<Stop> Execution::end_call() {
  const Calls calls = machine_.settings_.calls;
  if (calls == Calls::Visible && may_rest()) return visible(Pending::Call);
  if (calls == Calls::Atomic && own_section() == whole_call) close_section();
  world_.call_ends();
  return std::nullopt;
}

std::optional<Stop> Execution::call_external(const Operation& x) {
  const auto symbol = [&]() -> const std::string& { return image_.texts[image_.externals[x.immediate]]; };
  const auto only_inside = [&] {
    if (atomic_depth_ == 0) throw Fault{Failure::Unsupported, symbol() + " outside an atomic part"};
  };
  const auto external = static_cast<External>(machine_.externals_[x.immediate]);
  const bool all_visible = machine_.settings_.granularity == Granularity::All && may_rest();
  switch (external) {
    case External::Unknown:
      throw Fault{
          Failure::Unsupported,
          fmt::format("calls {}, which Heddle does not know; `heddle doctor --list-externals` lists what it knows",
                      readable_symbol(symbol()))};
    case External::Alloc: {
      const Word kind = word_argument(x, 1);
      if (kind < static_cast<Word>(ObjectKind::Malloc) || kind > static_cast<Word>(ObjectKind::NewArray)) {
        throw Fault{Failure::Unsupported, fmt::format("{} of kind {}", symbol(), kind)};
      }
      // No computer has so much.
      const bool too_much = kind == static_cast<Word>(ObjectKind::Malloc) && word_argument(x, 0) >> 63 != 0;
      set(x, too_much ? 0 : memory_.allocate(static_cast<ObjectKind>(kind), word_argument(x, 0)));
      break;
    }
    case External::Free:
      if (rests_before(word_argument(x, 0), false)) return visible(Pending::Access);
      memory_.free(word_argument(x, 0), static_cast<ObjectKind>(word_argument(x, 1)));
      break;
    case External::Size:
      if (rests_before(word_argument(x, 0), false)) return visible(Pending::Access);
      set(x, memory_.size_of(word_argument(x, 0)));
      break;
    case External::Spawn:
      return spawn(x);
    case External::Self:
      set(x, thread_.self);
      break;
    case External::Me:
      set(x, name_of_thread(thread_.self));
      break;
    case External::OnlyMe:
      set(x, set_of_thread(thread_.self));
      break;
    case External::Ended:
      only_inside();
      set(x, world_.has_ended(static_cast<std::uint32_t>(word_argument(x, 0))) ? 1 : 0);
      break;
    case External::Joined:
      only_inside();
      world_.join(static_cast<std::uint32_t>(word_argument(x, 0)));
      break;
    case External::AtomicBegin:
      return begin_atomic(static_cast<Pending>(std::min(word_argument(x, 0), static_cast<Word>(Pending::Other))));
    case External::AtomicEnd:
      only_inside();
      end_atomic();
      break;
    case External::CallBegin:
      return begin_call(x);
    case External::CallEnd:
      return end_call();
    case External::Client: {
      // The first thread, which starts the others, asks only how many there are.
      const auto what = static_cast<std::uint32_t>(word_argument(x, 0));
      const std::uint32_t asks = thread_.self == 0 ? 0 : thread_.self - 1;
      set(x, static_cast<std::uint32_t>(world_.client(asks, calls_made(), what)));
      break;
    }
    case External::Result:
      thread_.results +=
          one_line(memory_.read_bytes(word_argument(x, 0), word_argument(x, 1), "the result of a call")) + '\n';
      break;
    case External::Await:
    case External::AwaitThread:
      only_inside();
      if ((word_argument(x, 0) & 1) == 0) {
        Stop stop;
        stop.kind = Stop::Kind::Blocked;
        // What else is in the same atomic part might take another way when it is tried again.
        if (external == External::AwaitThread && atomic_depth_ == 1 && sections_.empty())
          stop.waits_for = static_cast<std::uint32_t>(word_argument(x, 1));
        return stop;
      }
      break;
    case External::Choose:
      return choose(x, static_cast<std::uint32_t>(word_argument(x, 0)));
    case External::LockWord:
      if (const Word word = word_argument(x, 0); Label::is_pointer(word)) {
        world_.lock_word(Label::of(word), Label::offset(word), static_cast<std::uint32_t>(word_argument(x, 1)));
      }
      break;
    case External::Nondet: {
      const MachineSettings::Range range = machine_.settings_.nondet;
      return choose(x, static_cast<std::uint32_t>(range.last - range.first + 1), static_cast<Word>(range.first));
    }
    case External::Error: {
      const Word failure = word_argument(x, 0);
      throw Fault{failure <= static_cast<Word>(Failure::Endless) ? static_cast<Failure>(failure) : Failure::Assertion,
                  format(x, 1)};
    }
    case External::Print:
      if (rests_before(word_argument(x, 0), false)) return visible(Pending::Access);
      world_.output(memory_.read_bytes(word_argument(x, 0), word_argument(x, 1), printing));
      break;
    case External::Exit: {
      // What others do before the end of the process, they may do after this thread's latest operation, too.
      if (may_rest()) return visible(Pending::Other);
      Stop stop;
      stop.kind = Stop::Kind::Exited;
      stop.code = static_cast<int>(static_cast<std::uint32_t>(word_argument(x, 0)));
      return stop;
    }
    case External::End: {
      for (const Frame& frame : thread_.frames) {
        for (const std::uint32_t index : frame.stack_objects) memory_.drop(index);
      }
      return end_thread();
    }
    case External::Yield:
      break;
    case External::Printf:
    case External::Fprintf: {
      const std::uint32_t first = external == External::Printf ? 0 : 1;
      if (all_visible && formats_shared(x, first)) return visible(Pending::Access);
      const std::string text = format(x, first);
      world_.output(text);
      set(x, static_cast<std::uint32_t>(text.size()));
      break;
    }
    case External::Snprintf: {
      if (all_visible && formats_shared(x, 0)) return visible(Pending::Access);
      const std::string text = format(x, 2);
      if (const Word room = word_argument(x, 1); room != 0) {
        const std::string kept = text.substr(0, room - 1);
        memory_.write_bytes(word_argument(x, 0), std::string_view(kept.c_str(), kept.size() + 1));
      }
      set(x, static_cast<std::uint32_t>(text.size()));
      break;
    }
    case External::Sprintf: {
      if (all_visible && formats_shared(x, 0)) return visible(Pending::Access);
      const std::string text = format(x, 1);
      memory_.write_bytes(word_argument(x, 0), std::string_view(text.c_str(), text.size() + 1));
      set(x, static_cast<std::uint32_t>(text.size()));
      break;
    }
    case External::Mathematics:
      mathematics(x);
      break;
  }
  return std::nullopt;
}

}  // namespace heddle::native
