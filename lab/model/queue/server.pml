/*
 * The scripts of the queue's model, each in one step: acquire, release, renew, and their common parts.
 */
inline weigh() {
    sum = 0;
    for (i : 0 .. HOLDERS - 1) { sum = sum + weight[i] }
}

inline leaveQueue(h) {
    seen[h] = 0;
    k = 0;
    do
    :: queue[k] == 0 -> break
    :: queue[k] == h + 1 -> queue[k] = queue[k + 1]; k++;
        do
        :: queue[k] == 0 -> break
        :: else -> queue[k] = queue[k + 1]; k++
        od;
        break
    :: else -> k++
    od
}

inline dropRecord(h) {
    ends[h] = 0; weight[h] = 0; token[h] = 0;
    unmark(h)
}

#ifdef SAME_TOKEN
#define NEXT_TOKEN MAX(counter, 1)
#else
#define NEXT_TOKEN (counter + 1)
#endif

inline grant(h, ticks) {
    counter = NEXT_TOKEN;
    ends[h] = ticks; weight[h] = WEIGHT(h); token[h] = counter;
    mark(h);
    printf("server: grants holder %d token %d for %d ticks\n", h, counter, ticks)
}

/* a full lease for the holder that asks */
inline lease(h) {
    overForGood = !withdrawn[h]; assert(overForGood);
    checkTurn(h);
    leaveQueue(h);
    grant(h, LEASE);
    ownGrant = true
}

/* a claim for a holder in the queue, which is notified */
inline handOver(h) {
    checkTurn(h);
    leaveQueue(h);
    grant(h, CLAIM);
    if
    :: told[h] == 0 -> told[h] = counter; tellPlain(toldPlain[h], h); sendsCopies(toldVia[h], h)
    :: else -> toldNext[h] = counter; tellPlain(toldNextPlain[h], h); sendsCopies(toldNextVia[h], h)
    fi
}

#ifdef DEAD_HEAD
#define SKIPS_DEAD false
#else
#define SKIPS_DEAD true
#endif

#if defined(FAR_POLL) && CAPACITY > 1
#ifdef LONG_HEAD
#define CALLS_FOR 255
#else
#define CALLS_FOR CLAIM
#endif
#ifdef SILENT_CUT
#define CALLS false
#else
#define CALLS true
#endif
/* A head blocks others, so a waiter that reaches the front has to poll as often as the waiters that were there before. */
inline callFront(self) {
    for (k : 0 .. NEAR - 1) {
        if
        :: sum < CAPACITY && queue[k] != 0 && queue[k] != self + 1 && seen[queue[k] - 1] > ENTRY ->
            seen[queue[k] - 1] = (seen[queue[k] - 1] < CALLS_FOR -> seen[queue[k] - 1] : CALLS_FOR);
            called[queue[k] - 1] = CALLS && phase[queue[k] - 1] == WAITING;
            printf("server: calls holder %d\n", queue[k] - 1)
        :: else
        fi
    }
}
#else
#define callFront(self) skip
#endif

/* serves the heads of the queue while they fit; self is the holder that asks, or NOBODY */
inline serve(self) {
    ownGrant = false;
    at = 0;
    do
    :: queue[at] == 0 -> break
    :: else ->
        head = queue[at] - 1;
        dead = (head != self && (seen[head] == 0 || !LISTENS(head)));
        weigh();
        if
        :: sum + WEIGHT(head) > CAPACITY && !(dead && SKIPS_DEAD) ->
#ifdef PASSING
            at++
#else
            callFront(self);
            break
#endif
        :: else ->
            if
            :: dead ->
                printf("server: drops the entry of holder %d\n", head);
                checkDrop(head);
                leaveQueue(head)
            :: else ->
                if
                :: head == self -> lease(head)
                :: else -> handOver(head)
                fi;
#ifdef ONE_HEAD
                break
#endif
            fi
        fi
    od
}

#ifdef SHORTENING
#define LENGTHENED(end, ticks) ticks
#else
#define LENGTHENED(end, ticks) MAX(end, ticks)
#endif

#ifdef BARGING
#define ENTERS_AT_ONCE true
#else
#define ENTERS_AT_ONCE (queue[0] == 0)
#endif

inline enterQueue(h) {
    k = 0;
    do
    :: queue[k] == h + 1 -> break
    :: queue[k] == 0 -> queue[k] = h + 1; break
    :: else -> k++
    od;
#ifdef FAR_POLL
    far[h] = (k >= NEAR && HEARS_OWNER(h));
#endif
    seen[h] = ENTRY_OF(h)
}

#ifdef OLDEST_TOKEN
inline tellToken(slot) {
    value[slot] = counter;
    for (i : 0 .. HOLDERS - 1) {
        if
        :: ends[i] > 0 && token[i] < value[slot] -> value[slot] = token[i]
        :: else
        fi
    }
}
#else
#define tellToken(slot) value[slot] = counter
#endif

inline serverAcquires(h, slot) {
    if
    :: buried[h] -> clear(slot); printf("server: request of holder %d, which has a tombstone\n", h)
    :: !buried[h] && ends[h] > 0 ->
        overForGood = !withdrawn[h]; assert(overForGood);
        ends[h] = LENGTHENED(ends[h], LEASE);
        message[slot] = GRANTED; value[slot] = token[h]; tellPlain(plain[slot], h);
        printf("server: confirms token %d of holder %d\n", token[h], h)
    :: else ->
        serve(h);
        weigh();
        if
        :: !ownGrant && ENTERS_AT_ONCE && sum + WEIGHT(h) <= CAPACITY -> lease(h)
        :: else
        fi;
        if
        :: ownGrant -> message[slot] = GRANTED; value[slot] = token[h]; tellPlain(plain[slot], h)
        :: else ->
            recallFor(h, slot);
            if
            :: QUEUES(h) -> enterQueue(h)
            :: else
            fi;
            message[slot] = BUSY; tellToken(slot);
            printf("server: refuses holder %d; the refusal tells token %d\n", h, value[slot])
        fi
    fi
}

inline serverReleases(h, bury) {
    printf("server: releases holder %d\n", h);
    buried[h] = buried[h] || bury;
    withdrawn[h] = true;
    ended = (ends[h] > 0);
    leaveQueue(h);
    dropRecord(h);
#ifdef SILENT_WAITER
    if
    :: ended -> serve(NOBODY)
    :: else
    fi
#else
    serve(NOBODY)
#endif
}

inline serverRenews(h, slot) {
    if
    :: ends[h] == 0 -> message[slot] = LOST; value[slot] = 0; clearPlain(slot);
        printf("server: nothing to renew of holder %d\n", h)
    :: else ->
        ends[h] = LENGTHENED(ends[h], RENEWED_LEASE);
        ended = (value[slot] < weight[h]);
#ifdef RAISING
        weight[h] = value[slot];
#else
        weight[h] = (value[slot] < weight[h] -> value[slot] : weight[h]);
#endif
        message[slot] = RENEWED;
        renewMark(h, slot);
        printf("server: renews holder %d, which weighs %d now\n", h, weight[h]);
        if
        :: ended -> serve(NOBODY)
        :: else
        fi
    fi
}

