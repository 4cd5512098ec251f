package io.hasp.conformance;

/**
 * The weight of a request and the capacity of its lock. The holders of a lock never weigh more than its capacity
 * together. The capacity is therefore the kind of the lock: exclusive, read-write, or a semaphore with that many
 * permits. Immutable.
 *
 * @param weight the share that one holder takes; 1 to the capacity
 * @param capacity the size of the lock
 */
public record LockMode(int weight, int capacity) {
    private static final int READ_WRITE = 1 << 20;

    /** Exclusive; the default of every call without a mode. */
    public static final LockMode EXCLUSIVE = new LockMode(1, 1);

    /** For reading, together with other readers. */
    public static final LockMode READ = new LockMode(1, READ_WRITE);

    /** For writing, alone, on a lock that also has readers. */
    public static final LockMode WRITE = new LockMode(READ_WRITE, READ_WRITE);

    /** Checks the bounds. */
    public LockMode {
        if (weight < 1 || weight > capacity || capacity > READ_WRITE) {
            throw new IllegalArgumentException("no lock is held with weight " + weight + " of " + capacity);
        }
    }

    /**
     * Returns the mode for some permits of a semaphore.
     *
     * @param count at least one
     * @param total the permits of the semaphore; less than 2<sup>20</sup>
     * @return the mode
     */
    public static LockMode permits(int count, int total) {
        if (total >= READ_WRITE) {
            throw new IllegalArgumentException("no semaphore has " + total + " permits");
        }
        return new LockMode(count, total);
    }

    /**
     * Returns true if two such holds exclude each other.
     *
     * @param other the mode of another hold
     * @return also true for modes of different kinds
     */
    public boolean conflictsWith(LockMode other) {
        return capacity != other.capacity || weight + other.weight > capacity;
    }

    /**
     * Returns the mode as a number, for histories and messages.
     *
     * @return 0 for {@link #EXCLUSIVE}
     */
    public long number() {
        return equals(EXCLUSIVE) ? 0 : (long) weight << Integer.SIZE | capacity;
    }

    /**
     * Returns the mode for a number; the inverse of {@link #number}.
     *
     * @param number a result of {@link #number}
     * @return the mode
     */
    public static LockMode of(long number) {
        return number == 0 ? EXCLUSIVE : new LockMode((int) (number >>> Integer.SIZE), (int) number);
    }

    /** Describes the mode, for example {@code "reading"} or {@code "3 of 8 permits"}. */
    @Override
    public String toString() {
        if (capacity == READ_WRITE) {
            return weight == 1 ? "reading" : "writing";
        }
        return capacity == 1 ? "exclusive" : weight + " of " + capacity + " permits";
    }
}
