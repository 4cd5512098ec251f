/*
 * The queue's model in a cluster: two masters, one of which has the lock's slot. A master counts only its own listeners, and forwards
 * each message to the other master, so a client gets one copy from each master at which it listens. Only the copy from the master that
 * has the slot counts, as far as the client knows.
 */
#ifndef MOVES
#define MOVES 0
#endif
#ifdef NEW_MASTER
#define HEARS_AT_FIRST 1
#define SLOT_AT_FIRST 0
#else
#define HEARS_AT_FIRST 3
#define SLOT_AT_FIRST 1
#endif
#ifdef ONE_LISTENER
#undef HEARS_AT_FIRST
#define HEARS_AT_FIRST 1
#endif
#ifdef COPIES_READ
#define COUNTS(h, master) true
#else
#define COUNTS(h, master) (knows[h] == master)
#endif

byte owner = SLOT_AT_FIRST;               /* the master that has the slot */
byte knows[HOLDERS] = SLOT_AT_FIRST;      /* the master that has the slot according to the holder's client */
byte hears[HOLDERS] = HEARS_AT_FIRST;     /* the masters at which its client listens: 1, 2, or both: 3 */
byte toldVia[HOLDERS];                    /* the masters from which a message of a grant is still under way */
byte toldNextVia[HOLDERS];
byte via;                                 /* scratch: the master from which a message comes */
byte moves = MOVES;

#define COUNTED(h) ((hears[h] & (1 << owner)) != 0)
#define HEARS_OWNER(h) ((hears[h] & (1 << knows[h])) != 0)
#define LEARNED(h) (!ALIVE(h) || knows[h] == owner)

inline sendsCopies(cell, h) { cell = (phase[h] == WAITING || phase[h] == DONE -> hears[h] : 1) }
inline forgetCopies(h) { toldVia[h] = 0; toldNextVia[h] = 0 }
inline clearVia() { via = 0 }

/* the slot of the lock moves, with all data of the lock */
inline moveSlot() {
    moves--; owner = 1 - owner;
    printf("network: the slot moves to the other master\n")
}

/* No client listens there yet, so messages were missed. A waiter asks again, and a kept grant is given back (HEARS in keep.pml). */
#ifdef UNHEARD_MOVE
#define asksAgain(h) skip
#else
inline asksAgain(h) {
    if
    :: phase[h] == WAITING -> ask(h)
    :: else
    fi
}
#endif

inline clusterSteps(h) {
    if
    :: d_step { ALIVE(h) && !open[h] && knows[h] != owner ->
        knows[h] = owner;
        printf("holder %d learns of the move\n", h);
        if
        :: !HEARS_OWNER(h) -> asksAgain(h)
        :: else
        fi }
#ifndef ONE_LISTENER
    :: d_step { ALIVE(h) && !open[h] && !HEARS_OWNER(h) ->
        hears[h] = hears[h] | (1 << knows[h]);
        printf("holder %d listens at the other master\n", h);
        asksAgain(h) }
#endif
    fi
}
