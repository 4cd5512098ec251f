package io.hasp.evaluation.servers;

import io.hasp.evaluation.measure.ServerCounters;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooKeeper;

/**
 * ZooKeeper servers that the user runs.
 *
 * @param endpoint with a path that belongs to this comparison
 */
record GivenZooKeeper(ZooKeeperEndpoint endpoint) implements GivenService {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration SESSION = Duration.ofSeconds(10);
    private static final int USUAL_PORT = 2181;
    private static final int TRIES = 5;

    @Override
    public void check() throws InterruptedException {
        try (ZooKeeper handle = endpoint.handle(SESSION, PATIENCE)) {
            String parent = endpoint.path().substring(0, endpoint.path().lastIndexOf('/'));
            if (!parent.isEmpty() && handle.exists(parent, false) == null) {
                throw new BackendRefused(
                        endpoint.address() + " has no node " + parent + ": create it, or leave it out", null);
            }
            // Ephemeral, so that it vanishes even if deleting is not permitted.
            handle.create(endpoint.path(), new byte[0], endpoint.acl(), CreateMode.EPHEMERAL);
            handle.delete(endpoint.path(), -1);
            endpoint.create(handle);
            handle.getChildren(endpoint.path(), false);
        } catch (KeeperException e) {
            throw new BackendRefused(endpoint.address() + " refuses " + words(e), e);
        } catch (InterruptedException | BackendRefused e) {
            throw e;
        } catch (Exception e) {
            throw new BackendRefused(String.valueOf(e.getMessage()), e);
        }
    }

    private static String words(KeeperException e) {
        String node = e.getPath() == null ? "" : " at " + e.getPath();
        return switch (e.code()) {
            case NOAUTH -> "to create or delete nodes" + node + ": no permission";
            case AUTHFAILED -> "the credentials";
            default -> "to work" + node + ": " + e.code();
        };
    }

    @Override
    public ServerCounters counters() {
        return new Counters(Arrays.asList(endpoint.config().servers().split(",", -1)), new AtomicLong());
    }

    @Override
    public void addVersions(Versions versions) {
        String first = endpoint.config().servers().split(",", -1)[0];
        versions.addZooKeeper(Versions.in(ask(first, "srvr")));
    }

    /** Retries, because the nodes of a killed client may change while they are deleted. */
    @Override
    public void tidy() throws Exception {
        try (ZooKeeper handle = endpoint.handle(SESSION, PATIENCE)) {
            for (int left = TRIES; handle.exists(endpoint.path(), false) != null; left--) {
                try {
                    ZKUtil.deleteRecursive(handle, endpoint.path());
                } catch (KeeperException.NotEmptyException | KeeperException.NoNodeException e) {
                    if (left == 0) {
                        throw e;
                    }
                }
            }
        }
    }

    /** The processor time of remote servers is unknown, and their data is not the comparison's alone. */
    private record Counters(List<String> servers, AtomicLong asked) implements ServerCounters {

        @Override
        public double commands() {
            double packets = 0;
            for (String server : servers) {
                asked.incrementAndGet();
                packets += ZooKeeperCounters.value(ask(server, "mntr"), ZooKeeperCounters.PACKETS);
            }
            return packets - asked.get();
        }

        @Override
        public double cpuNanos() {
            return Double.NaN;
        }

        @Override
        public double bytes() {
            return Double.NaN;
        }

        @Override
        public double trafficBytes() {
            return Double.NaN;
        }
    }

    /** Empty if there is no answer. */
    private static String ask(String server, String question) {
        int colon = server.lastIndexOf(':');
        boolean port = colon > server.lastIndexOf(']');
        String host = port ? server.substring(0, colon) : server;
        try (Socket socket = new Socket()) {
            int millis = Math.toIntExact(PATIENCE.toMillis());
            socket.connect(
                    new InetSocketAddress(host, port ? Integer.parseInt(server.substring(colon + 1)) : USUAL_PORT),
                    millis);
            socket.setSoTimeout(millis);
            socket.getOutputStream().write(question.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }
}
