// Listens to the machine while it runs a segment once more, and writes down what a person wants to know.
#include "native/account.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "native/thread_renaming.h"

namespace heddle::native {
namespace {

constexpr std::size_t most_bytes = 16;  // of a value that is told

// Of a segment with many accesses the first and the last are told. The ones between are dropped many at a time.
constexpr std::size_t first_accesses = 50, last_accesses = 50, dropped_at_once = 200;

// Where runtime/native/locks.h has these parts of a mutex.
constexpr std::uint32_t kind_offset = 16, owner_offset = 24;

bool points_to(Word word, Label label) { return Label::is_pointer(word) && Label::of(word) == label; }

Word first_register(const Frame& frame) { return frame.registers.empty() ? 0 : frame.registers.front(); }

// Of the object's bytes, or of their shadow.
std::string part_of(const Object& object, const std::string& bytes, const SharedAccess& access) {
  if (access.size > most_bytes || object.freed || access.offset > bytes.size()) return {};
  return bytes.substr(access.offset, access.size);
}

}  // namespace

const Object* Teller::object(Label label) {
  const Object* const found = inner_.object(label);
  if (found != nullptr) known_.try_emplace(label, *found);
  return found;
}

Object& Teller::change(Label label) {
  object(label);
  return inner_.change(label);
}

void Teller::publish(Label label, Object object) {
  known_.insert_or_assign(label, object);
  inner_.publish(label, std::move(object));
}

bool Teller::has_ended(std::uint32_t thread) {
  const bool ended = inner_.has_ended(thread);
  if (!ended && waits_for_ == none) waits_for_ = thread;
  return ended;
}

void Teller::join(std::uint32_t thread) {
  inner_.join(thread);
  Event event{.kind = Event::Kind::Join, .number = thread};
  if (tell_in_users_code(event.access)) note(std::move(event));
}

std::uint32_t Teller::spawn(std::uint32_t function, Word argument) {
  const std::uint32_t number = inner_.spawn(function, argument);
  Event event{.kind = Event::Kind::Start, .number = number};
  if (number != none && tell_in_users_code(event.access)) note(std::move(event));
  return number;
}

void Teller::output(std::string_view text) {
  inner_.output(text);
  Event event{.kind = Event::Kind::Print, .text = std::string(text)};
  if (tell_in_users_code(event.access)) note(std::move(event));
}

void Teller::call_begins(std::uint32_t n) {
  inner_.call_begins(n);
  note({.kind = Event::Kind::Call, .number = n});
}

void Teller::call_ends() {
  inner_.call_ends();
  // Results are lines.
  std::string_view results = running_.results;
  if (results.ends_with('\n')) results.remove_suffix(1);
  if (const auto line = results.rfind('\n'); line != results.npos) results.remove_prefix(line + 1);
  note({.kind = Event::Kind::Return, .text = std::string(results)});
}

void Teller::atomic_begins(Pending pending) {
  inner_.atomic_begins(pending);
  waits_for_ = none;
  together_ = Event{.kind = Event::Kind::Together, .pending = pending};
}

void Teller::atomic_ends() {
  inner_.atomic_ends();
  if (together_ && together_->access.size != 0) note(std::move(*together_));
  together_.reset();
}

// Moves an access to the innermost code of the user's. Returns false if there is none on the stack.
bool Teller::tell_in_users_code(SharedAccess& access) const {
  const auto frame = std::find_if(running_.frames.rbegin(), running_.frames.rend(),
                                  [&](const Frame& one) { return !is_library(one.function); });
  if (frame == running_.frames.rend()) return false;
  access.function = frame->function;
  access.at = frame->at;
  return true;
}

void Teller::access(const SharedAccess& access) {
  inner_.access(access);
  const Object* const now = inner_.object(access.label);
  if (now == nullptr) return;
  Event event{.access = access, .object = now->kind};
  Object& then = known_.try_emplace(access.label, *now).first->second;
  if (access.kind != SharedAccess::Kind::Free) {
    event.after = part_of(*now, now->bytes, access);
    event.undefined_after = part_of(*now, now->undefined, access);
  }
  event.before = part_of(then, then.bytes, access);
  event.undefined_before = part_of(then, then.undefined, access);
  // Only what was accessed can have changed.
  if (now->freed || then.freed || then.bytes.size() != now->bytes.size()) {
    then = *now;
  } else {
    std::copy_n(now->bytes.begin() + access.offset, access.size, then.bytes.begin() + access.offset);
    then.undefined = now->undefined;
  }

  const bool library = is_library(access.function);
  if (library && !tell_in_users_code(event.access)) return;
  if (access.label.owner == Label::global_owner && image_.globals[access.label.index].library) return;
  if (library && together_) {
    note_together(event.access);
    if (event.before != event.after) together_->changed = true;
    return;
  }
  note(std::move(event));
}

// Where the first argument of the user's call points in the object `label`. It is a constant, or in a register that may
// not be live any more.
std::optional<std::uint32_t> Teller::given_offset(const Frame& user, Label label) const {
  const Function& function = image_.functions[user.function];
  const Operation& call = function.operations[user.at];
  if ((call.code != Code::Call && call.code != Code::CallIndirect) || call.c == 0) return std::nullopt;
  const std::uint32_t operand = function.arguments[call.b].operand;
  const Word word =
      (operand & constant_bit) != 0 ? function.constants[operand & ~constant_bit] : user.registers[operand];
  if (!points_to(word, label)) return std::nullopt;
  return Label::offset(word);
}

// The operation is about the first object that it accesses. The runtime's function, the one that the user's code has
// called, got a pointer to it. If that is not there any more, it helps to know that what the runtime reads first of a
// mutex is its kind.
void Teller::note_together(const SharedAccess& access) {
  const auto user = std::find_if(running_.frames.rbegin(), running_.frames.rend(),
                                 [&](const Frame& one) { return !is_library(one.function); });
  if (together_->access.size == 0) {
    together_->access = access;
    together_->mutex = std::any_of(running_.frames.rbegin(), user, [&](const Frame& frame) {
      const std::uint32_t symbol = image_.functions[frame.function].symbol;
      return symbol != none && image_.texts[symbol].starts_with("pthread_mutex_");
    });
    if (const auto offset = given_offset(*user, access.label)) {
      together_->access.offset = *offset;
    } else if (user != running_.frames.rbegin() && points_to(first_register(*(user - 1)), access.label)) {
      together_->access.offset = Label::offset(first_register(*(user - 1)));
    } else if (together_->mutex && access.offset >= kind_offset) {
      together_->access.offset = access.offset - kind_offset;
    }
  }
  if (!together_->mutex || !(access.label == together_->access.label)) return;
  const std::string& bytes = known_.at(access.label).bytes;
  Word owner = 0;
  if (together_->access.offset + owner_offset + sizeof owner > bytes.size()) return;
  std::memcpy(&owner, bytes.data() + together_->access.offset + owner_offset, sizeof owner);
  together_->holder = thread_named(owner);
}

void Teller::note(Event event) {
  if (event.kind == Event::Kind::Access && ++accesses_ > first_accesses + last_accesses + dropped_at_once) {
    std::size_t seen = 0, dropped = 0;
    std::vector<Event> kept;
    for (Event& one : events_) {
      if (one.kind == Event::Kind::LeftOut) {
        dropped += one.number;
        continue;
      }
      const bool is_access = one.kind == Event::Kind::Access;
      if (is_access) ++seen;
      if (is_access && seen > first_accesses && seen <= first_accesses + dropped_at_once) {
        ++dropped;
        continue;
      }
      if (is_access && seen == first_accesses + dropped_at_once + 1) {
        kept.push_back({.kind = Event::Kind::LeftOut, .number = static_cast<std::uint32_t>(dropped)});
      }
      kept.push_back(std::move(one));
    }
    events_ = std::move(kept);
    accesses_ -= dropped_at_once;
  }
  events_.push_back(std::move(event));
}

void Teller::tell(Account& account) {
  account.events = std::move(events_);
  if (account.stop.kind != Stop::Kind::Blocked) return;
  account.waits_for = waits_for_;
  account.waiting = std::move(together_);
}

}  // namespace heddle::native
