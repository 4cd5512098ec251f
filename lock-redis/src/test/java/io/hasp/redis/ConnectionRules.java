package io.hasp.redis;

import static io.hasp.redis.TestClient.KEY;
import static io.hasp.redis.TestClient.LEASE;
import static io.hasp.redis.TestClient.answer;
import static io.hasp.redis.TestClient.claim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.RespConnection;
import io.hasp.redis.script.LockKeys;
import io.hasp.redis.script.LockScript;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendSource;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Transfer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Rules that the backend keeps with each client library. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
interface ConnectionRules {

    RedisServer server();

    /** A backend whose commands time out after {@code timeout}. */
    BackendSource source(RedisServer server, Duration timeout);

    default TestClient open() {
        return new TestClient(source(server(), Duration.ofSeconds(5)));
    }

    @BeforeEach
    default void empty() {
        server().command("FLUSHALL");
    }

    @AfterAll
    default void stop() {
        server().close();
    }

    @Test
    default void a_release_signals_the_first_waiter_and_only_it() throws InterruptedException {
        try (TestClient first = open();
                TestClient second = open();
                TestClient third = open()) {
            Grant grant = first.granted("a");
            assertThat(second.acquire("b")).isInstanceOf(Attempt.Busy.class);
            assertThat(third.acquire("c")).isInstanceOf(Attempt.Busy.class);
            assertThat(first.release("a")).isEqualTo(Released.RELEASED);
            assertThat(second.signals.poll(5, TimeUnit.SECONDS)).isEqualTo("b MAYBE_FREE");
            assertThat(second.granted("b").token()).isGreaterThan(grant.token());
            assertThat(third.signals).isEmpty();
        }
    }

    @Test
    default void a_refused_try_and_a_release_leave_no_lock_no_queue_and_no_entry() {
        try (TestClient first = open();
                TestClient second = open()) {
            first.granted("a");
            assertThat(second.tryAcquire("b")).isInstanceOf(Attempt.Busy.class);
            first.release("a");
            assertThat(server().command("EXISTS", KEY, KEY + ":q", KEY + ":w", KEY + ":x:b"))
                    .isEqualTo(0L);
        }
    }

    @Test
    default void all_keys_of_a_lock_expire_by_themselves() throws IOException {
        try (TestClient client = open();
                RespConnection redis = server().connect()) {
            for (int i = 0; i < 200; i++) {
                LockName name = new LockName("n" + i);
                Claim holder = Claim.renewedLease(name, new HolderId("h" + i), Duration.ofSeconds(5), true);
                Claim waiter = holder.withHolder(new HolderId("w" + i));
                client.acquire(holder);
                client.acquire(waiter);
                answer(client.backend.release(waiter));
                answer(client.backend.release(holder));
            }
            List<?> left = (List<?>) Objects.requireNonNull(redis.command("KEYS", "*"));
            for (Object key : left) {
                assertThat(redis.integer("PTTL", (String) key)).as("%s", key).isBetween(1L, 65_000L);
            }
        }
    }

    @Test
    default void renewal_of_many_answers_grant_by_grant_in_order() {
        try (TestClient client = open()) {
            List<Grant> grants = new ArrayList<>();
            for (int i = 0; i < LockBackend.MOST_RENEWED_AT_ONCE; i++) {
                Claim claim =
                        Claim.renewedLease(new LockName("n" + i), new HolderId("h" + i), Duration.ofSeconds(5), false);
                grants.add(((Attempt.Granted) client.acquire(claim)).grant());
            }
            server().command("DEL", "hasp:{n7}", "hasp:{n99}");
            List<Renewal> renewals = answer(client.backend.renew(grants));
            assertThat(renewals).hasSize(grants.size());
            for (int i = 0; i < grants.size(); i++) {
                assertThat(renewals.get(i))
                        .isInstanceOf(i == 7 || i == 99 ? Renewal.Lost.class : Renewal.Renewed.class);
            }
        }
    }

    @Test
    default void fa9_scripts_recover_from_a_script_flush() {
        try (TestClient client = open()) {
            server().command("SCRIPT", "FLUSH");
            Grant grant = client.granted("a");
            server().command("SCRIPT", "FLUSH");
            assertThat(client.renew(grant)).isInstanceOf(Renewal.Renewed.class);
            server().command("SCRIPT", "FLUSH");
            Claim next = claim("b", LEASE, true);
            Transfer transfer = client.backend.transfer(grant, next, signal -> {});
            assertThat(answer(transfer.released())).isEqualTo(Released.RELEASED);
            assertThat(answer(transfer.attempt())).isInstanceOf(Attempt.Granted.class);
            server().command("SCRIPT", "FLUSH");
            assertThat(client.release("b")).isEqualTo(Released.RELEASED);
        }
    }

    @Test
    default void le6_a_transfer_tells_that_the_old_grant_was_lost() {
        try (TestClient client = open();
                TestClient other = open()) {
            Grant grant = client.granted("a");
            server().command("DEL", KEY);
            other.granted("c");
            Transfer transfer = client.backend.transfer(grant, claim("b", LEASE, true), signal -> {});
            assertThat(answer(transfer.released())).isEqualTo(Released.NOT_HELD);
            assertThat(answer(transfer.attempt())).isInstanceOf(Attempt.Busy.class);
        }
    }

    @Test
    default void li3_a_waiter_whose_subscription_broke_is_told_to_ask_when_it_is_back() throws InterruptedException {
        try (TestClient first = open();
                TestClient second = open()) {
            first.granted("a");
            second.acquire("b");
            server().command("CLIENT", "KILL", "TYPE", "pubsub");
            assertThat(second.signals.poll(10, TimeUnit.SECONDS)).isEqualTo("b MAYBE_FREE");
            second.acquire("b");
            first.release("a");
            assertThat(second.signals.poll(5, TimeUnit.SECONDS)).isEqualTo("b MAYBE_FREE");
        }
    }

    @Test
    default void a_direct_grant_to_a_released_holder_is_given_back_at_once() {
        try (TestClient client = open()) {
            client.granted("a");
            plantWaiter("ghost", "hasp:c:" + client.id);
            client.release("a");
            // Its lease would last 30 seconds.
            await().until(() -> server().command("GET", KEY) == null);
            assertThat(server().command("EXISTS", KEY + ":x:ghost")).isEqualTo(1L);
        }
    }

    private void plantWaiter(String holder, String channel) {
        List<String> command = new ArrayList<>(List.of("EVAL", LockScript.ACQUIRE.text(), "5"));
        command.addAll(LockKeys.of(KEY, holder));
        Collections.addAll(command, holder, "30000", "1", channel, "meta");
        server().command(command.toArray(String[]::new));
    }

    @Test
    default void fa4_an_acquire_that_a_stopped_server_answers_late_leaves_the_lock_free() {
        try (TestClient client = new TestClient(source(server(), Duration.ofMillis(400)))) {
            server().pause();
            long start = System.nanoTime();
            assertThatThrownBy(() -> client.acquire("a")).isInstanceOfSatisfying(BackendFailure.class, failure -> {
                assertThat(failure.kind()).isEqualTo(BackendFailure.Kind.UNAVAILABLE);
                assertThat(failure.outcome()).isEqualTo(BackendFailure.Outcome.UNKNOWN);
            });
            assertThat(System.nanoTime() - start).isBetween(300_000_000L, 5_000_000_000L);
            server().resume();
            await().ignoreExceptionsInstanceOf(BackendFailure.class).until(() -> client.release("a") != null);
            assertThat(client.acquire("a")).isInstanceOf(Attempt.Gone.class);
            assertThat(server().command("GET", KEY)).isNull();
        } finally {
            server().resume();
        }
    }

    @Test
    default void a_killed_connection_costs_one_failure_and_no_more() {
        try (TestClient client = open()) {
            client.granted("a");
            server().command("CLIENT", "KILL", "TYPE", "normal");
            await().ignoreExceptionsInstanceOf(BackendFailure.class).until(() -> client.release("a") != null);
            client.granted("b");
        }
    }

    @Test
    default void after_close_everything_fails_as_not_applied_and_close_is_idempotent() {
        TestClient client = open();
        client.close();
        client.close();
        assertThatThrownBy(() -> client.acquire("a"))
                .isInstanceOfSatisfying(
                        BackendFailure.class,
                        failure -> assertThat(failure.outcome()).isEqualTo(BackendFailure.Outcome.NOT_APPLIED));
        assertThat(answer(client.backend.renew(List.of(Grant.of(claim("a", LEASE, true), 1, LEASE)))))
                .hasOnlyElementsOfType(Renewal.Unknown.class);
    }
}
