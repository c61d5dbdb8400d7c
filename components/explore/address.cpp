#include "address.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "run/errors.h"

namespace heddle::explorer {
namespace {

constexpr const char* socket_variable = "HEDDLE_EXPLORE_LISTENS";  // "socket port token"

bool inherited(Listening& listening) {
  const char* const text = std::getenv(socket_variable);
  if (text == nullptr) return false;
  std::array<char, 64> token = {};
  unsigned port = 0;
  if (std::sscanf(text, "%d %u %63s", &listening.socket, &port, token.data()) != 3) return false;
  sockaddr_in name = {};
  socklen_t size = sizeof name;
  if (::getsockname(listening.socket, reinterpret_cast<sockaddr*>(&name), &size) != 0) return false;
  listening.address = {ntohs(name.sin_port), token.data()};
  return name.sin_family == AF_INET && listening.address.port == port;
}

}  // namespace

std::string random_token() {
  std::array<unsigned char, 16> bytes = {};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw run::UsageError("the system gives no random numbers, so the explorer's address could be guessed");
  }
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

Listening listen(std::uint16_t port) {
  Listening listening;
  if (inherited(listening)) return listening;
  listening.socket = ::socket(AF_INET, SOCK_STREAM, 0);
  if (listening.socket < 0) throw run::UsageError(fmt::format("no socket can be opened: {}", std::strerror(errno)));
  const int yes = 1;
  ::setsockopt(listening.socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in name = {};
  name.sin_family = AF_INET;
  name.sin_port = htons(port);
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  constexpr int waiting = 64;
  if (::bind(listening.socket, reinterpret_cast<const sockaddr*>(&name), sizeof name) != 0 ||
      ::listen(listening.socket, waiting) != 0) {
    const int error = errno;
    ::close(listening.socket);
    if (error == EADDRINUSE) {
      throw run::UsageError(fmt::format(
          "port {} of 127.0.0.1 is taken; name another one with --port, or leave that out for one that is free", port));
    }
    throw run::UsageError(fmt::format("port {} of 127.0.0.1 cannot be opened: {}; name another one with --port", port,
                                      std::strerror(error)));
  }
  socklen_t size = sizeof name;
  ::getsockname(listening.socket, reinterpret_cast<sockaddr*>(&name), &size);
  listening.address = {ntohs(name.sin_port), random_token()};
  ::setenv(socket_variable,
           fmt::format("{} {} {}", listening.socket, listening.address.port, listening.address.token).c_str(), 1);
  return listening;
}

}  // namespace heddle::explorer
