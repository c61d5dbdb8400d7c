/*
 * ABD multi-writer register in Promela: C clients, S servers. Each client writes once (its own number); clients 1 .. R
 * then read once (R defaults to C). A client coordinates its own operations. An operation is two phases, each a request to
 * all servers and one atomic quorum step that consumes replies of exactly a majority of distinct servers. Phases are
 * numbered 1..4 (query and store of the write, query and store of the read); a reply carries its phase, so stale replies
 * are never used and stay in the network for ever.
 *
 *   spin -a -DC=2 -DS=3 -DR=1 abd_register.pml
 *
 * Expected distinct states / transitions / deadlocks: see README.md; (C,S,R) = (2,2,2) has 1215 / 2664 / 6.
 *
 * Encoding. A timestamp (counter, client) is one number in lexicographic order: 0 for the initial one, else
 * (counter - 1) * C + client. There are C writes, each adding one to a counter it saw, so counters are at most C. The
 * stored value is the writer's number, hence a function of the timestamp, and travels with it for free.
 * For a client, phase and server there is one request in a run, and its reply exists only once the request is consumed. So
 * the network, a multiset in the protocol, is one slot of W bits per client, phase and server:
 *   phases 1, 3:  0 nothing, 1 query,  2 + ts reply(ts)        phases 2, 4:  0 nothing, 1 ack,  2 + ts store(ts)
 * The client remembers its program counter and the value its read returns, nothing else.
 */
#ifndef C
#define C 2
#endif
#ifndef S
#define S 3
#endif
#ifndef R
#define R C
#endif

/* W: bits for 0 .. 2 + C*C; SW: S * W, as a literal because it is a field width */
#if C == 1
#define W 2
#elif C == 2
#define W 3
#elif C == 3
#define W 4
#else
#error "abd_register.pml is unrolled for C <= 3"
#endif
#if S * W == 2
#define SW 2
#elif S * W == 3
#define SW 3
#elif S * W == 4
#define SW 4
#elif S * W == 6
#define SW 6
#elif S * W == 8
#define SW 8
#elif S * W == 9
#define SW 9
#elif S * W == 10
#define SW 10
#elif S * W == 12
#define SW 12
#elif S * W == 15
#define SW 15
#elif S * W == 16
#define SW 16
#elif S * W == 20
#define SW 20
#else
#error "abd_register.pml is unrolled for S <= 5"
#endif

#define SLOT ((1 << W) - 1)

typedef Client {
  unsigned pc : 3;      /* 0 idle, 1 query, 2 store, 3 write done, 4 query, 5 store, 6 read done */
  unsigned result : 2;  /* the value read: a client's number or 0 */
  unsigned net1 : SW;   /* the messages of phases 1 to 4 */
  unsigned net2 : SW;
  unsigned net3 : SW;
  unsigned net4 : SW;
}

Client client[C];       /* client number c is client[c-1] */
unsigned server : SW;   /* a timestamp per server, W bits each */
hidden byte top;        /* scratch, not in the state */

/* the content of slot b of a word, and the word that holds 1 in slot b and 0 elsewhere */
#define AT(word, b) ((word >> (W * b)) & SLOT)
#define ONE(b) (1 << (W * b))

#define START(c, from, net) \
  :: d_step { client[c-1].pc == from -> client[c-1].pc = from + 1; client[c-1].net = TO_ALL; }

/* server b answers client c's query, a slot holding 1, with its timestamp */
#define REPLY(c, b, net) \
  :: d_step { AT(client[c-1].net, b) == 1 -> \
      client[c-1].net = client[c-1].net + (1 + AT(server, b)) * ONE(b); }

/* server b keeps the larger timestamp and acknowledges client c's store */
#define ACK(c, b, net) \
  :: d_step { AT(client[c-1].net, b) > 1 -> \
      top = AT(client[c-1].net, b) - 2; \
      client[c-1].net = client[c-1].net - (1 + top) * ONE(b); \
      server = (top > AT(server, b) -> server + (top - AT(server, b)) * ONE(b) : server); \
      top = 0; }

#define MAX2(x, y) ((x) > (y) -> (x) : (y))
#define MASK(i, j, k) ((SLOT << (W * i)) | (SLOT << (W * j)) | (SLOT << (W * k)))

/* client c's quorum steps with the majority {i, j, k}; a smaller majority repeats a member */
#define HAS_REPLIES(c, net, i, j, k) \
  AT(client[c-1].net, i) > 1 && AT(client[c-1].net, j) > 1 && AT(client[c-1].net, k) > 1
#define HAS_ACKS(c, net, i, j, k) \
  (AT(client[c-1].net, i) == 1 && AT(client[c-1].net, j) == 1 && AT(client[c-1].net, k) == 1)
#define TAKE_MAX(c, net, i, j, k) \
      top = MAX2(AT(client[c-1].net, i), AT(client[c-1].net, j)); \
      top = MAX2(top, AT(client[c-1].net, k)) - 2; \
      client[c-1].net = client[c-1].net & ~MASK(i, j, k)

#define QUORUMS(c, i, j, k) \
  :: d_step { client[c-1].pc == 1 && HAS_REPLIES(c, net1, i, j, k) -> \
      TAKE_MAX(c, net1, i, j, k); \
      client[c-1].net2 = (2 + (top + C - 1) / C * C + c) * TO_ALL; \
      top = 0; \
      client[c-1].pc = 2; } \
  :: d_step { client[c-1].pc == 2 && HAS_ACKS(c, net2, i, j, k) -> \
      client[c-1].net2 = client[c-1].net2 & ~MASK(i, j, k); \
      client[c-1].pc = 3; } \
  :: d_step { client[c-1].pc == 4 && HAS_REPLIES(c, net3, i, j, k) -> \
      TAKE_MAX(c, net3, i, j, k); \
      client[c-1].net4 = (2 + top) * TO_ALL; \
      client[c-1].result = (top -> (top - 1) % C + 1 : 0); \
      top = 0; \
      client[c-1].pc = 5; } \
  :: d_step { client[c-1].pc == 5 && HAS_ACKS(c, net4, i, j, k) -> \
      client[c-1].net4 = client[c-1].net4 & ~MASK(i, j, k); \
      client[c-1].pc = 6; \
      assert(client[c-1].result); }  /* a read after the client's own write never returns the initial value */

#define AT_SERVER(c, b) REPLY(c, b, net1) ACK(c, b, net2) REPLY(c, b, net3) ACK(c, b, net4)

/* TO_ALL holds 1 in every slot */
#if S == 1
#define TO_ALL 1
#define SERVERS(c) AT_SERVER(c, 0)
#define MAJORITIES(c) QUORUMS(c, 0, 0, 0)
#elif S == 2
#define TO_ALL (1 + ONE(1))
#define SERVERS(c) AT_SERVER(c, 0) AT_SERVER(c, 1)
#define MAJORITIES(c) QUORUMS(c, 0, 0, 1)
#elif S == 3
#define TO_ALL (1 + ONE(1) + ONE(2))
#define SERVERS(c) AT_SERVER(c, 0) AT_SERVER(c, 1) AT_SERVER(c, 2)
#define MAJORITIES(c) QUORUMS(c, 0, 0, 1) QUORUMS(c, 0, 0, 2) QUORUMS(c, 1, 1, 2)
#elif S == 4
#define TO_ALL (1 + ONE(1) + ONE(2) + ONE(3))
#define SERVERS(c) AT_SERVER(c, 0) AT_SERVER(c, 1) AT_SERVER(c, 2) AT_SERVER(c, 3)
#define MAJORITIES(c) QUORUMS(c, 0, 1, 2) QUORUMS(c, 0, 1, 3) QUORUMS(c, 0, 2, 3) QUORUMS(c, 1, 2, 3)
#else
#define TO_ALL (1 + ONE(1) + ONE(2) + ONE(3) + ONE(4))
#define SERVERS(c) AT_SERVER(c, 0) AT_SERVER(c, 1) AT_SERVER(c, 2) AT_SERVER(c, 3) AT_SERVER(c, 4)
#define MAJORITIES(c) \
  QUORUMS(c, 0, 1, 2) QUORUMS(c, 0, 1, 3) QUORUMS(c, 0, 1, 4) QUORUMS(c, 0, 2, 3) QUORUMS(c, 0, 2, 4) \
  QUORUMS(c, 0, 3, 4) QUORUMS(c, 1, 2, 3) QUORUMS(c, 1, 2, 4) QUORUMS(c, 1, 3, 4) QUORUMS(c, 2, 3, 4)
#endif

#define STEPS(c) START(c, 0, net1) SERVERS(c) MAJORITIES(c)

active proctype system()
{
  do
  STEPS(1)
#if R > 0
  START(1, 3, net3)
#endif
#if C > 1
  STEPS(2)
#endif
#if R > 1
  START(2, 3, net3)
#endif
#if C > 2
  STEPS(3)
#endif
#if R > 2
  START(3, 3, net3)
#endif
  od
}
