// Calls on abstract objects (heddle/refinement.h): how they are shown, renamed, fingerprinted, and recorded by
// annotations.
#include <utility>

#include "core/transition_system.h"
#include "core/user_code.h"
#include "heddle/detail/abstract_call.h"
#include "heddle/detail/annotation.h"
#include "heddle/detail/model_info.h"

namespace heddle::detail {

std::string MethodInfo::text(std::string_view bytes) const {
  std::string out(name);
  out += "(";
  bool first = true;
  for (const ArgumentInfo& argument : arguments) {
    const std::string_view value = argument.shape().take(bytes);
    std::string shown;
    if (argument.text != nullptr) {
      run_or_throw<ModelError>({"text() of an argument of", name}, [&] { shown = argument.text(value); });
    } else {
      put_json(argument.shape(), value, shown);
    }
    if (!shown.empty()) out += (std::exchange(first, false) ? "" : ", ") + shown;
  }
  return out + ")";
}

Bytes MethodInfo::rename(std::string_view bytes, const Renaming& renaming) const {
  Bytes out;
  for (const ArgumentInfo& argument : arguments) {
    out += renamed(argument.shape(), argument.shape().take(bytes), renaming);
  }
  return out;
}

std::uint64_t MethodInfo::fingerprint(std::string_view bytes, const Colouring& colour) const {
  std::uint64_t h = 31;
  for (const ArgumentInfo& argument : arguments) {
    h = chain(h, detail::fingerprint(argument.shape(), argument.shape().take(bytes), colour));
  }
  return h;
}

void CallList::add(const MethodInfo& method, Bytes arguments) {
  (method.observation ? observations : calls).push_back({&method, std::move(arguments)});
}

void RefinementInfo::add_point(void (*handler)(HandlerCall&), const Takes& takes,
                               std::function<void(AnnotationInput&)> record) {
  points.push_back({handler, takes, std::move(record)});
}

void RefinementInfo::add_quorums(std::string property, std::string which, const std::vector<std::size_t>& sizes,
                                 std::size_t members, std::size_t faulty) {
  quorums.push_back({std::move(property),
                     std::move(which),
                     {sizes.begin(), sizes.end()},
                     static_cast<long>(members),
                     static_cast<long>(faulty)});
}

void RefinementInfo::add_candidates(const CallList& list) {
  candidates.insert(candidates.end(), list.calls.begin(), list.calls.end());
}

long SharedQuorums::shared() const {
  long common = members;
  for (const long size : sizes) common += size - members;
  return common > 0 ? common : 0;
}

std::string SharedQuorums::text() const {
  std::string sum;
  for (const long size : sizes) sum += (sum.empty() ? "" : " + ") + std::to_string(size);
  return property + " needs " + (faulty > 0 ? "a correct process" : "one process") + " common to " + quorums + ": " +
         sum + " of " + std::to_string(members) + " have at least " + std::to_string(shared()) + " in common" +
         (faulty > 0 ? ", " + std::to_string(faulty) + " may be faulty" : "") + (enough() ? "" : ": NOT ENOUGH");
}

}  // namespace heddle::detail
