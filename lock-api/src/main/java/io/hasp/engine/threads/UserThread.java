package io.hasp.engine.threads;

/**
 * Marks threads that run code of the program at present: a caller inside of a call of the API, and a thread of a given executor. Only
 * such a thread may run further code of the program on the spot. A timer, a renewal, an interrupt or a backend's answer never does.
 */
public final class UserThread {
    private static final ThreadLocal<Boolean> MARKED = new ThreadLocal<>();

    private UserThread() {}

    /** Whether the current thread is marked. */
    public static boolean isCurrent() {
        return MARKED.get() != null;
    }

    /** Marks the current thread; false if it was marked before. */
    static boolean enter() {
        if (isCurrent()) {
            return false;
        }
        MARKED.set(Boolean.TRUE);
        return true;
    }

    static void leave() {
        MARKED.remove();
    }

    static void run(Runnable task) {
        boolean entered = enter();
        try {
            task.run();
        } finally {
            if (entered) {
                leave();
            }
        }
    }
}
