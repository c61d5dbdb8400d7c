// Whatever arrives at the explorer is a wish or a refusal in words.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "request.h"

// The first lines are method, target, host, origin, site and type; the rest is the body.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heddle::explorer;
  std::string text(reinterpret_cast<const char*>(data), size);
  const auto line = [&] {
    const std::size_t end = text.find('\n');
    const std::string one = text.substr(0, end);
    text.erase(0, end == std::string::npos ? text.size() : end + 1);
    return one;
  };
  const Address address{.port = 1, .token = "t"};
  Request request;
  request.method = line();
  request.target = line();
  request.host = line();
  request.origin = line();
  request.site = line();
  request.content_type = line();
  request.body = text;
  try {
    const Wish wish = read_request(request, address);
    if (wish.position.choices.size() > most_choices) std::abort();
    if (!request.target.starts_with("/t/") || !(request.host == "127.0.0.1:1" || request.host == "localhost:1"))
      std::abort();
    if (!request.origin.empty() && request.origin != "http://" + request.host) std::abort();
  } catch (const Refusal& refusal) {
    if (refusal.status() < 400 || refusal.status() > 499 || *refusal.what() == 0) std::abort();
  }
  try {
    if (read_position(text).choices.size() > most_choices) std::abort();
  } catch (const Refusal&) {
    return 0;
  }
  return 0;
}
