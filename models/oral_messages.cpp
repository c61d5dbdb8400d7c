// The oral messages algorithm OM(1) (Lamport, Shostak, Pease: The Byzantine Generals Problem, 1982): a commander
// gives an order to each lieutenant, each lieutenant relays it to all others, and each obeys the majority of what
// it heard.
//
// Granularity with rounds=local: the commander's orders are one step, which also draws at most `traitors`
// traitors among all generals; each relayed message is a step. A traitor sends any order to anyone. Rounds are
// synchronous in that everybody waits for all messages of a round, but nobody waits for others to finish theirs:
// three lieutenants have 2,989 states.
// With rounds=global, the order and the traitors are drawn first. Then each order, each relayed message and each
// decision is a step (traitors decide as well, without effect), and a round begins for all at once: a ghost
// variable counts messages. This has 2,405 states, the one before the draw included (own count; Bokor's thesis has
// 1,797). The commander is in the process of a lieutenant.
// `IC1`: loyal lieutenants do the same. `IC2`: they obey a loyal commander.
#include <heddle/heddle.h>

#include <optional>
#include <vector>

namespace {

using namespace heddle;

enum class Command { retreat, attack };

struct Order {
  Command command;
  bool betray;  // not part of the protocol: makes the receiver a traitor
};
struct Relay {
  Command command;
};

Command any(const Choice& choose) { return choose.flip() ? Command::attack : Command::retreat; }

struct Others {
  static constexpr std::size_t size(std::size_t lieutenants) { return lieutenants - 1; }
};

struct Lieutenant {
  bool traitor = false;
  std::optional<Command> order, decision;
  IdSet<Lieutenant> told;

  void listen(const Order& o) {
    order = o.command;
    traitor = o.betray;
  }
  void relay(Id<Lieutenant> self, Choice choose, To<Lieutenant, Relay> out) {
    require(order.has_value());
    const auto peer = choose.member<Lieutenant>();
    require(peer != self && !told.contains(peer));
    told.insert(peer);
    out.send(peer, {traitor ? any(choose) : *order});
  }
  void decide(const Quorum<Relay, Lieutenant, Others>& relays, const Run& run) {
    require(!traitor && told.size() == relays.size());
    obey(relays, run);
  }
  void obey(const Quorum<Relay, Lieutenant, Others>& relays, const Run& run) {
    require(!decision);
    std::size_t attack = *order == Command::attack;
    for (const auto& r : relays) attack += r->command == Command::attack;
    const bool majority = 2 * attack > relays.size() + 1;
    decision = run.bug("trust_commander") ? *order : majority ? Command::attack : Command::retreat;
  }
  static constexpr auto transitions = heddle::transitions<&Lieutenant::listen, &Lieutenant::relay, &Lieutenant::decide>;
};

struct Commander {
  bool ordered = false, loyal = true;
  Command command = Command::retreat;

  void order(const Run& run, Choice choose, To<Lieutenant, Order> out) {
    require(!ordered);
    ordered = true;
    long traitors = run["traitors"];
    const auto betrays = [&] {
      const bool yes = traitors > 0 && choose.flip();
      traitors -= yes ? 1 : 0;
      return yes;
    };
    loyal = !betrays();
    if (loyal) command = any(choose);
    for (std::size_t i = 0; i < run.count<Lieutenant>(); ++i) {
      out.send(Model::id<Lieutenant>(i), {loyal ? command : any(choose), betrays()});
    }
  }
  static constexpr auto transitions = heddle::transitions<&Commander::order>;
};

// The commander with rounds=global.
struct RoundCommander {
  using role = Commander;
  Commander commander;
  IdSet<Lieutenant> traitors, told;

  void draw(const Run& run, Choice choose) {
    require(!commander.ordered);
    commander.ordered = true;
    commander.command = any(choose);
    long left = run["traitors"];
    commander.loyal = left == 0 || !choose.flip();
    left -= commander.loyal ? 0 : 1;
    for (std::size_t i = 0; i < run.count<Lieutenant>(); ++i) {
      if (left == 0 || !choose.flip()) continue;
      traitors.insert(Model::id<Lieutenant>(i));
      --left;
    }
  }
  void order(Choice choose, Ghost<std::size_t>& sent, To<Lieutenant, Order> out) {
    const auto peer = choose.member<Lieutenant>();
    require(commander.ordered && !told.contains(peer));
    told.insert(peer);
    ++*sent;
    out.send(peer, {commander.loyal ? commander.command : any(choose), traitors.contains(peer)});
  }
  static constexpr auto transitions = heddle::transitions<&RoundCommander::draw, &RoundCommander::order>;
};

struct RoundLieutenant {
  using role = Lieutenant;
  Lieutenant lieutenant;
  Per<Lieutenant, std::optional<Command>> heard;  // kept after it has decided

  void begin(const Order& o, Id<Lieutenant> self, const Run& run, Choice choose, Ghost<std::size_t>& sent,
             To<Lieutenant, Relay> out) {
    require(*sent >= run.count<Lieutenant>());
    lieutenant.listen(o);
    relay(self, choose, sent, out);
  }
  void relay(Id<Lieutenant> self, Choice choose, Ghost<std::size_t>& sent, To<Lieutenant, Relay> out) {
    lieutenant.relay(self, choose, out);
    ++*sent;
  }
  void decide(const Quorum<Relay, Lieutenant, Others>& relays, const Run& run, Ghost<std::size_t>& sent) {
    require(*sent == run.count<Lieutenant>() * run.count<Lieutenant>());
    lieutenant.obey(relays, run);
    for (const auto& r : relays) heard[r.sender] = r->command;
  }
  static constexpr auto transitions =
      heddle::transitions<&RoundLieutenant::begin, &RoundLieutenant::relay, &RoundLieutenant::decide>;
};

std::vector<Lieutenant> loyal_lieutenants(const View& v) {
  std::vector<Lieutenant> all = v.all<Lieutenant>();
  for (const RoundLieutenant& l : v.all<RoundLieutenant>()) all.push_back(l.lieutenant);
  std::erase_if(all, [](const Lieutenant& l) { return l.traitor; });
  return all;
}

const Register oral_messages({
    .name = "oral_messages",
    .summary = "Byzantine agreement by oral messages, OM(1)",
    .parameters = {{"lieutenants", 3, 3, 8, "lieutenants"},
                   {"traitors", 1, 0, 3, "traitors at most, the commander or lieutenants"},
                   {"rounds", {"local", "global"}, "everybody begins a round on its own, or all at once"}},
    .bugs = {{"too_many_traitors", "IC2", {{"traitors", "2"}}, "OM(1) tolerates one traitor only"},
             {"trust_commander", "IC1", {}, "lieutenants decide what the commander said to them, whatever they hear"}},
    .expected = {{{}, 2989, 9298, 16, "own count"},
                 {{{"traitors", "0"}}, 283, 818, 2, "own unreduced search"},
                 {{{"rounds", "global"}}, 2405, 7054, 42, "own count"}},
    .build =
        [](Model& m) {
          const auto lieutenants = static_cast<std::size_t>(m.run()["lieutenants"]);
          if (m.run().text("rounds") == "global") {
            m.ghost<std::size_t>();
            m.colocate(m.add<RoundCommander>()[0], m.add<RoundLieutenant>(lieutenants)[0]);
          } else {
            m.add<Commander>();
            m.add<Lieutenant>(lieutenants);
          }
          m.always("IC1", [](const View& v) {
            std::optional<Command> common;
            for (const Lieutenant& l : loyal_lieutenants(v)) {
              if (common && l.decision && l.decision != common) return false;
              if (l.decision) common = l.decision;
            }
            return true;
          });
          m.always("IC2", [](const View& v) {
            std::vector<Commander> commanders = v.all<Commander>();
            for (const RoundCommander& c : v.all<RoundCommander>()) commanders.push_back(c.commander);
            for (const Commander& c : commanders) {
              for (const Lieutenant& l : loyal_lieutenants(v)) {
                if (c.loyal && l.decision && *l.decision != c.command) return false;
              }
            }
            return true;
          });
        },
});

}  // namespace
