// Turns a frame and an operation into the lines of source around it, inlined calls included.
#include "native/places.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace heddle::native {
namespace {

// Headers of the system and of Heddle are not the user's own code, also where they are inlined into it.
bool is_library_file(std::string_view file) { return file.starts_with("/usr/") || file.ends_with("heddle/native.h"); }

}  // namespace

std::vector<StackLine> lines_of(const Image& image, std::uint32_t function, std::uint32_t at) {
  const Function& owner = image.functions[function];
  std::vector<StackLine> lines;
  std::uint32_t index = owner.operations[at].place;
  if (index == none) index = owner.place;
  for (; index != none; index = image.places[index].inlined_at) {
    const Place& place = image.places[index];
    StackLine& line = lines.emplace_back();
    line.function = image.texts[place.function == none ? owner.name : place.function];
    if (place.file != none) line.file = image.files[place.file];
    line.line = place.line;
    line.column = place.column;
    line.about = place.about;
    line.library = owner.library || is_library_file(line.file);
  }
  if (lines.empty()) lines.push_back({image.texts[owner.name], "", 0, 0, false, owner.library});
  return lines;
}

std::vector<StackLine> call_stack(const Image& image, const ThreadState& thread) {
  std::vector<StackLine> stack;
  for (auto frame = thread.frames.rbegin(); frame != thread.frames.rend(); ++frame) {
    for (StackLine& line : lines_of(image, frame->function, frame->at)) stack.push_back(std::move(line));
  }
  return stack;
}

std::string text(const StackLine& line) {
  if (line.file.empty()) return line.function;
  return fmt::format("{} at {}{}:{}:{}", line.function, line.about ? "about " : "", line.file, line.line, line.column);
}

StackLine user_line(const std::vector<StackLine>& stack) {
  const auto own = std::ranges::find_if(stack, [](const StackLine& line) { return !line.library && line.line != 0; });
  if (own != stack.end()) return *own;
  return stack.empty() ? StackLine{} : stack.front();
}

std::string short_text(const StackLine& line) {
  if (line.line == 0) return line.function.empty() ? "the program" : line.function;
  return fmt::format("{}:{}", std::filesystem::path(line.file).filename().string(), line.line);
}

}  // namespace heddle::native
