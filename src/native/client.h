// Clients: what threads call on the object of a harness (include/heddle/native.h).
//
//   const std::optional<Harness> harness = harness_of(image);           // none: the program has a main of its own
//   const Client client = parse_client("push(1); pop() | push(2)", *harness);
//
// A client is data: the program asks the machine what to call, so all clients share one image, and one memo.
// Thread-safe: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "native/image.h"

namespace heddle::native {

struct ClientCall {
  std::uint32_t method = 0;
  std::vector<std::int32_t> arguments;
  friend auto operator<=>(const ClientCall&, const ClientCall&) = default;
};

struct Client {
  static constexpr std::uint32_t most_threads = 8, most_calls = 16, most_arguments = 4;
  std::vector<std::vector<ClientCall>> threads;
  friend auto operator<=>(const Client&, const Client&) = default;

  // What the program asks: 0: how many threads; 1: how many calls `thread` makes; 2: the method of one; 3 and more: its
  // arguments. 0 for what does not exist.
  std::int32_t answer(std::uint32_t thread, std::uint32_t call, std::uint32_t what) const;
};

struct HarnessMethod {
  std::string name;
  std::uint32_t arity = 0;
};

struct Harness {
  std::vector<HarnessMethod> methods;
};

std::optional<Harness> harness_of(const Image& image);

struct ClientError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws ClientError, with what is wrong and an example.
Client parse_client(std::string_view text, const Harness& harness);
// A call as an event of a history (HistoryTable): the answers about its method and its arguments, a word each.
ClientCall call_of_event(std::string_view event, const Harness& harness);
std::string event_of(const ClientCall& call);
std::string text(const ClientCall& call, const Harness& harness);
std::string text(const Client& client, const Harness& harness);

}  // namespace heddle::native
