// Statements of the user's source: which one an operation belongs to, and atomic sections made of them.
//
//   const Section section = parse_section(image, "pop:46-47");      // whole statements of these lines
//   const std::vector<std::uint32_t> at = statements_of(function);  // for each operation
//
// An image marks where the statement changes (Code::Statement). An atomic section is a set of statements: it opens when
// an activation enters one of them and closes on every edge out of them, also on a loop's way back, so that two
// iterations are never one section unless the loop itself is part of it. What a statement calls is part of it.
// Thread-safe: pure functions.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "native/image.h"

namespace heddle::native {

// Indices of statements. What stands inside a statement belongs to the section as well.
using Section = std::vector<std::uint32_t>;

struct SectionError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// "FUNCTION", its whole body; "FUNCTION:LINES" or "FILE:LINES", with LINES such as 8-9 or 8: all statements in these
// lines. A function may be named without its class. Throws SectionError if there is none, or if lines cut a statement.
Section parse_section(const Image& image, std::string_view text);

// The section of each statement of the image, or none. Throws SectionError if two sections share a statement.
std::vector<std::uint32_t> section_numbers(const Image& image, const std::vector<Section>& sections);

// The statement of each operation, or none: before the first marker, and in the library.
std::vector<std::uint32_t> statements_of(const Function& function);

// All functions with their statements, a line each, for tests and for people.
std::string dump_statements(const Image& image);

}  // namespace heddle::native
