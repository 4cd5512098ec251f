package io.hasp.redis.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.RespConnection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Calls the scripts on a server without a client library, and reads the keys of the lock {@link #LOCK}. Empties the server at
 * first.
 */
final class ScriptClient implements AutoCloseable {
    static final String LOCK = "hasp:{orders/42}";
    static final String COUNTER = LOCK + ":t";
    static final String QUEUE = LOCK + ":q";
    static final String WAITERS = LOCK + ":w";
    static final long LEASE = 30_000;

    private final RedisServer server;
    private final RespConnection connection;
    private final Function<LockScript, String> texts;

    ScriptClient(RedisServer server) throws IOException {
        this(server, LockScript::text);
    }

    /** One with scripts of its own. */
    ScriptClient(RedisServer server, Function<LockScript, String> texts) throws IOException {
        this.server = server;
        this.texts = texts;
        connection = server.connect();
        connection.command("CONFIG", "SET", "maxmemory", "0");
        connection.command("FLUSHALL");
    }

    /** Requests the lock, or a place in its queue. */
    String acquire(String holder) throws IOException {
        return acquire(holder, LEASE);
    }

    String acquire(String holder, long lease) throws IOException {
        return take(holder, lease, true, "", "");
    }

    /** Requests the lock without queueing. */
    String tryOnce(String holder) throws IOException {
        return take(holder, LEASE, false, "", "");
    }

    String take(String holder, long lease, boolean queue, String channel, String ticket) throws IOException {
        return run(LockScript.ACQUIRE, keys(LOCK, holder), request(holder, lease, queue, channel, ticket));
    }

    /** Requests of clients that are dead afterwards: the channel has a listener only while they are sent. */
    void ofTheDead(String channel, Requests requests) throws IOException {
        try (RespConnection listener = server.connect()) {
            listener.send("SUBSCRIBE", channel);
            listener.receive();
            requests.send();
        }
        await().until(() -> List.of(channel, 0L).equals(command("PUBSUB", "NUMSUB", channel)));
    }

    @FunctionalInterface
    interface Requests {
        void send() throws IOException;
    }

    /** Requests the lock, which must be granted. Returns the token. */
    long granted(String holder) throws IOException {
        return tokenOf(acquire(holder));
    }

    /** Requests the lock, which must be busy. Returns the ticket in the queue. */
    long ticket(String holder) throws IOException {
        return Long.parseLong(busy(holder)[1]);
    }

    /** Requests the lock, which must be busy. Returns the milliseconds until the next poll. */
    long poll(String holder) throws IOException {
        return Long.parseLong(busy(holder)[2]);
    }

    private String[] busy(String holder) throws IOException {
        String reply = acquire(holder);
        assertThat(reply).startsWith("BUSY|");
        return reply.split("\\|");
    }

    String transfer(String from, String to) throws IOException {
        return run(LockScript.TRANSFER, keys(LOCK, to), with(request(to, LEASE, true, "", ""), from));
    }

    String release(String holder) throws IOException {
        return release(holder, false);
    }

    String releaseWithTombstone(String holder) throws IOException {
        return release(holder, true);
    }

    String release(String holder, boolean tombstone) throws IOException {
        return run(LockScript.RELEASE, keys(LOCK, holder), List.of(holder, tombstone ? "1" : "0"));
    }

    String renew(String holder, long lease) throws IOException {
        return run(LockScript.RENEW, List.of(LOCK, COUNTER), List.of(holder, Long.toString(lease)));
    }

    /** Raises the token floor. */
    String raise(long floor) throws IOException {
        return run(LockScript.RAISE, keys(LOCK, ""), List.of(Long.toString(floor)));
    }

    static List<String> keys(String lock, String holder) {
        return LockKeys.of(lock, holder);
    }

    static List<String> request(String holder, long lease, boolean queue, String channel, String ticket) {
        List<String> request = List.of(holder, Long.toString(lease), queue ? "1" : "0", channel, "meta");
        return ticket.isEmpty() ? request : with(request, ticket);
    }

    private static List<String> with(List<String> request, String last) {
        List<String> longer = new ArrayList<>(request);
        longer.add(last);
        return longer;
    }

    String run(LockScript script, List<String> keys, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("EVAL", texts.apply(script), Integer.toString(keys.size())));
        command.addAll(keys);
        command.addAll(arguments);
        return Objects.requireNonNull(connection.text(command.toArray(String[]::new)));
    }

    /** The token of a reply that must be a grant. */
    static long tokenOf(String reply) {
        assertThat(reply).startsWith("GRANTED|");
        return Long.parseLong(reply.substring("GRANTED|".length()));
    }

    static String tombstone(String holder) {
        return LOCK + ":x:" + holder;
    }

    @Nullable
    Object command(String... command) throws IOException {
        return connection.command(command);
    }

    /** Deletes all keys. */
    void clear() throws IOException {
        connection.command("FLUSHALL");
    }

    long integer(String... command) throws IOException {
        return connection.integer(command);
    }

    /** The value of the lock. */
    @Nullable
    String value() throws IOException {
        return text("GET", LOCK);
    }

    @Nullable
    String text(String... command) throws IOException {
        return connection.text(command);
    }

    /** The holders in the queue, in order. */
    List<?> queue() throws IOException {
        return (List<?>) Objects.requireNonNull(connection.command("ZRANGE", QUEUE, "0", "-1"));
    }

    long existing(String... keys) throws IOException {
        List<String> command = new ArrayList<>(List.of("EXISTS"));
        command.addAll(List.of(keys));
        return integer(command.toArray(String[]::new));
    }

    long ttl(String key) throws IOException {
        return integer("PTTL", key);
    }

    long micros() throws IOException {
        List<?> time = (List<?>) Objects.requireNonNull(connection.command("TIME"));
        return Long.parseLong((String) time.get(0)) * 1_000_000 + Long.parseLong((String) time.get(1));
    }

    /** All keys and their contents, in words. */
    String dump() throws IOException {
        StringBuilder dump = new StringBuilder();
        for (Object key : (List<?>) Objects.requireNonNull(connection.command("KEYS", "*"))) {
            dump.append(key).append(connection.text("DUMP", (String) key));
        }
        return dump.toString();
    }

    @Override
    public void close() {
        connection.close();
    }
}
