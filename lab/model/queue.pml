/*
 * The queue of one Redis server, as in lock-redis. A lock has a capacity, and a holder has a weight. One script serves several heads of
 * the queue. A waiter that is notified of its grant trusts the message without asking. README.md beside this file explains how to read it.
 *
 * A holder is one acquisition. Each process "holder" is one acquisition, together with the steps of the network and the server for it.
 * Every option of its loop is one step. The process "clock" lets a tick pass. Requests and replies carry their age: the ticks since
 * the request was sent. A message waits in its slot until it is delivered, which may be at any time.
 *
 *   HOLDERS, CAPACITY, W0 W1 W2 W3   the number of holders, the capacity, and the weight of each holder
 *   PROMPT           messages arrive within the tick; waiters poll in every tick. (Without: any delay, any order, polls at any time)
 *   LEASE CLAIM ENTRY   ticks of a lease, of a claim, and until a waiter's entry is out of date (3, 2, 2)
 *   FAR_POLL FAR_ENTRY   ticks between the polls of a waiter that is not among the first NEAR (1), and until its entry is out of date
 *                    (1; FAR_POLL + 1)
 *   RENEWED_LEASE    ticks that a renewal brings (LEASE)
 *   WAITS            PROMPT only: the number of ticks in which all waiters may fit and no waiter gets in (0)
 *   LOSSES, COPIES, CRASHES   the number of lost messages, of copied messages, and of holders that crash or stop for good (0)
 *   RENEWALS, DOWNGRADES, WITHDRAWALS   holders renew; holders that weigh more than 1 lower their weight to 1; waiters give up
 *
 * The rules of the protocol that can be left out:
 *   BARGING          1: a newcomer that fits is granted although a holder waits
 *   PASSING          2: a waiter that fits is served although a head that does not fit is before it
 *   DEAD_HEAD        3: the server does not check whether a head that does not fit lives
 *   ONE_HEAD         4: one head is served at a time
 *   SILENT_WAITER    5: the end of a waiter serves nobody
 *   OLDEST_TOKEN     6: a refusal carries the token of the oldest holder, not the counter
 *   RAISING          7: a renewal sets the weight, also to more
 *   LATE_DOWNGRADE   8: a holder that lowers its weight assumes the larger weight until the answer
 *   NO_TOMBSTONE     9: a release leaves no tombstone, though a request may still arrive
 *   SHORTENING       9: a confirmation or renewal sets the end of a record, also to an earlier tick
 *   FROM_RECEIPT     9: a claim counts from the receipt of its message
 *   ANY_REFUSAL      9: a claim counts from the last refusal, even if the refusal is younger than the grant
 *   DEAD_WEIGHT      9: a record past its end still counts
 *   SAME_TOKEN       a grant takes no token above the counter
 *   LONG_HEAD        FAR_POLL: a head from far behind that does not fit keeps its end of life
 *   SILENT_CUT       FAR_POLL: the life of such a head ends earlier, and the head is not notified
 *
 * In a cluster:
 *   CLUSTER          two masters; clients listen at both, and the slot is at the second one
 *   MOVES            the number of times that the slot moves to the other master (0). PROMPT: clients learn of a move within the tick
 *   NEW_MASTER       the slot is at the first master, and no client listens at the second one before it learns that the slot is there
 * and the rules:
 *   COPIES_READ      a message counts from each master, not only from the master of the slot (breaks nothing)
 *   ONE_LISTENER     a client listens at the first master only
 *   UNHEARD_MOVE     a slot that comes to a master at which a client does not listen is no interruption
 *
 * Kept grants (exclusive only):
 *   KEEPERS          the first so many holders may keep their grant when they release, and use it again
 *   KEEP, USES       PROMPT: the number of ticks (2) and of uses (1). (Without PROMPT, keeping ends at any moment)
 *   TRIES, PATIENCE  the last TRIES holders do not wait (0); PROMPT: a try is repeated for PATIENCE ticks (2)
 *   DEAFENINGS       the number of lost subscriptions; each may come back at any moment (0)
 *   BLOCKS           PROMPT only: the number of ticks for which a waiter may wait for an idle grant (0)
 * and their rules:
 *   FRESH_LEASE      1: a reuse counts a new lease
 *   BLIND_REUSE      2: a reuse does not look at the deadline
 *   SAME_INDEX       3: a reuse keeps the token
 *   ONE_RECALL       4: only a waiter's first refusal recalls
 *   IGNORED_RECALL   5: a recall of a grant in use is ignored
 *   EARLY_RECALL     5: a recall that comes before its grant is ignored
 *   FORGOTTEN_RECALL 6: a recall of a grant in use takes the mark off, and is not remembered
 *   DEAF_KEEPER      7: a client without a subscription keeps
 *   ALL_MARKED       8: a grant that leaves waiters behind is marked, too
 *   QUEUE_TOLD       9: a grant says whether a holder waits now, not whether the grant is marked
 *   ONE_TRY          10: a zero wait asks once
 */
#include "queue/state.pml"
#ifdef KEEPERS
#include "queue/keep.pml"
#else
#include "queue/no_keep.pml"
#endif
#include "queue/conditions.pml"
#include "queue/server.pml"
#include "queue/clients.pml"

/* Holders of the same weight are interchangeable, so one order of their beginnings is enough. */
#define ALIKE(h, other) (other < h && WEIGHT(other) == WEIGHT(h) && ALIKE_TOO(h, other) && phase[(other < HOLDERS -> other : 0)] == IDLE)
#define MAY_BEGIN(h) !(ALIKE(h, 0) || ALIKE(h, 1) || ALIKE(h, 2))

#ifdef PROMPT
#define POLLS(h) ((phase[h] == WAITING || TRIES_AGAIN(h)) && poll[h] == 0)
#else
#define POLLS(h) ((phase[h] == WAITING || TRIES_AGAIN(h)) && message[CALL(h)] == NOTHING)
#endif

#ifdef LATE_DOWNGRADE
#define BELIEVES_LESS(h) skip
#else
#define BELIEVES_LESS(h) share[h] = 1
#endif

#define LEAVES_NET(h) releases[h] = releases[h] & (slot == COPY + BURY -> 1 : 2)
#define IS_REQUEST(slot) (message[slot] == ACQUIRE || message[slot] == RENEW || message[slot] == RELEASE || message[slot] == BURY)

/* A request reaches the server, and its slot takes the reply, or a reply reaches its holder. */
inline arrives(h) {
    if
    :: message[slot] == ACQUIRE -> serverAcquires(h, slot); clearIdle(h, slot)
    :: message[slot] == RENEW -> serverRenews(h, slot); clearIdle(h, slot)
    :: message[slot] == GRANTED -> hearsGranted(h, slot)
    :: message[slot] == BUSY -> hearsBusy(h, slot)
    :: message[slot] == RENEWED || message[slot] == LOST -> hearsRenewed(h, slot)
    :: else -> ended = (message[slot] == BURY); clear(slot); serverReleases(h, ended)
    fi
}

/* A copied request that acquires leaves its holder in doubt. */
inline isCopied(h) {
    copies--; copyOf = h;
    message[COPY] = message[slot]; age[COPY] = age[slot]; value[COPY] = value[slot]; copyPlain(slot);
    doubtful[h] = (ALIVE(h) && (doubtful[h] || message[slot] == ACQUIRE));
    printf("network: copies a request of holder %d\n", h)
}

active [HOLDERS] proctype holder() {
end:
    do
    :: atomic {
        if
        :: d_step { phase[me] == IDLE && MAY_BEGIN(me) -> begin(me); ask(me) }
        :: d_step { POLLS(me) -> ask(me) }
        :: d_step { phase[me] == HOLDING || ENDS(me) -> printf("holder %d releases\n", me); endsTry(me); sendRelease(me) }
#ifdef WITHDRAWALS
        :: d_step { phase[me] == WAITING -> printf("holder %d gives up\n", me); sendRelease(me) }
#endif
#ifdef RENEWALS
        :: d_step { phase[me] == HOLDING && message[RENEWAL(me)] == NOTHING ->
            message[RENEWAL(me)] = RENEW; value[RENEWAL(me)] = share[me]; renewsPlain(me);
            printf("holder %d renews, weighing %d\n", me, share[me]) }
#endif
#ifdef DOWNGRADES
        :: d_step { phase[me] == HOLDING && share[me] > 1 && message[LOWERING(me)] == NOTHING ->
            message[LOWERING(me)] = RENEW; value[LOWERING(me)] = 1; BELIEVES_LESS(me);
            printf("holder %d lowers its weight to 1\n", me) }
#endif
        :: d_step { ALIVE(me) && crashes > 0 -> crashes--; printf("holder %d crashes\n", me); forget(me, CRASHED) }
        :: d_step { ALIVE(me) && crashes > 0 -> crashes--; printf("holder %d stops for ever\n", me); forget(me, STOPPED) }

        :: if
            :: message[CALL(me)] != NOTHING -> slot = CALL(me)
            :: message[RENEWAL(me)] != NOTHING -> slot = RENEWAL(me)
            :: message[LOWERING(me)] != NOTHING -> slot = LOWERING(me)
            :: message[COPY] != NOTHING && copyOf == me -> slot = COPY
            fi;
            if
            :: d_step { arrives(me); skip }
            :: d_step { losses > 0 && slot != COPY -> losses--; clear(slot);
                printf("network: loses a request or reply of holder %d\n", me) }
            :: d_step { copies > 0 && message[COPY] == NOTHING && IS_REQUEST(slot) -> isCopied(me) }
            fi
#ifdef CLUSTER
        :: clusterSteps(me)
        :: told[me] > 0;
            if
            :: (toldVia[me] & 1) -> via = 0
            :: (toldVia[me] & 2) -> via = 1
            fi;
            toldVia[me] = toldVia[me] & ~(1 << via); t = told[me];
            if
            :: d_step { COUNTS(me, via) -> notePlain(me, toldPlain[me]); takesCopy(me); hearsMessage(me); skip }
            :: d_step { !COUNTS(me, via) -> takesCopy(me); printf("holder %d drops the copy of a message\n", me) }
            :: d_step { losses > 0 -> losses--; takesCopy(me); printf("network: loses a message to holder %d\n", me) }
            fi
#else
        :: if
            :: told[me] > 0 -> t = told[me]; told[me] = toldNext[me]; toldNext[me] = 0; SHIFTS_PLAIN(me)
            :: toldNext[me] > 0 -> t = toldNext[me]; toldNext[me] = 0; SHIFTS_PLAIN(me)
            fi;
            if
            :: d_step { notePlain(me, bare); hearsMessage(me); skip }
            :: d_step { losses > 0 -> losses--; printf("network: loses a message to holder %d\n", me) }
#ifdef KEEPERS
            :: d_step { deaf[me] -> printf("network: a message to holder %d finds no subscription\n", me) }
#endif
            fi
#endif
#ifdef KEEPERS
        :: keeperSteps(me)
#endif
#ifdef FAR_POLL
        :: called[me] && !open[me];
            if
            :: d_step { called[me] = false; printf("holder %d is called\n", me); ask(me) }
            :: d_step { losses > 0 -> losses--; called[me] = false; printf("network: loses the call of holder %d\n", me) }
            fi
#endif
        :: if
            :: (releases[me] & 1) -> slot = COPY + RELEASE
            :: (releases[me] & 2) -> slot = COPY + BURY
            fi;
            if
            :: d_step { LEAVES_NET(me); serverReleases(me, slot == COPY + BURY); skip }
            :: d_step { losses > 0 -> losses--; LEAVES_NET(me);
                printf("network: loses a release of holder %d\n", me) }
            :: d_step { copies > 0 && message[COPY] == NOTHING -> copies--; copyOf = me; message[COPY] = slot - COPY;
                printf("network: copies a release of holder %d\n", me) }
            fi
        fi;
        d_step { endStep() }
    }
    od
}

#ifdef PROMPT
#define SETTLED(h) (message[CALL(h)] == NOTHING && message[RENEWAL(h)] == NOTHING && message[LOWERING(h)] == NOTHING \
    && told[h] == 0 && releases[h] == 0 && !CALLED(h) && LEARNED(h) && !POLLS(h) && !KEEPER_IS_DUE(h))
#else
#define SETTLED(h) true
#endif
#define ALL_SETTLED (SETTLED(0) && SETTLED(1) && SETTLED(HOLDERS - 1) && (HOLDERS < 4 || SETTLED(HOLDERS - 2)))

inline grows(slot, limit) {
    age[slot] = (age[slot] < limit -> age[slot] + 1 : limit)
}

inline messagesAge(h, slot) {
    if
    :: !ALIVE(h) || message[slot] == NOTHING || message[slot] == LOST || message[slot] == RELEASE || message[slot] == BURY
    :: ALIVE(h) && message[slot] == BUSY -> grows(slot, CLAIM)
    :: ALIVE(h) && (message[slot] == RENEW || message[slot] == RENEWED) -> grows(slot, RENEWED_LEASE)
    :: else -> grows(slot, LEASE)
    fi
}

#ifdef DEAD_WEIGHT
#define recordEnds(h) ends[h] = 0; token[h] = 0
#else
#define recordEnds(h) dropRecord(h)
#endif

#define DOWN(x) x = (x > 0 -> x - 1 : 0)

active proctype clock() {
end:
    do
#ifdef CLUSTER
    :: d_step { moves > 0 -> moveSlot(); endStep() }
#endif
    :: d_step { ALL_SETTLED ->
        printf("a tick\n");
        checkWaits();
        for (j : 0 .. HOLDERS - 1) {
            messagesAge(j, CALL(j)); messagesAge(j, RENEWAL(j)); messagesAge(j, LOWERING(j));
            if
            :: message[COPY] != NOTHING && copyOf == j -> messagesAge(j, COPY)
            :: else
            fi;
            if
            :: ends[j] == 1 ->
                printf("server: the record of holder %d ends\n", j);
                recordEnds(j)
            :: else -> DOWN(ends[j])
            fi;
            DOWN(seen[j]); DOWN(poll[j]); DOWN(refused[j]); keeperAges(j);
            refusedAt[j] = (refused[j] == 0 -> 0 : refusedAt[j]);
            if
            :: until[j] == 1 && phase[j] == HOLDING -> printf("holder %d: its time is over\n", j); sendRelease(j)
            :: else -> DOWN(until[j])
            fi
        };
        endStep() }
    od
}
