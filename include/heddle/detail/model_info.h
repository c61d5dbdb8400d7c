// What a Model (model.h) collects: processes, properties, annotations, specifications.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "heddle/detail/history_order.h"
#include "heddle/detail/transition_info.h"

namespace heddle {
class View;
}

namespace heddle::detail {

struct ProcessInfo {
  const RoleInfo* info;
  std::uint16_t index;  // within the role
  Bytes initial;        // empty: the process is not there at the start
  bool present = true;
  bool byzantine = false;
  std::size_t group = 0;  // the position of the first of the co-located processes
};

struct PropertyInfo {
  enum class Kind { Always, Sometimes, DeadlockFree, Bound, Finally };  // as Property::Kind
  std::string name;
  Kind kind;
  std::function<bool(const View&)> predicate;
};

struct RefinementInfo;  // annotation.h

struct GhostInfo {
  const TypeInfo* info = nullptr;
  Bytes initial;
};

// What a model says of a handler beyond its signature. A field is given by its position in the role's struct.
struct Annotation {
  void (*run)(HandlerCall&) = nullptr;          // which handler
  std::optional<std::set<std::size_t>> reads;   // fields the guard may read; nullopt: any
  std::optional<std::set<std::size_t>> writes;  // nullopt: any
  std::set<std::size_t> raises, hindered_by;
  bool invisible = false;
  std::optional<int> priority;

  Annotation();
  Annotation(const Annotation&);
  Annotation& operator=(const Annotation&);
  ~Annotation();
  void set_reads(std::initializer_list<std::size_t> fields);
  void set_writes(std::initializer_list<std::size_t> fields);
  void set_raises(std::initializer_list<std::size_t> fields);
  void set_hindered_by(std::initializer_list<std::size_t> fields);
};

template <class Role, class T>
std::size_t field_position(T Role::* member) {
  const Role role{};
  const void* wanted = &(role.*member);
  std::size_t position = 0, i = 0;
  Fields<Role>::visit(role, [&](const auto&... field) {
    ((position = static_cast<const void*>(&field) == wanted ? i : position, ++i), ...);
  });
  return position;
}

// A sequential specification without its types: state, operation and result are bytes.
struct SpecificationInfo {
  std::string name;
  std::string specification;
  Bytes initial;
  // Returns the result of `operation`; `state` becomes the state after it.
  Bytes (*apply)(Bytes& state, std::string_view operation);
  const Shape* shape;  // of the state
  HistoryOrder order = HistoryOrder::RealTime;
  std::string json(std::string_view state) const;
};

}  // namespace heddle::detail
