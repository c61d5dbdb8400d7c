// --linearizable OBJECT: the user names the sequential object that the model's clients should see, and gets an error if
// the model compares them with another one.
//
// A model brings its specification as a struct. The first of these that names an object of the library says which one
// the struct is: the struct's name (SequentialRegister, Queue, KeyValueStore), the names of its operations (an enum
// field `op` or `kind`), the name of the model.
#pragma once

#include <functional>
#include <string>

#include "run/source.h"

namespace heddle::run {

// Says of each property what histories are compared with. Throws UsageError if the model has no specification, or
// one of another object; it then names the objects that fit.
// REQUIRES: `system` was built from `instance`.
void check_linearizable(const std::string& object, const Instance& instance, const TransitionSystem& system,
                        const std::function<void(const std::string&)>& say);

}  // namespace heddle::run
