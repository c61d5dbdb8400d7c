#include "native/places.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace heddle::native {
namespace {

bool is_library_file(const std::string& file) { return file.starts_with("/usr/"); }

}  // namespace

std::vector<SourcePlace> call_stack(const Image& image, const ThreadState& thread) {
  std::vector<SourcePlace> out;
  for (auto frame = thread.frames.rbegin(); frame != thread.frames.rend(); ++frame) {
    const Function& function = image.functions[frame->function];
    std::uint32_t at = function.operations[frame->at].place;
    if (at == none) {
      out.push_back({{}, 0, 0, function.name == none ? "" : image.texts[function.name], function.library});
    }
    for (; at != none; at = image.places[at].inlined_at) {
      const Place& p = image.places[at];
      SourcePlace place;
      if (p.file != none) place.file = image.files[p.file];
      place.line = p.line;
      place.column = p.column;
      if (p.function != none) place.function = image.texts[p.function];
      place.library = function.library || is_library_file(place.file);
      out.push_back(std::move(place));
    }
  }
  return out;
}

SourcePlace user_place(const Image& image, const ThreadState& thread) {
  const std::vector<SourcePlace> stack = call_stack(image, thread);
  const auto own = std::ranges::find_if(stack, [](const SourcePlace& p) { return !p.library && p.line != 0; });
  if (own != stack.end()) return *own;
  return stack.empty() ? SourcePlace{} : stack.front();
}

std::string place_text(const SourcePlace& place) {
  if (place.line == 0) return place.function.empty() ? "the program" : place.function;
  return fmt::format("{}:{}", std::filesystem::path(place.file).filename().string(), place.line);
}

std::string place_text(const Image& image, const ThreadState& thread) { return place_text(user_place(image, thread)); }

}  // namespace heddle::native
