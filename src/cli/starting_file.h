// Makes the commented starting file that `heddle new` writes: examples/lock.cpp, built into the program, with other
// names.
#pragma once

#include <string>
#include <string_view>

namespace heddle::cli {

// Returns the text of the file. `name` becomes the model's name.
std::string starting_file(std::string_view name);

}  // namespace heddle::cli
