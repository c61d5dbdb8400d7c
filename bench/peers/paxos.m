-- Paxos(P,A,L) in Murphi (Rumur): single-decree Paxos with P proposers (one proposal each, ballot and value = proposer's
-- number), A acceptors and L learners; quorum steps are atomic and consume one message from each of exactly a majority of
-- distinct acceptors; messages that nobody consumes stay in the network for ever. An acceptance does not raise `promised`.
-- run_peers.sh rewrites P, A and L; A is 2 .. 5.
--
-- Expected distinct states / transitions / deadlocks: see README.md; Paxos(2,3,1) has 15804 / 39693 / 1647.
--
-- Encoding. The network is a multiset in the protocol, but every message is sent at most once in a run: a proposer prepares
-- once and proposes once, and an acceptor answers each consumed message once. A promise exists only once its prepare is
-- consumed, and the accepted messages only once their accept is consumed, so each proposer and acceptor share two slots:
--   phase1:  0 nothing, 1 prepare, 2 + m a promise that reports accepted proposal m (0: none)
--   phase2:  ACCEPT an accept message, else the set of learners with an accepted message on its way to them
-- All messages of proposal p, and acceptors, carry the one value that p proposed, which is therefore written once, in
-- value[p]. This loses nothing and invents nothing: a majority is less than A for A >= 3, so some accept or accepted message
-- of p remains for ever once p has proposed, and value[p] is a function of the protocol's state. (A = 2 is outside that
-- argument, but Paxos(2,2,1) has the same 100 states in both.)

const
  P: 2;
  A: 3;
  L: 1;
  MAJORITY: A / 2 + 1;
  ACCEPT: 1 << L;

type
  Proposer: 1 .. P;
  Acceptor: 0 .. A - 1;
  Learner: 0 .. L - 1;
  Number: 0 .. P;
  -- The members of a majority in ascending order; a majority of two ignores the third, which then has one value.
  First: 0 .. A - MAJORITY;
  Second: 1 .. A - MAJORITY + 1;
  Third: 2 .. 2 + (MAJORITY - 2) * (A - 3);

var
  pc: array [Proposer] of 0 .. 2;  -- 0 idle, 1 has sent prepare, 2 has sent accept
  value: array [Proposer] of Number;  -- 0 until proposed
  phase1: array [Proposer] of array [Acceptor] of 0 .. P + 2;
  phase2: array [Proposer] of array [Acceptor] of 0 .. ACCEPT;
  promised: array [Acceptor] of Number;
  accepted: array [Acceptor] of Number;
  learned: array [Learner] of 0 .. (1 << P) - 1;  -- bit v - 1 for value v

startstate begin
  for p: Proposer do
    pc[p] := 0;
    value[p] := 0;
    for a: Acceptor do
      phase1[p][a] := 0;
      phase2[p][a] := 0;
    end;
  end;
  for a: Acceptor do
    promised[a] := 0;
    accepted[a] := 0;
  end;
  for l: Learner do
    learned[l] := 0;
  end;
end;

ruleset p: Proposer do

  rule "P1a" pc[p] = 0 ==>
  begin
    pc[p] := 1;
    for a: Acceptor do
      phase1[p][a] := 1;
    end;
  end;

  ruleset a: Acceptor do

    rule "P1b" phase1[p][a] = 1 & p > promised[a] ==>
    begin
      promised[a] := p;
      phase1[p][a] := 2 + accepted[a];
    end;

    rule "P2b" phase2[p][a] = ACCEPT & p >= promised[a] ==>
    begin
      if p > accepted[a] then
        accepted[a] := p;
      end;
      phase2[p][a] := ACCEPT - 1;
    end;

  end;

  ruleset x: First; y: Second; z: Third do

    rule "P2a"
      x < y & (MAJORITY = 2 | y < z) &
      pc[p] = 1 & phase1[p][x] > 1 & phase1[p][y] > 1 & (MAJORITY = 2 | phase1[p][z] > 1) ==>
    var
      top: 0 .. P + 2;
    begin
      top := phase1[p][x];
      if phase1[p][y] > top then
        top := phase1[p][y];
      end;
      phase1[p][x] := 0;
      phase1[p][y] := 0;
      if MAJORITY = 3 then
        if phase1[p][z] > top then
          top := phase1[p][z];
        end;
        phase1[p][z] := 0;
      end;
      if top > 2 then
        value[p] := value[top - 2];
      else
        value[p] := p;
      end;
      pc[p] := 2;
      for a: Acceptor do
        phase2[p][a] := ACCEPT;
      end;
    end;

    ruleset l: Learner do
      rule "Learn"
        x < y & (MAJORITY = 2 | y < z) &
        ((phase2[p][x] >> l) & 1) = 1 & ((phase2[p][y] >> l) & 1) = 1 & (MAJORITY = 2 | ((phase2[p][z] >> l) & 1) = 1) ==>
      begin
        phase2[p][x] := phase2[p][x] - (1 << l);
        phase2[p][y] := phase2[p][y] - (1 << l);
        if MAJORITY = 3 then
          phase2[p][z] := phase2[p][z] - (1 << l);
        end;
        learned[l] := learned[l] | (1 << (value[p] - 1));
      end;
    end;

  end;

end;

invariant "agreement: at most one value is learned"
  forall l: Learner do forall k: Learner do
    learned[l] = 0 | learned[k] = 0 | (learned[l] = learned[k] & (learned[l] & (learned[l] - 1)) = 0)
  end end;
