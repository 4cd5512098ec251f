/*
 * Kept grants in the queue's model: a holder below KEEPERS that releases may keep its grant, and use it again, until it is recalled.
 */
#ifdef ALL_MARKED
#define LEAVES_WAITERS false
#else
#define LEAVES_WAITERS (queue[0] != 0)
#endif

/* A grant's reply and its message say that the grant is not marked. Only a client that keeps uses this. */
#ifdef QUEUE_TOLD
#define SAYS_PLAIN(h) (KEEPS(h) && queue[0] != 0)
#else
#define SAYS_PLAIN(h) (KEEPS(h) && !marked[h])
#endif

inline mark(h) { marked[h] = KEEPS(h) && !LEAVES_WAITERS }
inline unmark(h) { marked[h] = false }
inline tellPlain(cell, h) { cell = SAYS_PLAIN(h) }
inline clearBare() { bare = false }
inline clearPlain(slot) { plain[slot] = false }
inline clearUnheard(slot) { plain[slot] = plain[slot] && message[slot] == RENEW }
inline beginIndex() { largestIndex = 0 }

inline notePlain(h, isPlain) { wanted[h] = wanted[h] || (ALIVE(h) && isPlain) }

inline renewMark(h, slot) {
    marked[h] = marked[h] && !plain[slot];
    plain[slot] = false
}

inline forgetKept(h, next) {
    index[h] = 0; idle[h] = 0; patience[h] = 0; wanted[h] = false; idleOnly[h] = false;
    toldPlain[h] = false; toldNextPlain[h] = false;
    if
    :: next != DONE -> recalled[h] = false; deaf[h] = false
    :: else
    fi
}

#ifdef ONE_RECALL
#define RECALLS(h) (seen[h] == 0)
#else
#define RECALLS(h) true
#endif

#ifdef CLUSTER
#define REACHES(h) CONNECTED(h)
#define RECALL(h) (phase[h] == STOPPED -> 0 : recalled[h] | hears[h])
#else
#define REACHES(h) LISTENS(h)
#define RECALL(h) (phase[h] != STOPPED)
#endif

/* A refusal recalls the grant of the owner first. A recall that no client can receive need not be under way. */
inline recallFor(h, slot) {
    plain[slot] = TRIES_ONLY(h);
    for (i : 0 .. HOLDERS - 1) {
        if
        :: marked[i] && REACHES(i) && RECALLS(h) ->
            plain[slot] = plain[slot] && !LISTENS(i);
            recalled[i] = RECALL(i);
            printf("server: recalls the grant of holder %d\n", i)
        :: else
        fi
    }
}

#ifdef PROMPT
inline beginPatience(h) { patience[h] = PATIENCE; idleOnly[h] = true }
#else
#define beginPatience(h) skip
#endif

inline begin(h) {
    phase[h] = (TRIES_ONLY(h) -> TRYING : WAITING);
    if
    :: TRIES_ONLY(h) -> beginPatience(h)
    :: else
    fi
}

/* A try that is refused without the promise of a recall is over. */
#ifdef ONE_TRY
#define PROMISES(slot) false
#else
#define PROMISES(slot) (!plain[slot])
#endif
inline hearsPromise(h, slot) {
    patience[h] = (PROMISES(slot) -> patience[h] : 0)
}

/* A try that is over was answered "busy", or has no answer. */
inline endsTry(h) {
    if
    :: phase[h] == TRYING && !open[h] ->
        printf("holder %d finds the lock busy\n", h);
        busyIsTrue = !idleOnly[h]; assert(busyIsTrue)
    :: else
    fi
}

/* A client without a subscription, or with a recalled grant, gives the grant back. It may do so late, but does not use the grant again. */
#ifdef DEAF_KEEPER
#define HEARS(h) true
#elif defined(CLUSTER)
#ifdef UNHEARD_MOVE
#define HEARS(h) CONNECTED(h)
#else
#define HEARS(h) (CONNECTED(h) && HEARS_OWNER(h))
#endif
#else
#define HEARS(h) LISTENS(h)
#endif
#define MAY_KEEP(h) (phase[h] == HOLDING && KEEPS(h) && !wanted[h] && HEARS(h) \
    && message[RENEWAL(h)] == NOTHING && message[LOWERING(h)] == NOTHING)

#ifdef PROMPT
#define TRY_IS_DUE(h) (patience[h] == 0)
#define KEEP_IS_OVER(h) (phase[h] == KEPT && (idle[h] == 0 || until[h] == 0 || wanted[h] || !HEARS(h)))
#define TRY_IS_OVER(h) (phase[h] == TRYING && patience[h] == 0)
#define STILL_KEEPS(h) (phase[h] == KEPT && !wanted[h] && HEARS(h) && idle[h] > 0)
#else
#define TRY_IS_DUE(h) false
#define KEEP_IS_OVER(h) (phase[h] == KEPT)
#define TRY_IS_OVER(h) (phase[h] == TRYING)
#define STILL_KEEPS(h) (phase[h] == KEPT && !wanted[h] && HEARS(h))
#endif

#ifdef BLIND_REUSE
#define MAY_REUSE(h) (STILL_KEEPS(h) && index[h] < USES)
#else
#define MAY_REUSE(h) (STILL_KEEPS(h) && index[h] < USES && until[h] > 0)
#endif

inline keep(h) {
    printf("holder %d releases, and keeps its grant\n", h);
    phase[h] = KEPT;
#ifdef PROMPT
    idle[h] = KEEP
#endif
}

inline reuse(h) {
    phase[h] = HOLDING; idle[h] = 0;
#ifndef SAME_INDEX
    index[h]++;
#endif
#ifdef FRESH_LEASE
    until[h] = LEASE;
#endif
    until[h] = MAX(until[h], 1);
    printf("holder %d uses its grant again, with token %d.%d\n", h, believed[h], index[h]);
    tokensInOrder = (believed[h] == largest[1] && index[h] > largestIndex); assert(tokensInOrder);
    largestIndex = index[h]
}

/* The answer to a recall in use: a renewal that takes the mark off. */
inline renewPlain(h) {
    if
    :: message[LOWERING(h)] == NOTHING ->
        message[LOWERING(h)] = RENEW; value[LOWERING(h)] = share[h]; plain[LOWERING(h)] = true
    :: else
    fi
}

inline hearsRecall(h) {
    printf("holder %d hears that it is recalled\n", h);
    if
    :: phase[h] == KEPT -> wanted[h] = true
#ifndef IGNORED_RECALL
    :: phase[h] == HOLDING ->
#ifndef FORGOTTEN_RECALL
        wanted[h] = true;
#endif
        renewPlain(h)
#endif
#ifndef EARLY_RECALL
    :: ASKS(h) -> wanted[h] = true
#endif
    :: phase[h] == DONE -> releases[h] = releases[h] | 2
    :: else
    fi
}

/* The steps of a holder that there are only with kept grants. */
inline keeperSteps(h) {
    if
    :: d_step { MAY_KEEP(h) -> keep(h) }
    :: d_step { MAY_REUSE(h) -> reuse(h) }
    :: d_step { deafenings > 0 && ALIVE(h) && !deaf[h] -> deafenings--; deaf[h] = true;
        printf("holder %d loses its subscription\n", h) }
    :: d_step { deaf[h] -> deaf[h] = false; printf("holder %d listens again\n", h) }
#ifdef CLUSTER
    :: recalled[h] != 0;
        if
        :: (recalled[h] & 1) -> via = 0
        :: (recalled[h] & 2) -> via = 1
        fi;
        recalled[h] = recalled[h] & ~(1 << via);
        if
        :: d_step { COUNTS(h, via) -> hearsRecall(h); skip }
        :: d_step { !COUNTS(h, via) -> printf("holder %d drops the copy of a recall\n", h) }
        :: d_step { losses > 0 -> losses--; printf("network: loses a recall of holder %d\n", h) }
        fi
#else
    :: recalled[h];
        if
        :: d_step { losses > 0 || deaf[h] -> losses = losses - (deaf[h] -> 0 : 1); recalled[h] = false;
            printf("network: loses a recall of holder %d\n", h) }
        :: if
            :: recalled[h] = false
            :: copies > 0 -> copies--
            fi;
            d_step { hearsRecall(h); skip }
        fi
#endif
    fi
}

/* An idle grant of a keeper blocks a waiter. */
inline checkBlocks() {
    waits = false; ended = false;
    for (i : 0 .. HOLDERS - 1) {
        waits = waits || phase[i] == WAITING;
        ended = ended || phase[i] == KEPT
    }
    blocked = (waits && ended -> blocked + 1 : 0);
    givenBackInTime = (blocked <= BLOCKS); assert(givenBackInTime)
}

#ifdef CHECKS_TRIES
inline noteIdle() {
    ended = false;
    for (i : 0 .. HOLDERS - 1) { ended = ended || (phase[i] == KEPT && ends[i] > 0) }
    for (i : 0 .. HOLDERS - 1) { idleOnly[i] = idleOnly[i] && ended && phase[i] == TRYING }
}
#else
inline noteIdle() {
    for (i : 0 .. HOLDERS - 1) { idleOnly[i] = false }
}
#endif

/* A renewal that is answered late changes nothing: a kept grant has the deadline that it had at its release. */
#define IS_KEPT(h) (phase[h] == KEPT)
#define BELIEVES(h) (phase[h] == HOLDING || (phase[h] == KEPT && until[h] > 0))
#define SENDS_NOTHING(h) (phase[h] == TRYING && !open[h])
#define QUEUES(h) (!TRIES_ONLY(h))
#define ALIKE_TOO(h, other) (KEEPS(h) == KEEPS(other) && TRIES_ONLY(h) == TRIES_ONLY(other))

#define TRIES_AGAIN(h) (phase[h] == TRYING && !open[h] && !TRY_IS_DUE(h))
#define ENDS(h) (KEEP_IS_OVER(h) || TRY_IS_OVER(h))
#define KEEPER_IS_DUE(h) (recalled[h] || ENDS(h))
#define SHIFTS_PLAIN(h) bare = toldPlain[h]; toldPlain[h] = toldNextPlain[h]; toldNextPlain[h] = false
inline copyPlain(slot) { plain[COPY] = plain[slot] }
inline renewsPlain(h) { plain[RENEWAL(h)] = wanted[h] }

/* a tick of a keeper */
inline keeperAges(h) {
    idle[h] = (idle[h] > 0 -> idle[h] - 1 : 0);
    patience[h] = (patience[h] > 0 -> patience[h] - 1 : 0)
}
