// Fields of a role that mean something to Heddle. All other fields are plain data.
//
//   struct Server {
//     Timer election;          // what has to be set before a step marked Timeout can happen
//     Durable<Ballot> vote;    // survives a crash
//   };
//
// Fields that handlers only write, such as a log, are better declared Auxiliary<T> (auxiliary.h): they cost no states.
#pragma once

#include <source_location>

#include "heddle/handler.h"

namespace heddle {

// A timer that a role sets and cancels. `fire` is the guard of the step in which it goes off.
struct Timer {
  bool armed = false;
  void set() { armed = true; }
  void cancel() { armed = false; }
  void fire(std::source_location where = std::source_location::current()) {
    require(armed, where);
    armed = false;
  }
};

// A field that survives a crash. Every other field of a role starts anew when its process recovers.
template <class T>
struct Durable {
  T value{};
  T& operator*() { return value; }
  const T& operator*() const { return value; }
  T* operator->() { return &value; }
  const T* operator->() const { return &value; }
};

}  // namespace heddle
