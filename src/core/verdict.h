// The four words that a command can end with, and their exit codes.
#pragma once

#include <string_view>

namespace heddle {

enum class Verdict { Holds = 0, Violated = 1, Unknown = 2, Error = 3 };

constexpr std::string_view name(Verdict verdict) {
  constexpr std::string_view names[] = {"holds", "violated", "unknown", "error"};
  return names[static_cast<int>(verdict)];
}
constexpr int exit_code(Verdict verdict) { return static_cast<int>(verdict); }

}  // namespace heddle
