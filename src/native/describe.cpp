// States and steps of a native program in words.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "heddle/detail/shape.h"
#include "native/names.h"
#include "native/places.h"
#include "native/system.h"

namespace heddle::native {
namespace {

constexpr std::uint32_t memory_lane = Label::max_threads;

std::string json_text(std::string_view text) {
  std::string out;
  heddle::detail::put_json_string(out, text);
  return out;
}

std::string object_text(Names& names, Label label, const Object& object) {
  return object.freed ? json_text("freed") : names.value(label, object.bytes, object.undefined);
}

std::string thread_name(std::uint32_t thread) { return thread == 0 ? "main" : fmt::format("thread {}", thread); }

trace::Place place_at(const StackLine& line) { return {line.file, line.line, line.column, line.function}; }

// The innermost place in the user's code, and the user's calls around it.
trace::Place place_in(const std::vector<StackLine>& stack) {
  const StackLine innermost = user_line(stack);
  trace::Place out = place_at(innermost);
  auto line = std::ranges::find(stack, innermost);
  for (line = line == stack.end() ? line : line + 1; line != stack.end(); ++line) {
    if (!line->library) out.stack.push_back(place_at(*line));
  }
  return out;
}

std::string where_text(const Image& image, const SharedAccess& access) {
  return short_text(user_line(lines_of(image, access.function, access.at)));
}

std::string_view kind_text(const SharedAccess& access, ObjectKind object) {
  using Kind = SharedAccess::Kind;
  switch (access.kind) {
    case Kind::PlainRead:
      return "read";
    case Kind::PlainWrite:
      return "write";
    case Kind::AtomicRead:
      return "atomic read";
    case Kind::AtomicWrite:
      return "atomic write";
    case Kind::Free:
      break;
  }
  return object == ObjectKind::Stack || object == ObjectKind::ThreadLocal ? "end" : "free";
}

// What somebody does to an object of the runtime's: a lock, a condition variable.
std::string_view kind_text(const Event& together) {
  switch (together.pending) {
    case Pending::Acquire:
      return "lock";
    case Pending::Release:
      return "unlock";
    case Pending::TryAcquire:
      return together.changed ? "lock" : "try lock";
    case Pending::Wait:
      return "wait";
    case Pending::Notify:
      return "notify";
    default:
      return "use";
  }
}

std::string holder_text(std::uint32_t holder) {
  return json_text(holder == none ? "free" : "taken by " + thread_name(holder));
}

// {"op":"enqueue","value":1}; several arguments are a list.
std::string call_json(const ClientCall& call, const Harness& harness) {
  std::string out = fmt::format(R"({{"op":{})", json_text(harness.methods[call.method].name));
  if (call.arguments.size() == 1) out += fmt::format(R"(,"value":{})", call.arguments[0]);
  if (call.arguments.size() > 1) out += fmt::format(R"(,"value":[{}])", fmt::join(call.arguments, ","));
  return out + "}";
}

// The result of a call as JSON: a number or a word of JSON as it is, anything else as a string.
std::string result_json(const std::string& text) {
  if (text == "void") return "null";
  if (text == "true" || text == "false" || text == "null") return text;
  const std::string_view digits = std::string_view(text).substr(text.starts_with('-') ? 1 : 0);
  const bool number = !digits.empty() && digits.size() < 20 && (digits == "0" || digits[0] != '0') &&
                      digits.find_first_not_of("0123456789") == digits.npos;
  return number ? text : json_text(text);
}

}  // namespace

const Variables& System::variables() const {
  std::call_once(variables_known_, [&] { variables_.emplace(*image_); });
  return *variables_;
}

// Names of what is in these states, the first that has it, or of what a thread has for itself.
Names System::names(std::vector<std::span<const Slot>> states, const Account* account) const {
  // A harness makes it first.
  const std::optional<Label> subject = harness_ ? std::optional(Label{0, 0}) : std::nullopt;
  return {*image_, variables(), subject,
          [this, states = std::move(states), account](Label label) -> std::optional<Object> {
            if (const auto slot = states_->layout.slot(label)) {
              for (const std::span<const Slot> state : states) {
                if (state[*slot] != 0) return states_->segments.object(state[*slot]);
              }
            }
            if (account == nullptr) return std::nullopt;
            for (const ThreadState* thread : {&account->after, &account->before}) {
              const auto own = thread->objects.find(label.index);
              if (thread->self == label.owner && own != thread->objects.end()) return own->second;
            }
            return std::nullopt;
          }};
}

std::string System::place_of(const ThreadState& thread) const {
  return short_text(user_line(call_stack(*image_, thread)));
}

std::vector<trace::Lane> System::lanes() const {
  std::vector<trace::Lane> out;
  // As many as there may ever be: a trace means the same however much room its system has.
  for (std::uint32_t t = 0; t < Label::max_threads; ++t) {
    const std::string name = thread_name(t);
    out.push_back({name, "Thread", name});
  }
  out.push_back({"memory", "Memory", "memory"});
  return out;
}

// The thread whose latest segment races with the step that ended the process, in the state before that step or after
// it.
std::uint32_t System::raced_by(std::span<const Slot> state, const Ending& race) const {
  const auto choice = static_cast<std::uint32_t>(race.code);
  return racing_with(state, race.thread, states_->segments.of(state, race.thread, choice));
}

// The accesses of a step that is a race are told up to the one that is.
void System::describe_events(std::span<const Slot> from, std::span<const Slot> to, const Account& account, Names& names,
                             trace::Step& out) const {
  const auto how = ending(to);
  std::vector<SharedAccess> racing;
  if (how && how->kind == Ending::Kind::Race) {
    racing = states_->segments.footprints().accesses(
        states_->segments.rest(from[states_->layout.thread(raced_by(from, *how))]).latest);
  }
  const auto value = [&](const Event& event, const std::string& bytes, const std::string& undefined) {
    return names.value(event.access.label, event.access.offset, bytes, undefined);
  };
  std::string call;  // that has begun in this step
  for (const Event& event : account.events) {
    trace::Access one;
    if (event.access.function != none) {
      one.place = place_at(user_line(lines_of(*image_, event.access.function, event.access.at)));
    }
    switch (event.kind) {
      case Event::Kind::Access:
        one.object = names.object(event.access.label);
        if (event.access.kind != SharedAccess::Kind::Free) {
          one.part = names.part(event.access.label, event.access.offset, event.access.size);
        }
        one.kind = kind_text(event.access, event.object);
        if (!event.before.empty()) one.before = value(event, event.before, event.undefined_before);
        if (!event.after.empty() && Footprints::is_write(event.access)) {
          one.after = value(event, event.after, event.undefined_after);
        }
        break;
      case Event::Kind::Together:
        one.object = names.object(event.access.label);
        one.part = names.thing_at(event.access.label, event.access.offset);
        one.kind = kind_text(event);
        if (event.mutex) (event.changed ? one.after : one.before) = holder_text(event.holder);
        break;
      case Event::Kind::Start:
      case Event::Kind::Join:
        one.object = thread_name(event.number);
        one.kind = event.kind == Event::Kind::Start ? "start" : "join";
        break;
      case Event::Kind::Print:
        one.object = "output";
        one.kind = "print";
        one.after = json_text(event.text);
        break;
      case Event::Kind::Call: {
        const ClientCall& begun = options_.clients[client(from)].threads[out.lane - 1][event.number];
        one.object = native::text(begun, *harness_);
        one.kind = "call";
        out.operations.push_back({trace::Operation::Kind::Invoke, out.lane, call_json(begun, *harness_)});
        call = harness_->methods[begun.method].name;
        break;
      }
      case Event::Kind::Return:
        one.object = call;
        one.kind = "return";
        one.after = result_json(event.text);
        out.operations.push_back({trace::Operation::Kind::Return, out.lane, one.after});
        break;
      case Event::Kind::LeftOut:
        one.object = fmt::format("{} accesses", event.number);
        one.kind = "left out";
        break;
    }
    out.accesses.push_back(std::move(one));
    const auto races = [&](const SharedAccess& earlier) { return Footprints::overlap(earlier, event.access); };
    if (event.kind == Event::Kind::Access && std::ranges::any_of(racing, races)) return;
  }
  if (how && how->kind == Ending::Kind::Failure && how->failure == Failure::Leak) {
    out.accesses.push_back({.object = "program",
                            .part = {},
                            .kind = "fail",
                            .before = {},
                            .after = json_text("loses " + how->text),
                            .place = place_at(user_line(call_stack(*image_, account.after)))});
  }
  if (account.stop.kind != Stop::Kind::Failed || !how) return;
  trace::Access failed{.object = account.stop.about ? names.object(*account.stop.about) : "program",
                       .part = {},
                       .kind = "fail",
                       .before = {},
                       .after = json_text(account.stop.text),
                       .place = place_at(user_line(call_stack(*image_, account.after)))};
  out.accesses.push_back(std::move(failed));
}

// Where a step begins. A thread that has not begun is in the runtime still; it begins in the first function of the
// user's that it calls.
trace::Place System::begin_of(const Account& account, bool fresh) const {
  if (!fresh) return place_in(call_stack(*image_, account.before));
  const auto of_user = [&](const Frame& frame) { return !image_->functions[frame.function].library; };
  const auto frame = std::ranges::find_if(account.after.frames, of_user);
  if (frame != account.after.frames.end()) {
    const Function& function = image_->functions[frame->function];
    StackLine line = user_line(lines_of(*image_, frame->function, 0));
    if (function.place != none) {
      line.line = image_->places[function.place].line;
      line.column = image_->places[function.place].column;
    }
    return place_at(line);
  }
  for (const Event& event : account.events) {
    if (event.kind == Event::Kind::LeftOut || event.kind == Event::Kind::Call || event.kind == Event::Kind::Return)
      continue;
    return place_at(user_line(lines_of(*image_, event.access.function, event.access.at)));
  }
  return {};
}

// What the runtime keeps in memory to start threads that have not begun.
std::vector<Label> System::start_records(std::span<const Slot> state) const {
  std::vector<Label> out;
  for (std::uint32_t t = 0; t < states_->layout.threads(); ++t) {
    const Slot content = state[states_->layout.thread(t)];
    if (content == 0 || !states_->segments.rest(content).fresh) continue;
    const ThreadState thread = states_->segments.thread(content);
    const Frame& frame = thread.frames.front();
    if (!image_->functions[frame.function].library || frame.registers.empty()) continue;
    if (Label::is_pointer(frame.registers[0])) out.push_back(Label::of(frame.registers[0]));
  }
  return out;
}

trace::Step System::describe_step(std::span<const Slot> from, Step step, std::span<const Slot> to) const {
  const Layout& layout = states_->layout;
  const Account account = states_->segments.account(from, step.transition, step.detail);
  const Rest rest = states_->segments.rest(from[layout.thread(step.transition)]);
  trace::Step out;
  out.lane = step.transition;
  out.name = rest.fresh ? "begins" : place_of(account.before);
  if (!account.choices.empty()) out.choice = fmt::format("[{}]", fmt::join(account.choices, ", "));
  out.place = begin_of(account, rest.fresh);
  out.output = account.output;
  Names names = this->names({to, from}, &account);
  describe_events(from, to, account, names, out);

  std::vector<Label> hidden = start_records(from);
  const std::vector<Label> started = start_records(to);
  hidden.insert(hidden.end(), started.begin(), started.end());
  // The bytes of a lock say nothing to a person.
  for (const Event& event : account.events) {
    if (event.kind != Event::Kind::Together) continue;
    hidden.push_back(event.access.label);
    if (!event.mutex || !event.changed || event.access.offset != 0) continue;
    const std::uint32_t before = event.holder == none ? step.transition : none;
    out.diffs.push_back(
        {memory_lane, names.object(event.access.label), holder_text(before), holder_text(event.holder)});
  }
  for (std::uint32_t slot = layout.first_global(); slot < layout.size(); ++slot) {
    if (from[slot] == to[slot]) continue;
    const Label label = layout.label(slot);
    if (label.owner == Label::global_owner && image_->globals[label.index].library) continue;
    if (std::ranges::find(hidden, label) != hidden.end()) continue;
    const auto text = [&](Slot content) {
      return content == 0 ? "null" : object_text(names, label, states_->segments.object(content));
    };
    if (to[slot] == 0) continue;  // nothing mentions it any more
    out.diffs.push_back({memory_lane, names.object(label), text(from[slot]), text(to[slot])});
    if (out.diffs.back().before == out.diffs.back().after) out.diffs.pop_back();  // in what is not shown
  }
  return out;
}

std::vector<trace::Field> System::describe_state(std::span<const Slot> state) const {
  const Layout& layout = states_->layout;
  std::vector<trace::Field> out;
  if (!options_.clients.empty()) {
    out.push_back({memory_lane, "client", json_text(text(options_.clients[client(state)], *harness_))});
  }
  for (std::uint32_t t = 0; t < layout.threads(); ++t) {
    const Slot content = state[layout.thread(t)];
    if (content == 0) continue;
    const Rest rest = states_->segments.rest(content);
    std::string at = rest.status == Rest::Status::Running ? place_of(states_->segments.thread(content))
                     : rest.status == Rest::Status::Ended ? "ended"
                                                          : "joined";
    out.push_back({t, "at", json_text(at)});
  }
  const std::vector<Label> hidden = start_records(state);
  Names names = this->names({state});
  for (std::uint32_t slot = layout.first_global(); slot < layout.size(); ++slot) {
    if (state[slot] == 0) continue;
    const Label label = layout.label(slot);
    if (std::ranges::find(hidden, label) != hidden.end()) continue;
    if (label.owner == Label::global_owner && image_->globals[label.index].library) continue;
    out.push_back({memory_lane, names.object(label), object_text(names, label, states_->segments.object(state[slot]))});
  }
  return out;
}

// "for m at queue.c:12, taken by thread 2"
std::string System::waiting_text(std::span<const Slot> state, std::uint32_t thread) const {
  const Account account = states_->segments.account(state, thread, 0);
  // An atomic section waits as a whole, because of something inside.
  const Frame& rests = account.before.frames.back();
  const bool section = image_->functions[rests.function].operations[rests.at].code == Code::Statement;
  std::string at = section && !account.after.frames.empty()
                       ? fmt::format("at {}, inside the atomic section that begins at {}", place_of(account.after),
                                     place_of(account.before))
                       // One that has not begun waits where it gets to.
                       : "at " + place_of(account.before.fresh ? account.after : account.before);
  if (account.waits_for != none) return fmt::format("for the end of {} {}", thread_name(account.waits_for), at);
  if (!account.waiting || account.waiting->access.size == 0) return at;
  const Event& waiting = *account.waiting;
  Names names = this->names({state}, &account);
  const std::string name =
      names.object(waiting.access.label) + names.thing_at(waiting.access.label, waiting.access.offset);
  std::string out = fmt::format("for {} {}", name, at);
  if (waiting.holder != none) {
    out += waiting.holder == thread ? ", which it has taken itself"
                                    : fmt::format(", taken by {}", thread_name(waiting.holder));
  }
  return out;
}

// Fields are read as sentences: the lane's name, the field's name, the value.
std::vector<trace::Field> System::describe_property(std::size_t index, std::span<const Slot> state) const {
  const Layout& layout = states_->layout;
  std::vector<trace::Field> out;
  if (properties_[index].kind == Property::Kind::DeadlockFree) {
    const std::uint32_t tied = knot(state);
    for (std::uint32_t t = 0; t < layout.threads(); ++t) {
      if (!runs_in(state, t) || (tied != 0 && (tied >> t & 1) == 0)) continue;
      const bool spinning = tied == 0 && spins(state, t);
      out.push_back({t, spinning ? "spins" : "waits", json_text(waiting_text(state, t))});
    }
    return out;
  }
  const auto how = ending(state);
  if (!how) return out;
  if (const auto found = outcome(state); found && options_.judge) {
    out.push_back({memory_lane, "client",
                   json_text(fmt::format("{} ends with {}, and no order of the calls that respects real time gives "
                                         "that; compared with {}",
                                         native::text(options_.clients[client(state)], *harness_), *found,
                                         options_.judge->object()))});
    return out;
  }
  if (const auto found = outcome(state); found && options_.admitted) {
    std::string admitted;
    for (const std::string& one : (*options_.admitted)[client(state)])
      admitted += (admitted.empty() ? "" : ", or ") + one;
    out.push_back({memory_lane, "client",
                   json_text(fmt::format("{} ends with {}, but one at a time its calls give {}",
                                         native::text(options_.clients[client(state)], *harness_), *found, admitted))});
    return out;
  }
  if (how->kind != Ending::Kind::Race) {
    out.push_back({how->thread, how->failure == Failure::Leak ? "loses" : "fails at", json_text(how->text)});
    return out;
  }
  const Account later = states_->segments.account(state, how->thread, static_cast<std::uint32_t>(how->code));
  const std::uint32_t other = raced_by(state, *how);
  const Rest earlier = states_->segments.rest(state[layout.thread(other)]);
  Names names = this->names({state}, &later);
  const auto add = [&](std::uint32_t thread, const SharedAccess& access) {
    using Kind = SharedAccess::Kind;
    const std::string_view does = access.kind == Kind::Free         ? access.label.index % 2 == 0 ? "frees" : "ends"
                                  : access.plain                    ? Footprints::is_write(access) ? "writes" : "reads"
                                  : access.kind == Kind::PlainRead  ? "reads"
                                  : access.kind == Kind::PlainWrite ? "writes"
                                  : access.kind == Kind::AtomicRead ? "reads atomically"
                                                                    : "writes atomically";
    out.push_back(
        {thread, std::string(does),
         json_text(fmt::format("{}{} at {}", names.object(access.label),
                               access.kind == Kind::Free ? "" : names.part(access.label, access.offset, access.size),
                               where_text(*image_, access)))});
  };
  const auto accesses = states_->segments.footprints().accesses(earlier.latest);
  for (const SharedAccess& b : later.accesses) {
    for (const SharedAccess& a : accesses) {
      if (!Footprints::overlap(a, b)) continue;
      add(other, a);
      add(how->thread, b);
      return out;
    }
  }
  // A plain access inside an atomic section, and one outside.
  if (!runs_in(state, other)) return out;
  for (const SharedAccess& a : states_->segments.account(state, other, 0).accesses) {
    for (const SharedAccess& b : later.accesses) {
      if (a.in_section == b.in_section || !(a.plain || b.plain)) continue;
      if (!Footprints::touch(a, b)) continue;
      add(other, a);
      add(how->thread, b);
      return out;
    }
  }
  return out;
}

std::vector<MissingStep> System::missing_steps(std::span<const Slot> state) const {
  std::vector<MissingStep> missing;
  if (state[Layout::process] != 0) return missing;  // the program has ended
  StepBuffer steps;
  expand(state, steps);
  std::uint32_t going = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) going |= 1u << steps.step(i).transition;
  for (std::uint32_t t = 0; t < states_->layout.threads(); ++t) {
    if ((going >> t & 1) == 0 && runs_in(state, t)) missing.push_back({t, "", "waits " + waiting_text(state, t)});
  }
  return missing;
}

Coverage System::coverage(std::span<const std::uint64_t> executed, bool) const {
  Coverage out;
  for (std::uint32_t t = 0; t < states_->layout.threads(); ++t) {
    if (executed[t] != 0) out.transitions.push_back({.name = transition_name(t), .executed = executed[t]});
  }
  return out;
}

}  // namespace heddle::native
