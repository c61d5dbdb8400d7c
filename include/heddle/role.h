// The list of a role's handlers.
//
//   struct Acceptor {
//     ...
//     static constexpr auto transitions = heddle::transitions<&Acceptor::promise, &Acceptor::accept>;
//   };
//
// A struct may replace another role, for instance as its Byzantine version. `using role = Acceptor;` makes its
// processes members of Acceptor, so that they receive what is sent to acceptors. It declares its own transitions.
#pragma once

namespace heddle {

template <auto... Functions>
struct Transitions {};
template <auto... Functions>
inline constexpr Transitions<Functions...> transitions{};

namespace detail {

template <class Role>
struct MemberOf {
  using type = Role;
};
template <class Role>
  requires requires { typename Role::role; }
struct MemberOf<Role> {
  using type = typename Role::role;
};
template <class Role>
using member_of = typename MemberOf<Role>::type;

}  // namespace detail
}  // namespace heddle
