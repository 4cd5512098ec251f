/*
 * The state of the queue's model: the scope, the server, the network, the clients.
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
#ifdef FAR_POLL
#ifndef NEAR
#define NEAR 1
#endif
bool far[HOLDERS];           /* the holder was not among the first NEAR of the queue at its last refusal */
bool called[HOLDERS];        /* a message is under way that the holder is among them */
#define CALLED(h) called[h]
#define forgetCall(h) called[h] = false
#ifndef FAR_ENTRY
#define FAR_ENTRY (FAR_POLL + 1)
#endif
#define ENTRY_OF(h) (far[h] -> FAR_ENTRY : ENTRY)
#define POLL_OF(h) (far[h] -> FAR_POLL : POLL)
#else
#define ENTRY_OF(h) ENTRY
#define POLL_OF(h) POLL
#define CALLED(h) false
#define forgetCall(h) skip
#endif

#define WEIGHT(h) ((h) == 0 -> W0 : ((h) == 1 -> W1 : ((h) == 2 -> W2 : W3)))
#define MAX(a, b) ((a) > (b) -> (a) : (b))
#define NOBODY 255
#define me _pid

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
#define BURY 8               /* only as a copy: a release with tombstone */

byte message[SLOTS];
byte age[SLOTS];             /* ticks since the request was sent */
byte value[SLOTS];           /* the token in a reply, or the weight in a renewal */
byte copyOf;                 /* the holder whose message was copied */
byte told[HOLDERS];          /* a message of a grant: its token */
byte toldNext[HOLDERS];      /* the message of a later grant, behind the first message */
byte releases[HOLDERS];      /* 1: a release is under way, 2: one with tombstone, 3: both */

/* the clients */
#define IDLE 0
#define WAITING 1
#define HOLDING 2            /* assumes that it holds */
#define DONE 3               /* released, given up, or lost */
#define CRASHED 4            /* its connection is closed */
#define STOPPED 5            /* its connection stays open */

byte phase[HOLDERS];
byte believed[HOLDERS];      /* the token */
byte share[HOLDERS];         /* the weight that it assumes */
byte until[HOLDERS];         /* ticks until the end of that assumption */
byte refused[HOLDERS];       /* the rest of a claim that began when the refused request was sent */
byte refusedAt[HOLDERS];     /* the token in this refusal */
byte early[HOLDERS];         /* the token of a message that came before the reply to an open request */
byte poll[HOLDERS];          /* ticks until the next poll */
bool open[HOLDERS];          /* a request is unanswered */
bool doubtful[HOLDERS];      /* a request was sent again, or copied */

byte losses = LOSSES;
byte copies = COPIES;
byte crashes = CRASHES;

/* ghosts: only for the conditions */
bool withdrawn[HOLDERS];     /* its release has reached the server */
byte largest[CAPACITY + 1];  /* by weight: the largest token of a holder with that weight */
byte stuck;                  /* the number of ticks for which all waiters fit, and no waiter got in */

/* The conditions, by the names under which a search reports them. */
bool withinCapacity = true;  /* the weights of all assumed holders are at most the capacity, and so are the weights of all records */
bool serverAgrees = true;    /* the server has each assumed holder, with its token, at least its weight, for at least as long */
bool tokensInOrder = true;   /* tokens differ, and each is above the earlier tokens that conflict with it */
bool overForGood = true;     /* a withdrawn holder gets no lease any more */
bool inTurn = true;          /* no holder passes a live waiter, if no message is lost */
bool wokenInTime = true;     /* if all waiters would fit, none waits for more than WAITS ticks */

/* Scratch, zero between the steps. */
byte slot, t, i, j, k, at, head, sum, most;
bool dead, waits, ownGrant, ended;
int known;

#ifdef KEEPERS
#include "keep_state.pml"
#define ASKS(h) (phase[h] == WAITING || phase[h] == TRYING)
#define HAS(h) (phase[h] == HOLDING || phase[h] == KEPT)
#define CONNECTED(h) (phase[h] != CRASHED && !deaf[h])
#else
#define ASKS(h) (phase[h] == WAITING)
#define HAS(h) (phase[h] == HOLDING)
#define CONNECTED(h) (phase[h] != CRASHED)
#endif
#define ALIVE(h) (ASKS(h) || HAS(h))

#ifdef CLUSTER
#include "cluster.pml"
#define LISTENS(h) (CONNECTED(h) && COUNTED(h))
#else
#define LISTENS(h) CONNECTED(h)
#define LEARNED(h) true
#define HEARS_OWNER(h) true
#define sendsCopies(cell, h) skip
#define forgetCopies(h) skip
#define clearVia() skip
#endif

