package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.BackendFailure.Outcome;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Opens clients for the rules about refusing servers, and states the expected failures. */
interface ServerUnderTest {

    Through library();

    default String uri(RedisServer server, String credentials) {
        return "redis://" + credentials + "127.0.0.1:" + server.port() + "?commandTimeout=1s&connection="
                + library().word();
    }

    default TestClient open(RedisServer server, String credentials) {
        return new TestClient(Through.source(uri(server, credentials)));
    }

    static void assertFailure(ThrowingCallable call, Kind kind, Outcome outcome, String named) {
        BackendFailure failure = catchThrowableOfType(BackendFailure.class, call);
        assertThat(failure).isNotNull();
        assertThat(failure).hasMessageContaining(named).hasMessageContaining("redis://127.0.0.1:");
        assertThat(failure.kind()).isEqualTo(kind);
        assertThat(failure.outcome()).isEqualTo(outcome);
    }
}
