package io.hasp.conformance;

import static org.junit.jupiter.api.Assumptions.abort;

import java.lang.reflect.InvocationTargetException;

/** Gives code that is compiled for Java 17 access to virtual threads. Stateless. */
public final class VirtualThreads {

    private VirtualThreads() {}

    /**
     * Returns true if this JVM has virtual threads.
     *
     * @return true from Java 21 on
     */
    public static boolean exist() {
        return Runtime.version().feature() >= 21;
    }

    /**
     * Starts a virtual thread; skips the test if this JVM has none.
     *
     * @param task the thread's work
     * @return the started thread
     */
    public static Thread start(Runnable task) {
        try {
            return (Thread)
                    Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
        } catch (NoSuchMethodException e) {
            String reason = "there are no virtual threads before Java 21; this is Java "
                    + Runtime.version().feature();
            System.err.println("skipped: " + reason);
            return abort(reason);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new LinkageError("virtual threads can't be started", e);
        }
    }
}
