package io.hasp.zookeeper;

/**
 * Checks that enough stack is left for a call that must not break off half-way. Fails with {@link StackOverflowError} before the
 * call changes or sends anything: neither this backend nor ZooKeeper's client knows afterwards how far it came. The call itself
 * runs no code of the user's and never needs that much.
 */
final class StackReserve {
    private static final int FRAMES = 200;

    private StackReserve() {}

    /** Takes well below a microsecond. */
    static void require() {
        if (descend(FRAMES) != FRAMES) {
            throw new AssertionError("counted wrong");
        }
    }

    private static int descend(int frames) {
        return frames == 0 ? 0 : 1 + descend(frames - 1);
    }
}
