// States and steps of a native program in words.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "heddle/detail/shape.h"
#include "native/places.h"
#include "native/system.h"

namespace heddle::native {
namespace {

std::string json_text(std::string_view text) {
  std::string out;
  heddle::detail::put_json_string(out, text);
  return out;
}

std::string name_of(const Image& image, Label label) {
  if (label.owner == Label::global_owner && label.index < image.globals.size()) {
    const std::uint32_t name = image.globals[label.index].name;
    return name == none ? fmt::format("global {}", label.index) : image.texts[name];
  }
  if (label.owner == Label::function_owner && label.index < image.functions.size()) {
    const std::uint32_t name = image.functions[label.index].name;
    return name == none ? fmt::format("function {}", label.index) : image.texts[name];
  }
  return fmt::format("object {}.{}", label.owner, label.index);
}

std::string word_text(const Image& image, Word word) {
  if (!Label::is_pointer(word)) return std::to_string(static_cast<std::int64_t>(word));
  const std::uint32_t offset = Label::offset(word);
  return json_text(fmt::format("&{}{}", name_of(image, Label::of(word)), offset == 0 ? "" : fmt::format("+{}", offset)));
}

// Small contents are numbers, larger ones lists of words of eight or four bytes. Types are not known here.
std::string object_text(const Image& image, const Object& object) {
  if (object.freed) return json_text("freed");
  const std::string& bytes = object.bytes;
  const auto number = [&](std::size_t at, std::size_t size) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + at, size);
    if (size == 8) return word_text(image, value);
    const auto shift = static_cast<unsigned>(64 - 8 * size);
    return std::to_string(static_cast<std::int64_t>(value << shift) >> shift);
  };
  constexpr std::size_t longest = 128;
  const std::size_t size = std::min(bytes.size(), longest);
  if (bytes.size() == 1 || bytes.size() == 2 || bytes.size() == 4 || bytes.size() == 8) return number(0, bytes.size());
  const std::size_t part = size % 8 == 0 ? 8 : size % 4 == 0 ? 4 : 1;
  std::string out = "[";
  for (std::size_t at = 0; at + part <= size; at += part) out += (at == 0 ? "" : ", ") + number(at, part);
  return out + (size < bytes.size() ? ", \"...\"]" : "]");
}

std::string access_text(const Image& image, const SharedAccess& access) {
  const bool write = Footprints::is_write(access);
  const std::string_view kind = access.kind == SharedAccess::Kind::Free ? "free"
                                : Footprints::is_plain(access)          ? (write ? "write" : "read")
                                                                        : (write ? "atomic write" : "atomic read");
  const std::string where = short_text(user_line(lines_of(image, access.function, access.at)));
  return fmt::format("{} of {} at {}", kind, name_of(image, access.label), where);
}

}  // namespace

std::string System::place_of(const ThreadState& thread) const {
  return short_text(user_line(call_stack(*image_, thread)));
}

std::vector<trace::Lane> System::lanes() const {
  std::vector<trace::Lane> out;
  for (std::uint32_t t = 0; t < states_->layout.threads(); ++t) {
    const std::string name = t == 0 ? "main" : fmt::format("thread {}", t);
    out.push_back({name, "Thread", name});
  }
  out.push_back({"memory", "Memory", "memory"});
  return out;
}

trace::Step System::describe_step(std::span<const Slot> from, Step step, std::span<const Slot> to) const {
  const Layout& layout = states_->layout;
  const Account account = states_->segments.account(from, step.transition, step.detail);
  const Rest rest = states_->segments.rest(from[layout.thread(step.transition)]);
  trace::Step out;
  out.lane = step.transition;
  out.name = rest.fresh ? "begins" : place_of(account.before);
  if (rest.choice) out.choice = fmt::format("[{}]", step.detail);
  for (std::uint32_t slot = layout.first_global(); slot < layout.size(); ++slot) {
    if (from[slot] == to[slot]) continue;
    const Label label = layout.label(slot);
    if (label.owner == Label::global_owner && image_->globals[label.index].library) continue;
    const auto text = [&](Slot content) {
      return content == 0 ? "null" : object_text(*image_, states_->segments.object(content));
    };
    if (to[slot] == 0) continue;  // nothing mentions it any more
    out.diffs.push_back({layout.threads(), name_of(*image_, label), text(from[slot]), text(to[slot])});
  }
  return out;
}

std::vector<trace::Field> System::describe_state(std::span<const Slot> state) const {
  const Layout& layout = states_->layout;
  std::vector<trace::Field> out;
  if (!options_.clients.empty()) {
    out.push_back({layout.threads(), "client", json_text(text(options_.clients[client(state)], *harness_))});
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
  for (std::uint32_t slot = layout.first_global(); slot < layout.size(); ++slot) {
    if (state[slot] == 0) continue;
    const Label label = layout.label(slot);
    if (label.owner == Label::global_owner && image_->globals[label.index].library) continue;
    out.push_back(
        {layout.threads(), name_of(*image_, label), object_text(*image_, states_->segments.object(state[slot]))});
  }
  return out;
}

std::vector<trace::Field> System::describe_property(std::size_t index, std::span<const Slot> state) const {
  const Layout& layout = states_->layout;
  std::vector<trace::Field> out;
  if (properties_[index].kind == Property::Kind::DeadlockFree) {
    for (std::uint32_t t = 0; t < layout.threads(); ++t) {
      if (!runs_in(state, t)) continue;
      const ThreadState thread = states_->segments.thread(state[layout.thread(t)]);
      out.push_back({t, spins(state, t) ? "spins at" : "waits at", json_text(place_of(thread))});
    }
    return out;
  }
  const auto how = ending(state);
  if (!how) return out;
  if (const auto found = outcome(state); found && options_.admitted) {
    out.push_back({layout.threads(), "client", json_text(text(options_.clients[client(state)], *harness_))});
    out.push_back({layout.threads(), "outcome", json_text(*found)});
    std::string admitted;
    for (const std::string& one : (*options_.admitted)[client(state)]) admitted += (admitted.empty() ? "" : ", or ") + one;
    out.push_back({layout.threads(), "admitted", json_text(admitted)});
    return out;
  }
  if (how->kind != Ending::Kind::Race) {
    out.push_back({how->thread, "failure", json_text(how->text)});
    return out;
  }
  const Account later = states_->segments.account(state, how->thread, 0);
  const Rest earlier = states_->segments.rest(state[layout.thread(how->other)]);
  for (const SharedAccess& a : states_->segments.footprints().accesses(earlier.latest)) {
    for (const SharedAccess& b : later.accesses) {
      if (!Footprints::overlap(a, b)) continue;
      out.push_back({how->other, "race", json_text(access_text(*image_, a))});
      out.push_back({how->thread, "race", json_text(access_text(*image_, b))});
      return out;
    }
  }
  return out;
}

Coverage System::coverage(std::span<const std::uint64_t> executed, bool) const {
  Coverage out;
  for (std::uint32_t t = 0; t < states_->layout.threads(); ++t) {
    if (executed[t] != 0) out.transitions.push_back({.name = transition_name(t), .executed = executed[t]});
  }
  return out;
}

}  // namespace heddle::native
