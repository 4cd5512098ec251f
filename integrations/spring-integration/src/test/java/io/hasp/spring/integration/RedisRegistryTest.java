package io.hasp.spring.integration;

import io.hasp.LockClient;
import io.hasp.conformance.servers.RedisServer;
import org.junit.jupiter.api.AfterAll;

class RedisRegistryTest extends SpringRegistryCases {
    private static final RedisServer REDIS = RedisServer.start();

    @AfterAll
    static void stop() {
        REDIS.close();
    }

    @Override
    LockClient connect() {
        return LockClient.connect(REDIS.uri());
    }
}
