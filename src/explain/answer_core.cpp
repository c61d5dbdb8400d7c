#include "explain/answer_core.h"

namespace heddle::explain {

AnswerCore answer_core(std::size_t operations, const std::vector<std::uint32_t>& answered,
                       const std::function<bool(const std::vector<bool>& binding)>& admitted, Budget* budget) {
  AnswerCore out;
  std::vector<bool> binding(operations, false);
  for (const std::uint32_t i : answered) binding[i] = true;
  for (const std::uint32_t i : answered) {
    out.minimal = out.minimal && (budget == nullptr || budget->check(0));
    if (!out.minimal) break;
    binding[i] = false;
    if (admitted(binding)) binding[i] = true;
  }
  for (const std::uint32_t i : answered) {
    if (binding[i]) out.operations.push_back(i);
  }
  return out;
}

}  // namespace heddle::explain
