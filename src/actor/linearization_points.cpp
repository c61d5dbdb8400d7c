// From steps to calls on the abstract object: running the annotations of heddle/refinement.h.
//
// An annotation that looks at its process and its messages only belongs to the outcome of the handler and is run with it, once. One
// that looks at whole states or at the object is run for each combination of what it reads, in the state before the step and in the
// one after: the decision tree of predicates.h, over both states one after the other and, read first, the number of the *situation*:
// which process does what with which messages.
#include <algorithm>

#include "actor/state_view.h"
#include "actor/system.h"

namespace heddle::actor {

namespace {
constexpr std::uint32_t no_handler = ~std::uint32_t{0};
}

void System::prepare_refinement() {
  const detail::RefinementInfo& info = *model_.refined().info;
  monitor_ = std::make_unique<Monitor>(model_.refined());
  for (const detail::LinearizationPoint& point : info.points) {
    if (point.handler == nullptr) {
      any_step_.points.push_back(&point);
      any_step_.looks_around = true;
    }
  }
  for (const auto& kind : kinds_) {
    for (const TransitionInfo& t : kind->info->transitions) {
      Annotated found;
      for (const detail::LinearizationPoint& point : info.points) {
        if (point.handler != nullptr && point.handler != t.run) continue;
        found.points.push_back(&point);
        found.looks_around |= point.looks_around;
        found.looks_at_object |= point.looks_at_object;
      }
      if (!found.points.empty()) annotated_[t.run] = std::move(found);
    }
  }
  std::vector<const PairTable*> cells(2 * slots_ + 1, nullptr);
  for (std::size_t p = 0; p < processes_.size(); ++p) {
    cells[p] = cells[slots_ + p] = &processes_[p].kind->cells;
  }
  looking_around_ = std::make_unique<Predicates>(
      std::vector<bool>{false}, std::move(cells),
      [this](std::size_t, std::span<const Slot> both, std::vector<Read>& reads) { return look_around(both, reads); });
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
  if (!result.spawned.empty()) {
    throw ModelError("the annotated step " + std::string(handler.name) + " of " + lane_name(p) +
                     " spawns processes, whose ids are not known yet; annotate another step");
  }
  std::vector<std::uint32_t> words{p, t, local, result.local};
  words.insert(words.end(), consumed.begin(), consumed.end());
  const std::uint32_t situation = situations_.intern(std::span<const std::uint32_t>(words));
  if (it->second.looks_around || it->second.looks_at_object) {
    result.situation = situation;
    result.looks_around = it->second.looks_around;
  } else {
    result.calls = run_points(situation, {});
  }
}

std::uint32_t System::situation_of_no_handler(std::uint32_t p) const {
  const std::uint32_t words[] = {p, no_handler, 0, 0};
  return situations_.intern(std::span<const std::uint32_t>(words));
}

// The calls of all annotations of a step, as a list in the monitor.
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
  std::string where = "any step";
  if (t != no_handler) {
    const TransitionInfo& handler = process.info->info->transitions[t];
    points = &annotated_.at(handler.run);
    where = std::string(process.info->info->name) + "::" + std::string(handler.name);
    in.before = process.kind->locals.content(words[2]);
    in.after = process.kind->locals.content(words[3]);
    for (const MessageNumber m : words.subspan(4)) {
      received.push_back({processes_[messages_[m].sender].info->index, messages_[m].bytes()});
    }
    call.consumed = received;
  }
  detail::CallList all;
  for (const detail::LinearizationPoint* point : points->points) {
    detail::CallList list;
    list.thesis = model_.refined().points == "thesis";
    in.list = &list;
    try {
      point->record(in);
    } catch (const detail::Rejected&) {
      continue;  // require() in an annotation: it does not apply here
    } catch (const ModelError&) {
      throw;
    } catch (const std::exception& e) {
      throw ModelError("the annotation of " + where + " for " + monitor_->name() + " threw: " + e.what());
    }
    for (auto& c : list.calls) all.calls.push_back(std::move(c));
    for (auto& c : list.observations) all.observations.push_back(std::move(c));
  }
  return monitor_->intern(all);
}

std::uint32_t System::look_around(std::span<const Slot> both, std::vector<Read>& reads) const {
  reads.push_back({2 * slots_, Read::Part::Whole});
  const StateView before(*this, both.first(slots_), reads);
  const StateView after(*this, both.subspan(slots_, slots_), reads, slots_);
  detail::AnnotationInput in;
  in.state_before = &before;
  in.state_after = &after;
  in.object = [&] {
    const Read read{monitor_slot_, Read::Part::Whole};
    if (std::find(reads.begin(), reads.end(), read) == reads.end()) reads.push_back(read);
    return monitor_->object(both[monitor_slot_]);
  };
  return run_points(both[2 * slots_], std::move(in));
}

std::uint32_t System::calls_in(std::span<const Slot> before, std::span<const Change> changes,
                               std::uint32_t situation) const {
  thread_local std::vector<Slot> both;
  both.assign(2 * slots_ + 1, 0);
  std::copy(before.begin(), before.end(), both.begin());
  std::copy(before.begin(), before.end(), both.begin() + slots_);
  for (const Change& c : changes) both[slots_ + c.slot] = c.value;
  both.back() = situation;
  return looking_around_->value_of(0, both);
}

// Ends the step begun last with what it is to the abstract object.
void System::emit_calls(std::span<const Slot> state, const Extra& extra, StepBuffer& out) const {
  const Slot now = state[monitor_slot_];
  if (monitor_->rejected(now)) return;
  const std::uint32_t calls = extra.situation != 0 ? calls_in(state, out.open_changes(), extra.situation) : extra.calls;
  const Slot next = monitor_->next(now, calls);
  if (next != now) out.change(monitor_slot_, next);
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
  return monitor_->describe(from[monitor_slot_], calls);
}

std::vector<trace::Field> System::describe_failure(std::span<const Slot> state) const {
  std::vector<trace::Field> out;
  const Slot content = state[monitor_slot_];
  const auto put = [&](const std::string& name, const std::string& text) {
    std::string json;
    detail::put_json_string(json, text);
    if (!text.empty()) out.push_back({monitor_lane(), name, std::move(json)});
  };
  if (monitor_->rejected(content)) {
    const RefinementFailure failure = monitor_->failure(content);
    put("rejected", failure.call);
    put("clause", failure.clause);
    put("property", failure.property);
    put("because", failure.witness);
  }
  out.push_back({monitor_lane(), monitor_->name(), monitor_->json(content)});
  return out;
}

std::optional<RefinementRun> System::refinement() const {
  if (!monitor_) return std::nullopt;
  const Model::Refined& refined = model_.refined();
  return RefinementRun{properties_.size() - 1, refined.info->name, refined.specification, refined.points,
                       monitor_->counts(), refined.info->implied};
}

RefinementFailure System::refinement_failure(std::span<const Slot> state) const {
  return monitor_ && monitor_->rejected(state[monitor_slot_]) ? monitor_->failure(state[monitor_slot_])
                                                              : RefinementFailure{};
}

}  // namespace heddle::actor
