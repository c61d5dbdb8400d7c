// Echo multicast (Reiter: Secure Agreement Protocols, 1994), as in Bokor's thesis: an initiator sends a content
// to all receivers and commits it once more than two thirds of them echoed it. Receivers deliver what was
// committed. A receiver echoes only one content of an initiator, so two contents cannot both be committed.
//
// Granularity: sending to all is one step; committing consumes all echoes it needs at once. Byzantine processes
// follow a script: an initiator sends one content to half of the honest receivers, another to the rest, and
// commits what it can. Byzantine receivers echo both to it, and something invalid to honest initiators.
// `agreement`: no two honest receivers deliver different contents of one initiator.
#include <heddle/heddle.h>

#include <map>
#include <set>
#include <string>

namespace {

using namespace heddle;

enum class Content { none, first, second, invalid };

struct Initial {
  Content content;
};
struct Conspire {};  // from Byzantine initiators to Byzantine receivers
struct Echo {
  Content content;
};
struct Commit {
  Content content;
};
struct Receiver;

struct TwoThirds {
  static std::size_t size(std::size_t receivers, const Run& run) {
    return run.bug("majority_echoes") ? Majority::size(receivers) : (2 * receivers + 3) / 3;
  }
};
using Echoes = Quorum<Echo, Receiver, TwoThirds>;

Content common_content(const Echoes& echoes) {
  for (const auto& e : echoes) require(e->content == echoes.front()->content);
  return echoes.front()->content;
}

struct Initiator {
  enum class Phase { idle, waiting, done };
  Phase phase = Phase::idle;

  void init(ToAll<Receiver, Initial> out) {
    require(phase == Phase::idle);
    phase = Phase::waiting;
    out.send({Content::first});
  }
  void commit(const Echoes& echoes, ToAll<Receiver, Commit> out) {
    require(phase == Phase::waiting && common_content(echoes) == Content::first);
    phase = Phase::done;
    out.send({Content::first});
  }
  static constexpr auto transitions = heddle::transitions<&Initiator::init, &Initiator::commit>;
};

struct ByzantineInitiator {
  using role = Initiator;
  IdSet<Receiver> first_half, accomplices;
  bool sent = false;
  std::set<Content> committed;

  Content content_for(Id<Receiver> r) const { return first_half.contains(r) ? Content::first : Content::second; }
  void init(const Run& run, To<Receiver, Initial> out, To<Receiver, Conspire> conspire) {
    require(!sent);
    sent = true;
    for (std::size_t i = 0; i < run.count<Receiver>(); ++i) {
      const auto r = Model::id<Receiver>(i);
      if (accomplices.contains(r)) {
        conspire.send(r, {});
      } else {
        out.send(r, {content_for(r)});
      }
    }
  }
  void commit(const Echoes& echoes, const Run& run, To<Receiver, Commit> out) {
    const Content content = common_content(echoes);
    require(committed.insert(content).second);
    for (std::size_t i = 0; i < run.count<Receiver>(); ++i) {
      const auto r = Model::id<Receiver>(i);
      if (!accomplices.contains(r) && content_for(r) == content) out.send(r, {content});
    }
  }
  static constexpr auto transitions = heddle::transitions<&ByzantineInitiator::init, &ByzantineInitiator::commit>;
};

struct Receiver {
  Per<Initiator, Content> echoed, delivered;

  void echo(const From<Initial, Initiator>& m, const Run& run, Reply<Echo> out) {
    require(echoed[m.sender] == Content::none);
    echoed[m.sender] = m->content;
    if (run.bug("deliver_at_once")) delivered[m.sender] = m->content;
    out.send({m->content});
  }
  void deliver(const From<Commit, Initiator>& m) {
    require(delivered[m.sender] == Content::none);
    delivered[m.sender] = m->content;
  }
  static constexpr auto transitions = heddle::transitions<&Receiver::echo, &Receiver::deliver>;
};

struct ByzantineReceiver {
  using role = Receiver;
  void mislead(const Initial&, Reply<Echo> out) { out.send({Content::invalid}); }
  void conspire(const Conspire&, Reply<Echo> out) {
    out.send({Content::first});
    out.send({Content::second});
  }
  static constexpr auto transitions = heddle::transitions<&ByzantineReceiver::mislead, &ByzantineReceiver::conspire>;
};

bool agreement(const View& v) {
  auto initiators = v.ids<Initiator>();
  for (const auto& byzantine : v.ids<ByzantineInitiator>()) initiators.push_back(byzantine);
  const auto receivers = v.all<Receiver>();
  for (const auto& i : initiators) {
    Content common = Content::none;
    for (const Receiver& r : receivers) {
      const Content delivered = r.delivered[i];
      if (delivered != Content::none && common != Content::none && delivered != common) return false;
      if (delivered != Content::none) common = delivered;
    }
  }
  return true;
}

Settings sizes(int hr, int hi, int br, int bi) {
  return {
      {"hr", std::to_string(hr)}, {"hi", std::to_string(hi)}, {"br", std::to_string(br)}, {"bi", std::to_string(bi)}};
}

const Register echo_multicast({
    .name = "echo_multicast",
    .summary = "echo multicast among honest and Byzantine receivers and initiators",
    .parameters = {{"hr", 3, 1, 8, "honest receivers"},
                   {"hi", 1, 0, 4, "honest initiators"},
                   {"br", 1, 0, 8, "Byzantine receivers"},
                   {"bi", 1, 0, 4, "Byzantine initiators"}},
    .bugs = {{"too_many_traitors", "agreement", sizes(2, 1, 2, 1), "as many Byzantine receivers as honest ones"},
             {"majority_echoes", "agreement", sizes(4, 0, 1, 1), "a simple majority of echoes is enough to commit"},
             {"deliver_at_once", "agreement", sizes(2, 0, 0, 1), "receivers do not wait for the commit"}},
    .expected = {{sizes(3, 1, 1, 0), 33, 67, 1, "own count"},
                 {sizes(4, 1, 1, 0), 65, 163, 1, "own count"},
                 {sizes(3, 0, 1, 1), 25, 47, 1, "own count"},
                 {sizes(2, 1, 0, 1), 45, 95, 1, "own count"},
                 {sizes(3, 1, 1, 1), 825, 3226, 1, "own count"},
                 {sizes(2, 1, 2, 1), 493, 1858, 1, "own count; 17 of them violate agreement"}},
    .build =
        [](Model& m) {
          const auto count = [&](const char* role) { return static_cast<std::size_t>(m.run()[role]); };
          const auto honest = m.add<Receiver>(count("hr"));
          const auto accomplices = m.add<ByzantineReceiver>(count("br"));
          m.add<Initiator>(count("hi"));
          ByzantineInitiator byzantine;
          for (std::size_t i = 0; i < honest.size() / 2; ++i) byzantine.first_half.insert(honest[i]);
          for (const auto& a : accomplices) byzantine.accomplices.insert(a);
          m.add<ByzantineInitiator>(count("bi"), [&](std::size_t) { return byzantine; });
          // A receiver that has echoed a content of an initiator never echoes for that initiator again.
          if (!m.run().bug("deliver_at_once")) {
            m.annotate<&Receiver::echo>(reads<&Receiver::echoed>, writes<&Receiver::echoed>, raises<&Receiver::echoed>,
                                        hindered_by<&Receiver::echoed>, invisible);
          }
          m.annotate<&Receiver::deliver>(reads<&Receiver::delivered>, writes<&Receiver::delivered>);
          m.annotate<&ByzantineReceiver::mislead>(reads<>, writes<>);
          m.annotate<&ByzantineReceiver::conspire>(reads<>, writes<>);
          m.always("agreement", agreement);
        },
});

}  // namespace
