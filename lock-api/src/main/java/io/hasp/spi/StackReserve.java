package io.hasp.spi;

/**
 * Checks that enough stack is left for a call that must not break off half-way: afterwards neither the backend nor its client library
 * would know how far it came. For the entry of a backend's methods, before they change, take or send anything; they run no code of the
 * user's and never need that much. Thread-safe.
 */
public final class StackReserve {
    private static final int FRAMES = 200;

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

    private static int descend(int frames) {
        return frames == 0 ? 0 : 1 + descend(frames - 1);
    }
}
