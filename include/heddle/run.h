// What a run was started with: the parameters, the bug that is switched on, and how many members each role has.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "heddle/detail/names.h"
#include "heddle/id.h"

namespace heddle {

class Run {
 public:
  // The value of an integer parameter, the text of a choice parameter, and whether a bug is switched on. A
  // name that the model did not declare is an error.
  long operator[](std::string_view parameter) const;
  const std::string& text(std::string_view parameter) const;
  bool bug(std::string_view name) const;

  template <class Role>
  std::size_t count() const {
    return count(&detail::role_tag<Role>);
  }
  std::size_t count(const detail::RoleTag* role) const {
    const auto it = counts_.find(role);
    return it == counts_.end() ? 0 : it->second;
  }
  // Returns all members of a role. If the role is spawned, returns all places for members (Model::room_for),
  // taken or not. id.h says what a loop over them may do.
  template <class Role>
  IdSet<Role> members() const {
    IdSet<Role> all;
    for (std::size_t i = 0; i < count<Role>(); ++i) {
      all.insert(detail::IdAccess::make<Role>(static_cast<std::uint16_t>(i)));
    }
    return all;
  }

 private:
  friend class Model;
  std::map<std::string, std::string, std::less<>> parameters_;
  std::map<std::string, bool, std::less<>> bugs_;  // every declared bug, and whether it is on
  std::map<const detail::RoleTag*, std::size_t> counts_;
};

}  // namespace heddle
