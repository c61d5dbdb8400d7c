// Forgetting what cannot matter: registers that are not live, private objects that nothing mentions.
#include <algorithm>

#include "native/machine.h"
#include "native/mentions.h"

namespace heddle::native {
namespace {

void clear_dead_registers(Frame& frame, Liveness::Set live) {
  auto next = live.begin();
  for (std::uint32_t i = 0; i < frame.registers.size(); ++i) {
    if (next != live.end() && *next == i) {
      ++next;
    } else {
      frame.registers[i] = 0;
      if (!frame.undefined.empty()) frame.undefined[i] = 0;
    }
  }
  if (std::ranges::all_of(frame.undefined, [](Word word) { return word == 0; })) frame.undefined.clear();
}

}  // namespace

std::vector<Object> Machine::tidy(ThreadState& thread) const {
  if (thread.fresh || settings_.keep_everything) return {};
  for (Frame& frame : thread.frames) {
    if (const auto live = liveness_.live(frame.function, frame.at)) clear_dead_registers(frame, *live);
  }
  if (thread.objects.empty()) return {};

  std::vector<std::uint32_t> reached, work;  // reached: ascending
  const auto reach = [&](std::uint32_t index) {
    if (!thread.objects.contains(index)) return;
    const auto place = std::ranges::lower_bound(reached, index);
    if (place != reached.end() && *place == index) return;
    reached.insert(place, index);
    work.push_back(index);
  };
  const auto mention = [&](Label label) {
    if (label.owner == thread.self) reach(label.index);
  };
  for (const Frame& frame : thread.frames) {
    for (const Word word : frame.registers) {
      if (Label::is_pointer(word)) mention(Label::of(word));
    }
  }
  for (const auto& [global, index] : thread.locals) reach(index);
  while (!work.empty()) {
    const std::uint32_t index = work.back();
    work.pop_back();
    for_each_mention(thread.objects.at(index).bytes, mention);
  }
  if (reached.size() == thread.objects.size()) return {};

  std::vector<Object> leaked;
  std::vector<std::uint32_t> dropped;
  std::erase_if(thread.objects, [&](const auto& entry) {
    const auto& [index, object] = entry;
    if (std::ranges::binary_search(reached, index)) return false;
    dropped.push_back(index);
    if (wants_free(object)) leaked.push_back(object);
    return true;
  });
  for (Frame& frame : thread.frames) {
    std::erase_if(frame.stack_objects, [&](std::uint32_t index) { return std::ranges::binary_search(dropped, index); });
  }
  return leaked;
}

}  // namespace heddle::native
