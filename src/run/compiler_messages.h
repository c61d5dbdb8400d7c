// A compiler's pages about a model, in a few lines that speak of the model.
//
// Mistakes that Heddle's headers look for (heddle/detail/mistakes.h) come with the names of struct, field or handler as arguments of a
// template; a sentence is made of them, with the line of the user's file. Other errors stay as the compiler put them, the
// first few, with the place in the user's file that led to them. Understands g++ and clang.
// Pure functions, thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace heddle::run {

struct CompilerErrors {
  std::vector<std::string> lines;  // the first one says most; none if there is no error in the output
  std::size_t left_out = 0;        // how many lines the compiler wrote beyond those
};

// `source` is the file as the compiler was told its name, `text` its content; at most `most` lines.
CompilerErrors compiler_errors(const std::string& output, const std::string& source, const std::string& text,
                               std::size_t most);

}  // namespace heddle::run
