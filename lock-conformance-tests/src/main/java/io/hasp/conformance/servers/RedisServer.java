package io.hasp.conformance.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A real Redis server, or a sentinel, as a child process. It keeps nothing over a restart unless its options say so. */
public final class RedisServer implements Server {
    private static final Duration START_LIMIT = Duration.ofSeconds(20);
    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration ADMIN_TIMEOUT = Duration.ofSeconds(10);
    private static final int PORT_TRIES = 5;

    private final Path folder = ProcessGuard.get().newFolder("redis");
    private final Path data = folder.resolve("data");
    private final List<String> options;
    private final List<String> arguments;
    private int port = Ports.free();
    private ServerProcess process;

    private RedisServer(List<String> options, List<String> arguments) {
        this.options = List.copyOf(options);
        this.arguments = List.copyOf(arguments);
        this.process = firstStart();
    }

    /**
     * Starts a server on a free port.
     *
     * @param options lines of its configuration file, such as {@code "appendonly yes"}; they outrank ours, which are: no
     *     persistence, bound to 127.0.0.1 only
     * @return a server that answers
     * @throws ServerException if it does not come up; says what its log says
     */
    public static RedisServer start(String... options) {
        return new RedisServer(List.of(options), List.of());
    }

    /**
     * Starts a sentinel on a free port.
     *
     * @param options lines of its configuration file, such as {@code "sentinel monitor m 127.0.0.1 12345 2"}. The sentinel
     *     writes into that file, and a restart undoes what it has written
     * @return a sentinel that answers
     * @throws ServerException if it does not come up; says what its log says
     */
    public static RedisServer sentinel(String... options) {
        return new RedisServer(List.of(options), List.of("--sentinel"));
    }

    /** Another process may take a free port between our look and the server's. */
    private ServerProcess firstStart() {
        for (int tried = 1; ; tried++) {
            try {
                return launch();
            } catch (ServerException e) {
                boolean portTaken = String.valueOf(e.getMessage()).contains("Address already in use");
                Ports.giveBack(port);
                if (!portTaken || tried == PORT_TRIES) {
                    Folders.delete(folder);
                    throw e;
                }
                port = Ports.free();
            }
        }
    }

    private ServerProcess launch() {
        List<String> lines = new ArrayList<>(List.of(
                "bind 127.0.0.1",
                "port " + port,
                "dir \"" + data + "\"",
                "save \"\"",
                "appendonly no",
                "enable-debug-command local"));
        lines.addAll(options);
        Path configuration = folder.resolve("redis.conf");
        try {
            Files.createDirectories(data);
            Files.write(configuration, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ServerProcess started = ServerProcess.start("redis-server on port " + port, program(configuration), folder);
        try {
            started.awaitReady(this::answers, START_LIMIT);
            return started;
        } catch (ServerException e) {
            started.kill();
            throw e;
        }
    }

    private Hosting.Program program(Path configuration) {
        return new Hosting.Program(
                command(RedisBinary.path().toString(), configuration),
                Hosting.REDIS_IMAGE,
                command("redis-server", configuration));
    }

    private List<String> command(String binary, Path configuration) {
        List<String> command = new ArrayList<>(List.of(binary, configuration.toString()));
        command.addAll(arguments);
        return command;
    }

    private boolean answers() throws IOException {
        try (RespConnection connection = RespConnection.open("127.0.0.1", port, PROBE_TIMEOUT)) {
            connection.command("PING");
            return true;
        } catch (RespError e) {
            return e.code().equals("NOAUTH");
        }
    }

    /**
     * Returns the server's port.
     *
     * @return the port on 127.0.0.1, the same over restarts
     */
    public int port() {
        return port;
    }

    /**
     * Returns the server's URI.
     *
     * @return such as {@code redis://127.0.0.1:12345}
     */
    public String uri() {
        return "redis://127.0.0.1:" + port;
    }

    /**
     * Its process id.
     *
     * @return the id of the latest process
     */
    public long pid() {
        return process.pid();
    }

    /**
     * Opens a connection.
     *
     * @return an open connection with a timeout of ten seconds, closed by the caller
     */
    public RespConnection connect() {
        try {
            return RespConnection.open("127.0.0.1", port, ADMIN_TIMEOUT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Runs one command on a connection of its own, as an administrator would.
     *
     * @param args the command and its arguments
     * @return the reply as {@link RespConnection} gives it
     */
    public @Nullable Object command(String... args) {
        try (RespConnection connection = connect()) {
            return connection.command(args);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The end of its log. */
    String logTail() {
        return process.logTail();
    }

    @Override
    public void pause() {
        process.pause();
    }

    @Override
    public void resume() {
        process.resume();
    }

    @Override
    public void kill() {
        process.kill();
    }

    @Override
    public void stop() {
        process.terminate();
    }

    @Override
    public void restart() {
        process.terminate();
        process = launch();
    }

    @Override
    public void restartWithoutData() {
        process.kill();
        Folders.delete(data);
        process = launch();
    }

    @Override
    public boolean running() {
        return process.alive();
    }

    @Override
    public void close() {
        process.kill();
        Ports.giveBack(port);
        Folders.delete(folder);
    }
}
