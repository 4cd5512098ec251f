package io.hasp.spi;

/**
 * Defines the part of a lock that a claim takes. A lock has a capacity, a claim a weight; live holders together never weigh more than the
 * capacity. The capacity is the kind of the lock: an exclusive lock has 1; a read-write lock 2<sup>20</sup>, of which a reader takes one
 * and a writer all; a semaphore its number of permits. A semaphore of one permit is an exclusive lock. Immutable.
 *
 * @param weight the claim's part; at least 1, at most the capacity
 * @param capacity the whole; 1 to 2<sup>20</sup>
 */
public record Share(int weight, int capacity) {

    /** The capacity of a read-write lock. */
    public static final int READ_WRITE = 1 << 20;

    /** The most permits that a semaphore has. */
    public static final int MOST_PERMITS = READ_WRITE - 1;

    /** All of a lock that has one holder at a time. */
    public static final Share EXCLUSIVE = new Share(1, 1);

    /** A reader's share of a read-write lock. */
    public static final Share READ = new Share(1, READ_WRITE);

    /** A writer's share of a read-write lock. */
    public static final Share WRITE = new Share(READ_WRITE, READ_WRITE);

    /**
     * Checks the bounds.
     *
     * @throws IllegalArgumentException naming the values and the rule
     */
    public Share {
        if (capacity < 1 || capacity > READ_WRITE) {
            throw new IllegalArgumentException(
                    "the capacity of a lock is " + capacity + ": it must be from 1 to " + READ_WRITE);
        }
        if (weight < 1 || weight > capacity) {
            throw new IllegalArgumentException(
                    "the weight of a claim is " + weight + ": it must be from 1 to the capacity " + capacity);
        }
    }

    /**
     * Returns true if there is one holder at a time, so that backends without shares serve the claim.
     *
     * @return true for {@link #EXCLUSIVE} only
     */
    public boolean isExclusive() {
        return capacity == 1;
    }

    /**
     * Returns a smaller share of the same lock.
     *
     * @param less at least 1, at most the present weight
     * @return a new share
     * @throws IllegalArgumentException for any other number
     */
    public Share loweredTo(int less) {
        if (less > weight) {
            throw new IllegalArgumentException(
                    "the weight of a claim is " + weight + ": it can't be raised to " + less);
        }
        return new Share(less, capacity);
    }

    /**
     * Names the kind of the lock, for messages.
     *
     * @return {@code "an exclusive lock"}, {@code "a read-write lock"} or {@code "a semaphore of 8 permits"}
     */
    public String kind() {
        return kindOf(capacity);
    }

    /**
     * Names the kind of the lock with a capacity, for messages.
     *
     * @param capacity as it is stored
     * @return as {@link #kind()}
     */
    public static String kindOf(int capacity) {
        return switch (capacity) {
            case 1 -> "an exclusive lock";
            case READ_WRITE -> "a read-write lock";
            default -> "a semaphore of " + capacity + " permits";
        };
    }
}
