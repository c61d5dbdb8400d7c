// An execution of calls over shared memory, as the search for its root cause sees it (Cirisci 2022, §2.3).
//
// An execution is the sequence of its actions. An action is what one instance of a statement does to shared data
// without another thread in between: its accesses have no order among each other that matters. Calls and returns are
// actions without accesses. Locks, private objects and fields that are never written after their object was published
// are not data: whoever makes an execution leaves them out.
//
// An instance is one execution of a statement. Its parent is the instance of the statement around it; in a loop, also
// the iteration tells instances apart. What a statement calls happens in its instance.
//
// Invariants
//   1. The actions of a thread are in program order; those of an invocation follow each other within their thread.
//   2. All instances of an invocation descend from one, that of the body of its method.
// Plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::explain {

inline constexpr std::uint32_t nothing = ~std::uint32_t{0};

// The statements of a function are a tree; its root is the body.
struct CodeStatement {
  std::uint32_t parent = nothing;  // nothing: the body of a function
  std::uint32_t order = 0;         // among the statements with the same parent, in the order of the source
  bool loop = false;
  std::string function = {}, file = {};
  std::uint32_t first_line = 0, last_line = 0;
};
using StatementTree = std::vector<CodeStatement>;

struct DataAccess {
  std::uint32_t object = 0;
  std::uint32_t begin = 0, end = 1;  // bytes of the object
  bool write = false;
};

struct Action {
  enum class Kind : std::uint8_t { Data, Call, Return };
  Kind kind = Kind::Data;
  std::uint32_t thread = 0;          // below RecordedExecution::threads
  std::uint32_t invocation = 0;      // no two threads have the same
  std::uint32_t instance = nothing;  // of Data
  std::uint32_t file = nothing;      // of Data: its number among the files of whoever made the execution
  std::uint32_t line = 0;            // of Data
  std::vector<DataAccess> accesses = {};
};

struct RecordedExecution {
  struct Instance {
    std::uint32_t statement = 0;
    std::uint32_t parent = nothing;  // instance of the statement's parent
    std::uint32_t iteration = 0;     // of the parent, if that is a loop
  };
  std::uint32_t threads = 0;  // at most 64
  std::vector<Instance> instances;
  std::vector<Action> actions;
};

}  // namespace heddle::explain
