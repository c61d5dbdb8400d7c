// Single-decree Paxos (Lamport: The Part-Time Parliament, 1998), as in Bokor's thesis (TU Darmstadt, 2011):
// proposers, acceptors and learners are separate processes. A proposer proposes once, with its own ballot and its
// own value.
//
// With numbers=dynamic a proposer has no fixed ballot: when it starts, it takes any that is unused (a ghost
// variable knows), so proposers are symmetric. They are then in the processes of the first acceptors, as in table
// 3.2 of the thesis.
//
// Granularity: with messages=quorum one step consumes a whole majority of answers; with messages=single answers
// are taken one by one into a buffer, until it holds a majority. Messages that nobody needs stay where they are.
// `agreement`: learners learn at most one value. `chosen` (where there are no learners): in the whole run, at most
// one value is accepted by a majority under one ballot. `validity`: it is the value of a proposer, equal to its ballot.
#include <heddle/heddle.h>
#include <heddle/qtree.h>

#include <algorithm>
#include <compare>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

namespace {

using namespace heddle;

struct Proposal {
  int ballot = 0, value = 0;
  auto operator<=>(const Proposal&) const = default;
};
struct Prepare {
  int ballot;
};
struct Promise {
  int ballot;
  std::optional<Proposal> accepted;
};
struct Accept {
  Proposal proposal;
};
struct Accepted {
  Proposal proposal;
};
struct Learner;

struct Acceptor {
  int promised = 0;
  std::optional<Proposal> accepted;  // with the highest ballot so far
  std::set<Proposal> ever;           // all it has accepted; adds no states, since its inbox tells as much

  void promise(const Prepare& p, Reply<Promise> out) {
    require(p.ballot > promised);
    promised = p.ballot;
    out.send({p.ballot, accepted});
  }
  // Does not raise `promised`: bug last_accepted of the thesis needs an acceptor that goes back to a lower ballot.
  void accept(const Accept& a, const Run& run, ToAll<Learner, Accepted> out) {
    require(a.proposal.ballot >= promised || run.bug("accept_always"));
    accepted = run.bug("last_accepted") ? a.proposal : std::max(accepted, std::optional(a.proposal));
    ever.insert(a.proposal);
    out.send({a.proposal});
  }
  static constexpr auto transitions = heddle::transitions<&Acceptor::promise, &Acceptor::accept>;
};

struct Proposer {
  enum class Phase { idle, preparing, done };
  int ballot = 0;
  Phase phase = Phase::idle;

  void prepare(ToAll<Acceptor, Prepare> out) {
    require(phase == Phase::idle);
    phase = Phase::preparing;
    out.send({ballot});
  }
  void propose(const Quorum<Promise, Acceptor>& promises, ToAll<Acceptor, Accept> out) {
    require(phase == Phase::preparing);
    std::optional<Proposal> highest;
    for (const auto& p : promises) highest = std::max(highest, p->accepted);
    finish(highest, out);
  }
  void finish(const std::optional<Proposal>& highest, ToAll<Acceptor, Accept> out) {
    phase = Phase::done;
    out.send({{ballot, highest ? highest->value : ballot}});
  }
  static constexpr auto transitions = heddle::transitions<&Proposer::prepare, &Proposer::propose>;
};

struct ChoosingProposer {
  using role = Proposer;
  Proposer proposer = {};

  void prepare(const Run& run, Choice choose, Ghost<std::set<int>>& used, ToAll<Acceptor, Prepare> out) {
    proposer.ballot = static_cast<int>(choose(static_cast<std::uint32_t>(run.count<Proposer>()))) + 1;
    require(used->insert(proposer.ballot).second);
    proposer.prepare(out);
  }
  void propose(const Quorum<Promise, Acceptor>& promises, ToAll<Acceptor, Accept> out) {
    proposer.propose(promises, out);
  }
  static constexpr auto transitions = heddle::transitions<&ChoosingProposer::prepare, &ChoosingProposer::propose>;
};

struct Learner {
  std::set<int> learned;

  void learn(const Quorum<Accepted, Acceptor>& votes, const Run& run) {
    for (const auto& vote : votes) {
      require(vote->proposal == votes.front()->proposal || run.bug("learner_ignores_agreement"));
      learned.insert(vote->proposal.value);
    }
  }
  static constexpr auto transitions = heddle::transitions<&Learner::learn>;
};

struct BufferingProposer {
  using role = Proposer;
  Proposer proposer;
  IdSet<Acceptor> promised = {};
  std::optional<Proposal> highest = {};

  void prepare(ToAll<Acceptor, Prepare> out) { proposer.prepare(out); }
  void collect(const From<Promise, Acceptor>& p, const Run& run, ToAll<Acceptor, Accept> out) {
    require(proposer.phase == Proposer::Phase::preparing);
    promised.insert(p.sender);
    highest = std::max(highest, p->accepted);
    if (promised.size() == Majority::size(run.count<Acceptor>())) proposer.finish(highest, out);
  }
  static constexpr auto transitions = heddle::transitions<&BufferingProposer::prepare, &BufferingProposer::collect>;
};

struct BufferingLearner {
  using role = Learner;
  Learner learner;
  std::map<Proposal, IdSet<Acceptor>> votes;

  // A majority is forgotten once it is learned, just as the quorum step consumes it.
  void collect(const From<Accepted, Acceptor>& vote, const Run& run) {
    const Proposal key = run.bug("learner_ignores_agreement") ? Proposal{} : vote->proposal;
    votes[key].insert(vote.sender);
    if (votes[key].size() < Majority::size(run.count<Acceptor>())) return;
    votes.erase(key);
    learner.learned.insert(vote->proposal.value);
  }
  static constexpr auto transitions = heddle::transitions<&BufferingLearner::collect>;
};

bool agreement(const View& v) {
  std::set<int> learned;
  for (const Learner& l : v.all<Learner>()) learned.insert(l.learned.begin(), l.learned.end());
  for (const BufferingLearner& l : v.all<BufferingLearner>()) {
    learned.insert(l.learner.learned.begin(), l.learner.learned.end());
  }
  return learned.size() <= 1;
}

bool chosen(const View& v) {
  const std::size_t enough = v.run().bug("wrong_safety") ? 1 : Majority::size(v.run().count<Acceptor>());
  std::map<Proposal, std::size_t> acceptances;
  for (const Acceptor& a : v.all<Acceptor>()) {
    for (const Proposal& p : a.ever) ++acceptances[p];
  }
  std::set<int> values;
  for (const auto& [proposal, count] : acceptances) {
    if (count >= enough) values.insert(proposal.value);
  }
  return values.size() <= 1;
}

bool proposed(int value, const Run& run) { return value >= 1 && value <= run["proposers"]; }
bool learned_is_valid(const View& v) {
  const auto valid = [&](const Learner& l) {
    return std::ranges::all_of(l.learned, [&](int value) { return proposed(value, v.run()); });
  };
  return std::ranges::all_of(v.all<Learner>(), valid) &&
         std::ranges::all_of(v.all<BufferingLearner>(), valid, &BufferingLearner::learner);
}
bool accepted_is_valid(const View& v) {
  return std::ranges::all_of(v.all<Acceptor>(), [&](const Acceptor& a) {
    return std::ranges::all_of(a.ever, [&](const Proposal& p) { return proposed(p.value, v.run()); });
  });
}

// The refinement of QTree: a proposal adds a round, a majority of acceptances commits it. Where there are
// learners, the step by which one learns is the linearization point; otherwise, the acceptance that completes the
// majority.
void annotate_for_qtree(Model& m) {
  QTree tree;
  for (long b = 1; b <= m.run()["proposers"]; ++b) tree.clients.push_back(b);
  // An acceptor that accepts does not raise its promise. So with its next promise it may report a proposal above
  // the promised ballot. That ballot has been overtaken and will never be chosen: it becomes a ghost beside the
  // proposal, with a common parent.
  const auto add = [](int ballot, const std::optional<Proposal>& highest, const QTree& now, QTreeCalls& calls) {
    Round parent{highest ? highest->ballot : 0};
    while (parent >= Round{ballot} && now.find(parent) != nullptr) parent = now.find(parent)->parent;
    calls.add(ballot, highest ? highest->value : ballot, parent);
  };
  const auto highest_of = [](const Quorum<Promise, Acceptor>& promises) {
    std::optional<Proposal> highest;
    for (const auto& p : promises) highest = std::max(highest, p->accepted);
    return highest;
  };
  auto qtree = m.refines<QTree>("qtree", tree);
  qtree.implies({m.run()["learners"] > 0 ? "agreement" : "chosen", "validity"});
  const auto acceptors = static_cast<std::size_t>(m.run()["acceptors"]);
  qtree.shares("P4", "promises and votes", {Majority::size(acceptors), Majority::size(acceptors)}, acceptors);
  qtree
      .at<&Proposer::propose>([=](const Proposer& p, const Quorum<Promise, Acceptor>& promises, const QTree& now,
                                  QTreeCalls& calls) { add(p.ballot, highest_of(promises), now, calls); })
      .at<&ChoosingProposer::propose>(
          [=](const ChoosingProposer& p, const Quorum<Promise, Acceptor>& promises, const QTree& now,
              QTreeCalls& calls) { add(p.proposer.ballot, highest_of(promises), now, calls); })
      .at<&BufferingProposer::collect>(
          [=](const BufferingProposer&, const BufferingProposer& after, const QTree& now, QTreeCalls& calls) {
            if (after.proposer.phase == Proposer::Phase::done) add(after.proposer.ballot, after.highest, now, calls);
          });
  const auto learn = [](const Proposal& p, QTreeCalls& calls) {
    calls.commit(p.ballot, Repeat::once);
    calls.decided(p.ballot, p.value);
  };
  if (m.run()["learners"] > 0) {
    qtree
        .at<&Learner::learn>([=](const Quorum<Accepted, Acceptor>& votes, QTreeCalls& calls) {
          std::set<Proposal> proposals;  // the order within a quorum is not a fact of the protocol
          for (const auto& vote : votes) proposals.insert(vote->proposal);
          for (const Proposal& p : proposals) learn(p, calls);
        })
        .at<&BufferingLearner::collect>([=](const BufferingLearner&, const BufferingLearner& after,
                                            const From<Accepted, Acceptor>& vote, const Run& run, QTreeCalls& calls) {
          const Proposal key = run.bug("learner_ignores_agreement") ? Proposal{} : vote->proposal;
          if (!after.votes.contains(key)) learn(vote->proposal, calls);
        });
  } else {
    qtree.at<&Acceptor::accept>([](const Accept& a, const View&, const View& after, QTreeCalls& calls) {
      std::size_t acceptances = 0;
      for (const Acceptor& acceptor : after.all<Acceptor>()) acceptances += acceptor.ever.count(a.proposal);
      if (acceptances >= Majority::size(after.run().count<Acceptor>())) calls.commit(a.proposal.ballot, Repeat::once);
    });
  }
}

const Register paxos({
    .name = "paxos",
    .summary = "single-decree Paxos",
    .parameters = {{"proposers", 2, 1, 8, "proposers, each with one ballot"},
                   {"acceptors", 3, 1, 9, "acceptors"},
                   {"learners", 1, 0, 8, "learners; 0: look at what acceptors accepted instead"},
                   {"messages", {"quorum", "single"}, "take in a majority of answers at once, or one by one"},
                   {"numbers", {"fixed", "dynamic"}, "each proposer its own ballot, or any unused one"}},
    .bugs =
        {{"accept_always", "agreement", {{"acceptors", "1"}}, "acceptors accept also what is below their promise"},
         {"wrong_safety", "chosen", {{"learners", "0"}}, "the property takes a single acceptance for a choice"},
         {"learner_ignores_agreement", "agreement", {}, "learners take a majority of votes for different proposals"},
         {"last_accepted",
          "chosen",
          {{"proposers", "3"}, {"learners", "0"}},
          "acceptors report the last proposal they accepted, not the highest; needs three proposers"}},
    .expected = {{{}, 15804, 39693, 1647, "own count"},
                 {{{"messages", "single"}}, 71385, 238371, 1647, "own count"},
                 {{{"proposers", "1"}}, 120, 220, 18, "own count"},
                 {{{"acceptors", "2"}}, 100, 164, 7, "own count"},
                 {{{"learners", "0"}}, 5241, 11742, 435, "own unreduced search"},
                 {{{"learners", "0"}, {"numbers", "dynamic"}}, 10481, 23484, 870, "own count"}},
    .build =
        [](Model& m) {
          const auto count = [&](const char* role) { return static_cast<std::size_t>(m.run()[role]); };
          const bool single = m.run().text("messages") == "single";
          const auto proposer = [](std::size_t i) { return Proposer{.ballot = static_cast<int>(i + 1)}; };
          const bool dynamic = m.run().text("numbers") == "dynamic";
          if (dynamic && single) throw std::invalid_argument("paxos: numbers=dynamic has messages=quorum only");
          if (dynamic) {
            m.ghost<std::set<int>>();
            m.add<ChoosingProposer>(count("proposers"));
          } else if (single) {
            m.add<BufferingProposer>(count("proposers"),
                                     [&](std::size_t i) { return BufferingProposer{.proposer = proposer(i)}; });
          } else {
            m.add<Proposer>(count("proposers"), proposer);
          }
          m.add<Acceptor>(count("acceptors"));
          for (std::size_t i = 0; dynamic && i < std::min(count("proposers"), count("acceptors")); ++i) {
            m.colocate(Model::id<Proposer>(i), Model::id<Acceptor>(i));
          }
          if (single) {
            m.add<BufferingLearner>(count("learners"));
          } else {
            m.add<Learner>(count("learners"));
          }
          // A promise only makes the guards of both steps of an acceptor harder to meet.
          m.annotate<&Acceptor::promise>(reads<&Acceptor::promised>, writes<&Acceptor::promised>,
                                         raises<&Acceptor::promised>, hindered_by<&Acceptor::promised>);
          m.annotate<&Acceptor::accept>(reads<&Acceptor::promised>, writes<&Acceptor::accepted, &Acceptor::ever>,
                                        hindered_by<&Acceptor::promised>);
          m.annotate<&Learner::learn>(reads<>, writes<&Learner::learned>);
          annotate_for_qtree(m);
          if (count("learners") > 0) {
            m.always("agreement", agreement);
            m.always("validity", learned_is_valid);
          } else {
            m.always("chosen", chosen);
            m.always("validity", accepted_is_valid);
          }
        },
});

}  // namespace
