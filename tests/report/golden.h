// Golden files of rendered text: tests/report/golden/<name>.txt.
#pragma once

#include "support/golden.h"

namespace heddle::report {

inline void expect_golden(const std::string& name, const std::string& text) {
  support::expect_golden("report/golden/" + name + ".txt", text);
}

}  // namespace heddle::report
