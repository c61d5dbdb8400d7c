// Random models of processes that are spawned and end, and of clients whose operations make a history, in the
// manner of unkind_model.h.
#pragma once

#include <string>
#include <vector>

#include "oracle/unkind_model.h"

namespace heddle::unkind {

// --- Parents and children. Ids of children are remembered, or not, and forgotten again: by their parent, by
// other children, in waiting messages, in the ghost variable.

struct Parent;
struct Child;

struct Hello {
  Id<Child> who;
  bool again = false;
};
struct Farewell {
  Id<Child> who;
};

struct RegisterOfBirths {
  Id<Child> last;
  int count = 0;
};

struct Child {
  int state = 0;
  Id<Child> inbox;  // another child, or itself

  void hear(const Hello& hello, const Run& run, Id<Child> self, To<Parent, Farewell> out, Choice choose, Exit leave) {
    Draw d(run, 11, state, (hello.who == self ? 1 : 0) + (hello.again ? 2 : 0));
    require(!d.one_in(5));
    state = d.below(2);
    if (d.one_in(2)) inbox = hello.who;
    if (d.one_in(3)) {
      const Id<Parent> to = run["names"] != 0 ? Model::id<Parent>(0) : choose.member<Parent>();
      out.send(to, {d.one_in(2) ? self : hello.who});
    }
    if (d.one_in(2)) leave();
  }
  void leave(const Run& run, Id<Child> self, ToAll<Child, Hello> tell, To<Child, Hello> to_myself, Exit leave) {
    Draw d(run, 12, state, inbox ? 1 : 0);
    require(d.one_in(3));
    if (d.one_in(3)) tell.send({self, true});
    if (d.one_in(4)) to_myself.send(self, {self, false});
    leave();
  }
  void bear(const Run& run, Spawn<Child> spawn, Ghost<RegisterOfBirths>& births, To<Child, Hello> greet) {
    Draw d(run, 13, state, inbox ? 1 : 0);
    require(births->count < run["births"] && d.one_in(3));
    ++births->count;
    const Id<Child> child = spawn({1, inbox});
    if (d.one_in(2)) inbox = child;
    if (d.one_in(3)) greet.send(child, {inbox, false});
  }
  static constexpr auto transitions = heddle::transitions<&Child::hear, &Child::leave, &Child::bear>;
};

struct Parent {
  int state = 0;
  Id<Child> first, last;

  void bear(const Run& run, Spawn<Child> spawn, Ghost<RegisterOfBirths>& births, To<Child, Hello> greet,
            Choice choose) {
    Draw d(run, 14, state, (first == last ? 1 : 0));
    require(births->count < run["births"] && !d.one_in(5));
    const bool twins = d.one_in(4);
    ++births->count;
    const Id<Child> child = spawn({d.below(2), d.one_in(2) ? first : last});
    const Id<Child> other = twins ? spawn({0, child}) : Id<Child>{};
    if (d.one_in(2)) last = twins ? other : child;
    if (!first && d.one_in(2)) first = child;
    if (d.one_in(3)) births->last = child;
    if (d.one_in(2)) greet.send(child, {first, choose.flip()});
    if (last && d.one_in(4)) greet.send(last, {child, false});
    state = d.below(3);
  }
  void forget(const Run& run, Ghost<RegisterOfBirths>& births) {
    Draw d(run, 15, state, first == last ? 1 : 0);
    require(d.one_in(3) && (first || last || births->last));
    if (d.one_in(2)) first = {};
    last = {};
    births->last = {};
  }
  void mourn(const From<Farewell, Child>& farewell, const Run& run, Reply<Hello> back) {
    Draw d(run, 16, state, (farewell->who == first ? 1 : 0) + (farewell.sender == last ? 2 : 0));
    require(!d.one_in(5));
    state = d.below(3);
    if (d.one_in(3)) last = farewell.sender;
    if (d.one_in(3)) back.send({farewell->who, true});
  }
  static constexpr auto transitions = heddle::transitions<&Parent::bear, &Parent::forget, &Parent::mourn>;
};

inline Definition families() {
  return {.name = "families",
          .summary = "a random model with Spawn and Exit",
          .parameters = {{"seed", 0, 0, 1'000'000'000, "which one"},
                         {"parents", 1, 1, 2, ""},
                         {"children", 0, 0, 2, "there from the start"},
                         {"room", 2, 1, 5, "for more"},
                         {"births", 2, 1, 4, "at most, twins counted once"},
                         {"first", 0, 0, 1, "the places of children come before those of parents"},
                         {"names", 0, 0, 1, "members are singled out by position"}},
          .build = [](Model& m) {
            const auto add_parents = [&] { m.add<Parent>(static_cast<std::size_t>(m.run()["parents"])); };
            if (m.run()["first"] == 0) add_parents();
            m.add<Child>(static_cast<std::size_t>(m.run()["children"]));
            m.room_for<Child>(static_cast<std::size_t>(m.run()["room"]));
            if (m.run()["first"] != 0) add_parents();
            m.ghost<RegisterOfBirths>();
            Draw d(m.run(), 101, 0);
            const std::size_t most = 1 + static_cast<std::size_t>(d.below(3));
            m.always("not too many", [most](const View& v) { return v.all<Child>().size() <= most; });
            m.sometimes("an old friend is a new child", [](const View& v) {
              for (const Parent& p : v.all<Parent>()) {
                for (const Id<Child> id : v.ids<Child>()) {
                  if (p.first == id && p.last == id && v.at<Child>(id).state == 1) return true;
                }
              }
              return false;
            });
            if (d.one_in(2)) {
              m.always("nobody is its own friend", [](const View& v) {
                for (const Id<Child> id : v.ids<Child>()) {
                  if (v.at<Child>(id).inbox == id) return false;
                }
                return true;
              });
            }
            if (d.one_in(2)) m.deadlock_free([](const View& v) { return v.all<Child>().empty(); });
          }};
}

// --- Clients of a register that one or two servers keep, rightly or wrongly.

struct Server;
struct Client;

struct Op {
  bool write = false;
  int value = 0;
};
struct Ask {
  Op operation;
};
struct Told {
  int value = 0;
};
struct Gossip {
  int value = 0;
};

// The sequential register.
struct Cell {
  int value = 0;
  int apply(const Op& op) {
    if (op.write) value = op.value;
    return op.write ? 0 : value;
  }
};

struct Client {
  int done = 0;
  bool up = false;  // waits for an answer

  void ask(const Run& run, Id<Client> self, Invoke<Op> invoke, To<Server, Ask> one, ToAll<Server, Ask> all,
           Choice choose) {
    const bool names = run["names"] != 0;
    Draw d(run, 21, done, names && self == Model::id<Client>(0) ? 1 : 0);
    require(!up && done < run["operations"]);
    up = true;
    const Op op{d.one_in(2), 1 + d.below(2)};
    invoke(op);
    if (d.one_in(3)) {
      all.send({op});
    } else {
      one.send(!names || d.one_in(2) ? choose.member<Server>() : Model::id<Server>(0), {op});
    }
  }
  void told(const Told& answer, const Run& run, Return<int> give) {
    Draw d(run, 22, done, answer.value);
    if (run["careful"] != 0) require(up);
    up = false;
    ++done;
    if (done > run["operations"]) done = static_cast<int>(run["operations"]);
    give(answer.value);
    static_cast<void>(d);
  }
  static constexpr auto transitions = heddle::transitions<&Client::ask, &Client::told>;
};

struct Server {
  Durable<int> kept;
  int state = 0;

  void serve(const From<Ask, Client>& ask, const Run& run, Reply<Told> out, ToAll<Server, Gossip> tell) {
    Draw d(run, 23, state, (ask->operation.write ? 1 : 0) + 2 * ask->operation.value);
    require(!d.one_in(6));
    if (ask->operation.write) {
      if (!d.one_in(5)) *kept = ask->operation.value;
      if (d.one_in(2)) tell.send({ask->operation.value});
      out.send({0});
    } else {
      out.send({d.one_in(5) ? 0 : *kept});
    }
    if (d.one_in(3)) state = 1 - state;
  }
  void learn(const Gossip& gossip) { *kept = gossip.value; }
  static constexpr auto transitions = heddle::transitions<&Server::serve, &Server::learn>;
};

inline Definition clients() {
  return {.name = "clients",
          .summary = "a random model with histories",
          .parameters = {{"seed", 0, 0, 1'000'000'000, "which one"},
                         {"clients", 2, 1, 3, ""},
                         {"servers", 1, 1, 2, ""},
                         {"operations", 1, 1, 3, "of a client"},
                         {"names", 0, 0, 1, "members are singled out by position"},
                         {"careful", 1, 0, 1, "clients take no answer they do not wait for"},
                         {"together", 0, 0, 1, "the first client runs on the first server"},
                         {"order", 0, 0, 2, "of operations: real time, that of each client, none"}},
          .build = [](Model& m) {
            m.add<Client>(static_cast<std::size_t>(m.run()["clients"]));
            m.add<Server>(static_cast<std::size_t>(m.run()["servers"]));
            if (m.run()["together"] != 0) m.colocate(Model::id<Client>(0), Model::id<Server>(0));
            if (m.run()["order"] == 0) m.linearizable<Cell, Op>("linearizable");
            if (m.run()["order"] == 1) m.sequentially_consistent<Cell, Op>("sequentially consistent");
            if (m.run()["order"] == 2) m.serializable<Cell, Op>("serializable");
            Draw d(m.run(), 102, 0);
            if (d.one_in(2)) m.deadlock_free();
            m.sometimes("all done", [](const View& v) {
              for (const Client& c : v.all<Client>()) {
                if (c.done < v.run()["operations"]) return false;
              }
              return true;
            });
          }};
}

}  // namespace heddle::unkind
