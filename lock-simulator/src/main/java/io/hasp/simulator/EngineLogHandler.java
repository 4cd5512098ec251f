package io.hasp.simulator;

import io.hasp.spi.LogQueue;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Listens to the engine's log for errors, which are violations, on the thread that logs them. Silences the rest. */
final class EngineLogHandler {
    /** Kept, because a logger without a reference is collected with its settings. */
    private static final Logger LOGGER = Logger.getLogger("io.hasp");

    private record LoggedError(String line, @Nullable Throwable thrown) {}

    private static final ThreadLocal<@Nullable LoggedError> ERROR = new ThreadLocal<>();
    private static volatile boolean any;

    static {
        LOGGER.setUseParentHandlers(false);
        LOGGER.setLevel(Level.OFF);
        LogQueue.observe((level, line, thrown) -> {
            if (level == System.Logger.Level.ERROR) {
                ERROR.set(new LoggedError(line, thrown));
                any = true;
            }
        });
    }

    private EngineLogHandler() {}

    /** Makes sure that the log is observed, and forgets earlier errors of this thread. */
    static void listen() {
        ERROR.remove();
    }

    /** Throws if the engine has logged an error on this thread. */
    static void check(SimulationRun run) {
        LoggedError error = any ? ERROR.get() : null;
        if (error != null) {
            ERROR.remove();
            Throwable thrown = error.thrown();
            if (!(thrown instanceof UserCodeException || thrown instanceof SimulatedError)) {
                throw run.violated("the engine has no error", error.line() + ": " + thrown);
            }
        }
    }
}
