package io.hasp.memory;

/** What a {@link BrokenSharedServer} does wrong: each is a rule of the shared kinds that it leaves out. */
enum SharedFlaw {
    /** A writer counts as one, as a reader does. */
    WRITERS_BESIDE_READERS,
    /** A reader takes all, as a writer does. */
    READERS_EXCLUDE_READERS,
    /** One who comes now and fits does not look at who waits. */
    NEWCOMERS_PASS,
    /** Of those who wait, each who fits is served, also behind one who does not. */
    SMALL_ONES_PASS,
    /** Only a waiter that would fit is asked whether it lives. */
    DEAD_WAITERS_STAY,
    /** What becomes free is told to the first waiter only. */
    FIRST_WAITER_ONLY,
    /** The end of a waiter tells nobody. */
    SILENT_WITHDRAWALS,
    /** A renewal sets the weight, also to more: a late one takes back what was given away. */
    RENEWALS_RAISE,
    /** A renewal never changes the weight. */
    NO_LOWERING,
    /** Who keeps a part keeps nothing. */
    LOWERING_RELEASES,
    /** Parts of a lock are not renewed, though the answer says so. */
    PARTS_NOT_RENEWED,
    /** What a dead holder had never comes back. */
    PERMITS_OF_THE_DEAD_VANISH,
    /** What a dead holder had comes back twice. */
    PERMITS_OF_THE_DEAD_DOUBLE,
    /** Each weight has a counter of its own for tokens. */
    TOKENS_PER_WEIGHT,
    /** A capacity is believed, whatever those have named who hold or wait. */
    KINDS_MIXED
}
