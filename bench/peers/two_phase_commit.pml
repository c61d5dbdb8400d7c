/*
 * Two-phase commit in Promela, at the granularity of Lamport's TwoPhase: the network is a set of messages to which messages
 * are only ever added, so a message is one bit. RMS (default 3) is the number of resource managers.
 *
 *   spin -a -DRMS=8 two_phase_commit.pml
 *
 * Expected distinct states: RMS=3: 288, RMS=5: 8832, RMS=8: 1745408, RMS=9: 10340352, RMS=10: 61515776.
 *
 * One process with one loop of d_steps: no program counter enters the state, so SPIN's states are those of the protocol.
 * All sets are scalar bit-fields, which SPIN packs (an array of bit would take a byte per element). A resource manager is
 * two bits:  working = neither, prepared = yes, committed = yes and done, aborted = done only.
 * Like the original, receiving a message twice is a step (a self-loop), which SPIN counts as a matched transition.
 */
#ifndef RMS
#define RMS 3
#endif

#define ALL ((1 << RMS) - 1)

unsigned yes : RMS;          /* resource managers that are prepared or committed */
unsigned done : RMS;         /* resource managers that are committed or aborted */
unsigned tm_prepared : RMS;  /* the transaction manager's set of prepared resource managers */
unsigned msg_prepared : RMS; /* messages Prepared(rm) */
bit msg_commit;              /* message Commit */
bit msg_abort;               /* message Abort */
unsigned tm : 2;             /* transaction manager */

#define INIT 0
#define COMMITTED 1
#define ABORTED 2

#define CONSISTENT assert(!((done & yes) && (done & ~yes)))

/* the actions of resource manager r, and the transaction manager's receipt of its vote */
#define RM(r)                                                                                      \
  :: d_step { tm == INIT && (msg_prepared & (1 << r)) -> tm_prepared = tm_prepared | (1 << r); }   \
  :: d_step { !((yes | done) & (1 << r)) -> yes = yes | (1 << r); msg_prepared = msg_prepared | (1 << r); } \
  :: d_step { !((yes | done) & (1 << r)) -> done = done | (1 << r); CONSISTENT; }                  \
  :: d_step { msg_commit -> yes = yes | (1 << r); done = done | (1 << r); CONSISTENT; }            \
  :: d_step { msg_abort -> yes = yes & ~(1 << r); done = done | (1 << r); CONSISTENT; }

active proctype system()
{
  do
  :: d_step { tm == INIT && tm_prepared == ALL -> tm = COMMITTED; msg_commit = 1; }
  :: d_step { tm == INIT -> tm = ABORTED; msg_abort = 1; }
  RM(0)
#if RMS > 1
  RM(1)
#endif
#if RMS > 2
  RM(2)
#endif
#if RMS > 3
  RM(3)
#endif
#if RMS > 4
  RM(4)
#endif
#if RMS > 5
  RM(5)
#endif
#if RMS > 6
  RM(6)
#endif
#if RMS > 7
  RM(7)
#endif
#if RMS > 8
  RM(8)
#endif
#if RMS > 9
  RM(9)
#endif
#if RMS > 10
  RM(10)
#endif
#if RMS > 11
  RM(11)
#endif
#if RMS > 12
#error "two_phase_commit.pml is unrolled for at most 12 resource managers"
#endif
  od
}
