/*
 * Paxos(P,A,L) in Promela: single-decree Paxos with P proposers (one proposal each, ballot and value = proposer's number),
 * A acceptors and L learners; quorum steps are atomic and consume one message from each of exactly a majority of distinct
 * acceptors; messages that nobody consumes stay in the network for ever. An acceptance does not raise `promised`.
 *
 *   spin -a -DP=2 -DA=3 -DL=1 paxos.pml
 *
 * Expected distinct states / transitions / deadlocks: see README.md; Paxos(2,3,1) has 15804 / 39693 / 1647.
 *
 * Encoding. The network is a multiset in the protocol, but every message below is sent at most once in a run: a proposer
 * prepares once and proposes once, and an acceptor answers each consumed message once. So its multiplicity is one bit:
 *   prepare(p) to a       bit a of prepare                promise(p, m) from a   W bits of promise: 0 none, 1 + m
 *   accept(p, v) to a     bit a of accept                 accepted(p, v) from a  bit a of accepted1 / accepted2 (learner)
 * A promise reports the number m of the accepted proposal, 0 for none. All messages of proposal p, and acceptors, carry the
 * one value that p proposed, which is therefore written once, in prop[p].value. This loses nothing and invents nothing:
 * a majority is more than A/2 and, for A >= 3, less than A, so some message accept(p, v) or accepted(p, v) remains in the
 * network for ever once p has proposed v, and `value` is a function of the protocol's state. (A = 2 is outside that argument, but
 * Paxos(2,2,1) has the same 100 states in both.)
 */
#ifndef P
#define P 2
#endif
#ifndef A
#define A 3
#endif
#ifndef L
#define L 1
#endif

/* Field widths; SPIN wants them as literals. W: bits for 0 .. P+1, AW: A * W, A2: A * 2. */
#if P > 2
#define W 3
#else
#define W 2
#endif
#if A == 2
#define A2 4
#elif A == 3
#define A2 6
#elif A == 4
#define A2 8
#elif A == 5
#define A2 10
#else
#error "paxos.pml is unrolled for A = 2 .. 5"
#endif
#if A * W == 4
#define AW 4
#elif A * W == 6
#define AW 6
#elif A * W == 8
#define AW 8
#elif A * W == 9
#define AW 9
#elif A * W == 10
#define AW 10
#elif A * W == 12
#define AW 12
#else
#define AW 15
#endif
#define SLOT ((1 << W) - 1)
#define ALL ((1 << A) - 1)

typedef Proposer {
  unsigned pc : 2;         /* 0 idle, 1 has sent prepare, 2 has sent accept */
  unsigned prepare : A;
  unsigned promise : AW;
  unsigned accept : A;
  unsigned value : 2;      /* 0 until proposed */
  unsigned accepted1 : A;
#if L > 1
  unsigned accepted2 : A;
#endif
}

Proposer prop[P];           /* proposer number p is prop[p-1] */
unsigned promised : A2; /* two bits per acceptor: a proposer's number or 0 */
unsigned accepted : A2;
unsigned learned1 : 4;   /* set of values 1 .. P */
#if L > 1
unsigned learned2 : 4;
#endif
hidden byte top;            /* scratch, not in the state: the highest slot of a quorum of promises */

#define PROMISED(a) ((promised >> (2 * a)) & 3)
#define ACCEPTED(a) ((accepted >> (2 * a)) & 3)
#define PROMISE(p, a) ((prop[p-1].promise >> (W * a)) & SLOT)

#define PREPARE_ALL(p) \
  :: d_step { prop[p-1].pc == 0 -> prop[p-1].pc = 1; prop[p-1].prepare = ALL; }

#define PROMISE_STEP(p, a) \
  :: d_step { (prop[p-1].prepare & (1 << a)) && p > PROMISED(a) -> \
      prop[p-1].prepare = prop[p-1].prepare & ~(1 << a); \
      promised = (promised & ~(3 << (2 * a))) | (p << (2 * a)); \
      prop[p-1].promise = prop[p-1].promise | ((1 + ACCEPTED(a)) << (W * a)); }

#define PROPOSE(p, set) \
      prop[p-1].promise = prop[p-1].promise & ~(set); \
      prop[p-1].pc = 2; \
      prop[p-1].accept = ALL; \
      prop[p-1].value = (top > 1 -> prop[top-2].value : p); \
      top = 0; }

#define MAX2(x, y) ((x) > (y) -> (x) : (y))

#define ACCEPT_STEP(p, a) \
  :: d_step { (prop[p-1].accept & (1 << a)) && p >= PROMISED(a) -> \
      prop[p-1].accept = prop[p-1].accept & ~(1 << a); \
      accepted = (p > ACCEPTED(a) -> (accepted & ~(3 << (2 * a))) | (p << (2 * a)) : accepted); \
      prop[p-1].accepted1 = prop[p-1].accepted1 | (1 << a); \
      ACCEPTED_TO_2(p, a) }

#if L > 1
#define ACCEPTED_TO_2(p, a) prop[p-1].accepted2 = prop[p-1].accepted2 | (1 << a);
#define LEARNED (learned1 | learned2)
#else
#define ACCEPTED_TO_2(p, a)
#define LEARNED learned1
#endif

#define LEARN(p, box, learned, set) \
  :: d_step { (prop[p-1].box & (set)) == (set) -> \
      prop[p-1].box = prop[p-1].box & ~(set); \
      learned = learned | (1 << prop[p-1].value); \
      assert(!(LEARNED & (LEARNED - 1))); }  /* agreement: at most one value is learned */

#if L > 1
#define LEARN_ANY(p, set) LEARN(p, accepted1, learned1, set) LEARN(p, accepted2, learned2, set)
#else
#define LEARN_ANY(p, set) LEARN(p, accepted1, learned1, set)
#endif

/* the steps of proposer p and of the learners that need the majority {a,b} or {a,b,c} */
#define QUORUM2(p, a, b) \
  :: d_step { prop[p-1].pc == 1 && PROMISE(p, a) && PROMISE(p, b) -> \
      top = MAX2(PROMISE(p, a), PROMISE(p, b)); \
      PROPOSE(p, (SLOT << (W * a)) | (SLOT << (W * b))) \
  LEARN_ANY(p, ((1 << a) | (1 << b)))

#define QUORUM3(p, a, b, c) \
  :: d_step { prop[p-1].pc == 1 && PROMISE(p, a) && PROMISE(p, b) && PROMISE(p, c) -> \
      top = MAX2(PROMISE(p, a), PROMISE(p, b)); \
      top = MAX2(top, PROMISE(p, c)); \
      PROPOSE(p, (SLOT << (W * a)) | (SLOT << (W * b)) | (SLOT << (W * c))) \
  LEARN_ANY(p, ((1 << a) | (1 << b) | (1 << c)))

#define TO(p, a) PROMISE_STEP(p, a) ACCEPT_STEP(p, a)

#if A == 2
#define STEPS(p) PREPARE_ALL(p) TO(p, 0) TO(p, 1) QUORUM2(p, 0, 1)
#elif A == 3
#define STEPS(p) PREPARE_ALL(p) TO(p, 0) TO(p, 1) TO(p, 2) QUORUM2(p, 0, 1) QUORUM2(p, 0, 2) QUORUM2(p, 1, 2)
#elif A == 4
#define STEPS(p) PREPARE_ALL(p) TO(p, 0) TO(p, 1) TO(p, 2) TO(p, 3) \
  QUORUM3(p, 0, 1, 2) QUORUM3(p, 0, 1, 3) QUORUM3(p, 0, 2, 3) QUORUM3(p, 1, 2, 3)
#elif A == 5
#define STEPS(p) PREPARE_ALL(p) TO(p, 0) TO(p, 1) TO(p, 2) TO(p, 3) TO(p, 4) \
  QUORUM3(p, 0, 1, 2) QUORUM3(p, 0, 1, 3) QUORUM3(p, 0, 1, 4) QUORUM3(p, 0, 2, 3) QUORUM3(p, 0, 2, 4) \
  QUORUM3(p, 0, 3, 4) QUORUM3(p, 1, 2, 3) QUORUM3(p, 1, 2, 4) QUORUM3(p, 1, 3, 4) QUORUM3(p, 2, 3, 4)
#endif
#if P > 3 || L > 2
#error "paxos.pml is unrolled for P <= 3 and L <= 2"
#endif

active proctype system()
{
  do
  STEPS(1)
#if P > 1
  STEPS(2)
#endif
#if P > 2
  STEPS(3)
#endif
  od
}
