// Runs a `main` that a test writes, alone, to its end.
#pragma once

#include <functional>
#include <string>

#include "native/run_alone.h"
#include "support/image_builder.h"

namespace heddle::native::main_alone {

using testing::FunctionBuilder;
using testing::ImageBuilder;

inline AloneResult run_main(const std::function<void(ImageBuilder&, FunctionBuilder&)>& write,
                            const AloneSettings& settings = {}) {
  ImageBuilder builder;
  FunctionBuilder& main = builder.function("main");
  write(builder, main);
  main.exit(main.constant(0));
  return run_alone(builder.image(), settings);
}

inline std::string failure_of(const std::function<void(ImageBuilder&, FunctionBuilder&)>& write) {
  const AloneResult result = run_main(write);
  return result.end == AloneResult::End::Failed ? result.text : text(result);
}

}  // namespace heddle::native::main_alone
