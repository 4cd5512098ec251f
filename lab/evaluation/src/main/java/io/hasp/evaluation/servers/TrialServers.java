package io.hasp.evaluation.servers;

import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.RedisReplication;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.servers.ClusterServers;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.SentinelServers;
import io.hasp.conformance.servers.Server;
import io.hasp.conformance.servers.ZooKeeperEnsemble;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The servers of a single trial, started for it to be broken. */
public sealed interface TrialServers extends AutoCloseable {

    /**
     * The time from the death of a Redis master to the promotion of its replica, as with Sentinel or a quick operator.
     */
    Duration PROMOTION = Duration.ofSeconds(1);

    /** The replication lag of that replica. */
    Duration BEHIND = Duration.ofMillis(500);

    /** The silence after which sentinels, or the nodes of a cluster, consider a master dead. */
    Duration DOWN_AFTER = Duration.ofSeconds(1);

    /**
     * Starts them.
     *
     * @param service which
     * @param topology how Redis is arranged
     * @return servers that serve, stopped by closing this
     * @throws io.hasp.conformance.servers.ServerException if one does not come up
     */
    static TrialServers start(Service service, RedisTopology topology) {
        return switch (service) {
            case REDIS ->
                switch (topology) {
                    case STANDALONE -> MasterAndReplica.start();
                    case SENTINEL -> new Watched(SentinelServers.start(DOWN_AFTER));
                    case CLUSTER -> new Sharded(ClusterServers.start(true, DOWN_AFTER));
                };
            case REDLOCK -> IndependentNodes.start();
            case ZOOKEEPER -> new Ensemble(ZooKeeperEnsemble.start("forceSync=yes"));
            case POSTGRES -> new Restarted(StartedPostgres.start());
        };
    }

    /**
     * Returns the servers' environment.
     *
     * @return addresses that stay the same through a failover
     */
    Environment environment();

    /** Stops all at once, connections stay open (SIGSTOP). */
    void pause();

    /** Lets them run again. */
    void resume();

    /**
     * Kills the server that decides, and makes another one take over.
     *
     * @throws InterruptedException if the thread was interrupted
     */
    void failOver() throws InterruptedException;

    @Override
    void close();

    /** A master and its replica, behind one address that leads to the one that is master. */
    record MasterAndReplica(RedisServer master, RedisServer replica, FaultProxy replication, FaultProxy address)
            implements TrialServers {

        private static MasterAndReplica start() {
            RedisServer master = RedisServer.start();
            RedisServer replica = RedisServer.start();
            MasterAndReplica both = new MasterAndReplica(
                    master, replica, FaultProxy.before(master.port()), FaultProxy.before(master.port()));
            try {
                RedisReplication.follow(replica, both.replication.port());
                both.replication.set(Direction.REPLIES, TrafficPolicy.delayed(BEHIND));
                return both;
            } catch (RuntimeException e) {
                both.close();
                throw e;
            }
        }

        @Override
        public Environment environment() {
            String uri = "redis://127.0.0.1:" + address.port() + "?keyPrefix=" + Environment.SCOPE;
            return new Environment(uri, "", "", "", ClientProfile.USUAL, "127.0.0.1:" + replica.port());
        }

        @Override
        public void pause() {
            master.pause();
        }

        @Override
        public void resume() {
            master.resume();
        }

        /** Writes that the replica has not received yet are lost. */
        @Override
        public void failOver() throws InterruptedException {
            master.kill();
            replication.cut(ConnectionEnd.RST);
            TimeUnit.NANOSECONDS.sleep(PROMOTION.toNanos());
            RedisReplication.promote(replica);
            address.leadTo(replica.port());
        }

        @Override
        public void close() {
            address.close();
            replication.close();
            replica.close();
            master.close();
        }
    }

    /** A master that sentinels watch, with two replicas; they promote one of these. */
    record Watched(SentinelServers servers) implements TrialServers {

        @Override
        public Environment environment() {
            return new Environment(StartedRedis.of(servers).uri(), "", "", ClientProfile.USUAL);
        }

        @Override
        public void pause() {
            Stream.concat(servers.sentinels().stream(), servers.servers().stream())
                    .forEach(Server::pause);
        }

        @Override
        public void resume() {
            Stream.concat(servers.sentinels().stream(), servers.servers().stream())
                    .forEach(Server::resume);
        }

        @Override
        public void failOver() {
            servers.master().kill();
        }

        @Override
        public void close() {
            servers.close();
        }
    }

    /** A cluster. Which of its masters has a lock depends on the key that a library makes of the name. */
    record Sharded(ClusterServers servers) implements TrialServers {

        @Override
        public Environment environment() {
            return new Environment(StartedRedis.of(servers).uri(), "", "", ClientProfile.USUAL);
        }

        @Override
        public void pause() {
            servers.servers().forEach(Server::pause);
        }

        @Override
        public void resume() {
            servers.servers().forEach(Server::resume);
        }

        @Override
        public void failOver() {
            throw new UnsupportedOperationException("no single master of a cluster has the locks of all libraries");
        }

        @Override
        public void close() {
            servers.close();
        }
    }

    /** Five independent servers. */
    record IndependentNodes(List<RedisServer> servers) implements TrialServers {
        private static final int SIZE = 5;

        private static IndependentNodes start() {
            IndependentNodes nodes = new IndependentNodes(new ArrayList<>());
            try {
                while (nodes.servers.size() < SIZE) {
                    nodes.servers.add(RedisServer.start());
                }
                return nodes;
            } catch (RuntimeException e) {
                nodes.close();
                throw e;
            }
        }

        @Override
        public Environment environment() {
            String all =
                    servers.stream().map(node -> "127.0.0.1:" + node.port()).collect(Collectors.joining(","));
            return new Environment("", "redlock://" + all + "?keyPrefix=" + Environment.SCOPE, "", ClientProfile.USUAL);
        }

        @Override
        public void pause() {
            servers.forEach(Server::pause);
        }

        @Override
        public void resume() {
            servers.forEach(Server::resume);
        }

        /** No single server decides, so the first one is killed. */
        @Override
        public void failOver() {
            servers.get(0).kill();
        }

        @Override
        public void close() {
            servers.forEach(Server::close);
        }
    }

    /** One PostgreSQL server without a replica, which is started again with its data after it has died. */
    record Restarted(StartedPostgres postgres) implements TrialServers {

        @Override
        public Environment environment() {
            return new Environment("", "", "", StartedPostgres.uri(postgres.address()), ClientProfile.USUAL, "");
        }

        @Override
        public void pause() {
            postgres.server().pause();
        }

        @Override
        public void resume() {
            postgres.server().resume();
        }

        @Override
        public void failOver() throws InterruptedException {
            postgres.server().kill();
            TimeUnit.NANOSECONDS.sleep(PROMOTION.toNanos());
            postgres.server().restart();
        }

        @Override
        public void close() {
            postgres.close();
        }
    }

    /** Three that elect their leader. */
    record Ensemble(ZooKeeperEnsemble servers) implements TrialServers {

        @Override
        public Environment environment() {
            return new Environment(
                    "", "", "zookeeper://" + servers.connectString() + "/" + Environment.SCOPE, ClientProfile.USUAL);
        }

        @Override
        public void pause() {
            servers.pause();
        }

        @Override
        public void resume() {
            servers.resume();
        }

        @Override
        public void failOver() {
            servers.leader().kill();
        }

        @Override
        public void close() {
            servers.close();
        }
    }
}
