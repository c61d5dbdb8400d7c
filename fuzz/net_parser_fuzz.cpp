// On arbitrary bytes both net readers return a valid net or throw ModelError, and nothing else. A net that they return
// can be printed and read back.
#include <cstdint>
#include <cstdlib>

#include "net/net_parser.h"
#include "net/net_printer.h"
#include "net/net_system.h"
#include "net/pnml.h"

namespace {

using namespace heddle;

template <typename Parse>
void check(Parse parse, std::string_view text) {
  net::Net net;
  try {
    net = parse(text, "fuzz");
  } catch (const ModelError&) {
    return;
  }
  if (net::parse_net(net::to_text(net), "printed") != net) std::abort();
  const net::NetSystem system(net);
  const SlotVector state = system.initial_states()[0];
  StepBuffer buffer;
  try {
    system.expand(state, buffer);
  } catch (const ModelError&) {  // too many tokens for a slot
  }
  system.evaluate(state);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(net::parse_net, text);
  check(net::parse_pnml, text);
  return 0;
}
