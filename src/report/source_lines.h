// Lines of source files that traces mention, as they are now.
//
// A trace may come from somebody else and name any file. So only regular files of a reasonable size are read, and each
// once.
// Not thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heddle::report {

class SourceLines {
 public:
  // The line without white space at its ends; empty if the file is not there or has no such line. Lines count from 1.
  std::string line(const std::string& file, std::uint32_t number);
  // The line with what it begins with.
  const std::string& indented(const std::string& file, std::uint32_t number);

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace heddle::report
