package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.SentinelServers;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.BackendFailure.Outcome;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses, names and passwords that are wrong, with real sentinels. */
class SentinelErrorsTest {
    private static final String ID = SentinelServers.MASTER_ID;
    private static final SentinelServers SERVERS = SentinelServers.start(Duration.ofMinutes(1));

    @AfterAll
    static void stop() {
        SERVERS.close();
    }

    /** A busy machine may take long to start a client. */
    private static TestClient open(String uri) {
        return new TestClient(RedisBackend.on(RedisConfig.of(URI.create(uri + "&commandTimeout=10s"))));
    }

    private static void assertRefused(String uri, Kind kind, String... words) {
        BackendFailure failure = catchThrowableOfType(BackendFailure.class, () -> open(uri));
        assertThat(failure).as(uri).isNotNull();
        assertThat(failure.getMessage()).contains(words);
        assertThat(failure.kind()).as(failure.getMessage()).isEqualTo(kind);
        assertThat(failure.outcome()).isEqualTo(Outcome.NOT_APPLIED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce"})
    void a_wrong_name_and_a_wrong_address_are_named(String library) {
        int sentinel = SERVERS.sentinels().get(0).port();
        assertRefused(
                "redis-sentinel://127.0.0.1:" + sentinel + "?sentinelMasterId=other&connection=" + library,
                Kind.INCOMPATIBLE,
                "where master 'other' is: sentinel 127.0.0.1:" + sentinel
                        + " knows no master of that name (sentinelMasterId)");
        assertRefused(
                "redis-sentinel://127.0.0.1:1,127.0.0.1:2?sentinelMasterId=m&connection=" + library,
                Kind.UNAVAILABLE,
                "sentinel 127.0.0.1:1 can't be reached: ",
                "Connection refused; ",
                "sentinel 127.0.0.1:2 can't be reached: ");
        RedisServer replica = SERVERS.servers().get(1);
        assertRefused(
                "redis-sentinel://127.0.0.1:" + replica.port() + "?sentinelMasterId=m&connection=" + library,
                Kind.INCOMPATIBLE,
                "sentinel 127.0.0.1:" + replica.port() + " is no sentinel");
        assertRefused(
                "redis://127.0.0.1:" + replica.port() + "?connection=" + library, Kind.INCOMPATIBLE, "is a replica");
        for (String database : new String[] {"", "/3"}) {
            assertRefused(
                    "redis://127.0.0.1:" + sentinel + database + "?connection=" + library,
                    Kind.INCOMPATIBLE,
                    "redis://127.0.0.1:" + sentinel,
                    "unknown command",
                    "if it is a sentinel, the scheme is redis-sentinel");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce"})
    void sentinels_and_servers_have_credentials_of_their_own(String library) {
        SERVERS.master().command("ACL", "SETUSER", "locks", "on", ">data", "~hasp:*", "&hasp:*", "+@all", "-info");
        RedisServer sentinel = SERVERS.sentinels().get(library.equals("jedis") ? 1 : 2);
        String uri = "redis-sentinel://locks:data@127.0.0.1:" + sentinel.port() + "?sentinelMasterId=" + ID
                + "&connection=" + library;
        sentinel.command("ACL", "SETUSER", "watcher", "on", ">watch", "allchannels", "+@all");
        sentinel.command("ACL", "SETUSER", "default", "resetpass", ">secret");
        assertRefused(uri, Kind.DENIED, "sentinel 127.0.0.1:" + sentinel.port(), "refused the question: NOAUTH");
        String wrong = "&sentinelUser=watcher&sentinelPassword=wrong";
        assertRefused(uri + wrong, Kind.DENIED, "refused the question: WRONGPASS");
        String right = "&sentinelUser=watcher&sentinelPassword=watch";
        assertRefused(uri.replace(":data@", ":wrong@") + right, Kind.DENIED, "WRONGPASS");
        try (TestClient client = open(uri + right)) {
            client.granted("a");
            client.release("a");
        }
        try (TestClient client = open(uri + "&sentinelPassword=secret")) {
            client.granted("b");
            client.release("b");
        }
    }
}
