package io.hasp.redis.blocking;

/**
 * Makes sure that there is stack left for what must not end half-way. Fails with {@link StackOverflowError} before anything was
 * taken or sent, instead of somewhere between. What comes after it calls no code of the user's and is never that deep.
 */
public final class StackReserve {
    private static final int FRAMES = 200;

    private StackReserve() {}

    /** Takes well below a microsecond. */
    public static void require() {
        if (descend(FRAMES) != FRAMES) {
            throw new AssertionError("counted wrong");
        }
    }

    private static int descend(int frames) {
        return frames == 0 ? 0 : 1 + descend(frames - 1);
    }
}
