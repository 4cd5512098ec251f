package io.hasp.memory;

/** A flaw of a {@link BrokenSharedServer}: each leaves out a rule of the shared kinds. */
enum SharedFlaw {
    /** A writer counts as one, as a reader does. */
    WRITERS_BESIDE_READERS,
    /** A reader takes all, as a writer does. */
    READERS_EXCLUDE_READERS,
    /** One who comes now and fits does not look at who waits. */
    NEWCOMERS_PASS,
    /** Of those who wait, each who fits is served, also behind one who does not. */
    SMALL_ONES_PASS,
    /** The server checks for life only a waiter that would fit. */
    DEAD_WAITERS_STAY,
    /** Only the first waiter is notified of a freed share. */
    FIRST_WAITER_ONLY,
    /** The end of a waiter notifies no other waiter. */
    SILENT_WITHDRAWALS,
    /** A renewal sets the weight, also to more: a late one takes back what was given away. */
    RENEWALS_RAISE,
    /** A renewal never changes the weight. */
    NO_LOWERING,
    /** A reduction to a part releases everything. */
    LOWERING_RELEASES,
    /** Parts of a lock are not renewed, though the answer says so. */
    PARTS_NOT_RENEWED,
    /** A dead holder's permits never return. */
    PERMITS_OF_THE_DEAD_VANISH,
    /** A dead holder's permits return twice. */
    PERMITS_OF_THE_DEAD_DOUBLE,
    /** Each weight has a counter of its own for tokens. */
    TOKENS_PER_WEIGHT,
    /** A capacity is believed, whatever those have named who hold or wait. */
    KINDS_MIXED
}
