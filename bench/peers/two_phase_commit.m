-- Two-phase commit in Murphi (Rumur), at the granularity of Lamport's TwoPhase: the network is a set of messages to which
-- messages are only ever added, so a message is one bit. RMS is the number of resource managers; run_peers.sh rewrites it.
--
-- Expected distinct states: RMS=3: 288, RMS=5: 8832, RMS=8: 1745408, RMS=9: 10340352, RMS=10: 61515776.
--
-- Sets are numbers used as bit masks: Rumur keeps a spare value per variable for "undefined", so a set of N flags costs
-- N + 1 bits as a mask but 2 N bits as an array of boolean. A resource manager is two bits: working = neither,
-- prepared = yes, committed = yes and done, aborted = done only. (The ranges are written out because Rumur 2022.08.20
-- rejects bitwise operators on variables of a named range type.)
-- Like the original, receiving a message twice is a step (a self-loop); it counts as a fired rule.

const
  RMS: 3;
  ALL: (1 << RMS) - 1;

type
  Rm: 0 .. RMS - 1;

var
  yes: 0 .. ALL;           -- resource managers that are prepared or committed
  done: 0 .. ALL;          -- resource managers that are committed or aborted
  tm_prepared: 0 .. ALL;   -- the transaction manager's set of prepared resource managers
  msg_prepared: 0 .. ALL;  -- messages Prepared(rm)
  msg_commit: boolean;     -- message Commit
  msg_abort: boolean;      -- message Abort
  tm: enum { undecided, tm_committed, tm_aborted };

startstate begin
  yes := 0;
  done := 0;
  tm_prepared := 0;
  msg_prepared := 0;
  msg_commit := false;
  msg_abort := false;
  tm := undecided;
end;

rule "TMCommit" tm = undecided & tm_prepared = ALL ==>
begin
  tm := tm_committed;
  msg_commit := true;
end;

rule "TMAbort" tm = undecided ==>
begin
  tm := tm_aborted;
  msg_abort := true;
end;

ruleset r: Rm do

  rule "TMRcvPrepared" tm = undecided & ((msg_prepared >> r) & 1) = 1 ==>
  begin
    tm_prepared := tm_prepared | (1 << r);
  end;

  rule "RMPrepare" (((yes | done) >> r) & 1) = 0 ==>
  begin
    yes := yes | (1 << r);
    msg_prepared := msg_prepared | (1 << r);
  end;

  rule "RMChooseToAbort" (((yes | done) >> r) & 1) = 0 ==>
  begin
    done := done | (1 << r);
  end;

  rule "RMRcvCommit" msg_commit ==>
  begin
    yes := yes | (1 << r);
    done := done | (1 << r);
  end;

  rule "RMRcvAbort" msg_abort ==>
  begin
    yes := yes & (ALL - (1 << r));
    done := done | (1 << r);
  end;

end;

invariant "consistent: no committed together with aborted"
  (done & yes) = 0 | (done & yes) = done;
