package io.hasp.redis.server;

import io.hasp.redis.script.RedisFailures;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Compares the server to which each new socket leads with the one before, by its run id. A restart changes the run id as well: a server
 * that restarts may have lost its data. Servers that hide {@code INFO} are not compared. Thread-safe.
 */
public final class ServerIdentity {
    /** The argument of {@code INFO} that shows the run id. */
    public static final String SECTION = "server";

    private static final Pattern RUN_ID = Pattern.compile("(?m)^run_id:(\\w+)");

    private volatile Runnable onOtherServer = () -> {};
    /** Guarded by this. */
    private @Nullable String latest;

    /** Calls the listener on the connecting thread when a socket leads to another server than the one before. */
    public void watch(Runnable listener) {
        onOtherServer = listener;
    }

    /** The run id in a reply to {@code INFO}; empty if the server does not show it. */
    static Optional<String> runId(String info) {
        Matcher matcher = RUN_ID.matcher(info);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    /** True if the error reply to {@code INFO} is about the question only, so that the socket is of use. */
    public static boolean hidden(String errorReply) {
        return !RedisFailures.endsConnection(errorReply);
    }

    /** A socket was connected, and the server replied this to {@code INFO}; empty if it refused. */
    public void connected(String info) {
        runId(info).ifPresent(this::ledTo);
    }

    /** A socket was connected to a server of that id. */
    void ledTo(String id) {
        boolean other;
        synchronized (this) {
            other = latest != null && !latest.equals(id);
            latest = id;
        }
        if (other) {
            onOtherServer.run();
        }
    }

    /** The listener was called for the next server already. */
    public synchronized void forget() {
        latest = null;
    }
}
