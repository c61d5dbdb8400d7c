// Makes the calls of a log on one Quorum Tree for each instance, and says which call was rejected and why.
#include "check/refinement/check_call_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace heddle {
namespace {

void append_node(const LoggedTree::Node& n, Round parent, std::string& out) {
  out += out.empty() ? "[" : ",";
  out += "{";
  if (n.instance != 0) out += fmt::format("\"instance\":{},", n.instance);
  out += fmt::format(R"("round":"{}","value":{},"parent":"{}","status":"{}"}})", n.round.text(), n.value.json,
                     parent.text(), heddle::detail::enum_name(n.status));
}
std::string closed_array(std::string json) { return (json.empty() ? "[" : std::move(json)) + "]"; }

}  // namespace

std::string LoggedCall::text() const {
  const std::string how = mode.text().empty() ? "" : ", " + mode.text();
  switch (kind) {
    case Kind::Add:
      return fmt::format("add({}, {}, {}{})", round.text(), value.json, parent.text(), how);
    case Kind::Commit:
      return fmt::format("commit({}{})", round.text(), how);
    case Kind::Decided:
      break;
  }
  return fmt::format("decided({}, {}{})", round.text(), value.json, how);
}

CallLogChecker::CallLogChecker(LoggedTree tree, Budget* budget) : tree_(std::move(tree)), budget_(budget) {}

void CallLogChecker::select(long instance) {
  if (instance == instance_ && !parked_.empty()) return;
  if (!parked_.empty()) parked_.find(instance_)->second.swap(tree_.nodes);
  instance_ = instance;
  const auto [at, is_new] = parked_.try_emplace(instance);
  if (is_new) bytes_ += 2 * sizeof(*at);
  at->second.swap(tree_.nodes);
}

// Makes room for one more node. Asks the budget first, because a vector that grows holds both its old and its new
// memory.
void CallLogChecker::make_room() {
  const std::size_t size = tree_.nodes.size();
  if (size < tree_.nodes.capacity()) return;
  const std::size_t more = size + size / 2 + 1;
  if (budget_ != nullptr && !budget_->check(bytes_ + more * sizeof(Node))) throw CheckingStopped(budget_->reason());
  tree_.nodes.reserve(more);
  bytes_ += (more - size) * sizeof(Node);
}

Answer CallLogChecker::make(const LoggedCall& call) {
  select(call.mode.instance);
  Answer answer;
  std::uint64_t* count = &observations_;
  switch (call.kind) {
    case LoggedCall::Kind::Add:
      make_room();
      answer = tree_.add(call.round, call.value, call.parent, call.mode);
      count = &adds_;
      if (answer.kind == Answer::Kind::accepted) {
        ++rounds_;
        constexpr std::size_t inside = 15;  // longer texts are outside of the node
        if (call.value.json.size() > inside) bytes_ += call.value.json.size() + 1;
      }
      break;
    case LoggedCall::Kind::Commit:
      answer = tree_.commit(call.round, call.mode);
      count = &commits_;
      if (answer.kind == Answer::Kind::accepted) {
        const auto at = tree_.find(call.round, instance_) - tree_.nodes.data();
        tree_.nodes[static_cast<std::size_t>(at)].value.committed = call.line;
      }
      break;
    case LoggedCall::Kind::Decided:
      answer = tree_.decided(call.round, call.value, call.mode);
      break;
  }
  ++calls_;
  if (answer.kind == Answer::Kind::stutter) count = &stutters_;
  if (answer.kind != Answer::Kind::rejected) ++*count;
  ghosts_ += answer.affected;
  return answer;
}

std::map<std::string, std::uint64_t> CallLogChecker::counts() const {
  return {{"adds", adds_},
          {"commits", commits_},
          {"ghosts", ghosts_},
          {"observations", observations_},
          {"stutters", stutters_}};
}

// Returns the position of the node of this round, or of the first node above it.
std::size_t CallLogChecker::position(Round round) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(tree_.nodes, round, {}, &Node::round) - tree_.nodes.begin());
}

// Returns the positions of the round itself, its parent, and the committed round or the edge that it conflicts with.
std::vector<std::size_t> CallLogChecker::involved(const LoggedCall& call) const {
  const auto& nodes = tree_.nodes;
  std::set<std::size_t> out;
  const auto insert = [&](Round round) {
    if (const std::size_t at = position(round); at < nodes.size() && nodes[at].round == round) out.insert(at);
  };
  insert(call.round);
  if (call.kind == LoggedCall::Kind::Add) {
    insert(call.parent);
    for (std::size_t i = position(call.parent); i < nodes.size() && nodes[i].round < call.round; ++i) {
      if (nodes[i].round == call.parent || nodes[i].status != LoggedTree::Status::COMMITTED) continue;
      out.insert(i);
      break;
    }
  } else if (const Node* node = tree_.find(call.round, instance_);
             node != nullptr && node->status == LoggedTree::Status::GHOST) {
    const auto spans = [&](const Node& e) { return e.parent < call.round && call.round < e.round; };
    if (const auto edge = std::ranges::find_if(nodes, spans); edge != nodes.end()) {
      out.insert(static_cast<std::size_t>(edge - nodes.begin()));
    }
  }
  return {out.begin(), out.end()};
}

std::vector<std::pair<std::uint64_t, std::string>> CallLogChecker::earlier(const LoggedCall& rejected) const {
  std::vector<std::pair<std::uint64_t, std::string>> out;
  for (const std::size_t i : involved(rejected)) {
    const Node& n = tree_.nodes[i];
    const CallMode mode{Repeat::strict, n.instance};
    out.emplace_back(n.value.added, LoggedCall{LoggedCall::Kind::Add, n.round, n.parent, n.value, mode, "", 0}.text());
    if (n.value.committed == 0) continue;
    out.emplace_back(n.value.committed, LoggedCall{LoggedCall::Kind::Commit, n.round, {}, {}, mode, "", 0}.text());
  }
  std::ranges::sort(out);
  return out;
}

std::string CallLogChecker::tree_json(const LoggedCall& around, std::size_t most) const {
  const auto& nodes = tree_.nodes;
  std::string out;
  if (nodes.size() <= most) {
    for (const Node& n : nodes) append_node(n, n.parent, out);
    return closed_array(std::move(out));
  }
  // Goes outwards from the places that the call is about, one neighbour after the other.
  std::set<std::size_t> shown;
  std::vector<std::size_t> places = involved(around);
  places.push_back(std::min(position(around.round), nodes.size() - 1));
  for (std::size_t distance = 0; shown.size() < most; ++distance) {
    for (const std::size_t place : places) {
      if (shown.size() < most && place >= distance) shown.insert(place - distance);
      if (shown.size() < most && place + distance < nodes.size()) shown.insert(place + distance);
    }
  }
  for (const std::size_t i : shown) {
    Round parent = nodes[i].parent;
    while (parent != Round{}) {
      const std::size_t at = position(parent);
      if (shown.contains(at)) break;
      parent = nodes[at].parent;
    }
    append_node(nodes[i], parent, out);
  }
  return closed_array(std::move(out));
}

std::string CallLogChecker::trees_json() const {
  std::map<long, const std::vector<Node>*> all;
  for (const auto& [instance, nodes] : parked_) all[instance] = instance == instance_ ? &tree_.nodes : &nodes;
  std::string out;
  for (const auto& [instance, nodes] : all) {
    for (const Node& n : *nodes) append_node(n, n.parent, out);
  }
  return closed_array(std::move(out));
}

}  // namespace heddle
