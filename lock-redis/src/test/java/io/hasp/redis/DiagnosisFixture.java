package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.spi.BackendContext;
import io.hasp.spi.Finding;
import io.hasp.spi.Finding.Level;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** Runs the doctor's checks as a client of this JVM. */
abstract class DiagnosisFixture {
    final RealTiming timing = new RealTiming();

    @AfterEach
    void stop() {
        timing.close();
    }

    final List<Finding> diagnose(String uri) {
        return diagnose(uri, new BackendContext("doctor", timing, timing.threads()));
    }

    static List<Finding> diagnose(String uri, BackendContext context) {
        return uri.startsWith("redlock")
                ? new RedlockBackendProvider().diagnose(URI.create(uri), context)
                : new RedisBackendProvider().diagnose(URI.create(uri), context);
    }

    static String uri(RedisServer server) {
        return "redis://127.0.0.1:" + server.port();
    }

    static void assertFound(List<Finding> findings, Level level, String check, String text) {
        assertThat(findings).anySatisfy(finding -> {
            assertThat(finding.level()).isEqualTo(level);
            assertThat(finding.check()).isEqualTo(check);
            assertThat(finding.text()).contains(text);
            assertThat(finding.page()).matches("guarantees/(redis|redlock)\\.md");
        });
    }
}
