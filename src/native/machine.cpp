// Where threads start, and the words for what stops them; execution.cpp has the loop.
#include "native/machine.h"

#include <algorithm>
#include <array>
#include <utility>

#include "native/execution.h"
#include "native/externals.h"

namespace heddle::native {

std::string_view text(Failure failure) {
  switch (failure) {
    case Failure::Assertion:
      return "assertion violated";
    case Failure::Memory:
      return "memory error";
    case Failure::Uninitialised:
      return "uninitialised value";
    case Failure::Arithmetic:
      return "arithmetic error";
    case Failure::Terminate:
      return "program terminated";
    case Failure::Unsupported:
      return "unsupported";
    case Failure::Endless:
      return "endless run";
    case Failure::Leak:
      return "leak";
  }
  return "";
}

bool wants_free(const Object& object) {
  const bool from_heap =
      object.kind == ObjectKind::Malloc || object.kind == ObjectKind::New || object.kind == ObjectKind::NewArray;
  return from_heap && !object.freed;
}

Object initial_global(const Global& global) {
  Object object{ObjectKind::Global, false, global.bytes};
  object.bytes.resize(global.size);
  return object;
}

Machine::Machine(const Image& image, MachineSettings settings)
    : image_(image),
      settings_(std::move(settings)),
      liveness_(image, settings_.keep_everything),
      constants_(image.globals.size()) {
  for (std::size_t i = 0; i < image.globals.size(); ++i) {
    if (image.globals[i].constant) constants_[i] = initial_global(image.globals[i]);
  }
  for (const std::uint32_t symbol : image.externals) {
    externals_.push_back(static_cast<std::uint8_t>(external_of(image.texts[symbol])));
  }
  if (!settings_.sections.empty()) section_of_ = section_numbers(image, settings_.sections);
}

ThreadState Machine::start(std::uint32_t self, std::uint32_t function, const std::vector<Word>& arguments) const {
  ThreadState thread;
  thread.self = self;
  Frame frame;
  frame.function = function;
  frame.registers.resize(image_.functions[function].registers);
  const std::size_t given = std::min<std::size_t>(arguments.size(), image_.functions[function].parameters);
  std::copy_n(arguments.begin(), given, frame.registers.begin());
  thread.frames.push_back(std::move(frame));
  return thread;
}

Stop Machine::run(ThreadState& thread, World& world) const { return Execution(*this, thread, world).run(); }

}  // namespace heddle::native
