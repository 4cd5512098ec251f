package io.hasp.redis.server;

import io.hasp.redis.script.LockScript;
import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.server.RedisConnection.Command;
import io.hasp.spi.Timing;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs scripts by their digest; a server that does not know one (restart, {@code SCRIPT FLUSH}) gets the text. Thread-safe.
 *
 * <p>A server or a network may close an idle socket, and the client notices with its next request. Such a request is sent a
 * second time, on a new socket. The client can't know whether the first was served, and a proxy may even deliver it late. So the caller is
 * notified, and each script is idempotent: for one holder, asking twice is the same as asking once ({@code acquire.lua}, {@code
 * transfer.lua}), a renewal only ever lengthens a lease, a token floor only rises, and a release leaves a tombstone, so that late requests
 * of the holder get GONE. Only the reply to a second release says less: NOT_HELD may be the effect of the first.
 *
 * <p>A server that replies that it can't write may have lost its address to another, while the sockets still lead to it. So
 * they are replaced, but at most once every {@link #RECONNECT_AFTER}: it may be a replica for good.
 */
public final class ScriptRunner {
    static final Duration RECONNECT_AFTER = Duration.ofSeconds(5);

    @FunctionalInterface
    private interface Call {
        CompletionStage<String> evaluate(Command command, String script, List<String> keys, List<String> arguments);
    }

    private final RedisConnection connection;
    private final Timing timing;
    private final AtomicLong reconnectFrom;

    public ScriptRunner(RedisConnection connection, Timing timing) {
        this.connection = connection;
        this.timing = timing;
        this.reconnectFrom = new AtomicLong(timing.nanoTime());
    }

    public String server() {
        return connection.server();
    }

    /** Runs a script whose caller need not know whether it was sent twice. */
    public CompletionStage<String> run(LockScript script, List<String> keys, List<String> arguments) {
        return run(script, keys, arguments, () -> {});
    }

    /** The same, for a caller that can do with fewer keys while a slot is being moved. */
    public CompletionStage<String> runUnlessMoving(LockScript script, List<String> keys, List<String> arguments) {
        return run(connection::evaluateUnlessMoving, script, keys, arguments, () -> {});
    }

    /**
     * Runs one.
     *
     * @param onResend called before it is sent a second time; from then on the first may have been served, or may still be
     */
    public CompletionStage<String> run(
            LockScript script, List<String> keys, List<String> arguments, Runnable onResend) {
        return run(connection::evaluate, script, keys, arguments, onResend);
    }

    private CompletionStage<String> run(
            Call call, LockScript script, List<String> keys, List<String> arguments, Runnable onResend) {
        long sentAt = timing.nanoTime();
        return once(call, script, keys, arguments).exceptionallyCompose(failure -> {
            if (RedisFailures.otherServer(failure)) {
                reconnect();
            }
            boolean late =
                    timing.nanoTime() - sentAt > connection.resendsWithin().toNanos();
            if (late || !RedisFailures.cutOff(failure)) {
                return CompletableFuture.failedStage(failure);
            }
            onResend.run();
            return once(call, script, keys, arguments)
                    .exceptionallyCompose(second -> CompletableFuture.failedStage(RedisFailures.sentBefore(second)));
        });
    }

    private CompletionStage<String> once(Call call, LockScript script, List<String> keys, List<String> arguments) {
        long sentAt = timing.nanoTime();
        return call.evaluate(Command.EVALSHA, script.sha(), keys, arguments).exceptionallyCompose(failure -> {
            if (!RedisFailures.unknownScript(failure)) {
                return CompletableFuture.failedStage(failure);
            }
            // A thread that makes several calls sends the texts one after the other: a silent server costs it one more
            // timeout, not many.
            boolean overdue =
                    timing.nanoTime() - sentAt >= connection.commandTimeout().toNanos();
            return overdue
                    ? CompletableFuture.failedStage(RedisFailures.unreachable(
                            connection.server(), new SocketTimeoutException("no time was left to send the script")))
                    : call.evaluate(Command.EVAL, script.text(), keys, arguments);
        });
    }

    private void reconnect() {
        long now = timing.nanoTime();
        long from = reconnectFrom.get();
        if (now - from >= 0 && reconnectFrom.compareAndSet(from, now + RECONNECT_AFTER.toNanos())) {
            connection.reconnect();
        }
    }
}
