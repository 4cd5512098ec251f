package io.hasp.postgres;

import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.PostgresServer;
import org.junit.jupiter.api.AfterAll;

/** The rules without messages, as behind a transaction pooler. */
class PollingConformanceTest implements PollingConformance {
    private static final PostgresServer SERVER = PostgresServer.start();

    @Override
    public PostgresServer server() {
        return SERVER;
    }

    @Override
    public String label() {
        return "hasp-postgres-poll";
    }

    @Override
    public Tier tierOf(String rule) {
        return rule.startsWith("me2_recorded") ? Tier.FAST : Tier.FULL;
    }

    @AfterAll
    static void stop() {
        SERVER.close();
    }
}
