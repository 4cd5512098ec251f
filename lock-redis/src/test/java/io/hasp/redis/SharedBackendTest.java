package io.hasp.redis;

import static io.hasp.redis.ServerUnderTest.assertFailure;
import static io.hasp.redis.TestClient.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendSource;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Share;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Shares through each connection: acquired, waited for, lowered, released; and other kinds of lock refused. */
class SharedBackendTest {
    /** Less than what a waiter's place is good for after its last request. */
    private static final Duration PLACE = Duration.ofSeconds(1);

    private static RedisServer server;
    private static RedisClient lettuce;

    enum Connection {
        JEDIS,
        LETTUCE,
        REDISSON,
        OWN_LETTUCE;

        BackendSource source() {
            return switch (this) {
                case OWN_LETTUCE -> RedisBackend.onLettuce(lettuce, RedisURI.create(server.uri()));
                default -> Through.valueOf(name()).source(server, Duration.ofSeconds(2));
            };
        }
    }

    @BeforeAll
    static void start() {
        server = RedisServer.start();
        lettuce = RedisClient.create();
    }

    @AfterAll
    static void stop() {
        lettuce.shutdown();
        server.close();
    }

    @BeforeEach
    void clear() {
        server.command("FLUSHALL");
    }

    @ParameterizedTest
    @EnumSource(Connection.class)
    void readers_share_and_a_writer_waits_until_the_last_has_left(Connection connection) throws Exception {
        try (TestClient readers = new TestClient(connection.source());
                TestClient writers = new TestClient(connection.source())) {
            assertThat(readers.backend.capabilities().shares()).isTrue();
            Grant first = granted(readers, "r1", Share.READ);
            Grant second = granted(readers, "r2", Share.READ);
            assertThat(second.token()).isGreaterThan(first.token());
            assertThat(granted(readers, "r2", Share.READ).token()).isEqualTo(second.token());
            assertThat(writers.acquire(claim("w", Share.WRITE))).isInstanceOf(Attempt.Busy.class);
            assertThat(release(readers, "r1", Share.READ)).isEqualTo(Released.RELEASED);
            assertThat(release(readers, "r2", Share.READ)).isEqualTo(Released.RELEASED);
            assertThat(writers.signals.poll(5, TimeUnit.SECONDS)).isEqualTo("w MAYBE_FREE");

            Grant write = granted(writers, "w", Share.WRITE);

            assertThat(write.token()).isGreaterThan(second.token());
            assertThat(release(writers, "w", Share.WRITE)).isEqualTo(Released.RELEASED);
            assertThat(release(writers, "w", Share.WRITE)).isEqualTo(Released.NOT_HELD);
            assertThat(server.command("EXISTS", KEY)).isEqualTo(0L);
        }
    }

    @ParameterizedTest
    @EnumSource(Connection.class)
    void a_reader_that_was_told_believes_it_and_does_not_ask_again(Connection connection) throws Exception {
        try (TestClient writers = new TestClient(connection.source());
                TestClient readers = new TestClient(connection.source())) {
            granted(writers, "w", Share.WRITE);
            readers.acquire(claim("r", Share.READ));
            release(writers, "w", Share.WRITE);
            assertThat(readers.signals.poll(5, TimeUnit.SECONDS)).isEqualTo("r MAYBE_FREE");
            server.command("CONFIG", "RESETSTAT");

            Grant grant = granted(readers, "r", Share.READ);

            assertThat(grant.validity()).isLessThan(Duration.ofMillis(1_250)).isGreaterThan(Duration.ofMillis(600));
            assertThat(String.valueOf(server.command("INFO", "commandstats"))).doesNotContain("evalsha");
            assertThat(readers.renew(grant)).isEqualTo(new Renewal.Renewed(TestClient.LEASE));
            assertThat((Long) server.command("PTTL", KEY)).isGreaterThan(1_250);
        }
    }

    @ParameterizedTest
    @EnumSource(Connection.class)
    void a_renewal_lowers_the_writer_to_a_reader_and_the_next_reader_is_told(Connection connection) throws Exception {
        try (TestClient writers = new TestClient(connection.source());
                TestClient readers = new TestClient(connection.source())) {
            Grant write = granted(writers, "w", Share.WRITE);
            readers.acquire(claim("r", Share.READ));
            Grant lowered = Grant.of(claim("w", Share.READ), write.token(), write.validity());

            assertThat(writers.renew(lowered)).isInstanceOf(Renewal.Renewed.class);

            assertThat(readers.signals.poll(5, TimeUnit.SECONDS)).isEqualTo("r MAYBE_FREE");
            granted(readers, "r", Share.READ);
            assertThat(writers.renew(lowered)).isInstanceOf(Renewal.Renewed.class);
            assertThat(granted(writers, "w", Share.READ).token()).isEqualTo(write.token());
        }
    }

    @ParameterizedTest
    @EnumSource(Connection.class)
    void one_renewal_of_several_kinds_answers_in_the_order_of_the_grants(Connection connection) {
        try (TestClient client = new TestClient(connection.source())) {
            List<Claim> claims = List.of(
                    named("files", "r", Share.READ),
                    named("lost", "x", Share.EXCLUSIVE),
                    named("alone", "x", Share.EXCLUSIVE),
                    named("gone", "s", new Share(1, 8)),
                    named("pool", "s", new Share(3, 8)));
            List<Grant> grants = claims.stream()
                    .map(claim -> ((Attempt.Granted) client.acquire(claim)).grant())
                    .toList();
            server.command("DEL", "hasp:{lost}", "hasp:{gone}");

            List<Renewal> renewals = TestClient.answer(client.backend.renew(grants));

            assertThat(renewals)
                    .extracting(Renewal::getClass)
                    .isEqualTo(List.of(
                            Renewal.Renewed.class,
                            Renewal.Lost.class,
                            Renewal.Renewed.class,
                            Renewal.Lost.class,
                            Renewal.Renewed.class));
        }
    }

    @ParameterizedTest
    @EnumSource(Connection.class)
    void another_kind_is_refused_in_words_and_leaves_nothing(Connection connection) {
        try (TestClient client = new TestClient(connection.source())) {
            granted(client, "s", new Share(1, 5));
            assertOtherKind(
                    client, new Share(1, 8), "it is a semaphore of 5 permits at present, not a semaphore of 8 permits");
            assertOtherKind(client, Share.WRITE, "it is a semaphore of 5 permits at present, not a read-write lock");
            assertOtherKind(
                    client, Share.EXCLUSIVE, "it is a semaphore of 5 permits at present, not an exclusive lock");
            release(client, "s", new Share(1, 5));
            granted(client, "x", Share.EXCLUSIVE);
            assertOtherKind(client, Share.READ, "it is an exclusive lock at present, not a read-write lock");
        }
    }

    @Test
    void a_name_that_reads_like_the_servers_words_does_not_change_ours() {
        String name = "KIND has capacity 7, not 9: WRONGTYPE";
        try (TestClient client = new TestClient(Connection.JEDIS.source())) {
            client.acquire(named(name, "s", new Share(1, 5)));
            assertFailure(
                    () -> client.acquire(named(name, "x", Share.EXCLUSIVE)),
                    BackendFailure.Kind.OTHER_KIND,
                    BackendFailure.Outcome.NOT_APPLIED,
                    "': it is a semaphore of 5 permits at present, not an exclusive lock");
        }
    }

    private static void assertOtherKind(TestClient client, Share share, String words) {
        assertFailure(
                () -> client.acquire(claim("other", share)),
                BackendFailure.Kind.OTHER_KIND,
                BackendFailure.Outcome.NOT_APPLIED,
                "refused acquire of 'orders/42': " + words);
        assertThat(release(client, "other", share)).isEqualTo(Released.NOT_HELD);
    }

    @ParameterizedTest
    @EnumSource(Connection.class)
    void a_direct_grant_to_a_reader_that_this_client_does_not_know_is_given_back(Connection connection) {
        try (TestClient writers = new TestClient(connection.source());
                TestClient readers = new TestClient(connection.source());
                TestClient others = new TestClient(connection.source())) {
            granted(writers, "w", Share.WRITE);
            readers.acquire(claim("known", Share.READ));
            String channel = channelOf("known");
            release(readers, "known", Share.READ);
            others.acquire(claim("unknown", Share.READ));
            String entry = String.valueOf(server.command("HGET", KEY + ":w", "unknown"));
            server.command("HSET", KEY + ":w", "unknown", entry.replace(channelOf("unknown"), channel));

            release(writers, "w", Share.WRITE);

            await().until(() -> Long.valueOf(0).equals(server.command("EXISTS", KEY)));
            assertThat(server.command("EXISTS", KEY + ":x:unknown")).isEqualTo(1L);
        }
    }

    private static String channelOf(String waiter) {
        return String.valueOf(server.command("HGET", KEY + ":w", waiter)).split("\\|", -1)[2];
    }

    @ParameterizedTest
    @EnumSource(Connection.class)
    @Timeout(60)
    void a_release_serves_all_who_wait_however_many(Connection connection) {
        try (TestClient client = new TestClient(connection.source())) {
            long begun;
            int round = 0;
            do {
                // New names: the client would grant a reader of an earlier round without a request.
                String readers = "r" + ++round + "-";
                server.command("FLUSHALL");
                granted(client, "w", Share.WRITE);
                begun = System.nanoTime();
                List<CompletionStage<Attempt>> attempts = IntStream.range(0, 230)
                        .mapToObj(i -> client.backend.acquire(claim(readers + i, Share.READ), signal -> {}))
                        .toList();
                assertThat(attempts).map(TestClient::answer).hasOnlyElementsOfType(Attempt.Busy.class);
                assertThat(release(client, "w", Share.WRITE)).isEqualTo(Released.RELEASED);
                // On a busy machine the first may have been silent for so long that they have lost their places.
            } while (System.nanoTime() - begun > PLACE.toNanos());

            assertThat(server.command("EXISTS", KEY + ":q")).isEqualTo(0L);
            assertThat(server.command("HLEN", KEY)).isEqualTo(231L);
        }
    }

    private static Claim claim(String holder, Share share) {
        return TestClient.claim(holder, TestClient.LEASE, true).withShare(share);
    }

    private static Claim named(String name, String holder, Share share) {
        return Claim.renewedLease(new LockName(name), new HolderId(holder), TestClient.LEASE, false)
                .withShare(share);
    }

    private static Grant granted(TestClient client, String holder, Share share) {
        Attempt attempt = client.acquire(claim(holder, share));
        assertThat(attempt).isInstanceOf(Attempt.Granted.class);
        return ((Attempt.Granted) attempt).grant();
    }

    private static Released release(TestClient client, String holder, Share share) {
        return TestClient.answer(client.backend.release(claim(holder, share)));
    }
}
