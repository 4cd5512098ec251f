/*
 * What the queue's model knows more of with kept grants.
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
bool marked[HOLDERS];        /* the holder's record says that it is asked before others are told "busy" */

/* the network */
bool plain[SLOTS];           /* a grant is not marked; no recall comes with a refusal; a renewal takes the mark off */
bool toldPlain[HOLDERS];     /* the same of a message of a grant, and of the second one */
bool toldNextPlain[HOLDERS];
#ifdef CLUSTER
byte recalled[HOLDERS];      /* a recall is under way: the masters from which */
#else
bool recalled[HOLDERS];      /* a recall is under way; a second one beside it changes nothing */
#endif

/* the clients */
#define KEPT 6               /* has the grant, without a use for it */
#define TRYING 7             /* asks without waiting */

byte index[HOLDERS];         /* how often it was used again */
byte idle[HOLDERS];          /* PROMPT: ticks for which it keeps */
byte patience[HOLDERS];      /* PROMPT: ticks for which a try asks again */
bool wanted[HOLDERS];        /* somebody else wants it: it is not kept */
bool deaf[HOLDERS];          /* has no subscription */

bool bare;                   /* scratch: whether the message that is heard is plain */
byte deafenings = DEAFENINGS;

/* ghosts */
byte largestIndex;           /* the largest index with the largest token */
byte blocked;                /* for so many ticks somebody waits for a grant that is idle */
bool idleOnly[HOLDERS];      /* since this try began, the lock was idle all the time */

bool givenBackInTime = true; /* nobody waits for an idle grant for more than BLOCKS ticks */
bool busyIsTrue = true;      /* no try is told "busy" although the lock was idle all the time */
