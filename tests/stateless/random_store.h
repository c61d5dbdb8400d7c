// Random systems with clients: agents whose answers are drawn from a seed.
//
// Agents keep a small state, pass notes to each other and answer requests at once or when a note arrives. A hash of the
// seed, the state and the message decides what they do, so every seed is another protocol, linearizable or not. The
// number of notes is bounded, so runs are finite.
#pragma once

#include <cstdint>
#include <string>

#include "actor/random_model.h"
#include "heddle/harness.h"
#include "heddle/heddle.h"
#include "models/one_shot_client.h"

namespace heddle::random_store {

using random_model::Draw;

struct Agent;

struct Operation {
  bool writes = false;
  int value = 0;
};
struct Result {
  int value = 0;
};
using Client = one_shot::Client<Agent, Operation, Result>;
using Request = one_shot::Request<Agent, Operation, Result>;
struct Note {
  int value = 0;
  int left = 0;       // how often it may be passed on
  Id<Client> client;  // who still waits; or nobody
};

struct Agent {
  int state = 0;

  void serve(const Request& request, const Run& run, ToAll<Agent, Note> notes, To<Client, Result> done) {
    const auto& [operation, client] = request;
    Draw d(run, 1, state, operation.value);
    require(state != 2 || !d.one_in(6));  // some wait
    if (operation.writes) state = d.one_in(3) ? state : operation.value % 3;
    if (d.one_in(2)) {
      notes.send({d.below(3), d.below(2), client});
    } else {
      done.send(client, {operation.writes ? 0 : state});
      if (d.one_in(3)) notes.send({d.below(3), 0, {}});
    }
  }
  void hear(const Note& note, const Run& run, ToAll<Agent, Note> notes, To<Client, Result> done) {
    Draw d(run, 2, state, 3 * note.left + note.value);
    if (d.one_in(2)) state = note.value;
    if (note.left > 0) {
      notes.send({d.below(3), note.left - 1, note.client});
    } else if (note.client) {
      done.send(note.client, {state});
    }
  }
  static constexpr auto transitions = heddle::transitions<&Agent::serve, &Agent::hear>;
};

struct Cell {
  int value = 0;
  Result apply(const Operation& operation) {
    if (!operation.writes) return {value};
    value = operation.value % 3;
    return {};
  }
};

inline Definition definition() {
  return {.name = "random_store",
          .summary = "a random store",
          .parameters = {{"seed", 0, 0, 1'000'000'000, "which one"},
                         {"agents", 2, 2, 3, ""},
                         {"order", 0, 0, 2, "that histories have to keep"},
                         harness_parameter()},
          .build = [](Model& m) {
            const auto agents = static_cast<std::size_t>(m.run()["agents"]);
            const auto requests = harness_requests(m.run());
            m.add<Client>(requests.size(), [&](std::size_t c) {
              const auto& [writes, number] = requests[c];
              return Client{.operation = {writes, writes ? number : 0}, .agent = m.id<Agent>(c % agents)};
            });
            m.add<Agent>(agents);
            if (m.run()["order"] == 0) m.linearizable<Cell, Operation>("linearizability");
            if (m.run()["order"] == 1) m.sequentially_consistent<Cell, Operation>("sequential consistency");
            if (m.run()["order"] == 2) m.serializable<Cell, Operation>("serializability");
          }};
}

inline Model make(long seed, int agents, const std::string& harness, int order = 0) {
  return Model(definition(), {{"seed", std::to_string(seed)},
                              {"agents", std::to_string(agents)},
                              {"order", std::to_string(order)},
                              {"harness", harness}});
}

}  // namespace heddle::random_store
