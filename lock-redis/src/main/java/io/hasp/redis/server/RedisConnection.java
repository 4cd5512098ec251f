package io.hasp.redis.server;

import io.hasp.redis.script.ErrorReplyException;
import io.hasp.spi.RequestCombiner;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The operations that the protocol needs of a client library. Thread-safe. Stages complete on any thread within the command timeout; they
 * fail with {@link ErrorReplyException} if the server answered with an error, with {@link io.hasp.spi.BackendFailure} if it did not
 * answer. No method throws but {@link #subscribe}.
 */
public interface RedisConnection extends AutoCloseable {

    /**
     * Runs a script.
     *
     * @param command {@code EVALSHA} or {@code EVAL}
     * @param script its digest or text
     * @return the reply, always a bulk string
     */
    CompletionStage<String> evaluate(Command command, String script, List<String> keys, List<String> arguments);

    /**
     * As {@link #evaluate}. But where a slot of a cluster is being moved and keys are missing or apart, that is the failure at once: for a
     * caller that can do with fewer keys.
     */
    default CompletionStage<String> evaluateUnlessMoving(
            Command command, String script, List<String> keys, List<String> arguments) {
        return evaluate(command, script, keys, arguments);
    }

    /**
     * Listens to one channel until the connection is closed, across reconnections. Returns when the server has confirmed.
     *
     * @param listener called on a thread of the library's
     * @throws RuntimeException as the stages above
     */
    Subscription subscribe(String channel, ChannelListener listener);

    /** Takes new sockets, as soon as they are needed: by now the address may lead to another server. Does not wait. */
    void reconnect();

    /**
     * Calls the listener whenever new sockets lead to another server than the ones before, as soon as that is known; those are
     * closed by then, or closed soon after at a fixed address. Servers that hide {@code INFO} are compared by nothing there.
     *
     * @param listener called on any thread with which keys are concerned; must not block
     */
    default void onOtherServer(Consumer<Predicate<String>> listener) {}

    /**
     * Checks each server that may have locks.
     *
     * @param check gets the connection to one server, and a hash tag, which may be empty, of keys that are on it; throws if that server
     *     must not be used
     */
    default void eachServer(BiConsumer<RedisConnection, String> check) {
        check.accept(this, "");
    }

    /** Connections to the single servers that have locks, in the order of their words; one that is down is among them. */
    default List<RedisConnection> servers() {
        return List.of(this);
    }

    /** Sends the calls of one thread together. By default one after the other, which is enough if none of them waits for its reply. */
    default Optional<RequestCombiner> combiner() {
        return Optional.of(Runnable::run);
    }

    /** True if some keys can't be in the same call. */
    default boolean splitsCalls() {
        return false;
    }

    /** Runs the renewals of grants at several servers in parallel: each call may block for a command timeout. */
    default Executor renewing(Executor others) {
        return others;
    }

    /** Returns the group of locks with which a lock may share a call, as far as is known. */
    default CallGroup callGroup(String lock) {
        return CallGroup.ANY;
    }

    /**
     * Returns a runner of scripts that waits for replicas behind them. Its connection is made on demand, leaves a former server together
     * with this one, and is closed with it.
     *
     * @param replicas the number of replicas
     * @param within the longest wait for them
     */
    Acknowledging acknowledging(int replicas, Duration within);

    /**
     * The age up to which a request that was cut off is sent a second time. The limit keeps both attempts together hardly longer than one
     * command timeout.
     */
    Duration resendsWithin();

    /** The time limit for one reply. */
    Duration commandTimeout();

    /** The server in words, without credentials. */
    String server();

    @Override
    void close();

    /**
     * Locks that may be in one call.
     *
     * @param server groups of different ones may be called at the same time
     * @param slot one for each group of a server
     */
    record CallGroup(String server, int slot) {
        static final CallGroup ANY = new CallGroup("", 0);
    }

    enum Command {
        EVAL,
        EVALSHA
    }

    /**
     * Runs scripts and waits behind them ({@code WAIT}) for replicas, on a connection on which nothing else waits behind that. Thread-safe.
     */
    interface Acknowledging {

        /** Runs one; the stage fails as those of {@link RedisConnection#evaluate} do. */
        CompletionStage<Acknowledged> evaluate(Evaluation call);
    }

    /**
     * A script that is named by its digest.
     *
     * @param asking whether another server has sent us for this one call ({@code ASKING})
     */
    record Evaluation(String digest, List<String> keys, List<String> arguments, boolean asking) {
        /** Returns this evaluation, for a server to which another server has redirected this call, or not. */
        public Evaluation asking(boolean asks) {
            return new Evaluation(digest, keys, arguments, asks);
        }
    }

    /**
     * A script's reply and its replication.
     *
     * @param reply the script's reply
     * @param replicas the number of replicas that have received all its writes
     */
    record Acknowledged(String reply, long replicas) {}

    /** A channel that is listened to. */
    @FunctionalInterface
    interface Subscription {
        /**
         * The interval at which the server is asked for the listener. A dead socket that was never closed is silent otherwise.
         */
        Duration CONFIRMED_EVERY = Duration.ofSeconds(5);

        /** A server's statement may be older than a connection that is younger than this. */
        Duration SETTLED = Duration.ofSeconds(1);

        /** False while the channel is known to be cut off. */
        boolean live();

        /** The same for messages about one lock. */
        default boolean live(String lock) {
            return live();
        }

        /**
         * Opens another connection, because the lock's server reports no listener there. Does nothing if it has just done so. Does not
         * wait.
         */
        default void listenAgain(String lock) {}
    }
}
