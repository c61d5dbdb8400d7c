// Follows a path, and joins the events of its steps into actions of statements.
#include "run/recorded_run.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "core/model_error.h"
#include "explain/statement_instances.h"
#include "explain/written_data.h"

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
    for (const CodeEvent& event : memo.of((*states)[i], path.steps[i])) {
      if (event.kind == CodeEvent::Kind::LockWord) {
        out.push_back({0, i, &event});
      } else if (thread != 0) {  // that one makes the object, starts the others and waits for them
        out.push_back({thread - 1, i, &event});
      }
    }
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
  Builder(const native::System& system, std::size_t client, const explain::StatementTree& tree)
      : image_(system.image()),
        harness_(*native::harness_of(image_)),
        client_(system.clients()[client]),
        instances_(tree, out_.instances) {}

  RecordedExecution build(const std::vector<ThreadEvent>& events) {
    choose_bodies(events);
    for (const ThreadEvent& one : events) {
      if (one.event->kind == CodeEvent::Kind::LockWord) lock_words_.push_back(one.event);
    }
    out_.threads = static_cast<std::uint32_t>(client_.threads.size());
    threads_.assign(out_.threads, {});
    for (const auto& [thread, step, event] : events) {
      Thread& self = threads_[thread];
      switch (event->kind) {
        case CodeEvent::Kind::Call:
          self = {.call = event->number, .inside = true};
          instances_.begin(thread);
          note(thread, explain::Action::Kind::Call);
          break;
        case CodeEvent::Kind::Return:
          note(thread, explain::Action::Kind::Return);
          self.inside = false;
          break;
        case CodeEvent::Kind::Statement:
          if (self.inside && body_of(event->number) == bodies_.at(invocation(thread))) {
            instances_.enter(thread, event->number);
          }
          break;
        case CodeEvent::Kind::Access:
          if (self.inside && !belongs_to_a_lock(*event)) access(thread, step, *event);
          break;
        case CodeEvent::Kind::LockWord:
          break;
      }
    }
    explain::drop_unwritten(out_);
    number_objects();
    return std::move(out_);
  }

 private:
  struct Thread {
    std::uint32_t call = 0;
    bool inside = false;  // a call has begun
  };

  std::uint32_t invocation(std::uint32_t thread) const {
    return thread * native::Client::most_calls + threads_[thread].call;
  }
  bool belongs_to_a_lock(const CodeEvent& access) const {
    return std::ranges::any_of(lock_words_, [&](const CodeEvent* word) {
      return word->label == access.label && word->offset <= access.offset &&
             access.offset + access.size <= word->offset + word->size;
    });
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

  void access(std::uint32_t thread, std::size_t step, const CodeEvent& event) {
    if (instances_.current(thread) == nothing) {
      const auto body = bodies_.find(invocation(thread));
      if (body == bodies_.end()) {
        throw ModelError(fmt::format(
            "{} has no statements of your own code; name a class whose methods are in your files in HEDDLE_HARNESS",
            harness_.methods[client_.threads[thread][threads_[thread].call].method].name));
      }
      instances_.enter(thread, body->second);
    }
    const std::uint32_t instance = instances_.current(thread);
    const auto object = objects_.try_emplace(event.label, static_cast<std::uint32_t>(objects_.size())).first->second;
    const explain::DataAccess one{object, event.offset, event.offset + event.size, event.write};
    // What one statement does in one step is one action. Others may come between two steps, whether they do or not in
    // this run: whether accesses are one action must not depend on the order of independent steps.
    if (!out_.actions.empty() && latest_step_ == step) {
      explain::Action& latest = out_.actions.back();
      if (latest.kind == explain::Action::Kind::Data && latest.instance == instance) {
        latest.accesses.push_back(one);
        return;
      }
    }
    latest_step_ = step;
    out_.actions.push_back({.thread = thread,
                            .invocation = invocation(thread),
                            .instance = instance,
                            .file = event.file == native::none ? nothing : event.file,
                            .line = event.line,
                            .accesses = {one}});
  }

  void note(std::uint32_t thread, explain::Action::Kind kind) {
    out_.actions.push_back({.kind = kind, .thread = thread, .invocation = invocation(thread)});
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

  const native::Image& image_;
  const native::Harness harness_;
  const native::Client& client_;
  std::map<std::uint32_t, std::uint32_t> bodies_;  // by invocation
  std::vector<Thread> threads_;
  std::vector<const CodeEvent*> lock_words_;  // of the whole run
  std::map<native::Label, std::uint32_t> objects_;
  std::size_t latest_step_ = 0;  // of an access
  RecordedExecution out_;
  explain::StatementInstances instances_;
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

explain::RecordedExecution recorded_run(const native::System& system, const explain::StatementTree& tree,
                                        const Path& path, CodeEventMemo& events) {
  return Builder(system, path.initial, tree).build(events_of(system, path, events));
}

}  // namespace heddle::run
