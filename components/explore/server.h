// An HTTP server for windows of the explorer, with Boost.Beast, in a thread of its own.
//
//   Server server(listening, [&](const Request& request, Server::Reply reply) { ... });
//
// It reads requests within limits of size, time and number of connections, and writes answers. Who may ask, and what,
// is decided elsewhere (request.h).
#pragma once

#include <functional>
#include <memory>

#include "address.h"
#include "request.h"
#include "service.h"

namespace heddle::explorer {

class Server {
 public:
  using Reply = Service::Reply;
  // Called from the server's thread; the reply may be called from any.
  using Handler = std::function<void(const Request&, Reply)>;

  static constexpr unsigned most_connections = 64;

  Server(const Listening& listening, Handler handler);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace heddle::explorer
