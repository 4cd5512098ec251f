package io.hasp.redis;

import static io.hasp.redis.ServerUnderTest.assertFailure;
import static io.hasp.redis.TestClient.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.RespConnection;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Share;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Credentials and permissions: a missing one is a typed failure that names it, and leaves nothing held. */
interface PermissionRules extends ServerUnderTest {
    /** All commands that a user needs, as docs/guarantees/redis.md lists them. */
    String COMMANDS = "-@all +eval +evalsha +subscribe +unsubscribe +ping +publish +pubsub +time +exists +get +set +del"
            + " +pexpire +pttl +zadd +zcard +zrange +zrank +zrem +zscore +zpopmin +hget +hset +hdel +hlen +hmget +hgetall"
            + " +pexpireat";

    @Test
    default void fa12_wrong_credentials_are_denied_at_connect() {
        try (RedisServer server = RedisServer.start("requirepass right")) {
            assertFailure(() -> open(server, ":wrong@"), Kind.DENIED, Outcome.NOT_APPLIED, "WRONGPASS");
            assertFailure(() -> open(server, ""), Kind.DENIED, Outcome.NOT_APPLIED, "NOAUTH");
            try (TestClient client = open(server, ":right@")) {
                client.granted("a");
            }
        }
    }

    @Test
    default void fa12_a_user_needs_no_more_than_the_documented_permissions() throws IOException, InterruptedException {
        try (RedisServer server = RedisServer.start();
                RespConnection admin = server.connect()) {
            admin.command(("ACL SETUSER locks on >p@ss:word ~hasp:* &hasp:* " + COMMANDS + " +info").split(" "));
            try (TestClient first = open(server, "locks:p%40ss%3Aword@");
                    TestClient second = open(server, "locks:p%40ss%3Aword@")) {
                Grant grant = first.granted("a");
                assertThat(first.renew(grant)).isInstanceOf(Renewal.Renewed.class);
                assertThat(second.acquire("b")).isInstanceOf(Attempt.Busy.class);
                assertThat(second.acquire("b")).isInstanceOf(Attempt.Busy.class);
                assertThat(first.tryAcquire("c")).isInstanceOf(Attempt.Busy.class);
                assertThat(first.release("a")).isEqualTo(Released.RELEASED);
                assertThat(second.signals.poll(5, TimeUnit.SECONDS)).isEqualTo("b MAYBE_FREE");
                Grant next = second.granted("b");
                Claim again = TestClient.claim("b2", TestClient.LEASE, true);
                assertThat(TestClient.answer(second.backend
                                .transfer(next, again, signal -> {})
                                .attempt()))
                        .isInstanceOf(Attempt.Granted.class);
                assertThat(first.acquire("d")).isInstanceOf(Attempt.Busy.class);
                assertThat(first.release("d")).isEqualTo(Released.NOT_HELD);
                assertThat(first.release("never-seen")).isEqualTo(Released.NOT_HELD);
                assertThat(second.release("b2")).isEqualTo(Released.RELEASED);
                sharesNeedNoMore(server, first, second);
            }
        }
    }

    private static void sharesNeedNoMore(RedisServer server, TestClient first, TestClient second)
            throws InterruptedException {
        Claim writer = TestClient.claim("w", TestClient.LEASE, true).withShare(Share.WRITE);
        Claim reader = TestClient.claim("r", TestClient.LEASE, true).withShare(Share.READ);
        Grant write = ((Attempt.Granted) first.acquire(writer)).grant();
        assertThat(second.acquire(reader)).isInstanceOf(Attempt.Busy.class);
        assertThat(second.acquire(reader)).isInstanceOf(Attempt.Busy.class);
        Grant lowered = Grant.of(writer.withShare(Share.READ), write.token(), write.validity());
        assertThat(first.renew(lowered)).isInstanceOf(Renewal.Renewed.class);
        assertThat(second.signals.poll(5, TimeUnit.SECONDS)).isEqualTo("r MAYBE_FREE");
        server.command(
                "HSET", KEY, "r", "1|C|1|1|over", ".", "2|" + Share.READ_WRITE + "|2|1|" + Long.MAX_VALUE / 4096);
        assertThat(second.renew(Grant.of(reader, 1, TestClient.LEASE))).isInstanceOf(Renewal.Lost.class);
        assertThat(first.acquire(writer.withHolder(new HolderId("w2")))).isInstanceOf(Attempt.Busy.class);
        assertThatThrownBy(() -> second.acquire("x")).isInstanceOf(BackendFailure.class);
        assertThat(TestClient.answer(second.backend.release(reader))).isEqualTo(Released.NOT_HELD);
        assertThat(TestClient.answer(first.backend.release(writer))).isEqualTo(Released.RELEASED);
    }

    @Test
    default void fa12_a_permission_that_is_taken_away_is_denied_and_leaves_nothing_held() throws IOException {
        try (RedisServer server = RedisServer.start();
                RespConnection admin = server.connect()) {
            admin.command("ACL", "SETUSER", "locks", "on", ">pw", "~hasp:*", "&hasp:*", "+@all");
            try (TestClient client = open(server, "locks:pw@")) {
                admin.command("ACL", "SETUSER", "locks", "-set");
                assertFailure(() -> client.tryAcquire("c"), Kind.DENIED, Outcome.UNKNOWN, "refused");
                admin.command("ACL", "SETUSER", "locks", "-evalsha");
                assertFailure(() -> client.tryAcquire("d"), Kind.DENIED, Outcome.NOT_APPLIED, "evalsha");
                assertThat(admin.command("GET", KEY)).isNull();
            }
        }
    }

    @Test
    default void fa12_a_lease_that_is_lost_to_a_rotated_password_says_so() throws Exception {
        try (RedisServer server = RedisServer.start();
                LockClient client = LockClient.over(
                        Through.source(uri(server, "")),
                        ClientOptions.defaults().renewedLease(Duration.ofSeconds(3)));
                RespConnection admin = server.connect()) {
            Lease lease = client.lock("orders/42").acquire();
            admin.command("CONFIG", "SET", "requirepass", "new");
            admin.command("AUTH", "new");
            admin.command("CLIENT", "KILL", "TYPE", "normal");
            await().until(() -> lease.state() == LeaseState.LOST);
            assertThatThrownBy(lease::ensureHeld)
                    .isInstanceOf(LeaseLostException.class)
                    .hasMessageContaining("not confirmed before its deadline")
                    .hasMessageContaining("refused renewal: NOAUTH");
        }
    }

    @Test
    default void fa12_one_key_that_is_forbidden_costs_its_own_lease_and_no_other() {
        try (RedisServer server = RedisServer.start()) {
            server.command("ACL", "SETUSER", "locks", "on", ">pw", "~hasp:*", "&hasp:*", "+@all");
            try (TestClient client = open(server, "locks:pw@")) {
                List<Grant> grants = new ArrayList<>();
                for (int i = 0; i < LockBackend.MOST_RENEWED_AT_ONCE; i++) {
                    LockName name = new LockName((i == 37 ? "secret" : "open") + i);
                    Claim claim = Claim.renewedLease(name, new HolderId("h" + i), TestClient.LEASE, false);
                    grants.add(((Attempt.Granted) client.acquire(claim)).grant());
                }
                server.command("ACL", "SETUSER", "locks", "resetkeys", "~hasp:{open*");
                server.command("CONFIG", "RESETSTAT");

                List<Renewal> renewals = TestClient.answer(client.backend.renew(grants));

                assertThat(renewals).hasSize(grants.size());
                for (int i = 0; i < grants.size(); i++) {
                    assertThat(renewals.get(i)).isInstanceOf(i == 37 ? Renewal.Unknown.class : Renewal.Renewed.class);
                }
                assertThat(((Renewal.Unknown) renewals.get(37)).why().kind()).isEqualTo(Kind.DENIED);
                assertThat(String.valueOf(server.command("INFO", "commandstats")))
                        .containsPattern("cmdstat_evalsha:calls=\\d,");
            }
        }
    }

    @Test
    default void fa12_a_channel_that_is_not_allowed_is_denied_at_connect() {
        try (RedisServer server = RedisServer.start()) {
            server.command("ACL", "SETUSER", "locks", "on", ">pw", "~hasp:*", "resetchannels", "+@all");
            assertFailure(() -> open(server, "locks:pw@"), Kind.DENIED, Outcome.NOT_APPLIED, "channel");
        }
    }

    @Test
    default void fa12_a_password_that_is_rotated_while_connected_is_denied() {
        try (RedisServer server = RedisServer.start();
                TestClient client = open(server, "")) {
            client.granted("a");
            server.command("CONFIG", "SET", "requirepass", "new");
            try (RespConnection admin = server.connect()) {
                admin.command("AUTH", "new");
                admin.command("CLIENT", "KILL", "TYPE", "normal");
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            await().ignoreExceptionsInstanceOf(AssertionError.class)
                    .untilAsserted(() ->
                            assertFailure(() -> client.tryAcquire("b"), Kind.DENIED, Outcome.NOT_APPLIED, "NOAUTH"));
        }
    }
}
