package io.hasp.simulator;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Listens to the engine's log for errors, which are violations. Silences the rest. */
final class EngineLogHandler extends Handler {
    /** Kept, because a logger without a reference is collected with its settings. */
    private static final Logger LOGGER = Logger.getLogger("io.hasp");

    private static final ThreadLocal<@Nullable LogRecord> ERROR = new ThreadLocal<>();
    private static volatile boolean any;

    static {
        LOGGER.setUseParentHandlers(false);
        LOGGER.setLevel(Level.SEVERE);
        LOGGER.addHandler(new EngineLogHandler());
    }

    /** Makes sure that the handler is installed, and forgets earlier errors of this thread. */
    static void listen() {
        ERROR.remove();
    }

    /** Throws if the engine has logged an error on this thread. */
    static void check(SimulationRun run) {
        LogRecord error = any ? ERROR.get() : null;
        if (error != null) {
            ERROR.remove();
            Throwable thrown = error.getThrown();
            if (!(thrown instanceof UserCodeException || thrown instanceof OutOfMemoryError)) {
                throw run.violated("the engine has no error", error.getMessage() + ": " + thrown);
            }
        }
    }

    @Override
    public void publish(LogRecord error) {
        ERROR.set(error);
        any = true;
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
