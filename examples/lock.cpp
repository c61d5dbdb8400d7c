// A lock server: clients ask a server for a lock, and only one at a time may hold it.
//
//   heddle check lock.cpp                     explores every schedule: both properties hold
//   heddle check lock.cpp --bug forgetful     finds the shortest run that breaks mutual exclusion
//   heddle check lock.cpp --loss 1            what if a message gets lost?
//
// Change it into your own protocol. A role is a struct; a transition is one of its member functions.
#include <heddle/heddle.h>

namespace {  // inside a namespace the model's names win: it may have a Reply, or a View beside heddle::View

using namespace heddle;

struct Server;

// Messages are plain structs. Fields are welcome: integers, enums, optional, vector, Id, other structs.
struct Request {};
struct Grant {};
struct Release {};
struct Released {};

// A process's local state is its fields. Keep only what the protocol needs: every field multiplies the states.
struct Client {
  enum class Phase { idle, waiting, holding, leaving };
  Phase phase = Phase::idle;

  // Consumes nothing, so it may happen whenever its guard, `require`, allows it.
  void ask(To<Server, Request> out) {
    require(phase == Phase::idle);
    phase = Phase::waiting;
    out.send({});
  }
  // Consumes one Grant.
  void enter(const Grant&) {
    require(phase == Phase::waiting);
    phase = Phase::holding;
  }
  void leave(To<Server, Release> out) {
    require(phase == Phase::holding);
    phase = Phase::leaving;
    out.send({});
  }
  void rest(const Released&) {
    require(phase == Phase::leaving);
    phase = Phase::idle;
  }

  static constexpr auto transitions = heddle::transitions<&Client::ask, &Client::enter, &Client::leave, &Client::rest>;
};

struct Server {
  Id<Client> holder;  // nobody at first

  // From<> tells who sent the message, Reply<> answers the sender, and Run knows the parameters and bugs of this run.
  void grant(const From<Request, Client>& request, Reply<Grant> out, const Run& run) {
    require(!holder || run.bug("forgetful"));  // if the guard is false, the message waits
    holder = request.sender;
    out.send({});
  }
  void take_back(const From<Release, Client>& release, Reply<Released> out) {
    if (holder == release.sender) holder = {};
    out.send({});
  }

  static constexpr auto transitions = heddle::transitions<&Server::grant, &Server::take_back>;
};

const Register model({
    .name = "lock",
    .summary = "a lock server and its clients",
    .parameters = {{"clients", 3, 1, 8, "how many clients"}},
    .bugs =
        {{"forgetful", "mutual exclusion", {{"clients", "2"}}, "the server grants the lock again while it is held"}},
    .build =
        [](Model& m) {
          m.add<Client>(static_cast<std::size_t>(m.run()["clients"]));
          m.add<Server>();
          m.always("mutual exclusion", [](const View& v) {
            int holding = 0;
            for (const Client& client : v.all<Client>()) holding += client.phase == Client::Phase::holding ? 1 : 0;
            return holding <= 1;
          });
          m.sometimes("somebody holds the lock", [](const View& v) {
            for (const Client& client : v.all<Client>()) {
              if (client.phase == Client::Phase::holding) return true;
            }
            return false;
          });
          // Every state has a way on. A protocol that may stop says where: m.deadlock_free([](const View& v) { ... }),
          // and what is then true: m.finally("all agree", [](const View& v) { ... }).
          m.deadlock_free();
        },
});

}  // namespace
