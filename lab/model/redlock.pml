/*
 * Redlock with fencing tokens, as in lock-redis: three nodes and two or three holders, whose messages are lost, late or doubled, whose
 * leases end at any moment, whose processes pause for good, and whose nodes forget. README.md beside
 * this file explains how to read it.
 *
 * A holder is one acquisition; its id is never used again. Every option of the loop is one step of one node or one holder.
 * A sent message may arrive at any time and any number of times, so "arrives" requires only "was sent". A late or lost reply is a reply
 * on which the holder does not act yet; the model allows that at every step.
 *
 *   HOLDERS          the number of acquisitions, 2 or 3
 *   FORGETS          the number of times that a node may lose its memory (0)
 *   CLOCK            tokens are seeded from the nodes' clocks, too
 *   NO_OWNER_CHECK   left out: a node acknowledges a token only of the holder that has the lock there
 *   NO_HOLDER_CHECK  left out: a node acknowledges a token equal to its counter only from the same holder
 */
#ifndef HOLDERS
#define HOLDERS 2
#endif
#ifndef FORGETS
#define FORGETS 0
#endif

#define NODES 3
#define MAJORITY(set) ((set) == 3 || (set) >= 5)
#define MAX(a, b) ((a) > (b) -> (a) : (b))
#define BIT(n) (1 << (n))
#define PAIR(n, a, b) (BIT((n) * 9 + (a) * 3 + (b)))

/* holders */
#define IDLE 0
#define ASKING 1    /* phase one was sent */
#define STAMPING 2  /* phase two was sent */
#define HOLDING 3   /* a majority acknowledged the token: it was returned to the user */

byte phase[HOLDERS];
byte granted[HOLDERS];      /* the nodes whose grants have reached the holder */
byte largest[HOLDERS];      /* the largest counter among them */
byte token[HOLDERS];
byte acks[HOLDERS];         /* the nodes whose acknowledgements have reached it */

/* nodes */
byte owner[NODES];          /* holder + 1; 0: free */
byte counter[NODES];
byte counterHolder[NODES];  /* holder + 1; 0: none */

/* the world */
byte forgotten;
byte clock;                 /* goes on by two from token to token: see CLOCK in README.md */

/* ghosts: only for the invariants */
byte returned;              /* the largest token that was returned to a user */
byte before[HOLDERS];       /* the value of returned when the holder started */
byte acked[NODES];          /* the holders whose tokens the node has acknowledged */
byte touched;               /* nodes are alike, so it is enough to let them be granted first in one order */
int since;                  /* PAIR(n,a,b): n has granted to a since the grant under which it acknowledged b, and not yet acknowledged a */
int disorder;               /* PAIR(0,a,b): some node acknowledged both, and granted a before b, but a's token is larger */
#ifdef NO_OWNER_CHECK
int later;                  /* PAIR(n,a,b): n's latest grant to a is later than its latest to b */
byte given[NODES];          /* the holders that the node has granted the lock to */
#define GIVEN(h, n) (given[n] & BIT(h))
#else
#define GIVEN(h, n) true
#endif

#ifdef CLOCK
#define SEED(skew) clock - skew
#define FORWARD clock = clock + 2
#else
#define SEED(skew) 0
#define FORWARD skip
#endif

#ifdef NO_OWNER_CHECK
#define OWNS(h, n) true
#else
#define OWNS(h, n) (owner[n] == h + 1)
#endif

#ifdef NO_HOLDER_CHECK
#define SAME(h, n) true
#else
#define SAME(h, n) (counterHolder[n] == h + 1)
#endif

inline noteGrant(h, other, n) {
    if
    :: other < HOLDERS && other != h ->
        if
        :: (acked[n] & BIT(other)) && !(acked[n] & BIT(h)) -> since = since | PAIR(n, h, other)
        :: else
        fi;
#ifdef NO_OWNER_CHECK
        later = (later | PAIR(n, h, other)) & ~PAIR(n, other, h)
#endif
    :: else
    fi
}

inline gives(h, n) {
    owner[n] = h + 1;
#ifdef NO_OWNER_CHECK
    given[n] = given[n] | BIT(h);
#endif
    touched = MAX(touched, n + 1);
    noteGrant(h, 0, n);
    noteGrant(h, 1, n);
    noteGrant(h, 2, n)
}

inline noteAck(h, other, n) {
    if
    :: other < HOLDERS && other != h && (acked[n] & BIT(other)) && GIVEN(h, n) && GIVEN(other, n) ->
        if
        :: (since & PAIR(n, h, other)) && token[h] < token[other] -> disorder = disorder | PAIR(0, other, h)
        :: !(since & PAIR(n, h, other)) && token[h] > token[other] -> disorder = disorder | PAIR(0, h, other)
        :: else
        fi;
        since = since & ~PAIR(n, h, other)
#ifdef NO_OWNER_CHECK
    :: other < HOLDERS && other != h && !(acked[n] & BIT(other)) && (later & PAIR(n, other, h)) ->
        since = since | PAIR(n, other, h)
#endif
    :: else
    fi
}

inline acknowledges(h, n) {
    counter[n] = token[h];
    counterHolder[n] = h + 1;
    if
    :: !(acked[n] & BIT(h)) ->
        noteAck(h, 0, n);
        noteAck(h, 1, n);
        noteAck(h, 2, n);
        acked[n] = acked[n] | BIT(h)
    :: else
    fi
}

inline inOrder(a, b) {
    assert(!(a < HOLDERS && b < HOLDERS && phase[a] == HOLDING && phase[b] == HOLDING && (disorder & PAIR(0, a, b))))
}

inline returns(h, other) {
    /* no token is given out twice */
    assert(!(other < HOLDERS && other != h && phase[other] == HOLDING && token[other] == token[h]))
}

/* Holders are alike, so it is enough to let them start in one order. */
#define STARTS(h) \
    :: d_step { phase[h] == IDLE && (h == 0 || phase[h - (h > 0 -> 1 : 0)] != IDLE) -> \
        phase[h] = ASKING; before[h] = returned; \
        printf("holder %d asks all nodes for the lock\n", h) }

#define GETS_TOKEN(h, skew) \
    :: d_step { phase[h] == ASKING && MAJORITY(granted[h]) -> \
        FORWARD; \
        token[h] = MAX(largest[h] + 1, SEED(skew)); phase[h] = STAMPING; granted[h] = 0; largest[h] = 0; \
        printf("holder %d has a majority and sends token %d to all nodes\n", h, token[h]) }

#define SUCCEEDS(h) \
    :: d_step { phase[h] == STAMPING && MAJORITY(acks[h]) -> \
        phase[h] = HOLDING; acks[h] = 0; \
        printf("holder %d has a majority again: token %d goes to the user\n", h, token[h]); \
        returns(h, 0); returns(h, 1); returns(h, 2); \
        /* larger than every token that was returned before this acquisition began */ \
        assert(token[h] > before[h]); \
        /* and in the order of the grants, on nodes that acknowledged both and did not forget in between */ \
        inOrder(0, 1); inOrder(1, 0); inOrder(0, 2); inOrder(2, 0); inOrder(1, 2); inOrder(2, 1); \
        returned = MAX(returned, token[h]); before[h] = 0 }

#define GRANTS(h, n) \
    :: d_step { phase[h] == ASKING && !(granted[h] & BIT(n)) && owner[n] == 0 && touched >= n -> \
        gives(h, n); \
        granted[h] = granted[h] | BIT(n); largest[h] = MAX(largest[h], counter[n]); \
        printf("node %d grants holder %d and reports counter %d\n", n, h, counter[n]) } \
    :: d_step { phase[h] != IDLE && (phase[h] > ASKING || (granted[h] & BIT(n))) && owner[n] == 0 && touched >= n -> \
        gives(h, n); \
        printf("node %d grants holder %d: the request arrived late or twice\n", n, h) }

#define MAY_STAMP(h, n) (OWNS(h, n) && (token[h] > counter[n] || (token[h] == counter[n] && SAME(h, n))))

#define STAMPS(h, n) \
    :: d_step { phase[h] == STAMPING && MAY_STAMP(h, n) && !(acks[h] & BIT(n)) -> \
        acknowledges(h, n); acks[h] = acks[h] | BIT(n); \
        printf("node %d acknowledges token %d of holder %d\n", n, token[h], h) } \
    :: d_step { (phase[h] == HOLDING || (phase[h] == STAMPING && (acks[h] & BIT(n)))) && MAY_STAMP(h, n) \
            && (token[h] != counter[n] || counterHolder[n] != h + 1) -> \
        acknowledges(h, n); \
        printf("node %d acknowledges token %d of holder %d: the request arrived late or twice\n", n, token[h], h) }

/* A renewal of a holder finds the lock free on a node: it was down, or forgot. */
#define REJOINS(h, n) \
    :: d_step { phase[h] == HOLDING && owner[n] == 0 && token[h] >= counter[n] -> \
        gives(h, n); counter[n] = token[h]; counterHolder[n] = h + 1; \
        printf("node %d takes the lock of holder %d over with token %d\n", n, h, token[h]) }

#define EXPIRES(n) \
    :: d_step { owner[n] != 0 -> owner[n] = 0; printf("node %d: the lease ends\n", n) }

#define FORGETS_ALL(n) \
    :: d_step { forgotten < FORGETS && (counter[n] != 0 || owner[n] != 0) -> \
        forgotten++; owner[n] = 0; counter[n] = 0; counterHolder[n] = 0; \
        acked[n] = 0; since = since & ~(511 << (n * 9)); \
        printf("node %d forgets everything\n", n) }

#define WITH_NODE(h, n) GRANTS(h, n) STAMPS(h, n) REJOINS(h, n)
#ifdef CLOCK
#define GETS_TOKENS(h) GETS_TOKEN(h, 0) GETS_TOKEN(h, 1)
#else
#define GETS_TOKENS(h) GETS_TOKEN(h, 0)
#endif
#define HOLDER(h) STARTS(h) GETS_TOKENS(h) SUCCEEDS(h) WITH_NODE(h, 0) WITH_NODE(h, 1) WITH_NODE(h, 2)
#define NODE(n) EXPIRES(n) FORGETS_ALL(n)

active proctype world() {
end:
    do
    HOLDER(0)
    HOLDER(1)
#if HOLDERS > 2
    HOLDER(2)
#endif
    NODE(0)
    NODE(1)
    NODE(2)
    od
}
