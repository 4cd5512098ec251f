/*
 * Empty steps in place of queue/keep.pml, for models without kept grants.
 */
#define TRIES_AGAIN(h) false
#define KEEPER_IS_DUE(h) false
#define ENDS(h) false
#define SHIFTS_PLAIN(h)
#define copyPlain(slot) skip
#define renewsPlain(h) skip
#define keeperAges(h) skip
#define IS_KEPT(h) false
#define BELIEVES(h) (phase[h] == HOLDING)
#define SENDS_NOTHING(h) false
#define QUEUES(h) true
#define ALIKE_TOO(h, other) true
#define begin(h) phase[h] = WAITING
#define mark(h) skip
#define unmark(h) skip
#define tellPlain(cell, h) skip
#define recallFor(h, slot) skip
#define renewMark(h, slot) skip
#define clearBare() skip
#define clearPlain(slot) skip
#define clearUnheard(slot) skip
#define notePlain(h, isPlain) skip
#define hearsPromise(h, slot) skip
#define endsTry(h) skip
#define forgetKept(h, next) skip
#define beginIndex() skip
#define checkBlocks() skip
#define noteIdle() skip
