package io.hasp.conformance;

/**
 * How a lock is asked for: a weight of its capacity. At no moment do the holders of a lock weigh more than its capacity, so the
 * capacity is the kind of the lock: exclusive, read-write, or a semaphore of so many permits. Immutable.
 *
 * @param weight what a holder takes; 1 to the capacity
 * @param capacity what there is
 */
public record LockMode(int weight, int capacity) {
    private static final int READ_WRITE = 1 << 20;

    /** Alone; the mode of every call that names none. */
    public static final LockMode EXCLUSIVE = new LockMode(1, 1);

    /** Together with other readers. */
    public static final LockMode READ = new LockMode(1, READ_WRITE);

    /** Alone, on a lock that has readers, too. */
    public static final LockMode WRITE = new LockMode(READ_WRITE, READ_WRITE);

    /** Checks the bounds. */
    public LockMode {
        if (weight < 1 || weight > capacity || capacity > READ_WRITE) {
            throw new IllegalArgumentException("no lock is held with weight " + weight + " of " + capacity);
        }
    }

    /**
     * Some permits of a semaphore.
     *
     * @param count at least one
     * @param total how many there are; less than 2<sup>20</sup>
     * @return the mode
     */
    public static LockMode permits(int count, int total) {
        if (total >= READ_WRITE) {
            throw new IllegalArgumentException("no semaphore has " + total + " permits");
        }
        return new LockMode(count, total);
    }

    /**
     * Whether two may not hold a lock at the same time.
     *
     * @param other how another holder has it
     * @return also true for modes of different kinds
     */
    public boolean conflictsWith(LockMode other) {
        return capacity != other.capacity || weight + other.weight > capacity;
    }

    /**
     * The mode as a number, for histories and messages.
     *
     * @return 0 for {@link #EXCLUSIVE}
     */
    public long number() {
        return equals(EXCLUSIVE) ? 0 : (long) weight << Integer.SIZE | capacity;
    }

    /**
     * The opposite of {@link #number}.
     *
     * @param number made by it
     * @return the mode
     */
    public static LockMode of(long number) {
        return number == 0 ? EXCLUSIVE : new LockMode((int) (number >>> Integer.SIZE), (int) number);
    }

    /** In words, such as {@code "reading"} or {@code "3 of 8 permits"}. */
    @Override
    public String toString() {
        if (capacity == READ_WRITE) {
            return weight == 1 ? "reading" : "writing";
        }
        return capacity == 1 ? "exclusive" : weight + " of " + capacity + " permits";
    }
}
