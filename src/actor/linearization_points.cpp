// From steps to calls on the abstract object: runs the annotations of heddle/refinement.h.
//
// An annotation that looks only at its process and its messages belongs to the outcome of the handler and runs
// with it, once. An annotation that looks at whole states or at the object runs once for each combination of what
// it reads, in the state before the step and in the one after. This is a decision tree of predicates.h over both
// states, one for each *situation*: who does what with which messages, as far as the annotations take it. The
// less they take, the fewer situations there are, and the more often a tree is used again.
#include <algorithm>

#include "actor/state_view.h"
#include "actor/system.h"

namespace heddle::actor {

namespace {
constexpr std::uint32_t no_handler = ~std::uint32_t{0};
constexpr std::size_t first_message = 4;  // position in the words of a situation
}  // namespace

void System::prepare_refinement() {
  const detail::RefinementInfo& info = *model_.refined().info;
  object_ = std::make_unique<AbstractObject>(model_.refined());
  for (const detail::LinearizationPoint& point : info.points) {
    if (point.handler == nullptr) {
      any_step_.points.push_back(&point);
      any_step_.takes = any_step_.takes | point.takes;
    }
  }
  for (const auto& kind : kinds_) {
    for (const TransitionInfo& t : kind->info->transitions) {
      Annotated found;
      for (const detail::LinearizationPoint& point : info.points) {
        if (point.handler != nullptr && point.handler != t.run) continue;
        found.points.push_back(&point);
        found.takes = found.takes | point.takes;
      }
      if (!found.points.empty()) annotated_[t.run] = std::move(found);
    }
  }
  std::vector<const PairTable*> cells(std::size_t{2} * slots_, nullptr);
  for (std::size_t p = 0; p < processes_.size(); ++p) {
    cells[p] = cells[slots_ + p] = &processes_[p].kind->cells;
  }
  looking_around_ =
      std::make_unique<Predicates>(std::vector<bool>{}, std::move(cells),
                                   [this](std::size_t situation, std::span<const Slot> both, std::vector<Read>& reads) {
                                     return look_around(static_cast<std::uint32_t>(situation), both, reads);
                                   });
}

const System::Annotated* System::annotated(const StaticTransition& t) const {
  if (t.handler < 0) return nullptr;
  const auto it = annotated_.find(handler_of(t).run);
  return it == annotated_.end() ? nullptr : &it->second;
}

void System::annotate(std::uint32_t p, std::uint32_t t, std::uint32_t local, std::span<const std::uint32_t> consumed,
                      HandlerResult& result) const {
  const TransitionInfo& handler = processes_[p].info->info->transitions[t];
  const auto it = annotated_.find(handler.run);
  if (it == annotated_.end()) return;
  if (result.spawning) {
    throw ModelError("the annotated step " + std::string(handler.name) + " of " + lane_name(p) +
                     " spawns processes, whose ids are not known yet; annotate another step");
  }
  const std::uint32_t situation = situation_of(it->second, p, t, local, result.local, consumed);
  if (it->second.takes.view || it->second.takes.object) {
    result.situation = situation;
    result.looks_around = it->second.takes.view;
  } else {
    result.calls = run_points(situation, {});
  }
}

// The words of a situation: a process (the first of its kind, unless the process is taken), its handler, local
// states before and after, and what is taken of the messages: their numbers, or the length and the bytes of the
// only one.
std::uint32_t System::situation_of(const Annotated& points, std::uint32_t p, std::uint32_t t, std::uint32_t local,
                                   std::uint32_t after, std::span<const std::uint32_t> consumed) const {
  std::uint32_t first = p;
  while (!points.takes.self && first > 0 && processes_[first - 1].kind == processes_[p].kind) --first;
  std::vector<std::uint32_t> words{first, t, points.takes.roles > 0 ? local : 0, points.takes.roles > 1 ? after : 0};
  if (points.takes.senders) {
    words.insert(words.end(), consumed.begin(), consumed.end());
  } else if (points.takes.message && !consumed.empty()) {
    const std::string_view bytes = messages_[consumed[0]].bytes();
    words.push_back(static_cast<std::uint32_t>(bytes.size()));
    words.resize(words.size() + (bytes.size() + sizeof(std::uint32_t) - 1) / sizeof(std::uint32_t));
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(words.data() + first_message + 1));
  }
  return situations_.intern(std::span<const std::uint32_t>(words));
}

std::uint32_t System::situation_of_no_handler() const {
  const std::uint32_t words[] = {0, no_handler, 0, 0};
  return situations_.intern(std::span<const std::uint32_t>(words));
}

// Runs all annotations of a step and returns the number of the list of their calls.
std::uint32_t System::run_points(std::uint32_t situation, detail::AnnotationInput in) const {
  const auto words = situations_.words(situation);
  const std::uint32_t p = words[0], t = words[1];
  const Process& process = processes_[p];
  std::vector<detail::Received> received;
  detail::HandlerCall call;
  call.self = process.info->index;
  call.run = &model_.run();
  in.call = &call;
  const Annotated* points = &any_step_;
  const TransitionInfo* handler = nullptr;
  if (t != no_handler) {
    handler = &process.info->info->transitions[t];
    points = &annotated_.at(handler->run);
    if (points->takes.roles > 0) in.before = process.kind->locals.content(words[2]);
    if (points->takes.roles > 1) in.after = process.kind->locals.content(words[3]);
    if (points->takes.senders) {
      for (const MessageNumber m : words.subspan(first_message)) {
        received.push_back({processes_[messages_[m].sender].info->index, messages_[m].bytes()});
      }
    } else if (words.size() > first_message) {
      received.push_back(
          {0, {reinterpret_cast<const char*>(words.data() + first_message + 1), std::size_t{words[first_message]}}});
    }
    call.consumed = received;
  }
  detail::CallList all;
  for (const detail::LinearizationPoint* point : points->points) {
    detail::CallList list;
    list.thesis = model_.refined().points == "thesis";
    in.list = &list;
    try {
      const auto failure = run_user_code({"annotation of", handler == nullptr ? "any step" : process.info->info->name,
                                          handler == nullptr ? "" : handler->name},
                                         [&] { point->record(in); });
      if (failure) throw std::runtime_error(failure->what);
    } catch (const detail::Rejected&) {
      continue;  // require() in an annotation: it does not apply here
    } catch (const ModelError&) {
      throw;
    } catch (const std::exception& e) {
      const std::string where =
          handler == nullptr ? "any step" : std::string(process.info->info->name) + "::" + std::string(handler->name);
      throw ModelError("the annotation of " + where + " for " + object_->name() + " threw: " + one_line(e.what()));
    } catch (...) {
      throw ModelError("the annotation of " +
                       (handler == nullptr
                            ? "any step"
                            : std::string(process.info->info->name) + "::" + std::string(handler->name)) +
                       " for " + object_->name() + " threw something that is no std::exception");
    }
    for (auto& c : list.calls) all.calls.push_back(std::move(c));
    for (auto& c : list.observations) all.observations.push_back(std::move(c));
  }
  return object_->intern(all);
}

std::uint32_t System::look_around(std::uint32_t situation, std::span<const Slot> both, std::vector<Read>& reads) const {
  const StateView before(*this, both.first(slots_), reads);
  const StateView after(*this, both.subspan(slots_, slots_), reads, slots_);
  detail::AnnotationInput in;
  in.state_before = &before;
  in.state_after = &after;
  const auto object = [&] {
    const Read read{object_slot_, Read::Part::Whole};
    if (std::find(reads.begin(), reads.end(), read) == reads.end()) reads.push_back(read);
    return object_->object(both[object_slot_]);
  };
  in.object = [&object] { return object(); };  // small enough for a std::function to need no heap memory
  return run_points(situation, std::move(in));
}

std::uint32_t System::calls_in(std::span<const Slot> before, std::span<const Change> changes,
                               std::uint32_t situation) const {
  return looking_around_->value_of(situation, TwoStates{before, changes});
}

// Adds to the step begun last what its calls make of the abstract object.
void System::emit_calls(std::span<const Slot> state, const Extra& extra, StepBuffer& out) const {
  const Slot now = state[object_slot_];
  if (object_->rejected(now)) return;
  const std::uint32_t calls = extra.situation != 0 ? calls_in(state, out.open_changes(), extra.situation) : extra.calls;
  const Slot next = object_->next(now, calls);
  if (next != now) out.change(object_slot_, next);
}

std::vector<trace::Call> System::describe_calls(std::span<const Slot> from, const Extra& extra,
                                                std::span<const Slot> to) const {
  std::uint32_t calls = extra.calls;
  if (extra.situation != 0) {
    std::vector<Change> changes;
    for (std::uint32_t s = 0; s < slots_; ++s) {
      if (from[s] != to[s]) changes.push_back({s, to[s]});
    }
    calls = calls_in(from, changes, extra.situation);
  }
  return object_->describe(from[object_slot_], calls);
}

std::vector<trace::Field> System::describe_failure(std::span<const Slot> state) const {
  std::vector<trace::Field> out;
  const Slot content = state[object_slot_];
  const auto put = [&](const std::string& name, const std::string& text) {
    std::string json;
    detail::put_json_string(json, text);
    if (!text.empty()) out.push_back({object_lane(), name, std::move(json)});
  };
  if (object_->rejected(content)) {
    const RefinementFailure failure = object_->failure(content);
    put("rejected", failure.call);
    put("clause", failure.clause);
    put("property", failure.property);
    put("because", failure.witness);
  }
  out.push_back({object_lane(), object_->name(), object_->json(content)});
  return out;
}

RefinementRun System::refinement_run() const {
  const Model::Refined& refined = model_.refined();
  RefinementRun run{refinement_property(), refined.info->name, refined.specification,
                    refined.points,        object_->counts(),  {},
                    refined.info->implied};
  for (const detail::SharedQuorums& q : refined.info->quorums) run.quorums.push_back({q.text(), q.enough()});
  return run;
}

RefinementFailure System::refinement_failure(std::span<const Slot> state) const {
  return object_ && object_->rejected(state[object_slot_]) ? object_->failure(state[object_slot_])
                                                           : RefinementFailure{};
}

}  // namespace heddle::actor
