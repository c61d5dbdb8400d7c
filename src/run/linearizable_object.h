// --linearizable OBJECT: the user says which sequential object the model's clients should believe to be alone with, and is told if the
// model compares them with another one.
//
// A model has a specification of its own, a struct. Which object that is says, first of these, its name (SequentialRegister, Queue,
// KeyValueStore), what its operations are called (an enum field `op` or `kind`), or the name of the model.
#pragma once

#include <functional>
#include <string>

#include "run/source.h"

namespace heddle::run {

// `system` is the instance's. Says of each property what histories are compared with. Throws UsageError, with the objects that fit,
// if the model's specification is none of that kind or if the model has none.
void check_linearizable(const std::string& object, const Instance& instance, const TransitionSystem& system,
                        const std::function<void(const std::string&)>& say);

}  // namespace heddle::run
