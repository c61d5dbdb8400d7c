// Backward data flow over ascending lists of registers, until nothing changes.
#include "native/liveness.h"

#include <xxhash.h>
#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "native/operation_shape.h"

namespace heddle::native {
namespace {

// A set of registers as an ascending list: few are live at a time.
class RegisterSet {
 public:
  void add(std::uint32_t member) {
    const auto place = std::ranges::lower_bound(members_, member);
    if (place == members_.end() || *place != member) members_.insert(place, member);
  }
  void remove(std::uint32_t first, std::uint32_t count) {
    const auto begin = std::ranges::lower_bound(members_, first);
    members_.erase(begin, std::lower_bound(begin, members_.end(), first + count));
  }
  bool has_any(std::uint32_t first, std::uint32_t count) const {
    const auto place = std::ranges::lower_bound(members_, first);
    return place != members_.end() && *place < first + count;
  }
  // True if this made it larger.
  bool unite(const RegisterSet& other) {
    if (std::ranges::includes(members_, other.members_)) return false;
    std::vector<std::uint32_t> united;
    std::ranges::set_union(members_, other.members_, std::back_inserter(united));
    members_ = std::move(united);
    return true;
  }
  const std::vector<std::uint32_t>& list() const { return members_; }

 private:
  std::vector<std::uint32_t> members_;
};

// Nothing happens but that the result gets a value: then the operands matter only if the result does. So what a loop
// counts and nobody looks at later is not live in the loop.
bool only_computes(Code code) {
  const bool divides = code == Code::UDiv || code == Code::SDiv || code == Code::URem || code == Code::SRem;
  return code <= Code::Index && !divides;
}

// From live after the operation to live before it: first the result goes, then the operands come.
// Returns whether the result, or anything else about the operation, matters.
bool remove_result(RegisterSet& live, const Operation& x) {
  const bool matters = x.result == none || !only_computes(x.code) || live.has_any(x.result, shape_of(x).result);
  if (x.result != none) live.remove(x.result, shape_of(x).result);
  return matters;
}
void add_operands(RegisterSet& live, const Function& function, const Operation& x) {
  const auto add = [&](std::uint32_t operand, std::uint32_t words) {
    if ((operand & constant_bit) != 0) return;
    for (std::uint32_t i = 0; i < words; ++i) live.add(operand + i);
  };
  const OperationShape shape = shape_of(x);
  add(x.a, shape.a);
  add(x.b, shape.b);
  add(x.c, shape.c);
  if (is_call(x.code)) {
    for (std::uint32_t i = x.b; i < x.b + x.c; ++i) add(function.arguments[i].operand, function.arguments[i].words);
  }
}

struct FlowBlock {
  std::uint32_t first = 0, last = 0;  // operations, inclusive
  std::vector<std::uint32_t> successors, predecessors;
};

std::vector<FlowBlock> blocks_of(const Function& function) {
  const auto size = static_cast<std::uint32_t>(function.operations.size());
  std::vector<bool> begins(size + 1);
  begins[0] = true;
  for (std::uint32_t at = 0; at < size; ++at) {
    if (!is_terminator(function.operations[at].code)) continue;
    begins[at + 1] = true;
    for (const std::uint32_t target : successors(function, at)) begins[target] = true;
  }
  std::vector<FlowBlock> blocks;
  std::vector<std::uint32_t> block_at(size);
  for (std::uint32_t at = 0; at < size; ++at) {
    if (begins[at]) blocks.push_back({at, at, {}, {}});
    blocks.back().last = at;
    block_at[at] = static_cast<std::uint32_t>(blocks.size() - 1);
  }
  for (std::uint32_t b = 0; b < blocks.size(); ++b) {
    for (const std::uint32_t target : successors(function, blocks[b].last)) {
      blocks[b].successors.push_back(block_at[target]);
      blocks[block_at[target]].predecessors.push_back(b);
    }
  }
  return blocks;
}

// Calls visit(at, live) for each operation at which a frame rests, with what is live there.
template <class Visit>
void for_each_rest(const Function& function, const Visit& visit) {
  const std::vector<FlowBlock> blocks = blocks_of(function);
  std::vector<RegisterSet> before(blocks.size());
  std::vector<bool> waiting(blocks.size(), true);
  std::vector<std::uint32_t> work;
  for (std::uint32_t b = 0; b < blocks.size(); ++b) work.push_back(b);  // the last block is taken first
  const auto after = [&](const FlowBlock& block) {
    RegisterSet live;
    for (const std::uint32_t successor : block.successors) live.unite(before[successor]);
    return live;
  };
  while (!work.empty()) {
    const std::uint32_t b = work.back();
    work.pop_back();
    waiting[b] = false;
    RegisterSet live = after(blocks[b]);
    for (std::uint32_t at = blocks[b].last + 1; at-- > blocks[b].first;) {
      if (remove_result(live, function.operations[at])) add_operands(live, function, function.operations[at]);
    }
    if (!before[b].unite(live)) continue;
    for (const std::uint32_t predecessor : blocks[b].predecessors) {
      if (waiting[predecessor]) continue;
      waiting[predecessor] = true;
      work.push_back(predecessor);
    }
  }
  for (const FlowBlock& block : blocks) {
    RegisterSet live = after(block);
    for (std::uint32_t at = block.last + 1; at-- > block.first;) {
      const Operation& x = function.operations[at];
      const bool matters = remove_result(live, x);
      if (x.code == Code::Call || x.code == Code::CallIndirect) visit(at, live);
      if (matters) add_operands(live, function, x);
      // Before a statement: an atomic section may begin there.
      if (x.code == Code::CallExternal || x.code == Code::Statement || touches_memory(x.code)) visit(at, live);
    }
  }
}

}  // namespace

Liveness::Liveness(const Image& image, bool all_live) : starts_{0} {
  boost::unordered_flat_map<std::uint64_t, std::vector<std::uint32_t>> known;  // by hash
  const auto intern = [&](const std::vector<std::uint32_t>& set) {
    std::vector<std::uint32_t>& candidates = known[XXH3_64bits(set.data(), set.size() * sizeof(std::uint32_t))];
    for (const std::uint32_t number : candidates) {
      const Set other = Set(registers_).subspan(starts_[number], starts_[number + 1] - starts_[number]);
      if (std::equal(set.begin(), set.end(), other.begin(), other.end())) return number;
    }
    registers_.insert(registers_.end(), set.begin(), set.end());
    starts_.push_back(static_cast<std::uint32_t>(registers_.size()));
    candidates.push_back(static_cast<std::uint32_t>(starts_.size() - 2));
    return candidates.back();
  };
  numbers_.reserve(image.functions.size());
  for (const Function& function : image.functions) {
    std::vector<std::uint32_t>& numbers = numbers_.emplace_back(function.operations.size(), none);
    std::vector<std::uint32_t> all(all_live ? function.registers : 0);
    std::iota(all.begin(), all.end(), 0);
    for_each_rest(function, [&](std::uint32_t at, const RegisterSet& live) {
      numbers[at] = intern(all_live ? all : live.list());
    });
  }
}

}  // namespace heddle::native
