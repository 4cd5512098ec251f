package io.hasp.simulator.threads;

import io.hasp.simulator.world.SimulatedError;
import io.hasp.simulator.world.UserCodeException;
import io.hasp.simulator.world.World;
import io.hasp.spi.LogQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Listens to the engine's log for errors, which are violations, on the thread that logs them. Writes nothing; on a simulated thread the
 * handler behind the log blocks or throws.
 */
public final class EngineLogHandler {
    /** Kept, because a logger without a reference is collected with its settings. */
    private static final Logger LOGGER = Logger.getLogger("io.hasp");

    /** An error and its text. */
    record LoggedError(String line, @Nullable Throwable thrown) {}

    private static final ThreadLocal<@Nullable LoggedError> ERROR = new ThreadLocal<>();
    private static volatile boolean any;

    private static final Handler HANDLER = new Handler() {
        @Override
        public void publish(LogRecord line) {
            Coroutine present = Coroutine.current();
            if (present != null) {
                present.logs();
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    static {
        LOGGER.setUseParentHandlers(false);
        LOGGER.setLevel(Level.WARNING);
        LOGGER.addHandler(HANDLER);
        LogQueue.observe((level, line, thrown) -> {
            if (level == System.Logger.Level.ERROR) {
                ERROR.set(new LoggedError(line, thrown));
                any = true;
            }
        });
    }

    private EngineLogHandler() {}

    /** Makes sure that the log is observed, and forgets earlier errors of this thread. */
    public static void listen() {
        ERROR.remove();
    }

    /** Takes the error that was logged on this thread. */
    static @Nullable LoggedError take() {
        LoggedError error = any ? ERROR.get() : null;
        if (error != null) {
            ERROR.remove();
        }
        return error;
    }

    /** An error that was logged on another thread of the run counts as one of this thread. */
    static void logged(@Nullable LoggedError error) {
        if (error != null) {
            ERROR.set(error);
        }
    }

    /** Leaves the log; its classes may be unloaded then. */
    public static void leave() {
        LOGGER.removeHandler(HANDLER);
    }

    /** Throws if the engine has logged an error on this thread. */
    public static void check(World world) {
        LoggedError error = take();
        if (error != null) {
            Throwable thrown = error.thrown();
            if (!(thrown instanceof UserCodeException || thrown instanceof SimulatedError)) {
                throw world.violated("the engine has no error", error.line() + ": " + thrown);
            }
        }
    }
}
