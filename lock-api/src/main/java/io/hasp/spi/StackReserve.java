package io.hasp.spi;

/**
 * Checks that enough stack is left for a call that must not break off half-way: afterwards neither the backend nor its client library
 * would know how far it came. For the entry of a backend's methods, before they change, take or send anything; they run no code of the
 * user's and never need that much. Thread-safe.
 *
 * <p>It takes 10 kB at least, also when it is compiled: a compiler makes all frames of a method as large as the one that keeps most
 * values across a call.
 */
public final class StackReserve {
    private static final int FRAMES = 128;
    /** One frame of so many keeps the values. */
    private static final int KEEPING = 16;

    /** All of them zero, which a compiler can't know. */
    private static final long[] VALUES = new long[16];

    private StackReserve() {}

    /**
     * Takes well below a microsecond.
     *
     * @throws StackOverflowError if too little is left
     */
    public static void require() {
        if (descend(FRAMES) != FRAMES) {
            throw new AssertionError("counted wrong");
        }
    }

    private static long descend(int frames) {
        if (frames == 0) {
            return 0;
        }
        if (frames % KEEPING != 0) {
            return 1 + descend(frames - 1);
        }
        long[] v = VALUES;
        long a = v[0],
                b = v[1],
                c = v[2],
                d = v[3],
                e = v[4],
                f = v[5],
                g = v[6],
                h = v[7],
                i = v[8],
                j = v[9],
                k = v[10],
                l = v[11],
                m = v[12],
                n = v[13],
                o = v[14],
                p = v[15];
        return 1 + descend(frames - 1) + (a | b | c | d | e | f | g | h | i | j | k | l | m | n | o | p);
    }
}
