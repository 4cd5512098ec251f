package io.hasp.conformance.faults;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * A separate network for some client processes, connected to the host by one virtual cable on which packets can be
 * lost: no reset, no error, no answer below TCP. Linux only, and only with the permission to create namespaces ({@link
 * #missing}).
 *
 * <p>Packets are lost because the sender gets a wrong hardware address of the other end, which needs no firewall tool.
 * The namespace has no name and lives in one process that reads a pipe from this JVM. So it ends with the JVM in any
 * case. Not thread-safe.
 */
public final class NetworkNamespace implements AutoCloseable {
    private static final String NOBODY = "02:00:00:00:00:01";
    private static final String RULE = " %s -p tcp --sport %d --dport %d -j DROP\\n";
    private static final long LIMIT_SECONDS = 10;
    private static final int SUBNETS = 1 << 14;
    private static final int SUBNET_SIZE = 4;
    private static final int BYTE = 256;

    private final Process anchor;
    private final String cable;
    private final String outside;
    private final String inside;

    private NetworkNamespace(Process anchor, int subnet) {
        int base = subnet * SUBNET_SIZE;
        String prefix = "10.213." + base / BYTE + ".";
        this.anchor = anchor;
        this.cable = "hasp" + anchor.pid();
        this.outside = prefix + (base % BYTE + 1);
        this.inside = prefix + (base % BYTE + 2);
    }

    /**
     * Returns the reason why a namespace can't be created here.
     *
     * @return the reason, for a test to be skipped with; empty if a namespace can be created
     */
    public static Optional<String> missing() {
        try (NetworkNamespace namespace = open()) {
            namespace.run("ip", "link", "show", namespace.cable);
            return Optional.empty();
        } catch (IllegalStateException e) {
            return Optional.of("no network namespace can be created here: " + e.getMessage());
        }
    }

    /**
     * Creates a namespace without faults.
     *
     * @return a namespace; the caller closes it
     * @throws IllegalStateException if that is not possible here
     */
    public static NetworkNamespace open() {
        Process anchor;
        try {
            // Announces itself from inside; a shell in another network would take our address for its own.
            anchor = new ProcessBuilder("unshare", "--net", "sh", "-c", "trap '' HUP INT TERM; echo here; exec cat")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
        NetworkNamespace namespace =
                new NetworkNamespace(anchor, ThreadLocalRandom.current().nextInt(SUBNETS));
        try {
            namespace.build();
            return namespace;
        } catch (IllegalStateException e) {
            namespace.close();
            throw e;
        }
    }

    private void build() {
        awaitAnchor();
        String pid = Long.toString(anchor.pid());
        run("ip", "link", "add", cable, "type", "veth", "peer", "name", "outside", "netns", pid);
        run("ip", "addr", "add", outside + "/30", "dev", cable);
        run("ip", "link", "set", cable, "up");
        runInside("ip", "addr", "add", inside + "/30", "dev", "outside");
        runInside("ip", "link", "set", "outside", "up");
        runInside("ip", "link", "set", "lo", "up");
    }

    private void awaitAnchor() {
        try {
            if (anchor.getInputStream().read() < 0) {
                throw new IllegalStateException("'unshare --net' is refused");
            }
        } catch (IOException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    /**
     * Returns the host's address on the cable: clients inside connect to it, and a server or {@link FaultProxy} for
     * them must listen there.
     *
     * @return an address
     */
    public InetAddress outsideAddress() {
        return address(outside);
    }

    /** The name of our end of the cable. */
    String cable() {
        return cable;
    }

    /**
     * Wraps a command so that it runs inside.
     *
     * @param command the command
     * @return the command to start instead; its process keeps its id
     */
    public List<String> inside(List<String> command) {
        List<String> whole = new ArrayList<>(List.of("nsenter", "--net", "--target", Long.toString(anchor.pid())));
        whole.addAll(command);
        return whole;
    }

    /**
     * Drops all packets of one direction from now on.
     *
     * @param direction the direction; clients are inside
     */
    public void drop(Direction direction) {
        if (direction == Direction.REQUESTS) {
            runInside("ip", "neigh", "replace", outside, "lladdr", NOBODY, "dev", "outside", "nud", "permanent");
        } else {
            run("ip", "neigh", "replace", inside, "lladdr", NOBODY, "dev", cable, "nud", "permanent");
        }
    }

    /** Drops all packets from now on. */
    public void partition() {
        drop(Direction.REQUESTS);
        drop(Direction.REPLIES);
    }

    /** Drops no more packets; TCP then repeats the lost ones, at its own pace. */
    public void heal() {
        runInside("ip", "neigh", "flush", "dev", "outside", "nud", "permanent");
        run("ip", "neigh", "flush", "dev", cable, "nud", "permanent");
    }

    /**
     * Returns the reason why single connections can't be broken here.
     *
     * @return the reason; empty if they can
     */
    public static Optional<String> filterMissing() {
        try (NetworkNamespace namespace = open()) {
            namespace.dropConnections(1, List.of(1));
            return Optional.empty();
        } catch (IllegalStateException e) {
            return Optional.of("no packets of single connections can be dropped here: " + e.getMessage());
        }
    }

    /**
     * Drops all packets of some connections in both directions from now on. Others are unaffected.
     *
     * @param serverPort the server's port of the connections
     * @param clientPorts the ports of the clients' sockets inside
     */
    public void dropConnections(int serverPort, Collection<Integer> clientPorts) {
        filter("-A", serverPort, clientPorts);
    }

    /**
     * Drops no more packets of these connections.
     *
     * @param serverPort the server's port of the connections
     * @param clientPorts the ports of the clients' sockets inside
     */
    public void restoreConnections(int serverPort, Collection<Integer> clientPorts) {
        filter("-D", serverPort, clientPorts);
    }

    /** All by one process: on a busy machine each takes long to start. */
    private void filter(String change, int serverPort, Collection<Integer> clientPorts) {
        StringBuilder rules = new StringBuilder("*filter\\n");
        for (int port : clientPorts) {
            rules.append(change).append(RULE.formatted("OUTPUT", port, serverPort));
            rules.append(change).append(RULE.formatted("INPUT", serverPort, port));
        }
        runInside("sh", "-c", "printf -- '" + rules + "COMMIT\\n' | iptables-restore --noflush");
    }

    /** Removes the namespace and the cable. The processes inside must have ended. Idempotent. */
    @Override
    public void close() {
        try {
            anchor.getOutputStream().close();
            if (!anchor.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                anchor.destroyForcibly();
            }
        } catch (IOException e) {
            anchor.destroyForcibly();
        } catch (InterruptedException e) {
            anchor.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        // The system removes the cable with the namespace, a moment after the last process in it.
        execute(List.of("ip", "link", "delete", cable));
    }

    private void runInside(String... command) {
        check(inside(List.of(command)));
    }

    private void run(String... command) {
        check(Arrays.asList(command));
    }

    private static void check(List<String> command) {
        String said = execute(command);
        if (!said.isEmpty()) {
            throw new IllegalStateException("'" + String.join(" ", command) + "' says: " + said);
        }
    }

    /** Returns the command's output if it fails, otherwise an empty text. */
    private static String execute(List<String> command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return process.waitFor() == 0 ? "" : said + " (exit code " + process.exitValue() + ")";
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    private static InetAddress address(String text) {
        byte[] bytes = new byte[SUBNET_SIZE];
        List<String> parts = List.of(text.split("\\."));
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(parts.get(i));
        }
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}
