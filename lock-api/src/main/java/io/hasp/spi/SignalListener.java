package io.hasp.spi;

/** Receives the signals of one holder. */
@FunctionalInterface
public interface SignalListener {

    /**
     * Called by the backend on any thread, an I/O thread included: it returns at once and never throws.
     *
     * @param signal what may have happened
     */
    void onSignal(Signal signal);
}
