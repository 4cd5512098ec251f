package io.hasp.redis;

import io.hasp.conformance.servers.ClusterServers;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The rules on a cluster, through Lettuce. No master is ever taken for down: rules stop all of them for long. */
class ClusterLettuceConformanceTest implements ClusterConformance {
    @RegisterExtension
    static final SharedCluster CLUSTER = SharedCluster.ofMasters();

    @Override
    public ClusterServers servers() {
        return CLUSTER.servers();
    }

    @Override
    public Through library() {
        return Through.LETTUCE;
    }
}
