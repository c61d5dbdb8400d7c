// The state as a run of a segment sees it (segments.h), with what the run reads, changes and does beside that.
//
// Shared objects are taken out of their slots when they are first asked for. What is read is noted by its number
// (segment_reads.h), so that it becomes a path of a decision tree. A name that has no slot throws Mistaken: the layout
// is then made larger. Not thread-safe: a recorder belongs to one run.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/facets/assumptions.h"
#include "native/segment_reads.h"
#include "native/segments.h"

namespace heddle::native {

// Sees the state for a run, and notes what it reads and writes.
class Segments::Recorder final : public World {
 public:
  // `running` is the thread's state while it runs.
  Recorder(const Segments& segments, std::span<const Slot> state, std::uint32_t thread, std::uint32_t choice,
           const ThreadState& running)
      : segments_(segments), state_(state), thread_(thread), choice_(choice), running_(running) {}

  const Object* object(Label label) override {
    Object* const found = find(label);
    return found;
  }
  Object& change(Label label) override {
    Object* const found = find(label);
    assert(found != nullptr);
    changed_.insert(*layout().slot(label));
    return *found;
  }
  void publish(Label label, Object object) override {
    const auto slot = layout().slot(label);
    if (!slot) {
      (label.index % 2 == 0 ? segments_.needed_heap_ : segments_.needed_stack_) = label.index / 2 + 1;
      throw Mistaken();
    }
    objects_.insert_or_assign(*slot, std::move(object));
    changed_.insert(*slot);
  }
  bool has_ended(std::uint32_t thread) override {
    return thread < layout().threads() && thread != thread_ && read(read_ended + thread) != 0;
  }
  void join(std::uint32_t thread) override {
    read(layout().thread(thread));  // its results stay
    joined_.push_back(thread);
  }
  std::uint32_t spawn(std::uint32_t function, Word argument) override {
    for (std::uint32_t t = 1; t < layout().threads(); ++t) {
      if (spawned_.contains(t) || t == thread_ || read(read_started + t) != 0) continue;
      spawned_.emplace(t, std::pair(function, argument));
      ordered_ = accesses_.size();
      return t;
    }
    if (layout().threads() < Label::max_threads) {
      segments_.needed_threads_ = layout().threads() + 1;
      throw Mistaken();
    }
    // The number of a thread that was waited for is taken again. What it has published keeps its names.
    for (std::uint32_t t = 1; t < layout().threads(); ++t) {
      if (spawned_.contains(t) || t == thread_ || read(read_joined + t) == 0) continue;
      read(layout().thread(t));
      std::erase(joined_, t);
      spawned_.emplace(t, std::pair(function, argument));
      ordered_ = accesses_.size();
      return t;
    }
    return none;
  }
  std::uint32_t choose(std::uint32_t alternatives) override {
    const std::uint64_t weight = choices_.empty() ? 1 : choices_.back().weight * choices_.back().among;
    if (weight * alternatives > std::numeric_limits<std::uint32_t>::max()) {
      throw Fault{Failure::Unsupported, "an atomic part with more than four billion ways to go"};
    }
    const auto taken = static_cast<std::uint32_t>(read(read_choice) / weight % alternatives);
    choices_.push_back({taken, alternatives, weight});
    return taken;
  }
  void access(const SharedAccess& access) override {
    // Before there is a second thread nobody asks for them, and a long start would fill the memory.
    constexpr std::size_t most_at_start = 1 << 16;
    if (running_.self == 0 && !running_.spawned && accesses_.size() >= most_at_start) return;
    // A loop repeats its accesses; one of each is enough.
    constexpr std::size_t many = 4'096, recent = 32;
    const auto same = [&](const SharedAccess& a) {
      return a.label == access.label && a.offset == access.offset && a.size == access.size && a.kind == access.kind;
    };
    if (accesses_.size() > many && std::any_of(accesses_.end() - recent, accesses_.end(), same)) return;
    accesses_.push_back(access);
    // An access of the library is told as one of the user's code that has called it.
    const auto& functions = segments_.machine_.image().functions;
    if (!functions[access.function].library) return;
    for (auto frame = running_.frames.rbegin(); frame != running_.frames.rend(); ++frame) {
      if (functions[frame->function].library) continue;
      accesses_.back().function = frame->function;
      accesses_.back().at = frame->at;
      return;
    }
  }
  void compares(std::optional<Label> object) override {
    if (segments_.options_.comparisons == nullptr) return;
    std::uint32_t slot = 0;
    if (object) {
      const auto found = layout().slot(*object);
      if (!found) return;
      slot = *found;
      if (const auto known = objects_.find(slot); known != objects_.end()) {
        if (!known->second.freed) return;
        slot = 0;
      }
    }
    const StackLine line = user_line(call_stack(segments_.machine_.image(), running_));
    const Segment::Comparison one{slot, segments_.options_.comparisons->number(short_text(line))};
    const auto same = [&](const Segment::Comparison& c) { return c.slot == one.slot && c.line == one.line; };
    if (std::ranges::none_of(comparisons_, same)) comparisons_.push_back(one);
  }
  void output(std::string_view text) override { output_ += text; }
  std::int32_t client(std::uint32_t thread, std::uint32_t call, std::uint32_t what) override {
    if (thread >= Client::most_threads || call >= Client::most_calls || what >= client_questions) return 0;
    return static_cast<std::int32_t>(read(client_question(thread, call, what)));
  }
  void call_begins(std::uint32_t n) override {
    if (segments_.options_.histories == nullptr) return;
    std::string call;
    const auto put = [&](std::uint32_t what) {
      const std::int32_t answer = client(thread_ - 1, n, what);
      call.append(reinterpret_cast<const char*>(&answer), sizeof answer);
    };
    for (std::uint32_t what = 2; what < client_questions; ++what) put(what);
    opened_ = segments_.options_.histories->intern_event(thread_, false, call);
  }
  void call_ends() override {
    if (segments_.options_.histories == nullptr) return;
    std::string_view result = running_.results;
    if (result.ends_with('\n')) result.remove_suffix(1);
    if (const auto line = result.rfind('\n'); line != result.npos) result.remove_prefix(line + 1);
    closed_ = segments_.options_.histories->intern_event(thread_, true, result);
  }
  bool go_on() override { return !Budget::interrupted(); }

  const Layout& layout() const { return segments_.layout_; }
  const std::map<std::uint32_t, Object>& objects() const { return objects_; }
  const std::set<std::uint32_t>& changed() const { return changed_; }
  const std::vector<std::uint32_t>& joined() const { return joined_; }
  const std::map<std::uint32_t, std::pair<std::uint32_t, Word>>& spawned() const { return spawned_; }
  std::vector<SharedAccess>& accesses() { return accesses_; }
  // Those that other threads may not have been ordered after: what comes before the start of a thread is ordered before
  // all that this thread does, and there is no third one that it could race with.
  std::span<const SharedAccess> unordered() const { return std::span(accesses_).subspan(ordered_); }
  std::uint32_t opened() const { return opened_; }
  std::uint32_t closed() const { return closed_; }
  std::string& output() { return output_; }
  std::vector<std::uint32_t>& reads() { return reads_; }
  // Which alternatives were taken.
  std::vector<std::uint32_t> choices() const {
    std::vector<std::uint32_t> out;
    for (const Chosen& one : choices_) out.push_back(one.taken);
    return out;
  }
  // The number of what comes after that: the last choice that has another alternative takes it, and those behind it,
  // which may be others then, begin anew. 0: there is nothing more.
  std::uint32_t next_choice() const {
    for (std::size_t i = choices_.size(); i-- > 0;) {
      if (choices_[i].taken + 1 == choices_[i].among) continue;
      std::uint64_t next = (choices_[i].taken + 1) * choices_[i].weight;
      for (std::size_t j = 0; j < i; ++j) next += choices_[j].taken * choices_[j].weight;
      return static_cast<std::uint32_t>(next);
    }
    return 0;
  }
  const std::vector<Segment::Comparison>& comparisons() const { return comparisons_; }
  std::span<const Slot> state() const { return state_; }
  std::uint32_t thread() const { return thread_; }

 private:
  std::uint32_t read(std::uint32_t what) {
    if (std::ranges::find(reads_, what) == reads_.end()) reads_.push_back(what);
    return segments_.value(state_, what, choice_);
  }
  Object* find(Label label) {
    const auto slot = layout().slot(label);
    if (!slot) return nullptr;
    if (const auto known = objects_.find(*slot); known != objects_.end()) return &known->second;
    const Slot content = read(*slot);
    if (content == 0) return nullptr;
    return &objects_.emplace(*slot, segments_.object(content)).first->second;
  }

  const Segments& segments_;
  const std::span<const Slot> state_;
  const std::uint32_t thread_, choice_;
  const ThreadState& running_;
  struct Chosen {
    std::uint32_t taken, among;
    std::uint64_t weight;  // of this digit
  };
  std::vector<Chosen> choices_;
  std::vector<std::uint32_t> reads_;
  std::map<std::uint32_t, Object> objects_;  // by slot: what has been read, as it is now
  std::set<std::uint32_t> changed_;
  std::vector<std::uint32_t> joined_;
  std::map<std::uint32_t, std::pair<std::uint32_t, Word>> spawned_;
  std::vector<SharedAccess> accesses_;
  std::vector<Segment::Comparison> comparisons_;
  std::size_t ordered_ = 0;
  std::uint32_t opened_ = 0, closed_ = 0;  // events of histories
  std::string output_;
};

}  // namespace heddle::native
