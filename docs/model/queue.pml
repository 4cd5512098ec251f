/*
 * The queue of one Redis server with shares, as in lock-redis: a lock has a capacity, a holder a weight. Several heads of the
 * queue are served at once, and who is told of a grant believes it without asking. README.md beside this file explains.
 *
 * A holder is one acquisition. Each process "holder" is one of them together with what the network and the server do for it; every
 * option of its loop is one step. The process "clock" lets a tick pass. Requests and replies carry their age: the ticks since
 * the request was sent. A message waits in its slot until it is delivered, which may be at any time.
 *
 *   HOLDERS, CAPACITY, W0 W1 W2 W3   how many holders, the capacity, and what each holder weighs
 *   PROMPT           messages arrive within the tick; waiters poll in every tick. (Without: any delay, any order, polls at any time)
 *   WAITS            PROMPT only: for so many ticks all waiters may fit and nobody is let in (0)
 *   LOSSES, COPIES, CRASHES   how many messages are lost or copied, and how many holders crash or stop for ever (0)
 *   RENEWALS, DOWNGRADES, WITHDRAWALS   holders renew; holders who weigh more than 1 lower that to 1; waiters give up
 *
 * The rules of the protocol that can be left out:
 *   BARGING          1: a newcomer that fits is granted although somebody waits
 *   PASSING          2: who fits is served although a head that does not fit is before it
 *   DEAD_HEAD        3: a head that does not fit is not asked whether it lives
 *   ONE_HEAD         4: one head is served at a time
 *   SILENT_WAITER    5: the end of a waiter serves nobody
 *   OLDEST_TOKEN     6: a refusal tells the token of the oldest holder, not the counter
 *   RAISING          7: a renewal sets the weight, also to more
 *   LATE_DOWNGRADE   8: a holder that lowers its weight believes the larger one until it is answered
 *   NO_TOMBSTONE     9: a release leaves none, though a request may still arrive
 *   SHORTENING       9: a confirmation or renewal sets the end, also to an earlier one
 *   FROM_RECEIPT     9: a claim is believed from the receipt of its message
 *   ANY_REFUSAL      9: … from the last refusal, also if that is younger than the grant
 *   DEAD_WEIGHT      9: a record past its end weighs on
 */
#ifndef HOLDERS
#define HOLDERS 3
#endif
#ifndef CAPACITY
#define CAPACITY 2
#endif
#ifndef W0
#define W0 1
#endif
#ifndef W1
#define W1 2
#endif
#ifndef W2
#define W2 1
#endif
#ifndef W3
#define W3 1
#endif
#ifndef WAITS
#define WAITS 0
#endif
#ifndef LOSSES
#define LOSSES 0
#endif
#ifndef COPIES
#define COPIES 0
#endif
#ifndef CRASHES
#define CRASHES 0
#endif

#define WEIGHT(h) ((h) == 0 -> W0 : ((h) == 1 -> W1 : ((h) == 2 -> W2 : W3)))
#define MAX(a, b) ((a) > (b) -> (a) : (b))
#define NOBODY 255
#define me _pid

/* ticks */
#ifndef LEASE
#define LEASE 3
#endif
#ifndef CLAIM
#define CLAIM 2
#endif
#ifndef ENTRY
#define ENTRY 2
#endif
#ifndef RENEWED_LEASE
#define RENEWED_LEASE LEASE
#endif
#define POLL 1

/* the server */
byte ends[HOLDERS];          /* ticks until the holder's record ends; 0: there is none */
byte weight[HOLDERS];        /* as recorded */
byte token[HOLDERS];
byte counter;
byte queue[HOLDERS + 1];     /* holder + 1, the head first; 0: the end */
byte seen[HOLDERS];          /* ticks until the holder's entry in the queue is out of date */
bool buried[HOLDERS];        /* its tombstone stands */

/* the network: one slot for each exchange, and one for a copy of any request, and then of its reply */
#define CALL(h) (h)
#define RENEWAL(h) (HOLDERS + (h))
#define LOWERING(h) (2 * HOLDERS + (h))
#define COPY (3 * HOLDERS)
#define SLOTS (3 * HOLDERS + 1)

#define NOTHING 0
#define ACQUIRE 1
#define GRANTED 2
#define BUSY 3
#define RENEW 4
#define RENEWED 5
#define LOST 6
#define RELEASE 7            /* only as a copy */
#define BURY 8               /* likewise: a release with tombstone */

byte message[SLOTS];
byte age[SLOTS];             /* ticks since the request was sent */
byte value[SLOTS];           /* the token that a reply tells, or the weight that a renewal asks for */
byte copyOf;                 /* whose message was copied */
byte told[HOLDERS];          /* a message of a grant: its token */
byte toldNext[HOLDERS];      /* a second one behind it, of a later grant */
byte releases[HOLDERS];      /* 1: a release is under way, 2: one with tombstone, 3: both */

/* the clients */
#define IDLE 0
#define WAITING 1
#define HOLDING 2            /* believes that it holds */
#define DONE 3               /* released, given up, or lost */
#define CRASHED 4            /* its connection is closed */
#define STOPPED 5            /* its connection stays open */

byte phase[HOLDERS];
byte believed[HOLDERS];      /* the token */
byte share[HOLDERS];         /* the weight that it believes to have */
byte until[HOLDERS];         /* ticks for which it believes */
byte refused[HOLDERS];       /* what is left of a claim that began when the refused request was sent */
byte refusedAt[HOLDERS];     /* the token that this refusal told */
byte early[HOLDERS];         /* the token of a message that came before the reply to an open request */
byte poll[HOLDERS];          /* ticks until the next poll */
bool open[HOLDERS];          /* a request is unanswered */
bool doubtful[HOLDERS];      /* a request was sent again, or copied */

byte losses = LOSSES;
byte copies = COPIES;
byte crashes = CRASHES;
#ifdef RENEWALS
byte renewals = RENEWALS;
#endif

/* ghosts: only for the conditions */
bool withdrawn[HOLDERS];     /* its release has reached the server */
byte largest[CAPACITY + 1];  /* by weight: the largest token that was believed with that weight */
byte stuck;                  /* for so many ticks all waiters fit, and nobody was let in */

/* The conditions, by the names under which a search reports them. */
bool withinCapacity = true;  /* who believes weighs at most the capacity, and so does who is recorded */
bool serverAgrees = true;    /* the server has who believes, with that token, at least that weight, for at least as long */
bool tokensInOrder = true;   /* tokens differ, and are above each earlier one that conflicts */
bool overForGood = true;     /* a withdrawn holder gets no lease any more */
bool inTurn = true;          /* nobody passes a live waiter, where no message is lost */
bool wokenInTime = true;     /* nobody waits, though all who wait would fit, for more than WAITS ticks */

/* Scratch, zero between the steps. */
byte slot, t, i, j, k, at, head, sum, most;
bool dead, waits, ownGrant, ended;
int known;

#define ALIVE(h) (phase[h] == WAITING || phase[h] == HOLDING)
#define LISTENS(h) (phase[h] != CRASHED)

/* ---- the server's scripts ---- */

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
    ends[h] = 0; weight[h] = 0; token[h] = 0
}

#if defined(PROMPT) && LOSSES == 0
inline checkTurn(h) {
    i = 0;
    do
    :: queue[i] == 0 || queue[i] == h + 1 -> break
    :: else -> inTurn = (phase[queue[i] - 1] != WAITING); assert(inTurn); i++
    od
}
#else
#define checkTurn(h) skip
#endif

inline grant(h, ticks) {
    counter++;
    ends[h] = ticks; weight[h] = WEIGHT(h); token[h] = counter;
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

/* a claim for a holder in the queue, which is told */
inline handOver(h) {
    checkTurn(h);
    leaveQueue(h);
    grant(h, CLAIM);
    if
    :: told[h] == 0 -> told[h] = counter
    :: else -> toldNext[h] = counter
    fi
}

#ifdef DEAD_HEAD
#define SKIPS_DEAD false
#else
#define SKIPS_DEAD true
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
            break
#endif
        :: else ->
            if
            :: dead ->
                printf("server: drops the entry of holder %d\n", head);
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
    seen[h] = ENTRY
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
        message[slot] = GRANTED; value[slot] = token[h];
        printf("server: confirms token %d of holder %d\n", token[h], h)
    :: else ->
        serve(h);
        weigh();
        if
        :: !ownGrant && ENTERS_AT_ONCE && sum + WEIGHT(h) <= CAPACITY -> lease(h)
        :: else
        fi;
        if
        :: ownGrant -> message[slot] = GRANTED; value[slot] = token[h]
        :: else ->
            enterQueue(h);
            message[slot] = BUSY; tellToken(slot);
            printf("server: refuses holder %d, which waits; the refusal tells token %d\n", h, value[slot])
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
    :: ends[h] == 0 -> message[slot] = LOST; value[slot] = 0;
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
        printf("server: renews holder %d, which weighs %d now\n", h, weight[h]);
        if
        :: ended -> serve(NOBODY)
        :: else
        fi
    fi
}

/* ---- the clients ---- */

inline clear(slot) {
    message[slot] = NOTHING; age[slot] = 0; value[slot] = 0;
    if
    :: slot == COPY -> copyOf = 0
    :: else
    fi
}

/* A reply that changes nothing when it arrives need not be under way. */
inline clearIdle(h, slot) {
    if
    :: !ALIVE(h) && (message[slot] == BUSY || message[slot] == RENEWED || message[slot] == LOST
            || (message[slot] == GRANTED && phase[h] != DONE)) -> clear(slot)
    :: phase[h] == HOLDING && message[slot] == RENEWED && RENEWED_LEASE - age[slot] <= until[h] -> clear(slot)
    :: !ALIVE(h) -> age[slot] = 0; value[slot] = (message[slot] == RENEW -> value[slot] : 0)
    :: else
    fi
}

inline clearIdles(h) {
    clearIdle(h, CALL(h));
    clearIdle(h, RENEWAL(h));
    clearIdle(h, LOWERING(h));
    if
    :: message[COPY] != NOTHING && copyOf == h -> clearIdle(h, COPY)
    :: else
    fi
}

inline forget(h, next) {
    phase[h] = next;
    believed[h] = 0; share[h] = 0; until[h] = 0; refused[h] = 0; refusedAt[h] = 0; early[h] = 0; poll[h] = 0;
    open[h] = false; doubtful[h] = false;
    if
    :: next != DONE -> told[h] = 0; toldNext[h] = 0
    :: else
    fi;
    clearIdles(h)
}

#ifdef NO_TOMBSTONE
#define BURIES(h) false
#else
#define BURIES(h) (open[h] || doubtful[h])
#endif

inline sendRelease(h) {
    releases[h] = releases[h] | (BURIES(h) -> 2 : 1);
    forget(h, DONE)
}

inline ask(h) {
    if
    :: open[h] -> doubtful[h] = true
    :: else
    fi;
    if
    :: message[CALL(h)] == NOTHING ->
        message[CALL(h)] = ACQUIRE; age[CALL(h)] = 0; value[CALL(h)] = 0;
        printf("holder %d asks\n", h)
    :: else
    fi;
    open[h] = true;
#ifdef PROMPT
    poll[h] = POLL
#endif
}

inline believe(h, tok, ticks) {
    printf("holder %d believes token %d for %d ticks\n", h, tok, ticks);
    if
    :: phase[h] == HOLDING -> until[h] = MAX(until[h], ticks)
    :: else ->
        phase[h] = HOLDING; believed[h] = tok; until[h] = ticks; share[h] = WEIGHT(h);
        poll[h] = 0; refused[h] = 0; refusedAt[h] = 0; early[h] = 0;
        for (i : 1 .. CAPACITY) {
            tokensInOrder = !(i + WEIGHT(h) > CAPACITY && believed[h] <= largest[i]); assert(tokensInOrder)
        }
        for (i : 0 .. HOLDERS - 1) {
            tokensInOrder = !(i != h && phase[i] == HOLDING && believed[i] == believed[h]); assert(tokensInOrder)
        }
        largest[share[h]] = MAX(largest[share[h]], believed[h])
    fi
}

inline hearsGranted(h, slot) {
    t = value[slot];
    at = (age[slot] < LEASE -> LEASE - age[slot] : 0);
    clear(slot);
    if
    :: slot == CALL(h) -> open[h] = false
    :: else
    fi;
    if
    :: phase[h] == DONE ->
        printf("holder %d is over and hears of its grant\n", h);
        releases[h] = releases[h] | 2
    :: phase[h] == WAITING && at == 0 -> ask(h)
    :: phase[h] == WAITING && at > 0 -> believe(h, t, at)
    :: phase[h] == HOLDING && at > 0 && t >= believed[h] ->
        tokensInOrder = (t == believed[h]); assert(tokensInOrder);
        believe(h, t, at)
    :: else
    fi
}

#ifdef ANY_REFUSAL
#define YOUNGER(h, tok) (refused[h] > 0)
#else
#define YOUNGER(h, tok) (refused[h] > 0 && refusedAt[h] < tok)
#endif

/* the token of a message is in t */
inline hearsMessage(h) {
    printf("holder %d is told of token %d\n", h, t);
    if
    :: phase[h] == DONE -> releases[h] = releases[h] | 2
#ifdef FROM_RECEIPT
    :: phase[h] == WAITING -> believe(h, t, CLAIM)
#else
    :: phase[h] == WAITING && YOUNGER(h, t) -> at = refused[h]; believe(h, t, at)
    :: phase[h] == WAITING && !YOUNGER(h, t) && open[h] -> early[h] = t
    :: phase[h] == WAITING && !YOUNGER(h, t) && !open[h] -> ask(h)
#endif
    :: else
    fi
}

inline hearsBusy(h, slot) {
    t = value[slot];
    at = (age[slot] < CLAIM -> CLAIM - age[slot] : 0);
    clear(slot);
    if
    :: slot == CALL(h) -> open[h] = false
    :: else
    fi;
    if
    :: phase[h] == WAITING ->
        if
        :: at > refused[h] -> refused[h] = at; refusedAt[h] = t
        :: else
        fi;
        if
        :: early[h] > 0 -> t = early[h]; early[h] = 0; hearsMessage(h)
        :: else
        fi
    :: else
    fi
}

inline hearsRenewed(h, slot) {
    if
    :: message[slot] == RENEWED && phase[h] == HOLDING ->
        at = (age[slot] < RENEWED_LEASE -> RENEWED_LEASE - age[slot] : 0);
        until[h] = MAX(until[h], at);
#ifdef LATE_DOWNGRADE
        share[h] = (value[slot] < share[h] -> value[slot] : share[h]);
#endif
        clear(slot)
    :: message[slot] == LOST && phase[h] == HOLDING -> clear(slot); sendRelease(h)
    :: else -> clear(slot)
    fi
}

/* ---- the conditions that hold in every state ---- */

inline check() {
    sum = 0;
    for (i : 0 .. HOLDERS - 1) {
        if
        :: phase[i] == HOLDING ->
            sum = sum + share[i];
            serverAgrees = (token[i] == believed[i] && ends[i] >= until[i] && weight[i] >= share[i]); assert(serverAgrees)
        :: else
        fi
    }
    withinCapacity = (sum <= CAPACITY); assert(withinCapacity);
#ifndef DEAD_WEIGHT
    weigh();
    withinCapacity = (sum <= CAPACITY); assert(withinCapacity)
#endif
}

/* Tokens are only compared, so only their order counts: numbers that nobody knows any more are closed up. */
#define BIT(n) (1 << (n))
#define CLOSE_UP(x) x = ((x) > t -> (x) - 1 : (x))
#define TELLS_TOKEN(slot) (message[slot] == GRANTED || message[slot] == BUSY)

inline renumber() {
    known = BIT(counter);
    for (i : 0 .. HOLDERS - 1) {
        known = known | BIT(token[i]) | BIT(told[i]) | BIT(toldNext[i]);
        known = known | BIT(believed[i]) | BIT(refusedAt[i]) | BIT(early[i]);
        known = known | (TELLS_TOKEN(CALL(i)) -> BIT(value[CALL(i)]) : 0)
    }
    known = known | (TELLS_TOKEN(COPY) -> BIT(value[COPY]) : 0);
    for (i : 1 .. CAPACITY) { known = known | BIT(largest[i]) }
    t = counter;
    do
    :: t == 0 -> break
    :: t > 0 && (known & BIT(t)) -> t--
    :: else ->
        counter--;
        for (i : 0 .. HOLDERS - 1) {
            CLOSE_UP(token[i]); CLOSE_UP(told[i]); CLOSE_UP(toldNext[i]); CLOSE_UP(believed[i]); CLOSE_UP(refusedAt[i]);
            CLOSE_UP(early[i]);
            if
            :: TELLS_TOKEN(CALL(i)) -> CLOSE_UP(value[CALL(i)])
            :: else
            fi
        }
        if
        :: TELLS_TOKEN(COPY) -> CLOSE_UP(value[COPY])
        :: else
        fi;
        for (i : 1 .. CAPACITY) { CLOSE_UP(largest[i]) }
        t--
    od
}

inline endStep() {
    check();
    renumber();
    slot = 0; t = 0; i = 0; j = 0; k = 0; at = 0; head = 0; sum = 0; most = 0; known = 0;
    dead = false; waits = false; ownGrant = false; ended = false
}

/* ---- what may happen next ---- */

/* Holders of the same weight are alike, so it is enough to let them begin in one order. */
#define ALIKE(h, other) (other < h && WEIGHT(other) == WEIGHT(h) && phase[(other < HOLDERS -> other : 0)] == IDLE)
#define MAY_BEGIN(h) !(ALIKE(h, 0) || ALIKE(h, 1) || ALIKE(h, 2))

#ifdef PROMPT
#define POLLS(h) (phase[h] == WAITING && poll[h] == 0)
#else
#define POLLS(h) (phase[h] == WAITING && message[CALL(h)] == NOTHING)
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
    message[COPY] = message[slot]; age[COPY] = age[slot]; value[COPY] = value[slot];
    doubtful[h] = (ALIVE(h) && (doubtful[h] || message[slot] == ACQUIRE));
    printf("network: copies a request of holder %d\n", h)
}

active [HOLDERS] proctype holder() {
end:
    do
    :: atomic {
        if
        :: d_step { phase[me] == IDLE && MAY_BEGIN(me) -> phase[me] = WAITING; ask(me) }
        :: d_step { POLLS(me) -> ask(me) }
        :: d_step { phase[me] == HOLDING -> printf("holder %d releases\n", me); sendRelease(me) }
#ifdef WITHDRAWALS
        :: d_step { phase[me] == WAITING -> printf("holder %d gives up\n", me); sendRelease(me) }
#endif
#ifdef RENEWALS
        :: d_step { phase[me] == HOLDING && renewals > 0 && message[RENEWAL(me)] == NOTHING ->
            renewals = (renewals == 255 -> 255 : renewals - 1);
            message[RENEWAL(me)] = RENEW; value[RENEWAL(me)] = share[me];
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
        :: if
            :: told[me] > 0 -> t = told[me]; told[me] = toldNext[me]; toldNext[me] = 0
            :: toldNext[me] > 0 -> t = toldNext[me]; toldNext[me] = 0
            fi;
            if
            :: d_step { hearsMessage(me); skip }
            :: d_step { losses > 0 -> losses--; printf("network: loses a message to holder %d\n", me) }
            fi
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
    && told[h] == 0 && releases[h] == 0 && !POLLS(h))
#else
#define SETTLED(h) true
#endif
#define ALL_SETTLED (SETTLED(0) && SETTLED(1) && SETTLED(HOLDERS - 1) && (HOLDERS < 4 || SETTLED(HOLDERS - 2)))

/* All who wait would fit beside those who believe: then whoever is first has to get in. */
#ifdef PROMPT
inline checkWaits() {
    sum = 0; most = 0; waits = false;
    for (i : 0 .. HOLDERS - 1) {
        if
        :: phase[i] == HOLDING -> sum = sum + share[i]
        :: phase[i] == WAITING -> waits = true; most = MAX(most, WEIGHT(i))
        :: else
        fi
    }
    stuck = (waits && sum + most <= CAPACITY -> stuck + 1 : 0);
    wokenInTime = (stuck <= WAITS); assert(wokenInTime)
}
#else
#define checkWaits() skip
#endif

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
            DOWN(seen[j]); DOWN(poll[j]); DOWN(refused[j]);
            refusedAt[j] = (refused[j] == 0 -> 0 : refusedAt[j]);
            if
            :: until[j] == 1 -> printf("holder %d: its time is over\n", j); sendRelease(j)
            :: else -> DOWN(until[j])
            fi
        };
        endStep() }
    od
}
