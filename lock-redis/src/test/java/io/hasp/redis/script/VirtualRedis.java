package io.hasp.redis.script;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.RespConnection;
import io.hasp.conformance.servers.RespError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs the scripts on a real server at the time of a simulation: {@code virtual-time.lua} stands before each of them. Empties the
 * server at first.
 */
final class VirtualRedis implements AutoCloseable {
    private static final String TIME = LuaScript.load("virtual-time.lua").text();

    private static final List<LockScript> SCRIPTS = List.of(
            LockScript.ACQUIRE,
            LockScript.RELEASE,
            LockScript.RENEW,
            LockScript.SHARED_ACQUIRE,
            LockScript.SHARED_RELEASE,
            LockScript.SHARED_RENEW);

    private final RespConnection connection;
    private final Map<LockScript, String> loaded = new EnumMap<>(LockScript.class);

    VirtualRedis(RedisServer server, Function<LockScript, String> texts) throws IOException {
        connection = server.connect();
        connection.command("FLUSHALL");
        for (LockScript script : SCRIPTS) {
            loaded.put(script, Objects.requireNonNull(connection.text("SCRIPT", "LOAD", TIME + texts.apply(script))));
        }
    }

    record Message(String channel, String text) {}

    /** A grant that was stored: a new one, or an old one that has changed. */
    record Stored(String holder, long token) {}

    /**
     * The effects of a script.
     *
     * @param reply begins with an exclamation mark if it is an error
     */
    record Answer(String reply, List<Message> messages, List<Stored> stored) {}

    /** The holders of the lock and their weights. */
    record Holders(int capacity, Map<String, Integer> weights) {
        private static final Holders NOBODY = new Holders(0, Map.of());

        int used() {
            return weights.values().stream().mapToInt(Integer::intValue).sum();
        }
    }

    /** Runs a script at a time in microseconds. */
    Answer run(long now, LockScript script, List<String> keys, List<String> arguments) {
        List<String> command =
                new ArrayList<>(List.of("EVALSHA", Objects.requireNonNull(loaded.get(script)), "" + (keys.size() + 1)));
        command.addAll(keys);
        command.add(Long.toString(now));
        command.addAll(arguments);
        try {
            connection.send(command.toArray(String[]::new));
            connection.send("LRANGE", "v:done", "0", "-1");
            String reply = reply();
            return answer(reply, texts(connection.receive()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String reply() throws IOException {
        try {
            return String.valueOf(connection.receive());
        } catch (RespError e) {
            return "!" + e.getMessage();
        }
    }

    private static Answer answer(String reply, List<String> done) {
        Answer answer = new Answer(reply, new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < done.size(); i += 3) {
            String name = done.get(i + 1);
            String text = done.get(i + 2);
            if (done.get(i).equals("published")) {
                answer.messages().add(new Message(name, text));
            } else {
                // The token is at the same place of the records of all kinds.
                answer.stored().add(new Stored(name, Long.parseLong(text.split("\\|")[3])));
            }
        }
        return answer;
    }

    /** The holders of the lock as they are stored. */
    Holders holders(String lock, long now) {
        long ms = now / 1000;
        Object expires = command("ZSCORE", "v:expiries", lock);
        if (expires != null && (long) Double.parseDouble((String) expires) < ms) {
            return Holders.NOBODY;
        }
        return switch (String.valueOf(command("TYPE", lock))) {
            case "string" ->
                new Holders(1, Map.of(String.valueOf(command("GET", lock)).split("\\|")[1], 1));
            case "hash" -> shares(texts(command("HGETALL", lock)), ms);
            default -> Holders.NOBODY;
        };
    }

    private static Holders shares(List<String> fields, long ms) {
        int capacity = 0;
        Map<String, Integer> weights = new HashMap<>();
        for (int i = 0; i < fields.size(); i += 2) {
            String[] record = fields.get(i + 1).split("\\|");
            if (fields.get(i).equals(".")) {
                capacity = Integer.parseInt(record[1]);
            } else if (Long.parseLong(record[0]) > ms) {
                weights.put(fields.get(i), Integer.valueOf(record[2]));
            }
        }
        return new Holders(capacity, weights);
    }

    /** Sets whether messages to a channel arrive from now on. */
    void subscribed(String channel, boolean on) {
        command(on ? "SADD" : "SREM", "v:channels", channel);
    }

    /** The keys of all locks that are left at a time. */
    List<String> left(long now) {
        run(now, LockScript.RENEW, LockKeys.renewed("hasp:{no lock}"), List.of("nobody", "1"));
        return texts(command("KEYS", "hasp*"));
    }

    private @Nullable Object command(String... command) {
        try {
            return connection.command(command);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> texts(@Nullable Object reply) {
        return ((List<?>) Objects.requireNonNull(reply))
                .stream().map(String::valueOf).toList();
    }

    @Override
    public void close() {
        connection.close();
    }
}
