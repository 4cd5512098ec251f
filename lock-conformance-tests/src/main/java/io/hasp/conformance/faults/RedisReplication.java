package io.hasp.conformance.faults;

import io.hasp.conformance.servers.RedisServer;
import java.time.Duration;
import org.awaitility.Awaitility;

/** Changes the replication of Redis servers, as an operator or Sentinel does. Stateless. */
public final class RedisReplication {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private RedisReplication() {}

    /**
     * Makes a server the replica of another one. Its own data is lost.
     *
     * @param replica the server that follows
     * @param port the port of its master on 127.0.0.1: the master's own, or that of a {@link FaultProxy} in front of
     *     it. The proxy can hold back the master's acknowledged writes (as {@link Direction#REPLIES}). A pause of the
     *     replica can't, because the system has already received them
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
