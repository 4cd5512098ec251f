/*
 * The additional state of the queue's model with kept grants.
 */
#if CAPACITY > 1 || W0 + W1 + W2 + W3 > 4
#error "only exclusive locks are kept: CAPACITY=1 W1=1"
#endif
#ifndef KEEP
#define KEEP 2
#endif
#ifndef USES
#define USES 1
#endif
#ifndef TRIES
#define TRIES 0
#endif
#ifndef PATIENCE
#define PATIENCE 2
#endif
#ifndef DEAFENINGS
#define DEAFENINGS 0
#endif
#ifndef BLOCKS
#define BLOCKS 0
#endif
#if defined(PROMPT) && TRIES > 0 && LOSSES == 0 && COPIES == 0 && CRASHES == 0 && DEAFENINGS == 0 && MOVES == 0
#define CHECKS_TRIES
#endif

#define KEEPS(h) ((h) < KEEPERS)
#define TRIES_ONLY(h) ((h) + TRIES >= HOLDERS)

/* the server */
bool marked[HOLDERS];        /* the holder's record says that a recall precedes a "busy" reply */

/* the network */
bool plain[SLOTS];           /* a grant is not marked; no recall comes with a refusal; a renewal takes the mark off */
bool toldPlain[HOLDERS];     /* the message of a grant is plain; and the second message */
bool toldNextPlain[HOLDERS];
#ifdef CLUSTER
byte recalled[HOLDERS];      /* the masters from which a recall is under way */
#else
bool recalled[HOLDERS];      /* a recall is under way; a second one beside it changes nothing */
#endif

/* the clients */
#define KEPT 6               /* has the grant, and does not use it */
#define TRYING 7             /* asks without waiting */

byte index[HOLDERS];         /* the number of times that the grant was used again */
byte idle[HOLDERS];          /* PROMPT: ticks for which it keeps */
byte patience[HOLDERS];      /* PROMPT: ticks for which a try asks again */
bool wanted[HOLDERS];        /* another holder requests the lock: the grant is not kept */
bool deaf[HOLDERS];          /* has no subscription */

bool bare;                   /* scratch: the received message is plain */
byte deafenings = DEAFENINGS;

/* ghosts */
byte largestIndex;           /* the largest index with the largest token */
byte blocked;                /* the number of ticks for which a holder has waited for an idle grant */
bool idleOnly[HOLDERS];      /* since this try began, the lock was idle all the time */

bool givenBackInTime = true; /* no holder waits for an idle grant for more than BLOCKS ticks */
bool busyIsTrue = true;      /* no try is answered "busy" although the lock was idle all the time */
