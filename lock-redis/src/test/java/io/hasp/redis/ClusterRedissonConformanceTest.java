package io.hasp.redis;

import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.ClusterServers;
import java.util.Set;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The rules on a cluster, through Redisson. No master is ever taken for down: rules stop all of them for long. */
class ClusterRedissonConformanceTest implements ClusterConformance {
    private static final Set<String> SAME_WAY = Set.of(
            "fe3_token_after_a_restart_without_data_is_larger",
            "li6_waiting_clients_are_served_in_the_order_in_which_they_asked",
            "rw1_recorded_holds_of_readers_and_writers_never_conflict");

    @RegisterExtension
    static final SharedCluster CLUSTER = SharedCluster.ofMasters();

    @Override
    public ClusterServers servers() {
        return CLUSTER.servers();
    }

    @Override
    public Through library() {
        return Through.REDISSON;
    }

    /** The way to the nodes is that of the other libraries; what differs is the sockets. */
    @Override
    public Tier tierOf(String rule) {
        return SAME_WAY.contains(rule) ? Tier.FULL : ClusterConformance.super.tierOf(rule);
    }
}
