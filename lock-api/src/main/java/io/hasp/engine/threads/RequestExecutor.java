package io.hasp.engine.threads;

/** Makes the requests of one caller, which may block. */
public interface RequestExecutor {
    /** One request to make. */
    interface Request {
        /** Makes it. */
        void run();

        /** Its caller does not make it. Doesn't block. */
        void drop();
    }

    /** Runs the request, or drops it. */
    void execute(Request request);

    /** The caller does not make its requests any more. */
    default void leave() {}

    /** Makes the requests for one of several locks of the caller, which may {@link #leave} before the others. */
    default RequestExecutor part() {
        return this;
    }

    /** True if the caller's thread waits for the outcome, and runs nothing else when it comes. */
    default boolean blocks() {
        return false;
    }
}
