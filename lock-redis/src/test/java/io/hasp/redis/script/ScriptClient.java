package io.hasp.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.RespConnection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The scripts, called without a client library between, on a server that is empty at first. */
final class ScriptClient implements AutoCloseable {
    static final String LOCK = "hasp:{orders/42}";
    static final long LEASE = 30_000;

    private final RespConnection connection;

    ScriptClient(RedisServer server) throws IOException {
        connection = server.connect();
        connection.command("CONFIG", "SET", "maxmemory", "0");
        connection.command("FLUSHALL");
    }

    RespConnection redis() {
        return connection;
    }

    String acquire(String holder) throws IOException {
        return take(holder, LEASE, true, "", "");
    }

    String take(String holder, long lease, boolean queue, String channel, String ticket) throws IOException {
        return run(LockScript.ACQUIRE, keys(LOCK, holder), request(holder, lease, queue, channel, ticket));
    }

    String transfer(String from, String to) throws IOException {
        return run(LockScript.TRANSFER, keys(LOCK, to), with(request(to, LEASE, true, "", ""), from));
    }

    String release(String holder, boolean bury) throws IOException {
        return run(LockScript.RELEASE, keys(LOCK, holder), List.of(holder, bury ? "1" : "0"));
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
        List<String> command = new ArrayList<>(List.of("EVAL", script.text(), Integer.toString(keys.size())));
        command.addAll(keys);
        command.addAll(arguments);
        return Objects.requireNonNull(connection.text(command.toArray(String[]::new)));
    }

    static long granted(String reply) {
        assertThat(reply).startsWith("GRANTED|");
        return Long.parseLong(reply.substring("GRANTED|".length()));
    }

    static long ticket(String reply) {
        assertThat(reply).startsWith("BUSY|");
        return Long.parseLong(reply.split("\\|")[1]);
    }

    static long poll(String reply) {
        assertThat(reply).startsWith("BUSY|");
        return Long.parseLong(reply.split("\\|")[2]);
    }

    long ttl(String key) throws IOException {
        return connection.integer("PTTL", key);
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
