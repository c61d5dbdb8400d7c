// Several objects as one: the object of a history that is not split into partitions.
//
// A state is a map from the number of an object to its state. Not thread-safe.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "check/specification.h"
#include "check/specs/persistent_map.h"

namespace heddle {

class ProductObject final : public Object {
 public:
  ProductObject(const Specification& specification, const RecordedHistory& history,
                std::span<const std::vector<std::uint32_t>> parts)
      : operations_(history.operations), part_of_(history.operations.size(), 0) {
    for (std::uint32_t part = 0; part < parts.size(); ++part) {
      objects_.push_back(specification.object(history, parts[part]));
      for (const std::uint32_t operation : parts[part]) part_of_[operation] = part;
    }
  }

  State initial() override {
    specs::PersistentMaps::Map map = specs::PersistentMaps::empty;
    for (std::uint32_t i = 0; i < objects_.size(); ++i) map = maps_.with(map, i, objects_[i]->initial());
    return map + 1;
  }
  State apply(State state, const RecordedOperation& operation) override {
    const std::uint32_t part = part_of(operation);
    const State before = maps_.get(state - 1, part);
    const State after = objects_[part]->apply(before, operation);
    if (after == impossible) return impossible;
    return after == before ? state : maps_.with(state - 1, part, after) + 1;
  }
  bool reads_only(const RecordedOperation& operation) const override {
    return objects_[part_of(operation)]->reads_only(operation);
  }
  bool same_for_every_process() const override {
    for (const auto& object : objects_) {
      if (!object->same_for_every_process()) return false;
    }
    return true;
  }
  StateText describe(State state) const override {
    std::string text;
    for (const auto& [part, inner] : maps_.entries(state - 1)) {
      text += (text.empty() ? "" : ",") + objects_[part]->describe(inner).json();
    }
    return {"[" + text + "]"};
  }
  std::size_t bytes() const override {
    std::size_t sum = maps_.bytes() + part_of_.capacity() * sizeof(std::uint32_t);
    for (const auto& object : objects_) sum += object->bytes();
    return sum;
  }

 private:
  std::uint32_t part_of(const RecordedOperation& operation) const {
    return part_of_[static_cast<std::size_t>(&operation - operations_.data())];
  }

  std::span<const RecordedOperation> operations_;
  std::vector<std::uint32_t> part_of_;
  std::vector<std::unique_ptr<Object>> objects_;
  specs::PersistentMaps maps_;
};

}  // namespace heddle
