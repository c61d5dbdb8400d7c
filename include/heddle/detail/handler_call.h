// One execution of a handler: what it is given and what it did. The parameters of handlers (handler.h) are
// views of this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heddle/detail/kinds.h"
#include "heddle/detail/type_info.h"

namespace heddle::detail {

// A guard is false. `where` is the place where it is written; empty if there was nothing to choose from.
struct Rejected {
  std::source_location where = {};
};
// Throws out of line, because there are many guards and they often fail.
[[noreturn]] void reject(std::source_location where);

struct LookedFurther {};

struct Received {
  std::uint16_t sender;  // position within its role
  std::string_view body;
};

// One: the member that an id names. Only: no id was given, and the role has one member.
enum class Target : std::uint8_t { Reply, One, Only, All };

struct Sent {
  const TypeInfo* type;
  Target target;
  const RoleTag* role;  // unless Reply
  std::uint16_t index;  // if One; an id that was never set is `nobody`
  Bytes body;
};

struct Event {
  bool is_return;
  const TypeInfo* type;
  Bytes value;
};

struct Spawned {
  const RoleTag* role;
  Bytes local;
};
// Until the step is applied, the k-th process that it spawns has the id last_placeholder - k. Roles that are
// spawned have fewer members than that, and the number fits an IdSet.
inline constexpr std::uint16_t last_placeholder = 63;
inline constexpr std::size_t most_spawned_members = 48;

// The inputs, the script of choices, and what the handler did.
struct HandlerCall {
  std::string_view local;
  std::uint16_t self = 0;
  std::span<const Received> consumed;
  const Run* run = nullptr;
  bool only_first = false;  // only the first message of a quorum is there; looking at another throws LookedFurther

  struct Chosen {
    std::uint32_t taken, options;
    bool by_name = false;   // which option is which depends on the names of processes
    std::string json = {};  // what was chosen, for people; empty: the number `taken`
  };
  std::vector<Chosen> choices;  // those from `next_choice` on are replayed; choices beyond the end take option 0
  std::size_t next_choice = 0;
  std::uint32_t choose(std::uint32_t options, std::source_location where, bool by_name = false);
  // Writes down what the last choice meant.
  template <class T>
  void explain_choice(const T& value) {
    if constexpr (printable<T>()) explain_choice(shape_of<T>(), encoded(value));
  }
  void explain_choice(const Shape& shape, std::string_view bytes);

  std::string_view ghost;  // empty unless the transition takes the ghost variable
  Bytes next_ghost;

  Bytes next_local;
  std::vector<Sent> sent;
  std::vector<Event> events;
  std::vector<Spawned> spawned;
  bool exited = false;

  template <class M>
  void send(Target target, const RoleTag* role, std::uint16_t index, const M& message) {
    send(type_info<M>(), target, role, index, encoded(message));
  }
  void send(const TypeInfo& type, Target target, const RoleTag* role, std::uint16_t index, Bytes body);
  template <class T>
  void note(bool is_return, const T& value) {
    note(is_return, type_info<T>(), encoded(value));
  }
  void note(bool is_return, const TypeInfo& type, Bytes value);
};

}  // namespace heddle::detail
