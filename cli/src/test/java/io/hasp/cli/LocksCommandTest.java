package io.hasp.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hasp.ClientOptions;
import io.hasp.DistributedLock;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tables and JSON of {@code hasp locks} and {@code hasp watch}, and {@code hasp break}, on a server. */
class LocksCommandTest {
    private static final int MANY = 100_000;

    private final RedisServer redis = RedisServer.start();
    private final LockClient locks =
            LockClient.connect(redis.uri(), ClientOptions.defaults().label("pod-1"));
    private final List<CompletableFuture<?>> waits = new ArrayList<>();

    @AfterEach
    void close() {
        waits.forEach(wait -> wait.cancel(false));
        locks.closeNow();
        redis.close();
    }

    private InProcess hasp(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--uri", redis.uri()));
        return InProcess.run(all.toArray(String[]::new));
    }

    private void wait(LockClient client, DistributedLock lock) {
        waits.add(client.lock(lock.name()).acquireAsync());
        await().until(() -> locks.inspector()
                .lock(lock.name())
                .filter(view -> view.waiting() > 0)
                .isPresent());
    }

    @Test
    void each_holder_has_a_row() throws Exception {
        Lease lease = locks.lock("orders/1").acquire();
        Lease permits = locks.semaphore("pool", 4).acquire(3);
        Lease reader = locks.readWriteLock("orders/2").read().acquire();
        List<String> lines = hasp("locks").out().lines().toList();
        assertThat(lines.get(0)).matches("NAME +KIND +HOLDER +SINCE +LEFT +TOKEN +WAITERS");
        assertThat(lines.subList(1, lines.size()))
                .anyMatch(line ->
                        line.matches("orders/1 +exclusive +pod-1 +\\S+Z +2\\d\\.\\ds +" + lease.fencingToken() + " +0"))
                .anyMatch(line -> line.matches("pool +semaphore 3/4 +pod-1 .* " + permits.fencingToken() + " +0"))
                .anyMatch(line -> line.matches("orders/2 +read +pod-1 .* " + reader.fencingToken() + " +0"))
                .hasSize(3);
        assertThat(hasp("locks", "orders/").out().lines()).hasSize(3);
        assertThat(hasp("locks", "nonesuch").out().lines()).hasSize(1);
    }

    @Test
    void waiters_have_rows_if_they_are_wanted() throws Exception {
        DistributedLock lock = locks.lock("queue");
        Lease lease = lock.acquire();
        try (LockClient other =
                LockClient.connect(redis.uri(), ClientOptions.defaults().label("pod-2"))) {
            wait(other, lock);
            assertThat(hasp("locks").out().lines().toList().get(1)).endsWith(" 1");
            assertThat(hasp("locks", "--waiters").out()).contains("waiter 1: pod-2");
            other.closeNow();
        }
        assertThat(lease.remaining()).isPositive();
    }

    @Test
    void json_has_one_object_a_line_in_the_documented_shape() throws Exception {
        DistributedLock lock = locks.lock("shape");
        Lease lease = lock.acquire();
        try (LockClient other =
                LockClient.connect(redis.uri(), ClientOptions.defaults().label("pod-2"))) {
            wait(other, lock);
            List<String> lines =
                    hasp("locks", "--waiters", "--format", "json").out().lines().toList();
            assertThat(lines).hasSize(1);
            JsonObject json = JsonParser.parseString(lines.get(0)).getAsJsonObject();
            assertThat(json.keySet())
                    .containsExactly(
                            "name",
                            "kind",
                            "capacity",
                            "holders",
                            "waiting",
                            "waiters",
                            "newestToken",
                            "readAt",
                            "nodes");
            assertThat(json.get("name").getAsString()).isEqualTo("shape");
            assertThat(json.get("kind").getAsString()).isEqualTo("exclusive");
            assertThat(Instant.parse(json.get("readAt").getAsString())).isAfter(Instant.EPOCH);
            assertThat(json.get("newestToken").getAsJsonPrimitive().isString()).isTrue();
            JsonObject holder = only(json, "holders");
            assertThat(holder.keySet()).containsExactly("label", "token", "use", "permits", "since", "leftMillis");
            assertThat(holder.get("token").getAsJsonPrimitive().isString()).isTrue();
            assertThat(holder.get("token").getAsString()).isEqualTo(Long.toString(lease.fencingToken()));
            assertThat(holder.get("use").getAsString()).isEqualTo("held");
            assertThat(holder.get("leftMillis").getAsLong()).isBetween(1L, 30_000L);
            assertThat(only(json, "waiters").keySet()).containsExactly("label", "use", "permits", "since");
            assertThat(only(json, "waiters").get("label").getAsString()).isEqualTo("pod-2");
            other.closeNow();
        }
    }

    private static JsonObject only(JsonObject json, String name) {
        JsonArray all = json.getAsJsonArray(name);
        assertThat(all).hasSize(1);
        return all.get(0).getAsJsonObject();
    }

    @Test
    void a_name_can_not_write_to_the_terminal() throws Exception {
        String name = "red\u001b[31m\nnext \u202eline";
        Lease lease = locks.lock(name).acquire();
        InProcess table = hasp("locks");
        assertThat(table.out()).contains("red\\u001b[31m\\u000anext \\u202eline");
        assertThat(table.out().lines()).hasSize(2);
        String json = hasp("locks", "--format", "json").out();
        assertThat(json).doesNotContain("\u001b", "\u202e");
        assertThat(JsonParser.parseString(json).getAsJsonObject().get("name").getAsString())
                .isEqualTo(name);
        assertThat(lease.remaining()).isPositive();
    }

    @Test
    void a_lock_is_broken_only_under_the_token_that_its_holder_has() throws Exception {
        Lease lease = locks.lock("stuck").acquire();
        String token = Long.toString(lease.fencingToken());
        InProcess other = hasp("break", "stuck", "--token", Long.toString(lease.fencingToken() + 256_000), "--yes");
        assertThat(other.exit()).isEqualTo(1);
        assertThat(other.out()).contains("not broken", "held by pod-1", token);
        InProcess broken = hasp("break", "stuck", "--token", token, "--yes");
        assertThat(broken.exit()).isZero();
        assertThat(broken.out()).startsWith("broken: lock 'stuck', token " + token);
        assertThat(locks.inspector().lock("stuck")).isEmpty();
        InProcess again = hasp("break", "stuck", "--token", token, "--yes");
        assertThat(again.exit()).isEqualTo(1);
        assertThat(again.out()).contains("it has no holder");
    }

    @Test
    void without_a_terminal_a_break_needs_yes_and_a_token() {
        InProcess unasked = hasp("break", "stuck", "--token", "256");
        assertThat(unasked.exit()).isEqualTo(64);
        assertThat(unasked.err()).contains("add --yes");
        assertThat(hasp("break", "stuck", "--yes").exit()).isEqualTo(64);
        assertThat(InProcess.run("break", "x", "--token", "256", "--yes", "--uri", "redis://127.0.0.1:1")
                        .exit())
                .isEqualTo(69);
    }

    @Test
    void watch_prints_a_line_for_each_change_of_hands() throws Exception {
        try (HaspProcess table = HaspProcess.start(redis.uri(), "watch", "hands", "--interval", "0.1");
                HaspProcess json =
                        HaspProcess.start(redis.uri(), "watch", "hands", "--interval", "0.1", "--format", "json")) {
            await().until(() -> table.out().contains("free\n"));
            Lease lease = locks.lock("hands").acquire();
            await().until(() -> table.out().contains("took") && !json.out().isEmpty());
            lease.release();
            await().until(() -> table.out().contains("left") && json.out().contains("left"));
            table.signal("TERM");
            json.signal("TERM");
            assertThat(table.exit()).isEqualTo(143);
            assertThat(json.exit()).isEqualTo(143);
            String token = Long.toString(lease.fencingToken());
            assertThat(table.out().lines()).hasSize(3).element(1).asString().contains("took  pod-1  token " + token);
            JsonObject event = JsonParser.parseString(
                            json.out().lines().findFirst().orElseThrow())
                    .getAsJsonObject();
            assertThat(event.keySet())
                    .containsExactly("at", "name", "event", "label", "token", "use", "permits", "waiting");
            assertThat(event.get("token").getAsString()).isEqualTo(token);
        }
    }

    @Test
    void an_unreachable_server_ends_a_list_with_69() {
        assertThat(InProcess.run("locks", "--uri", "redis://127.0.0.1:1").exit())
                .isEqualTo(69);
        assertThat(InProcess.run("watch", "x", "--uri", "redis://127.0.0.1:1").exit())
                .isEqualTo(69);
    }

    @Test
    @InTier(Tier.STANDARD)
    void a_hundred_thousand_locks_are_listed_in_a_heap_of_64_MB() throws Exception {
        List<CompletableFuture<Optional<Lease>>> all = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            all.add(locks.lock("many/" + i).tryAcquireAsync(Duration.ofMinutes(1)));
        }
        for (CompletableFuture<Optional<Lease>> each : all) {
            assertThat(each.get()).isPresent();
        }
        // Children of these tests have a heap of 64 MB.
        try (HaspProcess table = HaspProcess.start(redis.uri(), "locks", "many/");
                HaspProcess json = HaspProcess.start(redis.uri(), "locks", "many/", "--format", "json")) {
            assertThat(table.exit()).isZero();
            assertThat(json.exit()).isZero();
            assertThat(table.out().lines().map(line -> line.split(" ")[0]).distinct())
                    .hasSize(MANY + 1);
            assertThat(json.out().lines().distinct()).hasSizeGreaterThanOrEqualTo(MANY);
        }
    }
}
