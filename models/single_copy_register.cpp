// One unreplicated register behind a server, and clients that each write once and then read once, as in
// Stateright's single-copy-register. With one server it is linearizable. With two, client c writes to server c
// and reads from server c+1, nobody keeps the copies equal, and a client may not see its own write. A value is
// the client that wrote it.
// Granularity and state counts are Stateright's: in the initial state the first request of every client is under way.
#include <heddle/heddle.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using namespace heddle;

struct Client;
struct Server;

enum class Kind { write, read };
struct Operation {
  Kind kind;
  Id<Client> value;  // what is written
};
struct Result {
  Id<Client> value;  // what was read; nobody for a write
};

struct Client {
  std::vector<Id<Server>> route;  // the servers of its operations
  std::size_t begun = 0, returned = 0;

  void start(Id<Client> self, Invoke<Operation> invoke, To<Server, Operation> ask) {
    require(begun == 0);
    next(self, invoke, ask);
  }
  void finish(const Result& r, Return<Result> result, Id<Client> self, Invoke<Operation> invoke,
              To<Server, Operation> ask) {
    result(r);
    ++returned;
    if (begun < route.size()) next(self, invoke, ask);
  }
  void next(Id<Client> self, Invoke<Operation> invoke, To<Server, Operation> ask) {
    const Operation operation = begun == 0 ? Operation{Kind::write, self} : Operation{Kind::read, {}};
    invoke(operation);
    ask.send(route[begun++], operation);
  }
  static constexpr auto transitions = heddle::transitions<&Client::start, &Client::finish>;
};

struct Server {
  Id<Client> value;

  Result apply(const Operation& operation) {
    if (operation.kind == Kind::read) return {value};
    value = operation.value;
    return {};
  }
  void serve(const Operation& operation, Reply<Result> out) { out.send(apply(operation)); }
  static constexpr auto transitions = heddle::transitions<&Server::serve>;
};

const std::string source = "prototype of Stateright's example that also gives its 93";

const Register model({
    .name = "single_copy_register",
    .summary = "an unreplicated register: linearizable with one server, not with two",
    .parameters = {{"clients", 2, 1, 6, "each writes once, then reads once"},
                   {"servers", 1, 1, 6, "unsynchronised copies of the register"}},
    .bugs = {{"two_copies", "linearizability", {{"clients", "1"}}, "there is one more server than asked for"}},
    .expected = {{{}, 93, 120, 12, "Stateright's single-copy-register"},
                 {{{"clients", "3"}}, 4243, 6777, 408, source},
                 {{{"servers", "2"}}, 62, 80, 8, source}},
    .build =
        [](Model& m) {
          const auto servers = static_cast<std::size_t>(m.run()["servers"]) + (m.run().bug("two_copies") ? 1 : 0);
          const auto clients = static_cast<std::size_t>(m.run()["clients"]);
          m.add<Client>(clients, [&](std::size_t c) {
            return Client{.route = {m.id<Server>(c % servers), m.id<Server>((c + 1) % servers)}};
          });
          m.add<Server>(servers);
          m.start_after<&Client::start>();
          m.linearizable<Server, Operation>("linearizability");
          m.sometimes("every operation returns", [](const View& v) {
            return std::ranges::all_of(v.all<Client>(), [](const Client& c) { return c.returned == c.route.size(); });
          });
        },
});

}  // namespace
