// Turns a compiler's pages about a model into a few lines that speak of the model.
//
// Mistakes that Heddle's headers look for (heddle/detail/mistakes.h) name the struct, field or handler in the arguments
// of a template. They become sentences with the line of the user's file. Of other errors the first few stay as the
// compiler put them, with the place in the user's file that led to them. Understands g++ and clang.
// Pure functions, thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace heddle::run {

struct CompilerErrors {
  std::vector<std::string> lines;  // the first one says most; empty if the output has no error
  std::size_t left_out = 0;        // how many more lines the compiler wrote
};

// `source` is the file's name as the compiler was told it, `text` the file's content. Returns at most `most` lines.
CompilerErrors compiler_errors(const std::string& output, const std::string& source, const std::string& text,
                               std::size_t most);

}  // namespace heddle::run
