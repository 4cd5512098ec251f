package io.hasp.spring.integration;

import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.ZooKeeperServer;
import org.junit.jupiter.api.AfterAll;

@InTier(Tier.STANDARD)
class ZooKeeperRegistryTest extends SpringRegistryCases {
    private static final ZooKeeperServer ZOOKEEPER = ZooKeeperServer.start();

    @AfterAll
    static void stop() {
        ZOOKEEPER.close();
    }

    @Override
    LockClient connect() {
        return LockClient.connect("zookeeper://" + ZOOKEEPER.connectString());
    }
}
