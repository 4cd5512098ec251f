package io.hasp.engine.threads;

/**
 * Marks threads that run code of the program at present: a caller inside of a call of the API, and a thread of a given executor. Only
 * such a thread may run further code of the program on the spot. A timer, a renewal, an interrupt or a backend's answer never does.
 *
 * <p>A thread that is inside of a call of the given executor does not call that executor again: an executor that runs its tasks on the
 * spot would nest them, deeper with each waiter.
 */
public final class UserThread {
    private enum Mark {
        USER,
        INSIDE_OF_EXECUTOR
    }

    private static final ThreadLocal<Mark> MARK = new ThreadLocal<>();

    private UserThread() {}

    public static boolean isCurrent() {
        return MARK.get() != null;
    }

    /** True if the current thread is marked and outside of the given executor. */
    static boolean mayCallExecutor() {
        return MARK.get() == Mark.USER;
    }

    /** Runs a call of the given executor on the current thread, which is marked. */
    static void callExecutor(Runnable call) {
        MARK.set(Mark.INSIDE_OF_EXECUTOR);
        try {
            call.run();
        } finally {
            MARK.set(Mark.USER);
        }
    }

    /** Marks the current thread; false if it was marked before. */
    static boolean enter() {
        if (isCurrent()) {
            return false;
        }
        MARK.set(Mark.USER);
        return true;
    }

    static void leave() {
        MARK.remove();
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
