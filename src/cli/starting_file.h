// The commented starting file that `heddle new` writes. examples/lock.cpp is this text for the name `lock`; a test compares
// them.
#pragma once

#include <string>
#include <string_view>

namespace heddle::cli {

// `name` becomes the model's name.
std::string starting_file(std::string_view name);

}  // namespace heddle::cli
