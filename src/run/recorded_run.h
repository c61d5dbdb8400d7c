// A run of a program's client as an execution of statements (explain/recorded_execution.h).
//
//   CodeEventMemo events(system);
//   const explain::RecordedExecution execution = recorded_run(system, tree, path, events);
//
// Instances of statements are known from the markers that the called method passes (explain/statement_instances.h).
// They are not part of states: iterations would make equal states different.
// Not thread-safe.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "core/path.h"
#include "explain/code_blocks.h"
#include "explain/recorded_execution.h"
#include "native/system.h"

namespace heddle::run {

// The statements of the image; the same numbers.
explain::StatementTree statement_tree(const native::Image& image);

// The same statements as a section of the machine.
native::Section section_of(const explain::StatementTree& tree, const explain::CodeBlock& block);

// What steps do. A step does the same in all states that agree in its footprint, so few steps are run a second time.
class CodeEventMemo {
 public:
  // REQUIRES: the system outlives this, and is not reconsidered.
  explicit CodeEventMemo(const native::System& system) : system_(system) {}

  // Valid as long as this is. REQUIRES: the step is enabled.
  const std::vector<native::CodeEvent>& of(std::span<const Slot> state, Step step);
  std::size_t bytes() const { return bytes_; }

 private:
  using Key = std::array<std::uint64_t, 2>;

  const native::System& system_;
  boost::unordered_flat_map<Key, std::size_t> known_;
  std::deque<std::vector<native::CodeEvent>> events_;
  std::size_t bytes_ = 0;
};

// `tree` has the statements of the system's image. Throws ModelError if the path cannot be followed, or if a method has
// no statements: it is the library's.
explain::RecordedExecution recorded_run(const native::System& system, const explain::StatementTree& tree,
                                        const Path& path, CodeEventMemo& events);

}  // namespace heddle::run
