package io.hasp.redis;

import static io.hasp.redis.ServerUnderTest.assertFailure;
import static io.hasp.redis.TestClient.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.faults.RedisReplication;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.RespConnection;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.Grant;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import java.io.IOException;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Each way in which a real server refuses is a typed failure that names it, and never "busy". */
interface FailureRules extends ServerUnderTest {

    @Test
    default void fa11_no_server_is_unavailable_at_connect() {
        RedisServer server = RedisServer.start();
        server.close();
        assertFailure(() -> open(server, ""), Kind.UNAVAILABLE, Outcome.NOT_APPLIED, "can't be reached");
    }

    @Test
    default void fa11_a_server_that_dies_is_unavailable_and_comes_back() {
        try (RedisServer server = RedisServer.start();
                TestClient client = open(server, "")) {
            Grant grant = client.granted("a");
            server.kill();
            BackendFailure failure = catchThrowableOfType(BackendFailure.class, () -> client.tryAcquire("b"));
            assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(client.renew(grant)).isInstanceOf(Renewal.Unknown.class);
            server.restart();
            await().atMost(Duration.ofSeconds(20))
                    .ignoreExceptionsInstanceOf(BackendFailure.class)
                    .until(() -> client.tryAcquire("c") instanceof Attempt.Granted);
        }
    }

    @Test
    default void fa11_a_server_that_takes_no_more_clients_is_unavailable() throws IOException {
        try (RedisServer server = RedisServer.start("maxclients 2");
                RespConnection first = server.connect();
                RespConnection second = server.connect()) {
            first.command("PING");
            second.command("PING");
            assertFailure(() -> open(server, ""), Kind.UNAVAILABLE, Outcome.NOT_APPLIED, "max number of clients");
        }
    }

    @Test
    default void fa10_out_of_memory_is_unavailable_while_renewal_and_release_go_on() {
        try (RedisServer server = RedisServer.start();
                TestClient client = open(server, "")) {
            Grant grant = client.granted("a");
            server.command("CONFIG", "SET", "maxmemory", "1");
            client.release("never-acquired");
            assertThat(client.renew(grant)).isInstanceOf(Renewal.Renewed.class);
            assertThat(client.release("a")).isEqualTo(Released.RELEASED);
            assertFailure(() -> client.acquire("b"), Kind.UNAVAILABLE, Outcome.NOT_APPLIED, "OOM");
        }
    }

    @Test
    default void fa11_a_read_only_replica_is_unavailable_and_never_busy() {
        try (RedisServer server = RedisServer.start();
                TestClient client = open(server, "")) {
            Grant grant = client.granted("a");
            server.command("REPLICAOF", "127.0.0.1", "1");
            assertFailure(() -> client.tryAcquire("b"), Kind.UNAVAILABLE, Outcome.NOT_APPLIED, "READONLY");
            assertReadOnly(() -> client.acquire("c"));
            assertReadOnly(() -> client.acquire("a"));
            assertReadOnly(() -> client.release("d"));
            assertThat(client.renew(grant)).isInstanceOf(Renewal.Unknown.class);
        }
    }

    /** The first refusal replaces the connections, which may break another call off; that is UNAVAILABLE as well. */
    private static void assertReadOnly(ThrowingCallable call) {
        await().until(() -> {
            BackendFailure failure = catchThrowableOfType(BackendFailure.class, call);
            assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
            return String.valueOf(failure.getMessage()).contains("READONLY")
                    && failure.outcome() == Outcome.NOT_APPLIED;
        });
    }

    @Test
    default void fa11_a_server_that_can_not_save_is_unavailable_and_never_busy() {
        try (RedisServer server = RedisServer.start("save 3600 1");
                TestClient client = open(server, "")) {
            client.granted("a");
            failToSave(server);
            assertFailure(() -> client.tryAcquire("b"), Kind.UNAVAILABLE, Outcome.NOT_APPLIED, "MISCONF");
            assertFailure(() -> client.acquire("c"), Kind.UNAVAILABLE, Outcome.NOT_APPLIED, "MISCONF");
        }
    }

    private static void failToSave(RedisServer server) {
        server.command("CONFIG", "SET", "rdb-key-save-delay", "10000000");
        server.command("BGSAVE");
        ProcessHandle.of(server.pid()).orElseThrow().children().forEach(ProcessHandle::destroyForcibly);
        await().until(() ->
                String.valueOf(server.command("INFO", "persistence")).contains("rdb_last_bgsave_status:err"));
    }

    @Test
    default void fa11_a_server_that_loads_its_data_is_unavailable() throws IOException {
        try (RedisServer server = RedisServer.start("loading-process-events-interval-bytes 1024", "save 3600 1");
                TestClient client = open(server, "");
                RespConnection admin = server.connect()) {
            for (int i = 0; i < 40; i++) {
                admin.command("SET", "filler" + i, "x".repeat(4096));
            }
            admin.command("CONFIG", "SET", "key-load-delay", "50000", "rdbcompression", "no");
            admin.send("DEBUG", "RELOAD");
            await().ignoreExceptionsInstanceOf(AssertionError.class)
                    .pollInterval(Duration.ofMillis(10))
                    .untilAsserted(() -> assertFailure(
                            () -> client.tryAcquire("b"), Kind.UNAVAILABLE, Outcome.NOT_APPLIED, "LOADING"));
            assertFailure(() -> open(server, ""), Kind.UNAVAILABLE, Outcome.NOT_APPLIED, "LOADING");
            assertThat(admin.receive()).isEqualTo("OK");
        }
    }

    @Test
    default void a_replica_is_refused_at_connect_whether_or_not_it_takes_writes_or_shows_what_it_is() {
        try (RedisServer master = RedisServer.start();
                RedisServer replica = RedisServer.start()) {
            RedisReplication.follow(replica, master.port());
            assertFailure(() -> open(replica, ""), Kind.INCOMPATIBLE, Outcome.NOT_APPLIED, "is a replica");
            replica.command("ACL", "SETUSER", "locks", "on", ">pw", "~hasp:*", "&hasp:*", "+@all", "-info", "-role");
            assertFailure(() -> open(replica, "locks:pw@"), Kind.INCOMPATIBLE, Outcome.NOT_APPLIED, "is a replica");
            replica.command("CONFIG", "SET", "replica-read-only", "no");
            assertFailure(() -> open(replica, ""), Kind.INCOMPATIBLE, Outcome.NOT_APPLIED, "is a replica");
            RedisReplication.promote(replica);
            try (TestClient client = open(replica, "")) {
                client.granted("a");
            }
        }
    }

    @Test
    default void another_layout_and_other_data_are_incompatible() {
        try (RedisServer server = RedisServer.start();
                TestClient client = open(server, "")) {
            server.command("SET", KEY, "2|a|H|7|meta");
            assertFailure(() -> client.tryAcquire("b"), Kind.INCOMPATIBLE, Outcome.NOT_APPLIED, "FOREIGN");
            server.command("DEL", KEY);
            server.command("RPUSH", KEY, "x");
            assertFailure(() -> client.tryAcquire("b"), Kind.INCOMPATIBLE, Outcome.NOT_APPLIED, "WRONGTYPE");
        }
    }

    @Test
    default void a_database_that_is_not_there_is_incompatible() {
        try (RedisServer server = RedisServer.start()) {
            String uri = uri(server, "").replace("?", "/99?");
            assertFailure(
                    () -> new TestClient(Through.source(uri)), Kind.INCOMPATIBLE, Outcome.NOT_APPLIED, "DB index");
        }
    }

    @Test
    default void databases_and_prefixes_keep_locks_apart() {
        try (RedisServer server = RedisServer.start();
                TestClient first = open(server, "");
                TestClient database =
                        new TestClient(Through.source(uri(server, "").replace("?", "/3?")));
                TestClient prefix = new TestClient(Through.source(uri(server, "") + "&keyPrefix=app"))) {
            first.granted("a");
            database.granted("b");
            prefix.granted("c");
        }
    }
}
