package io.hasp.conformance.servers;

import io.hasp.conformance.processes.JavaProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A real ZooKeeper server in a JVM of its own, alone or as a member of a {@link ZooKeeperEnsemble}. It keeps its data
 * over restarts, after {@link #kill} too. It leaves the syncing of its log to the operating system, so a busy disk does not
 * end sessions; {@code "forceSync=yes"} syncs each transaction, as in production.
 *
 * <p>A tick is 500 ms unless the options say otherwise, so sessions may be as short as a second. The system property
 * {@code hasp.zookeeper.option} adds one option to the server's JVM, such as {@code -XX:TieredStopAtLevel=1} for servers that
 * live for a few seconds.
 */
public final class ZooKeeperServer implements Server {
    private static final String OPTION = "hasp.zookeeper.option";
    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    /** With the official image's own script, or in an image that has just Java and the libraries. */
    private static final String IN_IMAGE = """
            if command -v zkServer.sh >/dev/null; then exec zkServer.sh start-foreground "$0"; fi
            exec java -Xmx256m -cp '/zk/*' org.apache.zookeeper.server.quorum.QuorumPeerMain "$0"
            """;

    private static final int ASK_TIMEOUT_MILLIS = 2_000;

    private final Path folder = ProcessGuard.get().newFolder("zookeeper");
    private final Path data = folder.resolve("data");
    private final int port;
    private final int id;
    private final List<String> lines;
    private List<String> changes = List.of();
    private ServerProcess process;

    private ZooKeeperServer(int port, int id, List<String> lines) {
        this.port = port;
        this.id = id;
        this.lines = lines;
        this.process = launch();
    }

    /**
     * Starts a single server on a free port.
     *
     * @param options lines of its configuration file, such as {@code "tickTime=200"}; they outrank ours
     * @return a server that serves
     * @throws ServerException if it does not come up; says what its log says
     */
    public static ZooKeeperServer start(String... options) {
        ZooKeeperServer server = new ZooKeeperServer(Ports.free(), 0, List.of(options));
        try {
            server.awaitServing();
            return server;
        } catch (ServerException e) {
            server.close();
            throw e;
        }
    }

    /** Starts a member without waiting for it: it can't serve before others run. */
    static ZooKeeperServer member(int port, int id, List<String> lines) {
        return new ZooKeeperServer(port, id, lines);
    }

    private ServerProcess launch() {
        List<String> all = new ArrayList<>(List.of(
                "tickTime=500",
                "initLimit=40",
                "syncLimit=10",
                "maxSessionTimeout=60000",
                "maxClientCnxns=0",
                "admin.enableServer=false",
                "forceSync=no",
                "4lw.commands.whitelist=*",
                "clientPortAddress=127.0.0.1",
                "clientPort=" + port,
                "dataDir=" + data));
        all.addAll(lines);
        all.addAll(changes);
        Path configuration = folder.resolve("zoo.cfg");
        try {
            Files.createDirectories(data);
            Files.writeString(data.resolve("myid"), Integer.toString(id));
            Files.write(configuration, all);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ServerProcess.start("ZooKeeper server " + id + " on port " + port, program(configuration), folder);
    }

    private static Hosting.Program program(Path configuration) {
        List<String> options = List.of("-Xmx256m", "-XX:+UseSerialGC", System.getProperty(OPTION, "-XX:+UseSerialGC"));
        List<String> command = JavaProgram.command(options, ZooKeeperProcess.class, configuration.toString());
        return new Hosting.Program(
                command, Hosting.ZOOKEEPER_IMAGE, List.of("sh", "-c", IN_IMAGE, configuration.toString()));
    }

    void awaitServing() {
        process.awaitReady(() -> serverMode().isPresent(), START_LIMIT);
    }

    private void awaitListening() {
        process.awaitReady(() -> ask("ruok").startsWith("imok"), START_LIMIT);
    }

    /**
     * Returns the server's role, as the server itself reports it.
     *
     * @return standalone, leader or follower; empty if the server does not serve at the moment
     */
    public Optional<String> mode() {
        try {
            return serverMode();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private Optional<String> serverMode() throws IOException {
        return ask("srvr")
                .lines()
                .filter(line -> line.startsWith("Mode: "))
                .map(line -> line.substring("Mode: ".length()))
                .findFirst();
    }

    /**
     * Sends one of ZooKeeper's four-letter commands.
     *
     * @param question such as {@code srvr}, {@code mntr}, {@code wchs}
     * @return the answer's text
     * @throws IOException if there is no answer within two seconds
     */
    public String ask(String question) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(Ports.address(port), ASK_TIMEOUT_MILLIS);
            socket.setSoTimeout(ASK_TIMEOUT_MILLIS);
            socket.getOutputStream().write(question.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /**
     * Returns the server's client port.
     *
     * @return the client port on 127.0.0.1, the same over restarts
     */
    public int port() {
        return port;
    }

    /**
     * Returns the connect string for clients.
     *
     * @return such as {@code 127.0.0.1:12345}
     */
    public String connectString() {
        return "127.0.0.1:" + port;
    }

    /**
     * Its process id.
     *
     * @return the id of the latest process
     */
    public long pid() {
        return process.pid();
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

    /** {@inheritDoc} A member of an ensemble is only waited for until it listens: it may still lack a quorum. */
    @Override
    public void restart() {
        process.terminate();
        relaunch();
    }

    /**
     * {@link #restart} with a changed configuration, as an administrator does it.
     *
     * @param options lines that outrank those it was started with, until the next call of this method; none for none
     */
    public void restartWith(String... options) {
        changes = List.of(options);
        restart();
    }

    /** {@inheritDoc} A member of an ensemble gets its data back from the others. */
    @Override
    public void restartWithoutData() {
        process.kill();
        Folders.delete(data);
        relaunch();
    }

    private void relaunch() {
        process = launch();
        if (id == 0) {
            awaitServing();
        } else {
            awaitListening();
        }
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
