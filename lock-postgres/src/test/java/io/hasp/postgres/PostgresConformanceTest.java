package io.hasp.postgres;

import io.hasp.conformance.Tier;
import io.hasp.conformance.rules.support.LendsServers;
import io.hasp.conformance.rules.support.RuleServers;
import io.hasp.conformance.servers.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

/** The rules on one PostgreSQL server, whose settings suit other transactions than those of locks; none is skipped. */
@LendsServers
class PostgresConformanceTest implements PostgresConformance {
    private static final RuleServers<PostgresServer> SERVERS = new RuleServers<>(
            4,
            () -> PostgresServer.start(
                    "default_transaction_isolation=serializable", "lock_timeout=10ms", "idle_session_timeout=2s"));

    private PostgresServer server = SERVERS.shared();

    /** Rules of the engine, which other backends are asked in every build. */
    @Override
    public Tier tierOf(String rule) {
        return rule.matches("(el|al|ap8_).*") ? Tier.STANDARD : Tier.FAST;
    }

    @Override
    public PostgresServer server() {
        return server;
    }

    @BeforeEach
    void lend(TestInfo rule) throws InterruptedException {
        server = SERVERS.lend(rule);
    }

    @AfterEach
    void giveBack() {
        SERVERS.giveBack(server);
    }

    @AfterAll
    static void stop() {
        SERVERS.close();
    }
}
