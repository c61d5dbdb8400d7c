// Traces that the tests of report/ render, written by hand after runs of real protocols.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/trace.h"

namespace heddle::report::samples {

using trace::Operation;
using trace::Step;
using trace::Trace;

inline void add_lanes(Trace& trace, const std::string& role, const std::string& name, int count) {
  for (int i = 1; i <= count; ++i) {
    const std::string full = name + " " + std::to_string(i);
    trace.lanes.push_back({full, role, full});
  }
}

// A Step written as a chain: step(2, "promise").receives(...).changes(...).
struct StepBuilder : Step {
  StepBuilder& receives(std::uint32_t from, const std::string& type, const std::string& body) {
    received.push_back({type, from, lane, body});
    return *this;
  }
  StepBuilder& sends(const std::vector<std::uint32_t>& to, const std::string& type, const std::string& body) {
    for (const std::uint32_t receiver : to) sent.push_back({type, lane, receiver, body});
    return *this;
  }
  StepBuilder& changes(const std::string& field, const std::string& before, const std::string& after) {
    diffs.push_back({lane, field, before, after});
    return *this;
  }
  StepBuilder& invokes(const std::string& value) {
    operations.push_back({Operation::Kind::Invoke, lane, value});
    return *this;
  }
  StepBuilder& returns(const std::string& value) {
    operations.push_back({Operation::Kind::Return, lane, value});
    return *this;
  }
};

inline StepBuilder step(std::uint32_t lane, const std::string& name, const std::string& kind = "step") {
  StepBuilder builder;
  builder.lane = lane;
  builder.name = name;
  builder.kind = kind;
  return builder;
}

// Paxos whose second proposer ignores the value that a promise reports.
inline Trace paxos() {
  Trace trace;
  trace.model = "paxos";
  trace.parameters = {{"acceptors", "3"}, {"proposers", "2"}, {"learners", "1"}};
  trace.bug = "ignore-accepted";
  trace.options = {{"network", "unordered"}};
  add_lanes(trace, "Proposer", "proposer", 2);  // 0, 1
  add_lanes(trace, "Acceptor", "acceptor", 3);  // 2, 3, 4
  add_lanes(trace, "Learner", "learner", 1);    // 5
  trace.lanes.push_back({"network", "", "network"});
  for (std::uint32_t acceptor = 2; acceptor <= 4; ++acceptor) {
    trace.initial.push_back({acceptor, "promised", "0"});
    trace.initial.push_back({acceptor, "accepted", "null"});
  }
  const std::string none = R"({"n":1,"accepted":null})";
  const std::string seven = R"({"n":2,"accepted":{"n":1,"v":7}})";
  trace.steps = {
      step(0, "start").changes("phase", "\"idle\"", "\"preparing\"").sends({2, 3, 4}, "Prepare", R"({"n":1})"),
      step(2, "promise").receives(0, "Prepare", R"({"n":1})").changes("promised", "0", "1").sends({0}, "Promise", none),
      step(3, "promise").receives(0, "Prepare", R"({"n":1})").changes("promised", "0", "1").sends({0}, "Promise", none),
      step(0, "propose")
          .receives(2, "Promise", none)
          .receives(3, "Promise", none)
          .changes("phase", "\"preparing\"", "\"proposed\"")
          .sends({2, 3, 4}, "Accept", R"({"n":1,"v":7})"),
      step(2, "accept")
          .receives(0, "Accept", R"({"n":1,"v":7})")
          .changes("accepted", "null", R"({"n":1,"v":7})")
          .sends({5}, "Accepted", R"({"n":1,"v":7})"),
      step(3, "accept")
          .receives(0, "Accept", R"({"n":1,"v":7})")
          .changes("accepted", "null", R"({"n":1,"v":7})")
          .sends({5}, "Accepted", R"({"n":1,"v":7})"),
      step(5, "learn")
          .receives(2, "Accepted", R"({"n":1,"v":7})")
          .receives(3, "Accepted", R"({"n":1,"v":7})")
          .changes("learned", "[]", "[7]"),
      step(1, "start").changes("phase", "\"idle\"", "\"preparing\"").sends({2, 3, 4}, "Prepare", R"({"n":2})"),
      step(3, "promise")
          .receives(1, "Prepare", R"({"n":2})")
          .changes("promised", "1", "2")
          .sends({1}, "Promise", seven),
      step(4, "promise").receives(1, "Prepare", R"({"n":2})").changes("promised", "0", "2").sends({1}, "Promise", none),
      step(1, "propose")
          .receives(3, "Promise", seven)
          .receives(4, "Promise", none)
          .changes("phase", "\"preparing\"", "\"proposed\"")
          .sends({2, 3, 4}, "Accept", R"({"n":2,"v":9})"),
      step(3, "accept")
          .receives(1, "Accept", R"({"n":2,"v":9})")
          .changes("accepted", R"({"n":1,"v":7})", R"({"n":2,"v":9})")
          .sends({5}, "Accepted", R"({"n":2,"v":9})"),
      step(4, "accept")
          .receives(1, "Accept", R"({"n":2,"v":9})")
          .changes("accepted", "null", R"({"n":2,"v":9})")
          .sends({5}, "Accepted", R"({"n":2,"v":9})"),
      step(5, "learn")
          .receives(3, "Accepted", R"({"n":2,"v":9})")
          .receives(4, "Accepted", R"({"n":2,"v":9})")
          .changes("learned", "[7]", "[7,9]"),
  };
  trace.final = {{5, "learned", "[7,9]"}};
  trace.verdict = "violated";
  trace.property = "agreement";
  trace.explanation = {{5, "learned", "[7,9]"}};
  return trace;
}

// Two-phase commit in which the coordinator crashes between its two decisions and comes back with the wrong one.
inline Trace crashes() {
  Trace trace;
  trace.model = "two_phase_commit";
  trace.parameters = {{"participants", "2"}};
  trace.options = {{"crashes", "1"}, {"losses", "1"}, {"network", "lossy"}};
  trace.lanes.push_back({"coordinator", "Coordinator", "node 1"});
  trace.lanes.push_back({"log", "Log", "node 1"});
  add_lanes(trace, "Participant", "participant", 2);  // 2, 3
  Step to_log = step(0, "decide").receives(2, "Vote", R"({"yes":true})").receives(3, "Vote", R"({"yes":true})");
  to_log.diffs.push_back({1, "decision", "null", "\"commit\""});
  to_log.sent = {{"Commit", 0, 2, "{}"}, {"Commit", 0, 3, "{}"}};
  trace.steps = {
      step(0, "begin").sends({2, 3}, "Request", "{}"),
      step(2, "vote")
          .receives(0, "Request", "{}")
          .changes("state", "\"working\"", "\"prepared\"")
          .sends({0}, "Vote", R"({"yes":true})"),
      step(3, "vote")
          .receives(0, "Request", "{}")
          .changes("state", "\"working\"", "\"prepared\"")
          .sends({0}, "Vote", R"({"yes":true})"),
      to_log,
      step(2, "commit").receives(0, "Commit", "{}").changes("state", "\"prepared\"", "\"committed\""),
      step(3, "lose", "lose").receives(0, "Commit", "{}"),
      step(0, "crash", "crash").changes("phase", "\"decided\"", "\"down\""),
      step(3, "give up", "timeout").sends({0}, "Ask", "{}"),
      step(0, "restart", "recover").changes("phase", "\"down\"", "\"idle\""),
      step(0, "answer").receives(3, "Ask", "{}").sends({3}, "Abort", "{}"),
      step(3, "abort").receives(0, "Abort", "{}").changes("state", "\"prepared\"", "\"aborted\""),
  };
  trace.verdict = "violated";
  trace.property = "atomicity";
  trace.explanation = {{2, "state", "\"committed\""}, {3, "state", "\"aborted\""}};
  return trace;
}

// A register of which a read returns an old value.
inline Trace operations() {
  Trace trace;
  trace.model = "register";
  trace.parameters = {{"clients", "2"}, {"replicas", "2"}};
  add_lanes(trace, "Client", "client", 2);    // 0, 1
  add_lanes(trace, "Replica", "replica", 2);  // 2, 3
  Step chosen = step(1, "read").invokes(R"({"op":"read"})").sends({3}, "Read", "{}");
  chosen.choice = "[\"replica 2\"]";
  trace.steps = {
      step(0, "write").invokes(R"({"op":"write","value":1})").sends({2, 3}, "Write", R"({"value":1,"stamp":1})"),
      step(2, "store")
          .receives(0, "Write", R"({"value":1,"stamp":1})")
          .changes("value", "0", "1")
          .changes("stamp", "0", "1")
          .sends({0}, "Ack", "{}"),
      step(0, "done").receives(2, "Ack", "{}").returns("\"ok\""),
      chosen,
      step(3, "load").receives(1, "Read", "{}").sends({1}, "Value", R"({"value":0})"),
      step(1, "answer").receives(3, "Value", R"({"value":0})").returns("0"),
  };
  trace.verdict = "violated";
  trace.property = "linearizable";
  trace.explanation = {{1, "history", R"([["write",1],["ok"],["read"],0])"}};
  return trace;
}

// Two leaders of a protocol without quorums, beside the Quorum Tree it does not refine.
inline Trace refinement() {
  Trace trace;
  trace.model = "careless";
  add_lanes(trace, "Leader", "leader", 2);
  trace.lanes.push_back({"network", "", "network"});
  trace.lanes.push_back({"qtree", "", "qtree"});
  const std::string one = R"([{"round":"1","value":7,"parent":"0","status":"ADDED"}])";
  const std::string two =
      R"([{"round":"1","value":7,"parent":"0","status":"GHOST"},{"round":"2","value":8,"parent":"0","status":"ADDED"}])";
  trace.initial = {{3, "qtree", "[]"}};
  StepBuilder first = step(0, "propose"), second = step(1, "propose"), third = step(0, "decide");
  first.calls = {{"qtree", "add(1, 7, 0)", "accepted"}};
  first.diffs = {{0, "value", "null", "7"}, {3, "qtree", "[]", one}};
  second.calls = {{"qtree", "add(1, 7, 0, once)", "stutter"}, {"qtree", "add(2, 8, 0)", "accepted"}};
  second.diffs = {{3, "qtree", one, two}};
  third.calls = {{"qtree", "commit(1)", "rejected"}};
  third.diffs = {{0, "decided", "false", "true"}};
  trace.steps = {first, second, third};
  trace.final = {{3, "qtree", two}};
  trace.verdict = "violated";
  trace.property = "refines qtree";
  trace.explanation = {{3, "rejected", "\"commit(1)\""},
                       {3, "clause", R"("not-ADDED")"},
                       {3, "property", R"("P4")"},
                       {3, "because", R"("round 1 is a ghost: the edge from 0 to 2 passes it by")"}};
  return trace;
}

// A ring of `nodes` processes in which a token is passed on `passes` times.
inline Trace ring(int nodes, int passes) {
  Trace trace;
  trace.model = "ring";
  trace.parameters = {{"nodes", std::to_string(nodes)}};
  add_lanes(trace, "Node", "node", nodes);
  const auto node = [&](int i) { return static_cast<std::uint32_t>(i % nodes); };
  const auto token = [](int hops) { return R"({"hops":)" + std::to_string(hops) + "}"; };
  for (int i = 0; i < passes; ++i) {
    StepBuilder pass = step(node(i), "pass");
    if (i > 0) pass.receives(node(i - 1), "Token", token(i));
    trace.steps.push_back(pass.changes("has_token", "true", "false").sends({node(i + 1)}, "Token", token(i + 1)));
  }
  trace.verdict = "holds";
  trace.property = "token_moves";
  trace.explanation = {{0, "has_token", "false"}};
  return trace;
}

}  // namespace heddle::report::samples
