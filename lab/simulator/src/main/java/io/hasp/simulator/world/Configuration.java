package io.hasp.simulator.world;

import io.hasp.spi.Share;
import java.time.Duration;

/**
 * The size and the kind of one run. It is derived from the seed, and stays the same while a schedule is shrunk.
 *
 * @param clients the number of clients
 * @param callers the number of callers (threads or futures) of each client
 * @param names the number of lock names
 * @param steps the number of steps that are chosen before everything heals
 * @param sessions true if the server keeps grants for as long as a session, instead of a lease
 * @param oneFlight true if the backend transfers a lock in one flight
 * @param tombstones true if the server remembers a holder that was withdrawn before its request arrived
 * @param faults the rate of faults: one in so many messages; zero for none
 * @param handOff true if a client may hand a lock off between its own callers
 * @param atOnce true if some calls are answered on the thread that makes them
 * @param broken true if the server breaks its contract: it grants tokens out of range, and for a while it takes no new holder id
 * @param capacity the kind of the locks, as in {@link Share}
 * @param mixed true if some callers take them for exclusive ones
 * @param keepers the clients that keep grants: none, all, or every second one
 * @param alike true if all take one permit in the same way, so that permits are handed on; there are more callers then
 * @param retains true if some callers want a lock to stay taken after its release
 * @param mostAsking the number of callers of a client that make requests for a shared lock at a time: fewer than there are, or all
 * @param interrupts true if work under a lease is interrupted when the lease is lost
 * @param threads zero if each task runs at a stretch; otherwise threads are preempted and objects of the program block: one and two
 *     for a client with pools of its own, three and four for one with an executor of the program; with an odd number the listener
 *     says that it does not block
 * @param users the kind of the users of a client
 */
public record Configuration(
        int clients,
        int callers,
        int names,
        int steps,
        boolean sessions,
        boolean oneFlight,
        boolean tombstones,
        int faults,
        boolean handOff,
        boolean atOnce,
        boolean broken,
        int capacity,
        boolean mixed,
        int keepers,
        boolean alike,
        boolean retains,
        int mostAsking,
        boolean interrupts,
        int threads,
        Users users) {
    /** The users of a client. */
    public enum Users {
        CALLERS,
        /** They take several locks at once. */
        ALL_OF,
        /** They stand in elections. */
        CANDIDATES
    }

    public static final Duration LEASE = Duration.ofSeconds(5);
    public static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(1);
    public static final Duration UNAVAILABLE_AFTER = Duration.ofSeconds(5);
    public static final Duration POLL = Duration.ofMillis(1_500);
    /** Nearly a third of the lease. */
    public static final Duration KEEP = Duration.ofMillis(1_500);

    public static final Duration RECALL_WITHIN = Duration.ofMillis(40);
    private static final int[] MOST_ASKING = {1, 2, 3, 16};
    private static final int[] FAULTS = {0, 100, 30, 10};
    private static final int[] CAPACITIES = {1, 1, 1, Share.READ_WRITE, Share.READ_WRITE, 2, 3};
    private static final int MOST_NAMES = 4;

    public static Configuration of(long seed) {
        Users[] users = Users.values();
        int others = ChoiceSequence.seeded(seed ^ 0xA110F).below(14);
        return others < 1 || others >= users.length
                ? ofCallers(seed)
                : ofCallers(seed).with(users[others], seed);
    }

    private static Configuration ofCallers(long seed) {
        ChoiceSequence choices = ChoiceSequence.seeded(seed ^ 0x5EED);
        boolean sessions = choices.below(3) == 0;
        int capacity = CAPACITIES[choices.below(CAPACITIES.length)];
        boolean alike = capacity > 1 && capacity != Share.READ_WRITE && choices.below(2) == 0;
        int threads = Math.max(0, ChoiceSequence.seeded(seed ^ 0x7472).below(16) - 11);
        return new Configuration(
                1 + choices.below(3),
                1 + choices.below(4) + (alike ? 3 : 0) + (threads > 0 ? 4 : 0),
                1 + (choices.below(2) & (threads > 0 ? 0 : 1)),
                40 + choices.below(8) * 80,
                sessions,
                choices.below(2) == 0,
                sessions || choices.below(2) == 0,
                FAULTS[choices.below(FAULTS.length)],
                choices.below(3) > 0,
                choices.below(2) == 0 && threads == 0,
                choices.below(6) == 0 && threads == 0,
                capacity,
                choices.below(4) == 0,
                threads > 0 ? 0 : choices.below(3),
                alike,
                !sessions
                        && capacity == 1
                        && threads == 0
                        && ChoiceSequence.seeded(seed ^ 0x57A7).below(2) == 0,
                MOST_ASKING[choices.below(MOST_ASKING.length)],
                ChoiceSequence.seeded(seed ^ 0x1A7E).below(2) == 0,
                threads,
                Users.CALLERS);
    }

    /** Such users take exclusive locks only, and each of their tasks runs at a stretch. */
    private Configuration with(Users others, long seed) {
        int most = others == Users.ALL_OF ? MOST_NAMES : 2;
        return new Configuration(
                clients,
                callers - (alike ? 3 : 0) - (threads > 0 ? 4 : 0),
                1 + ChoiceSequence.seeded(seed ^ 0x5E7).below(most),
                steps,
                sessions,
                oneFlight,
                tombstones,
                faults,
                handOff,
                atOnce,
                broken,
                1,
                false,
                keepers,
                false,
                false,
                mostAsking,
                interrupts,
                0,
                others);
    }

    /** The number of steps is no part of a state. */
    public long hashWithoutSteps() {
        return new Configuration(
                        clients,
                        callers,
                        names,
                        0,
                        sessions,
                        oneFlight,
                        tombstones,
                        faults,
                        handOff,
                        atOnce,
                        broken,
                        capacity,
                        mixed,
                        keepers,
                        alike,
                        retains,
                        mostAsking,
                        interrupts,
                        threads,
                        users)
                .hashCode();
    }

    /** True if threads are preempted, and objects of the program block. */
    public boolean hasThreads() {
        return threads > 0;
    }

    /** True if a client runs all tasks on threads of its own. */
    public boolean ownPools() {
        return threads <= 2;
    }

    /** True if the listener declares that it does not block. */
    public boolean nonBlocking() {
        return threads % 2 == 1;
    }

    /** True if some clients keep grants after their release. */
    public boolean keeps() {
        return keepers > 0 && !shared();
    }

    public boolean keeps(int client) {
        return keeps() && (keepers == 1 || client % 2 == 0);
    }

    /** True if several may hold a lock at a time. */
    public boolean shared() {
        return capacity > 1;
    }

    /** Chooses the share of a lock that a caller requests. */
    public Share share(ChoiceSequence choices) {
        if (!shared() || (mixed && choices.oneIn(12))) {
            return Share.EXCLUSIVE;
        } else if (capacity == Share.READ_WRITE) {
            return choices.below(3) == 1 ? Share.WRITE : Share.READ;
        }
        return new Share(alike && !choices.oneIn(12) ? 1 : 1 + choices.below(capacity), capacity);
    }
}
