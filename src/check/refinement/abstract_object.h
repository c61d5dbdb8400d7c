// The abstract object that runs beside a protocol (heddle/refinement.h), as one slot of the state.
//
// A content of the slot is the object. After a rejected call, it is the object before the call together with the
// call. From then on the slot does not change, so that the protocol can be followed further, to see whether a
// real disagreement follows. What a list of calls makes of a content is computed once and kept; a step in the hot
// loop is one look-up.
//
// With --lp search nobody says where the calls are. Then the content is the set of objects that some insertion of the
// candidate calls leads to. Calls of annotations count only if they are observations, and the content is a rejection
// when the set is empty.
// Thread-safe.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "check/refinement/refinements.h"
#include "core/content_table.h"
#include "core/pair_map.h"
#include "core/recent_pairs.h"
#include "core/trace.h"
#include "core/transition_system.h"
#include "heddle/model.h"
#include "heddle/refinement.h"

namespace heddle {

class AbstractObject {
 public:
  explicit AbstractObject(const Model::Refined& refined);

  const std::string& name() const { return info_->name; }
  Slot initial();
  // Returns the number of the list; 0 for a list without calls.
  std::uint32_t intern(const detail::CallList& list);
  // Returns the content after these calls.
  Slot next(Slot content, std::uint32_t calls) {
    if (calls == 0) return content;
    static thread_local RecentPairs<10> recent;
    recent.belong_to(id_);
    const std::uint64_t key = make_pair_key(content, calls);
    auto& known = recent.at(key);
    if (known.key != key || known.value == 0) {
      known = {key, next_.get(content, calls, [&] { return compute(content, calls); }), 0};
    }
    return known.value;
  }
  static bool rejected(Slot content) { return (content & rejection_bit) != 0; }

  Slot renamed(Slot content, const detail::Renaming& renaming);
  std::uint32_t renamed_calls(std::uint32_t number, const detail::Renaming& renaming);
  std::uint64_t fingerprint(Slot content, const detail::Colouring& colour) const;

  // Returns the object as bytes. Throws ModelError where the content is a set of objects.
  std::string_view object(Slot content) const;
  // Returns the object, or the array of possible objects, as JSON.
  std::string json(Slot content) const;
  std::vector<trace::Call> describe(Slot content, std::uint32_t number);
  // Returns what was rejected. REQUIRES: rejected(content).
  RefinementFailure failure(Slot content) const;
  // Returns how many different pairs (object, call) there were, by the name of the call.
  std::map<std::string, std::uint64_t> counts() const;
  std::size_t bytes() const { return contents_.bytes() + lists_.bytes() + next_.bytes(); }

 private:
  // The lowest bit of a number tells whether the content is a rejection, because every step asks for it.
  static constexpr Slot rejection_bit = 1;
  static constexpr char object_mark = 'o', set_mark = 's', rejection_mark = 'r';
  static constexpr std::size_t most_objects = 100'000;
  using Objects = std::set<detail::Bytes>;

  std::uint32_t method_number(const detail::MethodInfo* method);
  std::vector<detail::AbstractCall> calls_of(std::string_view list) const;
  detail::Bytes encode(const std::vector<detail::AbstractCall>& calls);
  Slot number_of(std::string_view content) {
    const std::uint32_t number = contents_.intern(content);
    if (number > ~Slot{0} >> 1) throw TableFull();
    return number << 1 | (content.front() == rejection_mark ? rejection_bit : 0);
  }
  std::string_view content_of(Slot number) const { return contents_.content(number >> 1); }
  Answer apply(detail::Bytes& object, const detail::AbstractCall& call) const;
  Slot compute(Slot content, std::uint32_t number);
  Slot compute_set(Slot content, const std::vector<detail::AbstractCall>& calls);
  void close(Objects& objects) const;
  Slot reject(std::string_view content, const detail::AbstractCall& call);
  void count(const detail::Bytes& object, const detail::AbstractCall& call, const Answer& answer);
  static Objects objects_of(std::string_view content);
  static detail::Bytes set_content(const Objects& objects);

  const std::uint64_t id_ = RecentPairs<10>::new_owner();
  std::shared_ptr<detail::RefinementInfo> info_;
  const bool search_;
  ContentTable contents_;
  ContentTable lists_;
  PairMap next_;
  std::array<std::atomic<const detail::MethodInfo*>, 64> methods_{};
  std::atomic<std::uint32_t> method_count_{0};
  mutable std::mutex mutex_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> counted_;  // (content, call)
  std::map<std::string, std::uint64_t> counts_;
};

}  // namespace heddle
