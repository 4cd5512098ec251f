package io.hasp.engine;

/** Where requests of one caller are made, which may block. */
public interface Turns {
    /** One request to make. */
    interface Turn {
        /** Makes it. */
        void run();

        /** It is never going to be made. */
        void drop();
    }

    /** Runs the turn, or drops it. */
    void take(Turn turn);
}
