package io.hasp.conformance.random;

import io.hasp.conformance.LockMode;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * The mode of one call, and the use of a shared lock in it. Immutable.
 *
 * @param mode the requested mode
 * @param less the mode of the second half: a writer continues as a reader, a holder of permits returns some
 * @param upgrade true if a reading thread also requests to write, which must be refused
 */
record CallMode(LockMode mode, Optional<LockMode> less, boolean upgrade) {
    /** A lock as it always was. */
    static final CallMode EXCLUSIVE = new CallMode(LockMode.EXCLUSIVE, Optional.empty(), false);

    private static final int KINDS = 3;
    private static final int FEWEST_PERMITS = 2;
    private static final int MOST_PERMITS = 5;
    private static final int WRITES_ONE_IN = 3;

    /** A kind of lock, as the mode of one who takes all of it. */
    static LockMode kind(SplittableRandom random) {
        return switch (random.nextInt(KINDS)) {
            case 0 -> LockMode.EXCLUSIVE;
            case 1 -> LockMode.WRITE;
            default -> all(random.nextInt(FEWEST_PERMITS, MOST_PERMITS + 1));
        };
    }

    /** Another one: also a semaphore of another total. */
    static LockMode otherKind(LockMode kind, SplittableRandom random) {
        LockMode other = kind;
        while (other.equals(kind)) {
            other = kind(random);
        }
        return other;
    }

    private static LockMode all(int permits) {
        return LockMode.permits(permits, permits);
    }

    /** Draws a mode for a lock of that kind. */
    static CallMode draw(SplittableRandom random, LockMode kind) {
        if (kind.equals(LockMode.EXCLUSIVE)) {
            return EXCLUSIVE;
        }
        boolean lowers = random.nextBoolean();
        if (kind.equals(LockMode.WRITE)) {
            return random.nextInt(WRITES_ONE_IN) == 0
                    ? new CallMode(LockMode.WRITE, lowers ? Optional.of(LockMode.READ) : Optional.empty(), false)
                    : new CallMode(LockMode.READ, Optional.empty(), random.nextBoolean());
        }
        int total = kind.capacity();
        int count = 1 + (int) (Math.pow(random.nextDouble(), 2) * total);
        Optional<LockMode> less =
                lowers && count > 1 ? Optional.of(LockMode.permits(random.nextInt(1, count), total)) : Optional.empty();
        return new CallMode(LockMode.permits(count, total), less, false);
    }

    /** In words, for the log. */
    String words() {
        return (mode.equals(LockMode.EXCLUSIVE) ? "" : ", " + mode)
                + less.map(rest -> ", then " + rest).orElse("")
                + (upgrade ? ", asks to write" : "");
    }
}
