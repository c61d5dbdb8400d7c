// A World without interning, and a scheduler that always takes the lowest thread.
#include "native/run_alone.h"

#include <fmt/format.h>

#include <map>
#include <optional>

namespace heddle::native {
namespace {

// Shared memory as a map. What a segment changes can be taken back: a blocked operation has not happened.
class PlainWorld : public World {
 public:
  explicit PlainWorld(const Image& image) {
    for (std::uint32_t i = 0; i < image.globals.size(); ++i) {
      const Global& global = image.globals[i];
      if (!global.constant && !global.thread_local_copy) objects_[{Label::global_owner, i}] = initial_global(global);
    }
  }

  const Object* object(Label label) override {
    const auto found = objects_.find(label);
    return found == objects_.end() ? nullptr : &found->second;
  }
  Object& change(Label label) override {
    Object& object = objects_.at(label);
    before_.try_emplace(label, object);
    return object;
  }
  void publish(Label label, Object object) override {
    before_.try_emplace(label, std::nullopt);
    objects_[label] = std::move(object);
  }
  bool has_ended(std::uint32_t thread) override { return thread < threads.size() && threads[thread].frames.empty(); }
  void join(std::uint32_t /*thread*/) override {}
  std::uint32_t spawn(std::uint32_t function, Word argument) override {
    if (threads.size() + spawned.size() >= Label::max_threads) return none;
    spawned.emplace_back(function, argument);
    return static_cast<std::uint32_t>(threads.size() + spawned.size() - 1);
  }
  std::uint32_t choose(std::uint32_t alternatives) override { return pick ? pick(alternatives) : 0; }
  void access(const SharedAccess& /*access*/) override { ++accesses; }
  void output(std::string_view text) override { output_ += text; }

  void begin_segment() {
    before_.clear();
    spawned.clear();
    output_before_ = output_.size();
  }
  void take_back() {
    for (auto& [label, object] : before_) {
      if (object) {
        objects_[label] = std::move(*object);
      } else {
        objects_.erase(label);
      }
    }
    before_.clear();
    spawned.clear();
    output_.resize(output_before_);
  }

  std::string& output() { return output_; }

  std::vector<ThreadState> threads;
  std::vector<std::pair<std::uint32_t, Word>> spawned;  // in this segment
  std::function<std::uint32_t(std::uint32_t)> pick;
  std::uint64_t accesses = 0;

 private:
  std::map<Label, Object> objects_;
  std::map<Label, std::optional<Object>> before_;  // what the segment has changed
  std::string output_;
  std::size_t output_before_ = 0;
};

constexpr std::uint32_t patience = 1'000;  // segments of one thread in a row while others could run

class Alone {
 public:
  Alone(const Image& image, const AloneSettings& settings)
      : settings_(settings), machine_(image, settings.machine), world_(image) {
    world_.pick = settings.pick;
    add_thread(image.start, {});
  }

  AloneResult run() {
    while (result_.segments < settings_.most_segments) {
      const std::uint32_t thread = next_thread();
      if (thread == none) return finish(all_ended() ? AloneResult::End::Exited : AloneResult::End::Deadlock);
      ++result_.segments;
      if (step(thread)) return finish(result_.end);
    }
    return finish(AloneResult::End::TooLong);
  }

 private:
  void add_thread(std::uint32_t function, const std::vector<Word>& arguments) {
    const auto self = static_cast<std::uint32_t>(world_.threads.size());
    world_.threads.push_back(machine_.start(self, function, arguments));
    blocked_.push_back(false);
  }

  bool all_ended() const {
    for (const ThreadState& thread : world_.threads) {
      if (!thread.frames.empty()) return false;
    }
    return true;
  }

  std::uint32_t next_thread() {
    std::vector<std::uint32_t> able;
    for (std::uint32_t i = 0; i < world_.threads.size(); ++i) {
      if (!world_.threads[i].frames.empty() && !blocked_[i]) able.push_back(i);
    }
    if (able.empty()) return none;
    if (settings_.pick) return able[settings_.pick(static_cast<std::uint32_t>(able.size()))];
    std::uint32_t chosen = able.front();
    if (in_a_row_ >= patience) {
      for (const std::uint32_t thread : able) {
        if (thread > last_) {
          chosen = thread;
          break;
        }
      }
      in_a_row_ = 0;
      last_ = chosen;
    }
    // Whoever has its turn keeps it until it waits.
    if (in_a_row_ != 0 && !blocked_[last_] && !world_.threads[last_].frames.empty()) chosen = last_;
    in_a_row_ = chosen == last_ ? in_a_row_ + 1 : 1;
    last_ = chosen;
    return chosen;
  }

  // True: the program has ended, as result_ says.
  bool step(std::uint32_t number) {
    world_.begin_segment();
    const ThreadState before = world_.threads[number];
    ThreadState thread = before;
    const Stop stop = machine_.run(thread, world_);
    switch (stop.kind) {
      case Stop::Kind::Blocked:
        world_.take_back();
        waiting_at_[number] = call_stack(machine_.image(), thread);
        blocked_[number] = true;
        in_a_row_ = 0;
        return false;
      case Stop::Kind::Exited:
        result_.end = AloneResult::End::Exited;
        result_.code = stop.code;
        return true;
      case Stop::Kind::Failed:
        result_.end = AloneResult::End::Failed;
        result_.failure = stop.failure;
        result_.text = stop.text;
        result_.thread = number;
        result_.stack = call_stack(machine_.image(), thread);
        return true;
      default:
        break;
    }
    if (settings_.tidy) result_.leaks += static_cast<std::uint32_t>(machine_.tidy(thread).size());
    if (settings_.at_rest) settings_.at_rest(thread);
    world_.threads[number] = std::move(thread);
    const auto spawned = std::move(world_.spawned);
    world_.spawned.clear();
    for (const auto& [function, argument] : spawned) add_thread(function, {argument});
    blocked_.assign(blocked_.size(), false);
    return false;
  }

  AloneResult finish(AloneResult::End end) {
    result_.end = end;
    result_.output = std::move(world_.output());
    result_.threads = static_cast<std::uint32_t>(world_.threads.size());
    result_.operations_reported = world_.accesses;
    if (end == AloneResult::End::Deadlock) {
      for (std::uint32_t i = 0; i < world_.threads.size(); ++i) {
        if (!world_.threads[i].frames.empty()) result_.waiting.push_back(waiting_at_[i]);
      }
    }
    return std::move(result_);
  }

  const AloneSettings& settings_;
  Machine machine_;
  PlainWorld world_;
  AloneResult result_;
  std::vector<bool> blocked_;  // since another thread has made a step
  std::map<std::uint32_t, std::vector<StackLine>> waiting_at_;
  std::uint32_t last_ = 0, in_a_row_ = 0;
};

}  // namespace

AloneResult run_alone(const Image& image, const AloneSettings& settings) { return Alone(image, settings).run(); }

std::string text(const AloneResult& result) {
  std::string out = result.output;
  if (!out.empty() && !out.ends_with('\n')) out += '\n';
  switch (result.end) {
    case AloneResult::End::Exited:
      return out + fmt::format("exit code {}\n", result.code);
    case AloneResult::End::TooLong:
      return out + "too long\n";
    case AloneResult::End::Failed:
      out += fmt::format("{}: {} (thread {})\n", text(result.failure), result.text, result.thread);
      for (const StackLine& line : result.stack) out += fmt::format("  {}\n", text(line));
      return out;
    case AloneResult::End::Deadlock:
      out += "deadlock\n";
      for (const auto& stack : result.waiting) {
        out += "  a thread waits\n";
        for (const StackLine& line : stack) out += fmt::format("    {}\n", text(line));
      }
      return out;
  }
  return out;
}

}  // namespace heddle::native
