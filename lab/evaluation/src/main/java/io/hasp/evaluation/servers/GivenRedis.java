package io.hasp.evaluation.servers;

import io.hasp.conformance.servers.RespConnection;
import io.hasp.conformance.servers.RespError;
import io.hasp.evaluation.measure.ServerCounters;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Redis servers that the user runs.
 *
 * @param nodes one, or those of a Redlock
 * @param scope a name that is part of every key of this comparison
 */
record GivenRedis(List<RedisEndpoint> nodes, String scope) implements GivenService {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final String AT_ONCE = "1000";
    private static final String PROBE = "return redis.call('get', KEYS[1])";

    @Override
    public void check() {
        for (RedisEndpoint node : nodes) {
            try (RespConnection connection = node.connect(PATIENCE)) {
                check(node, connection);
            } catch (RespError e) {
                throw refused(node, "the sign-in", e);
            } catch (IOException e) {
                throw new BackendRefused(node.address() + " can't be reached: " + reason(e), e);
            }
        }
    }

    /** Tries each command that all locks or the clean-up need. A library that needs more reports that itself. */
    private void check(RedisEndpoint node, RespConnection connection) throws IOException {
        String key = node.key("check", "key");
        String channel = node.key("check", "channel");
        // Expires by itself, in case deleting is not permitted.
        ask(node, connection, "SET", key, "1", "PX", "1000");
        ask(node, connection, "DEL", key);
        ask(node, connection, "EVAL", PROBE, "1", key);
        String script = String.valueOf(ask(node, connection, "SCRIPT", "LOAD", PROBE));
        ask(node, connection, "EVALSHA", script, "1", key);
        ask(node, connection, "PUBLISH", channel, "1");
        ask(node, connection, "SCAN", "0", "MATCH", key, "COUNT", "1");
        ask(node, connection, "SUBSCRIBE", channel);
    }

    private static @Nullable Object ask(RedisEndpoint node, RespConnection connection, String... command)
            throws IOException {
        try {
            return connection.command(command);
        } catch (RespError e) {
            throw refused(node, command[0], e);
        }
    }

    private static BackendRefused refused(RedisEndpoint node, String what, RespError why) {
        return new BackendRefused(node.address() + " refuses " + what + ": " + why.getMessage(), why);
    }

    private static String reason(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    @Override
    public ServerCounters counters() {
        return new RedisCounters(nodes.stream()
                .<UnaryOperator<String>>map(node -> section -> section.equals("memory") ? "" : info(node, section))
                .toList());
    }

    /** Returns an empty text if the server can't be reached or refuses. */
    private static String info(RedisEndpoint node, String section) {
        try (RespConnection connection = node.connect(PATIENCE)) {
            return String.valueOf(connection.command("INFO", section));
        } catch (IOException | RespError e) {
            return "";
        }
    }

    @Override
    public void addVersions(Versions versions) {
        versions.addRedis(info(nodes.get(0), "server"));
    }

    /** Removes the keys of all libraries: each key contains the name. */
    @Override
    public void tidy() throws IOException {
        for (RedisEndpoint node : nodes) {
            try (RespConnection connection = node.connect(PATIENCE)) {
                tidy(connection);
            }
        }
    }

    private void tidy(RespConnection connection) throws IOException {
        String cursor = "0";
        do {
            Object reply = connection.command("SCAN", cursor, "MATCH", "*" + scope + "*", "COUNT", AT_ONCE);
            List<?> page = (List<?>) Objects.requireNonNull(reply);
            cursor = String.valueOf(page.get(0));
            List<String> command = new ArrayList<>(List.of("DEL"));
            ((List<?>) page.get(1)).forEach(key -> command.add(String.valueOf(key)));
            if (command.size() > 1) {
                connection.command(command.toArray(String[]::new));
            }
        } while (!cursor.equals("0"));
    }
}
