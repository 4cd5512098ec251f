package io.hasp.spring.integration;

import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.PostgresServer;
import org.junit.jupiter.api.AfterAll;

@InTier(Tier.STANDARD)
class PostgresRegistryTest extends SpringRegistryCases {
    private static final PostgresServer POSTGRES = PostgresServer.start();

    @AfterAll
    static void stop() {
        POSTGRES.close();
    }

    @Override
    LockClient connect() {
        return LockClient.connect(POSTGRES.uri());
    }
}
