package io.hasp.redis.server;

import io.hasp.redis.script.ErrorReplyException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What the protocol needs of a client library. Thread-safe. Stages complete on any thread within the command timeout; they
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
     * closed by then. Never at a fixed address.
     *
     * @param listener called on any thread with which keys are concerned; must not block
     */
    default void onOtherServer(Consumer<Predicate<String>> listener) {}

    /**
     * Has each server checked on which locks may be.
     *
     * @param check gets the connection to one server, and a hash tag, which may be empty, of keys that are on it; throws if that server
     *     must not be used
     */
    default void eachServer(BiConsumer<RedisConnection, String> check) {
        check.accept(this, "");
    }

    /** Whether there are keys that can't be in the same call. */
    default boolean splitsCalls() {
        return false;
    }

    /** With which others a lock may be in one call, as far as is known. */
    default CallGroup callGroup(String lock) {
        return CallGroup.ANY;
    }

    /** One that is made when it is needed, leaves a former server with this one, and is closed with it. */
    default Acknowledging acknowledging() {
        throw new UnsupportedOperationException("this client library can't wait for replicas");
    }

    /** True if the library may send a command a second time on its own. */
    boolean mayReplay();

    /**
     * How soon after it was sent a request has to be cut off to be sent a second time, so that both take hardly longer than one
     * command timeout; zero if it never is.
     */
    Duration resendsWithin();

    /** How long to wait for one reply. */
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

    /** How a script is named. */
    enum Command {
        EVAL,
        EVALSHA
    }

    /**
     * A connection on which a script waits for replicas, so that no other command waits behind it: the server reads nothing more from it
     * until then. One call at a time.
     */
    interface Acknowledging {

        /**
         * Runs a script, and waits behind it ({@code WAIT}) for replicas. The stage fails as those of {@link RedisConnection#evaluate}
         * do; after a failure, the next call takes another socket.
         */
        CompletionStage<Acknowledged> evaluate(
                Command command,
                String script,
                List<String> keys,
                List<String> arguments,
                int replicas,
                Duration within);
    }

    /**
     * What came of it.
     *
     * @param reply of the script
     * @param replicas how many have received all that it has written
     */
    record Acknowledged(String reply, long replicas) {}

    /** A channel that is listened to. */
    @FunctionalInterface
    interface Subscription {
        /** False while the channel is known to be cut off. */
        boolean live();

        /** The same for messages about one lock. */
        default boolean live(String lock) {
            return live();
        }
    }
}
