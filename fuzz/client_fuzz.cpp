// On arbitrary texts the parsers of what users say about programs return something or throw their error: clients,
// atomic sections, words of a shell, compile commands. A client that was read is the same when it is written and read
// again.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "native/client.h"
#include "native/statements.h"
#include "run/compile_commands.h"
#include "run/errors.h"
#include "run/words.h"

namespace {

const heddle::native::Harness& harness() {
  static const heddle::native::Harness made{{{"push", 1}, {"pop", 0}, {"swap", 2}}};
  return made;
}

const heddle::native::Image& image() {
  static const heddle::native::Image made = [] {
    heddle::native::Image image;
    image.files = {"stack.cpp"};
    image.texts = {"Stack::push", "Stack::pop"};
    image.statements = {{0, 1, 1, 9, 1, heddle::native::none, 0, false},
                        {0, 2, 1, 4, 9, 0, 0, true},
                        {0, 3, 1, 3, 9, 1, 0, false},
                        {0, 11, 1, 12, 9, heddle::native::none, 1, false}};
    return image;
  }();
  return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heddle;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const native::Client client = native::parse_client(text, harness());
    if (!(native::parse_client(native::text(client, harness()), harness()) == client)) std::abort();
  } catch (const native::ClientError&) {
  }
  try {
    if (native::parse_section(image(), text).empty()) std::abort();
  } catch (const native::SectionError&) {
  }
  try {
    for (const run::CompileCommand& command : run::parse_compile_commands(text, "/build/compile_commands.json")) {
      if (run::flags_of(command).size() > command.arguments.size()) std::abort();
    }
  } catch (const run::UsageError&) {
  }
  run::shell_words(text);
  return 0;
}
