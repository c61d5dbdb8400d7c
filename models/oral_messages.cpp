// The oral messages algorithm OM(1) (Lamport, Shostak, Pease: The Byzantine Generals Problem, 1982): a commander gives an
// order to each lieutenant, each lieutenant relays it to all others, and each obeys the majority of what it heard.
//
// Granularity: the commander's orders are one step, which also draws at most `traitors` traitors among all generals; each
// relayed message is a step. A traitor sends any order to anyone. Rounds are synchronous in that everybody waits for all
// messages of a round, but nobody waits for others to finish theirs: three lieutenants have 2,989 states here, against
// 2,404 in the digest's prototype (every message a step, a round begins for all at once) and 1,797 in the thesis.
// `IC1`: loyal lieutenants do the same. `IC2`: they obey a loyal commander.
#include <heddle/heddle.h>

#include <optional>

namespace {

using namespace heddle;

enum class Command { retreat, attack };

struct Order {
  Command command;
  bool betray;  // not part of the protocol: whether the receiver turns traitor
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
    require(!traitor && !decision && told.size() == relays.size());
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

const Register oral_messages({
    .name = "oral_messages",
    .summary = "Byzantine agreement by oral messages, OM(1)",
    .parameters = {{"lieutenants", 3, 3, 8, "lieutenants"},
                   {"traitors", 1, 0, 3, "traitors at most, the commander or lieutenants"}},
    .bugs = {{"too_many_traitors", "IC2", {{"traitors", "2"}}, "OM(1) tolerates one traitor only"},
             {"trust_commander", "IC1", {}, "lieutenants decide what the commander said to them, whatever they hear"}},
    .expected = {{{}, 2989, 9298, 16, "own unreduced search; a separate prototype in Python agrees"},
                 {{{"traitors", "0"}}, 283, 818, 2, "own unreduced search"}},
    .build =
        [](Model& m) {
          m.add<Commander>();
          m.add<Lieutenant>(static_cast<std::size_t>(m.run()["lieutenants"]));
          m.always("IC1", [](const View& v) {
            std::optional<Command> common;
            for (const Lieutenant& l : v.all<Lieutenant>()) {
              if (common && l.decision && l.decision != common) return false;
              if (l.decision) common = l.decision;
            }
            return true;
          });
          m.always("IC2", [](const View& v) {
            for (const Commander& c : v.all<Commander>()) {
              for (const Lieutenant& l : v.all<Lieutenant>()) {
                if (c.loyal && l.decision && *l.decision != c.command) return false;
              }
            }
            return true;
          });
        },
});

}  // namespace
