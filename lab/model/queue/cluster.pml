/*
 * The queue's model in a cluster: two masters, one of which has the lock's slot. A master counts only those who listen there, and passes
 * each message on to the other, so a client gets it once from each at which it listens. What counts is the copy of the master that has
 * the slot, as far as the client knows.
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
byte knows[HOLDERS] = SLOT_AT_FIRST;      /* and which the holder's client takes for that */
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

/* its slot moves, with all that the server knows of the lock */
inline moveSlot() {
    moves--; owner = 1 - owner;
    printf("network: the slot moves to the other master\n")
}

/* Nobody listens there yet, so messages were missed: who waits asks. What is kept is given back (HEARS in keep.pml). */
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
