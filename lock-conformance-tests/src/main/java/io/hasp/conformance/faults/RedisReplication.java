package io.hasp.conformance.faults;

import io.hasp.conformance.servers.RedisServer;
import java.time.Duration;
import org.awaitility.Awaitility;

/** Makes Redis servers replicas and masters, as an operator or Sentinel does. */
public final class RedisReplication {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private RedisReplication() {}

    /**
     * Makes a server the replica of another one. What it had is lost.
     *
     * @param replica the server that follows
     * @param port where on 127.0.0.1 it finds its master: the master's own, or a {@link FaultProxy}'s before it, which can
     *     hold back what the master acknowledged (as {@link Direction#REPLIES}; pausing the replica can't, because the
     *     system has received it already)
     */
    public static void follow(RedisServer replica, int port) {
        replica.command("REPLICAOF", "127.0.0.1", Integer.toString(port));
        Awaitility.await("replication to begin")
                .atMost(LIMIT)
                .until(() -> replication(replica).contains("master_link_status:up"));
    }

    /**
     * Promotes a replica to master, with the data it has received so far. The old master is not informed.
     *
     * @param replica the server to promote
     */
    public static void promote(RedisServer replica) {
        replica.command("REPLICAOF", "NO", "ONE");
        Awaitility.await("promotion")
                .atMost(LIMIT)
                .until(() -> replication(replica).contains("role:master"));
    }

    private static String replication(RedisServer server) {
        return String.valueOf(server.command("INFO", "replication"));
    }
}
