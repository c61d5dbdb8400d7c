// Where the explorer listens: a port of 127.0.0.1 and a token that nobody can guess.
//
// A handler that crashes makes the program start again (core/user_code.h). Windows that are open then should find the
// new process under the old address. So the open socket is inherited, and an environment variable says which it is.
#pragma once

#include "request.h"

namespace heddle::explorer {

struct Listening {
  Address address;
  int socket = -1;
};

// Opens a socket, or takes over that of the process before this one. Port 0: one that is free. Throws run::UsageError
// if the port is taken. REQUIRES: restart_on_failure has not been called, which remembers the environment.
Listening listen(std::uint16_t port);

// 128 bits of the system's random source, as 32 digits. Throws run::UsageError if there is none.
std::string random_token();

}  // namespace heddle::explorer
