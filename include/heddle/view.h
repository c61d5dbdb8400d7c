// What properties look at.
//
//   m.always("agreement", [](const View& v) {
//     for (const Learner& a : v.all<Learner>()) ...
//   });
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "heddle/detail/transition_info.h"
#include "heddle/id.h"
#include "heddle/role.h"
#include "heddle/run.h"

namespace heddle {

// A global state as a property sees it. What a property reads is recorded: the property is evaluated once for
// each distinct combination of the values read, and the values explain a violation.
class View {
 public:
  template <class Role>
  std::vector<Role> all() const {
    std::vector<Role> out;
    for (const std::size_t p : members(&detail::role_info<Role>())) out.push_back(detail::decode_all<Role>(local(p)));
    return out;
  }
  template <class Role>
  Role at(Id<detail::member_of<Role>> id) const {
    return detail::decode_all<Role>(
        local(process(&detail::role_tag<detail::member_of<Role>>, detail::IdAccess::index(id))));
  }
  // Returns the ids of the processes whose behaviour is Role, in the order of all<Role>().
  template <class Role>
  std::vector<Id<detail::member_of<Role>>> ids() const {
    std::vector<Id<detail::member_of<Role>>> out;
    for (const std::size_t p : members(&detail::role_info<Role>())) {
      out.push_back(detail::IdAccess::make<detail::member_of<Role>>(index(p)));
    }
    return out;
  }
  // Returns the messages of type M that wait for anyone. A property that looks at messages depends on the
  // traffic model (docs/network.md).
  template <class M>
  std::vector<M> in_flight() const {
    std::vector<M> out;
    for (const auto& bytes : messages(&detail::type_info<M>())) out.push_back(detail::decode_all<M>(bytes));
    return out;
  }
  // Returns whether the process exists and has not crashed (--crashes).
  template <class Role>
  bool up(Id<Role> id) const {
    return running(process(&detail::role_tag<Role>, detail::IdAccess::index(id)));
  }
  // Returns the ghost variable.
  template <class T>
  T ghost() const {
    return detail::decode_all<T>(ghost_bytes());
  }
  const Run& run() const { return *run_; }

 protected:
  explicit View(const Run& run) : run_(&run) {}
  ~View() = default;

 private:
  virtual std::vector<std::size_t> members(const detail::RoleInfo*) const = 0;
  virtual std::size_t process(const detail::RoleTag*, std::uint16_t index) const = 0;
  virtual std::uint16_t index(std::size_t process) const = 0;
  virtual std::string_view local(std::size_t process) const = 0;
  virtual bool running(std::size_t process) const = 0;
  virtual std::vector<detail::Bytes> messages(const detail::TypeInfo*) const = 0;
  virtual std::string_view ghost_bytes() const = 0;
  const Run* run_;
};

}  // namespace heddle
