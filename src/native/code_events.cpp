// Listens to the machine and notes accesses with the statements that make them, without what synchronises.
#include "native/code_events.h"

#include <algorithm>

#include "native/footprints.h"
#include "native/places.h"

namespace heddle::native {
namespace {

// Operations of the runtime whose words are not data.
bool is_synchronisation(Pending pending) {
  using enum Pending;
  return pending == Acquire || pending == Release || pending == TryAcquire || pending == Wait || pending == Notify ||
         pending == Spawn;
}

}  // namespace

void CodeWitness::call_begins(std::uint32_t n) {
  inner_.call_begins(n);
  events_.push_back({.kind = CodeEvent::Kind::Call, .number = n});
}

void CodeWitness::call_ends() {
  inner_.call_ends();
  events_.push_back({.kind = CodeEvent::Kind::Return});
}

void CodeWitness::atomic_begins(Pending pending) {
  inner_.atomic_begins(pending);
  synchronises_ = is_synchronisation(pending);
}

void CodeWitness::atomic_ends() {
  inner_.atomic_ends();
  synchronises_ = false;
}

void CodeWitness::lock_word(Label object, std::uint32_t offset, std::uint32_t size) {
  inner_.lock_word(object, offset, size);
  events_.push_back({.kind = CodeEvent::Kind::LockWord, .label = object, .offset = offset, .size = size});
}

void CodeWitness::statement(std::uint32_t statement) {
  inner_.statement(statement);
  // Only the outermost function of the user's has statements of its own; the others are called by one of them.
  const auto callers = running_.frames.end() - 1;
  const auto is_users = [&](const Frame& frame) { return !is_library(frame.function); };
  if (std::find_if(running_.frames.begin(), callers, is_users) != callers) return;
  events_.push_back({.kind = CodeEvent::Kind::Statement, .number = statement});
}

void CodeWitness::access(const SharedAccess& access) {
  inner_.access(access);
  const bool library = is_library(access.function);
  if (library && synchronises_) return;
  if (access.label.owner == Label::global_owner && image_.globals[access.label.index].library) return;
  CodeEvent event{
      .label = access.label, .offset = access.offset, .size = access.size, .write = Footprints::is_write(access)};
  // Where the user's code is: in the innermost frame, or in the innermost of those that wait for a call.
  std::uint32_t function = access.function, at = access.at;
  if (library) {
    const auto frame = std::find_if(running_.frames.rbegin(), running_.frames.rend(),
                                    [&](const Frame& one) { return !is_library(one.function); });
    if (frame == running_.frames.rend()) return;  // the harness itself
    function = frame->function;
    at = frame->at;
  }
  const StackLine place = user_line(lines_of(image_, function, at));
  event.line = place.line;
  if (const auto file = std::ranges::find(image_.files, place.file); file != image_.files.end()) {
    event.file = static_cast<std::uint32_t>(file - image_.files.begin());
  }
  events_.push_back(event);
}

}  // namespace heddle::native
