/*
 * The conditions of the queue's model, and the end of a step.
 */
#if defined(PROMPT) && LOSSES == 0 && DEAFENINGS == 0 && MOVES == 0
inline checkTurn(h) {
    i = 0;
    do
    :: queue[i] == 0 || queue[i] == h + 1 -> break
    :: else -> inTurn = (phase[queue[i] - 1] != WAITING); assert(inTurn); i++
    od
}

inline checkDrop(h) {
    inTurn = (phase[h] != WAITING); assert(inTurn)
}
#else
#define checkTurn(h) skip
#define checkDrop(h) skip
#endif

/* If all waiters would fit beside the holders that assume their lock, the first waiter has to get in. */
#ifdef PROMPT
inline checkWaits() {
    sum = 0; most = 0; waits = false;
    for (i : 0 .. HOLDERS - 1) {
        if
        :: HAS(i) -> sum = sum + share[i]
        :: phase[i] == WAITING -> waits = true; most = MAX(most, WEIGHT(i))
        :: else
        fi
    }
    stuck = (waits && sum + most <= CAPACITY -> stuck + 1 : 0);
    wokenInTime = (stuck <= WAITS); assert(wokenInTime);
    checkBlocks()
}
#else
#define checkWaits() skip
#endif

inline check() {
    sum = 0;
    for (i : 0 .. HOLDERS - 1) {
        if
        :: BELIEVES(i) ->
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

/* Tokens are only compared, so only their order counts: numbers that are not stored any more are closed up. */
#define BIT(n) (1 << (n))
#define CLOSE_UP(x) x = ((x) > t -> (x) - 1 : (x))
#define TELLS_TOKEN(slot) (message[slot] == GRANTED || message[slot] == BUSY)

inline renumber() {
    assert(counter < 31);
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
    noteIdle();
    clearBare(); clearVia(); slot = 0; t = 0; i = 0; j = 0; k = 0; at = 0; head = 0; sum = 0; most = 0; known = 0;
    dead = false; waits = false; ownGrant = false; ended = false
}

