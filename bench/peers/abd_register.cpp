// Heddle's side of the ABD benchmark: the same granularity as abd_register.pml and .m beside it, so that all three
// explore the same graph. Each client writes its number once; the first `readers` clients then read once. A client
// coordinates its own operations: two phases each, a request to all servers and one quorum step over the replies of a
// majority. (The library's abd_register follows Stateright's example instead, where servers coordinate and count
// replies one by one.)
#include <heddle/heddle.h>

#include <algorithm>

using namespace heddle;

namespace {

struct Server;

struct Stamp {
  int counter = 0, client = 0;
  auto operator<=>(const Stamp&) const = default;
};

struct Query {
  int phase;
};
struct Reported {
  int phase;
  Stamp stamp;
};
struct Store {
  int phase;
  Stamp stamp;
};
struct Stored {
  int phase;
};

// Phases: 0 idle, 1 query and 2 store of the write, 3 written, 4 query and 5 store of the read, 6 done.
struct Client {
  int number = 0;
  int phase = 0;
  bool reads = false;
  Stamp result;

  void begin(ToAll<Server, Query> out) {
    require(phase == 0 || (phase == 3 && reads));
    out.send({++phase});
  }
  void query_done(const Quorum<Reported, Server>& replies, ToAll<Server, Store> out) {
    require(phase == 1 || phase == 4);
    Stamp latest;
    for (const auto& r : replies) {
      require(r->phase == phase);
      latest = std::max(latest, r->stamp);
    }
    if (phase == 4) result = latest;
    const Stamp stamp = phase == 1 ? Stamp{latest.counter + 1, number} : latest;
    out.send({++phase, stamp});
  }
  void store_done(const Quorum<Stored, Server>& acks) {
    require(phase == 2 || phase == 5);
    for (const auto& a : acks) require(a->phase == phase);
    ++phase;
  }
  static constexpr auto transitions = heddle::transitions<&Client::begin, &Client::query_done, &Client::store_done>;
};

struct Server {
  Stamp stamp;

  void report(const Query& q, Reply<Reported> out) { out.send({q.phase, stamp}); }
  void store(const Store& s, Reply<Stored> out) {
    stamp = std::max(stamp, s.stamp);
    out.send({s.phase});
  }
  static constexpr auto transitions = heddle::transitions<&Server::report, &Server::store>;
};

const Register model({
    .name = "abd_benchmark",
    .summary = "ABD register, clients coordinate, quorum steps",
    .parameters = {{"clients", 2, 1, 3, "how many clients"},
                   {"servers", 2, 1, 7, "how many servers"},
                   {"readers", 2, 0, 3, "how many of the clients also read"}},
    .build =
        [](Model& m) {
          m.add<Client>(static_cast<std::size_t>(m.run()["clients"]), [&](std::size_t i) {
            return Client{.number = static_cast<int>(i) + 1, .reads = static_cast<long>(i) < m.run()["readers"]};
          });
          m.add<Server>(static_cast<std::size_t>(m.run()["servers"]));
          m.always("a read returns a written value", [](const View& v) {
            for (const Client& c : v.all<Client>()) {
              if (c.phase >= 5 && c.result.counter < 1) return false;
            }
            return true;
          });
        },
});

}  // namespace
