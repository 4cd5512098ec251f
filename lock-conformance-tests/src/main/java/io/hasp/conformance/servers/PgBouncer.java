package io.hasp.conformance.servers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A real PgBouncer as a child process, in transaction mode before one {@link PostgresServer}. The program comes from the system. */
public final class PgBouncer implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofSeconds(30);
    private static final Duration LOOK = Duration.ofMillis(10);

    private final Path folder = ProcessGuard.get().newFolder("pgbouncer");
    private final int port = Ports.free();
    private final Process process;

    private PgBouncer(String program, int server) {
        try {
            Path settings = Files.writeString(folder.resolve("pgbouncer.ini"), """
                            [databases]
                            postgres = host=127.0.0.1 port=%d user=postgres
                            [pgbouncer]
                            listen_addr = 127.0.0.1
                            listen_port = %d
                            unix_socket_dir =
                            auth_type = any
                            pool_mode = transaction
                            max_client_conn = 1000
                            default_pool_size = 50
                            server_login_retry = 1
                            ignore_startup_parameters = extra_float_digits
                            """.formatted(server, port));
            Path log = folder.resolve("pgbouncer.log");
            this.process = new ProcessBuilder(PostgresBinaries.asAnyUser(List.of(program, settings.toString())))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            ProcessGuard.get().add(process.pid());
            awaitReady(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitReady(Path log) throws IOException {
        long end = System.nanoTime() + START_LIMIT.toNanos();
        while (true) {
            try (Socket socket = new Socket()) {
                socket.connect(Ports.address(port));
                return;
            } catch (IOException e) {
                if (!process.isAlive() || System.nanoTime() - end >= 0) {
                    throw new ServerException("PgBouncer did not start:\n" + Files.readString(log), e);
                }
                LockSupport.parkNanos(LOOK.toNanos());
            }
        }
    }

    /**
     * Finds the program on the path, or among the programs of administrators.
     *
     * @return its file; empty if it is not installed
     */
    public static Optional<String> program() {
        return Stream.concat(
                        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)),
                        Stream.of("/usr/sbin", "/usr/local/sbin"))
                .map(directory -> Path.of(directory, "pgbouncer"))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }

    /**
     * Starts a pooler on a free port.
     *
     * @param server the port of a PostgreSQL server on this machine
     * @return a pooler that accepts connections
     * @throws ServerException if it is not installed or does not start
     */
    public static PgBouncer before(int server) {
        return new PgBouncer(
                program().orElseThrow(() -> new ServerException("there is no pgbouncer on the path", null)), server);
    }

    /**
     * Returns the port at 127.0.0.1.
     *
     * @return the port of clients
     */
    public int port() {
        return port;
    }

    @Override
    public void close() {
        ProcessGuard.get().remove(process.pid());
        process.destroyForcibly();
        process.onExit().join();
        Ports.giveBack(port);
        Folders.delete(folder);
    }
}
