#include "run/recorded_run.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "core/model_error.h"

namespace heddle::run {
namespace {

using explain::nothing;
using explain::RecordedExecution;
using native::CodeEvent;

struct ThreadEvent {
  std::uint32_t thread;  // of the client, from 0
  std::size_t step;      // of the run
  const CodeEvent* event;
};

// The events of client threads, in the order of the run.
std::vector<ThreadEvent> events_of(const native::System& system, const Path& path, CodeEventMemo& memo) {
  const auto states = follow(system, path);
  if (!states) throw ModelError("a run cannot be followed a second time");
  std::vector<ThreadEvent> out;
  for (std::size_t i = 0; i < path.steps.size(); ++i) {
    const std::uint32_t thread = path.steps[i].transition;
    if (thread == 0) continue;  // it makes the object, starts the others and waits for them
    for (const CodeEvent& event : memo.of((*states)[i], path.steps[i])) out.push_back({thread - 1, i, &event});
  }
  return out;
}

// "push" of "Queue::push"
std::string_view method_name(std::string_view function) {
  const auto colons = function.rfind("::");
  return colons == function.npos ? function : function.substr(colons + 2);
}

class Builder {
 public:
  explicit Builder(const native::System& system, std::size_t client)
      : image_(system.image()), harness_(*native::harness_of(image_)), client_(system.clients()[client]) {
    children_before_.resize(image_.statements.size());
    std::map<std::uint32_t, std::uint32_t> count;  // of children, by parent
    for (std::uint32_t s = 0; s < image_.statements.size(); ++s) {
      if (image_.statements[s].parent != native::none) children_before_[s] = count[image_.statements[s].parent]++;
    }
  }

  RecordedExecution build(const std::vector<ThreadEvent>& events) {
    choose_bodies(events);
    out_.threads = static_cast<std::uint32_t>(client_.threads.size());
    threads_.assign(out_.threads, {});
    for (const auto& [thread, step, event] : events) {
      Thread& self = threads_[thread];
      switch (event->kind) {
        case CodeEvent::Kind::Call:
          self = {.call = event->number, .inside = true, .way = {}};
          note(thread, explain::Action::Kind::Call);
          break;
        case CodeEvent::Kind::Return:
          note(thread, explain::Action::Kind::Return);
          self.inside = false;
          break;
        case CodeEvent::Kind::Statement:
          if (self.inside && body_of(event->number) == bodies_.at(invocation(thread))) enter(thread, event->number);
          break;
        case CodeEvent::Kind::Access:
          if (self.inside) access(thread, step, *event);
          break;
      }
    }
    drop_what_nobody_writes();
    number_objects();
    return std::move(out_);
  }

 private:
  struct Thread {
    std::uint32_t call = 0;
    bool inside = false;               // a call has begun
    std::vector<std::uint32_t> way{};  // instances, from the body to the current statement
  };

  std::uint32_t invocation(std::uint32_t thread) const {
    return thread * native::Client::most_calls + threads_[thread].call;
  }
  std::uint32_t body_of(std::uint32_t statement) const {
    while (image_.statements[statement].parent != native::none) statement = image_.statements[statement].parent;
    return statement;
  }

  // Of each invocation: the body of the method that was called. The harness may run other code of the user's beside it,
  // to make arguments and to compare results; that counts as part of the whole method.
  void choose_bodies(const std::vector<ThreadEvent>& events) {
    std::map<std::uint32_t, bool> sure;  // by invocation
    std::vector<std::uint32_t> call(client_.threads.size(), 0);
    for (const auto& [thread, step, event] : events) {
      if (event->kind == CodeEvent::Kind::Call) call[thread] = event->number;
      if (event->kind != CodeEvent::Kind::Statement) continue;
      const std::uint32_t number = thread * native::Client::most_calls + call[thread];
      if (sure[number]) continue;
      const std::uint32_t body = body_of(event->number);
      const std::string& method = harness_.methods[client_.threads[thread][call[thread]].method].name;
      const std::uint32_t function = image_.statements[body].function;
      sure[number] = function != native::none && method_name(image_.texts[function]) == method;
      if (sure[number]) bodies_[number] = body;
      bodies_.try_emplace(number, body);
    }
  }

  std::uint32_t new_instance(std::uint32_t statement, std::uint32_t parent) {
    out_.instances.push_back({statement, parent, parent == nothing ? 0 : inside_[parent].iteration});
    inside_.push_back({});
    return static_cast<std::uint32_t>(out_.instances.size() - 1);
  }

  void enter(std::uint32_t thread, std::uint32_t statement) {
    std::vector<std::uint32_t> to;  // from the body down
    for (std::uint32_t s = statement; s != native::none; s = image_.statements[s].parent) to.push_back(s);
    std::ranges::reverse(to);
    std::vector<std::uint32_t>& way = threads_[thread].way;
    std::size_t same = 0;
    while (same < to.size() && same < way.size() && out_.instances[way[same]].statement == to[same]) ++same;
    if (same == to.size()) {
      if (same == way.size()) return;
      way.resize(same);
      if (image_.statements[statement].loop) {
        ++inside_[way.back()].iteration;
        inside_[way.back()].latest = nothing;
      }
      return;
    }
    way.resize(same);
    for (; same < to.size(); ++same) {
      const std::uint32_t order = children_before_[to[same]];
      if (!way.empty()) {
        Inside& around = inside_[way.back()];
        if (around.latest != nothing && order <= around.latest) ++around.iteration;
        around.latest = order;
      }
      way.push_back(new_instance(to[same], way.empty() ? nothing : way.back()));
    }
  }

  void access(std::uint32_t thread, std::size_t step, const CodeEvent& event) {
    std::vector<std::uint32_t>& way = threads_[thread].way;
    if (way.empty()) {
      const auto body = bodies_.find(invocation(thread));
      if (body == bodies_.end()) {
        throw ModelError(fmt::format(
            "{} has no statements of your own code; name a class whose methods are in your files in HEDDLE_HARNESS",
            harness_.methods[client_.threads[thread][threads_[thread].call].method].name));
      }
      way.push_back(new_instance(body->second, nothing));
    }
    const auto object = objects_.try_emplace(event.label, static_cast<std::uint32_t>(objects_.size())).first->second;
    const explain::DataAccess one{object, event.offset, event.offset + event.size, event.write};
    // What one statement does in one step is one action. Others may come between two steps, whether they do or not in
    // this run: whether accesses are one action must not depend on the order of independent steps.
    if (!out_.actions.empty() && latest_step_ == step) {
      explain::Action& latest = out_.actions.back();
      if (latest.kind == explain::Action::Kind::Data && latest.instance == way.back()) {
        latest.accesses.push_back(one);
        return;
      }
    }
    latest_step_ = step;
    out_.actions.push_back({.thread = thread,
                            .invocation = invocation(thread),
                            .instance = way.back(),
                            .line = event.line,
                            .accesses = {one}});
  }

  void note(std::uint32_t thread, explain::Action::Kind kind) {
    out_.actions.push_back({.kind = kind, .thread = thread, .invocation = invocation(thread)});
  }

  void drop_what_nobody_writes() {
    std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint32_t>>> written;  // by object: bytes
    for (const explain::Action& action : out_.actions) {
      for (const explain::DataAccess& x : action.accesses) {
        if (x.write) written[x.object].emplace_back(x.begin, x.end);
      }
    }
    const auto is_data = [&](const explain::DataAccess& x) {
      const auto found = written.find(x.object);
      return found != written.end() && std::ranges::any_of(found->second, [&](const auto& bytes) {
               return bytes.first < x.end && x.begin < bytes.second;
             });
    };
    for (explain::Action& action : out_.actions) std::erase_if(action.accesses, std::not_fn(is_data));
    std::erase_if(out_.actions, [](const explain::Action& action) {
      return action.kind == explain::Action::Kind::Data && action.accesses.empty();
    });
  }

  // Numbers in the order of labels, which are the same in all runs of a trace.
  void number_objects() {
    std::vector<std::uint32_t> numbers(objects_.size());
    std::uint32_t next = 0;
    for (const auto& [label, number] : objects_) numbers[number] = next++;
    for (explain::Action& action : out_.actions) {
      for (explain::DataAccess& x : action.accesses) x.object = numbers[x.object];
    }
  }

  // Of an instance: how often what is in it has begun anew, and the latest of its statements.
  struct Inside {
    std::uint32_t iteration = 0, latest = nothing;
  };

  const native::Image& image_;
  const native::Harness harness_;
  const native::Client& client_;
  std::vector<std::uint32_t> children_before_;     // by statement: its place among those with the same parent
  std::map<std::uint32_t, std::uint32_t> bodies_;  // by invocation
  std::vector<Thread> threads_;
  std::vector<Inside> inside_;  // by instance
  std::map<native::Label, std::uint32_t> objects_;
  std::size_t latest_step_ = 0;  // of an access
  RecordedExecution out_;
};

}  // namespace

explain::StatementTree statement_tree(const native::Image& image) {
  explain::StatementTree tree;
  std::map<std::uint32_t, std::uint32_t> count;  // of children, by parent
  for (const native::SourceStatement& x : image.statements) {
    tree.push_back({.parent = x.parent == native::none ? nothing : x.parent,
                    .order = x.parent == native::none ? 0 : count[x.parent]++,
                    .loop = x.loop,
                    .function = x.function == native::none ? "" : image.texts[x.function],
                    .file = x.file == native::none ? "" : image.files[x.file],
                    .first_line = x.first_line,
                    .last_line = x.last_line});
  }
  return tree;
}

native::Section section_of(const explain::StatementTree& tree, const explain::CodeBlock& block) {
  const explain::CodeBlocks blocks(tree);
  native::Section section;
  for (std::uint32_t s = 0; s < tree.size(); ++s) {
    if (tree[s].parent == tree[block.first].parent && blocks.holds(block, s)) section.push_back(s);
  }
  return section;
}

const std::vector<CodeEvent>& CodeEventMemo::of(std::span<const Slot> state, Step step) {
  std::vector<Access> touched;
  system_.footprint(state, step, touched);
  std::vector<std::uint32_t> seen = {step.transition, step.detail, state[native::Layout::client]};
  for (const Access& access : touched) seen.insert(seen.end(), {access.slot, state[access.slot]});
  const XXH128_hash_t hash = XXH3_128bits(seen.data(), seen.size() * sizeof seen[0]);
  const auto [found, is_new] = known_.try_emplace(Key{hash.low64, hash.high64}, events_.size());
  if (is_new) {
    events_.push_back(system_.code_events(state, step));
    bytes_ += sizeof(Key) * 2 + events_.back().size() * sizeof(CodeEvent);
  }
  return events_[found->second];
}

explain::RecordedExecution recorded_run(const native::System& system, const Path& path, CodeEventMemo& events) {
  return Builder(system, path.initial).build(events_of(system, path, events));
}

}  // namespace heddle::run
