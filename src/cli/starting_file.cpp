// Renames what the built-in example is called, in every spelling that it uses.
#include "cli/starting_file.h"

#include "heddle_starting_file.h"

namespace heddle::cli {
namespace {

void rename_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size()) text.replace(at, what.size(), by);
}

}  // namespace

std::string starting_file(std::string_view name) {
  std::string result(example_text);
  // Only the names of the file and of the registered model change. Elsewhere in the text a lock stays a lock.
  rename_all(result, " lock.cpp", " " + std::string(name) + ".cpp");
  rename_all(result, "\"lock\"", "\"" + std::string(name) + "\"");
  return result;
}

}  // namespace heddle::cli
