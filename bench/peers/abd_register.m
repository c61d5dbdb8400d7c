-- ABD multi-writer register in Murphi (Rumur): C clients, S servers. Each client writes once (its own number); clients 1
-- .. R then read once. A client coordinates its own operations. An operation is two phases, each a request to all servers
-- and one atomic quorum step that consumes replies of exactly a majority of distinct servers. Phases are numbered 1..4
-- (query and store of the write, query and store of the read); a reply carries its phase, so stale replies are never used
-- and stay in the network for ever. run_peers.sh rewrites C, S and R; S is 2 .. 5.
--
-- Expected distinct states / transitions / deadlocks: see README.md; (C,S,R) = (2,2,2) has 1215 / 2664 / 6.
--
-- Encoding. A timestamp (counter, client) is one number in lexicographic order: 0 for the initial one, else
-- (counter - 1) * C + client. There are C writes, each adding one to a counter it saw, so counters are at most C. The
-- stored value is the writer's number, hence a function of the timestamp, and travels with it for free.
-- For a client, phase and server there is one request in a run, and its reply exists only once the request is consumed. So
-- the network, a multiset in the protocol, is one slot per client, phase and server:
--   phases 1, 3:  0 nothing, 1 query,  2 + ts reply(ts)        phases 2, 4:  0 nothing, 1 ack,  2 + ts store(ts)
-- The client remembers its program counter and the value its read returns, nothing else.

const
  C: 2;
  S: 3;
  R: 2;
  MAJORITY: S / 2 + 1;
  LAST: C * C;  -- the largest timestamp

type
  Client: 1 .. C;
  Server: 0 .. S - 1;
  Phase: 1 .. 4;
  Timestamp: 0 .. LAST;
  Operation: 0 .. 1;  -- the write has phases 1 and 2, the read has phases 3 and 4
  -- The members of a majority in ascending order; a majority of two ignores the third, which then has one value.
  First: 0 .. S - MAJORITY;
  Second: 1 .. S - MAJORITY + 1;
  Third: 2 .. 2 + (MAJORITY - 2) * (S - 3);

var
  pc: array [Client] of 0 .. 6;  -- 0 idle, 1 query, 2 store, 3 write done, 4 query, 5 store, 6 read done
  result: array [Client] of 0 .. C;  -- the value read: a client's number or 0
  net: array [Client] of array [Phase] of array [Server] of 0 .. 2 + LAST;
  server: array [Server] of Timestamp;

startstate begin
  for c: Client do
    pc[c] := 0;
    result[c] := 0;
    for f: Phase do
      for s: Server do
        net[c][f][s] := 0;
      end;
    end;
  end;
  for s: Server do
    server[s] := 0;
  end;
end;

ruleset c: Client; op: Operation do

  rule "start" pc[c] = 3 * op & (op = 0 | c <= R) ==>
  begin
    pc[c] := 3 * op + 1;
    for s: Server do
      net[c][2 * op + 1][s] := 1;
    end;
  end;

  ruleset s: Server do

    rule "reply" net[c][2 * op + 1][s] = 1 ==>
    begin
      net[c][2 * op + 1][s] := 2 + server[s];
    end;

    rule "ack" net[c][2 * op + 2][s] > 1 ==>
    begin
      if net[c][2 * op + 2][s] - 2 > server[s] then
        server[s] := net[c][2 * op + 2][s] - 2;
      end;
      net[c][2 * op + 2][s] := 1;
    end;

  end;

  ruleset x: First; y: Second; z: Third do

    rule "query quorum"
      x < y & (MAJORITY = 2 | y < z) & pc[c] = 3 * op + 1 &
      net[c][2 * op + 1][x] > 1 & net[c][2 * op + 1][y] > 1 & (MAJORITY = 2 | net[c][2 * op + 1][z] > 1) ==>
    var
      top: 0 .. 2 + LAST;
    begin
      top := net[c][2 * op + 1][x];
      if net[c][2 * op + 1][y] > top then
        top := net[c][2 * op + 1][y];
      end;
      net[c][2 * op + 1][x] := 0;
      net[c][2 * op + 1][y] := 0;
      if MAJORITY = 3 then
        if net[c][2 * op + 1][z] > top then
          top := net[c][2 * op + 1][z];
        end;
        net[c][2 * op + 1][z] := 0;
      end;
      if op = 0 then
        top := 2 + (top - 2 + C - 1) / C * C + c;
      elsif top > 2 then
        result[c] := (top - 3) % C + 1;
      end;
      for s: Server do
        net[c][2 * op + 2][s] := top;
      end;
      pc[c] := 3 * op + 2;
    end;

    rule "ack quorum"
      x < y & (MAJORITY = 2 | y < z) & pc[c] = 3 * op + 2 &
      net[c][2 * op + 2][x] = 1 & net[c][2 * op + 2][y] = 1 & (MAJORITY = 2 | net[c][2 * op + 2][z] = 1) ==>
    begin
      net[c][2 * op + 2][x] := 0;
      net[c][2 * op + 2][y] := 0;
      if MAJORITY = 3 then
        net[c][2 * op + 2][z] := 0;
      end;
      pc[c] := 3 * op + 3;
    end;

  end;

end;

invariant "a read after the client's own write never returns the initial value"
  forall c: Client do pc[c] = 6 -> result[c] != 0 end;
