// A client that asks a server once and waits for the answer. The registers and the ring of Al-Mahfoudh, Stutsman,
// Gopalakrishnan (Efficient linearizability checking for actor-based systems, 2023) share it. A harness such as 2R+1W
// is three of them.
//
//   struct Agent;                                             // the role that serves Request and answers with Result
//   using Client = one_shot::Client<Agent, Operation, Result>;
//   using Request = one_shot::Request<Agent, Operation, Result>;
//
// The operation is invoked when the client asks and returns when the first answer comes. A second answer is never
// taken.
#pragma once

#include <heddle/heddle.h>

#include <algorithm>

namespace heddle::one_shot {

template <class Server, class Operation, class Result>
struct Client;

template <class Server, class Operation, class Result>
struct Request {
  Operation operation;
  Id<Client<Server, Operation, Result>> client;
};

template <class Server, class Operation, class Result>
struct Client {
  Operation operation;
  Id<Server> agent;
  bool asked = false, answered = false;

  void ask(Id<Client> self, Invoke<Operation> invoke, To<Server, Request<Server, Operation, Result>> out) {
    require(!asked);
    asked = true;
    invoke(operation);
    out.send(agent, {operation, self});
  }
  void finish(const Result& r, Return<Result> result) {
    require(!answered);
    answered = true;
    result(r);
  }
  static constexpr auto transitions = heddle::transitions<&Client::ask, &Client::finish>;
};

// Adds the property that some run answers all clients.
template <class Client>
void every_operation_returns(Model& m) {
  m.sometimes("every operation returns", [](const View& v) {
    return std::ranges::all_of(v.all<Client>(), [](const Client& c) { return c.answered; });
  });
}

}  // namespace heddle::one_shot
