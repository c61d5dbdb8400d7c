// The errors that can occur before or beside a search. Everything else that ends in exit code 3 is a ModelError (the
// user's model) or a ReportError (a file). what() is one line that says what is wrong, where, and what to do.
#pragma once

#include <stdexcept>

namespace heddle::run {

// An option, a name or a file on the command line is wrong.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A component is not there, crashed, or did not answer.
class ComponentError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A budget ended before there was something to report: the verdict is `unknown`. what() is the reason, as a closing
// line has it.
class Stopped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The user pressed Ctrl-C outside a search.
class Interrupted : public Stopped {
 public:
  Interrupted() : Stopped("interrupted") {}
};

}  // namespace heddle::run
