/*
 * The requests of a client in the queue's model, the messages that it receives, and the state that follows from them.
 */
inline clear(slot) {
    message[slot] = NOTHING; age[slot] = 0; value[slot] = 0; clearPlain(slot);
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
#ifndef LATE_DOWNGRADE
    :: phase[h] == HOLDING && message[slot] == RENEWED && RENEWED_LEASE - age[slot] <= until[h] -> clear(slot)
#endif
    :: !ALIVE(h) -> age[slot] = 0; value[slot] = (message[slot] == RENEW -> value[slot] : 0); clearUnheard(slot)
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
    forgetCall(h);
    believed[h] = 0; share[h] = 0; until[h] = 0; refused[h] = 0; refusedAt[h] = 0; early[h] = 0; poll[h] = 0;
    open[h] = false; doubtful[h] = false; forgetKept(h, next);
    if
    :: next != DONE -> told[h] = 0; toldNext[h] = 0; forgetCopies(h)
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
    releases[h] = releases[h] | (BURIES(h) -> 2 : (SENDS_NOTHING(h) -> 0 : 1));
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
    :: HAS(h) -> until[h] = MAX(until[h], ticks)
    :: else ->
        forgetCall(h);
        phase[h] = HOLDING; believed[h] = tok; until[h] = ticks; share[h] = WEIGHT(h);
        poll[h] = 0; refused[h] = 0; refusedAt[h] = 0; early[h] = 0;
        for (i : 1 .. CAPACITY) {
            tokensInOrder = !(i + WEIGHT(h) > CAPACITY && believed[h] <= largest[i]); assert(tokensInOrder)
        }
        for (i : 0 .. HOLDERS - 1) {
            tokensInOrder = !(i != h && HAS(i) && believed[i] == believed[h]); assert(tokensInOrder)
        }
        largest[share[h]] = MAX(largest[share[h]], believed[h]);
        beginIndex()
    fi
}

inline hearsGranted(h, slot) {
    t = value[slot];
    at = (age[slot] < LEASE -> LEASE - age[slot] : 0);
    notePlain(h, plain[slot]);
    clear(slot);
    if
    :: slot == CALL(h) -> open[h] = false
    :: else
    fi;
    if
    :: phase[h] == DONE ->
        printf("holder %d is over and hears of its grant\n", h);
        releases[h] = releases[h] | 2
    :: ASKS(h) && at == 0 -> ask(h)
    :: ASKS(h) && at > 0 -> believe(h, t, at)
#ifdef KEEPERS
    :: phase[h] == KEPT && until[h] == 0 -> doubtful[h] = true
#endif
    :: HAS(h) && until[h] > 0 && at > 0 && t >= believed[h] ->
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

#ifdef CLUSTER
/* A copy of a message has arrived. The message behind it comes next when there are no more. */
inline takesCopy(h) {
    if
    :: toldVia[h] == 0 ->
        told[h] = toldNext[h]; toldVia[h] = toldNextVia[h]; toldNext[h] = 0; toldNextVia[h] = 0; SHIFTS_PLAIN(h)
    :: else
    fi
}
#endif

inline hearsBusy(h, slot) {
    t = value[slot];
    printf("holder %d hears its refusal, which told token %d\n", h, t);
    at = (age[slot] < CLAIM -> CLAIM - age[slot] : 0);
    hearsPromise(h, slot);
    clear(slot);
    if
    :: slot == CALL(h) -> open[h] = false
    :: else
    fi;
    if
    :: phase[h] == WAITING ->
#ifdef PROMPT
        poll[h] = (poll[h] == 0 -> 0 : POLL_OF(h));
#endif
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
    printf("holder %d hears of its renewal\n", h);
    if
    :: message[slot] == RENEWED && HAS(h) && !IS_KEPT(h) ->
        at = (age[slot] < RENEWED_LEASE -> RENEWED_LEASE - age[slot] : 0);
        until[h] = MAX(until[h], at);
#ifdef LATE_DOWNGRADE
        share[h] = (value[slot] < share[h] -> value[slot] : share[h]);
#endif
        clear(slot)
    :: message[slot] == LOST && HAS(h) -> clear(slot); sendRelease(h)
    :: else -> clear(slot)
    fi
}

