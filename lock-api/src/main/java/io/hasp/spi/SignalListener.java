package io.hasp.spi;

/** Receives the signals of one holder. */
@FunctionalInterface
public interface SignalListener {

    /**
     * Receives a signal on any thread, an I/O thread included: returns at once and never throws.
     *
     * @param signal the possible event
     */
    void onSignal(Signal signal);
}
