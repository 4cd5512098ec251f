package io.hasp.conformance.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.processes.JavaProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
@InTier(Tier.STANDARD)
final class ServersTest {

    @Test
    void redis_answers_and_forgets_on_restart_unless_told_otherwise() {
        try (RedisServer redis = RedisServer.start()) {
            redis.command("SET", "k", "v");
            redis.restart();
            assertThat(redis.command("GET", "k")).isNull();
        }
        try (RedisServer redis = RedisServer.start("appendonly yes", "appendfsync always")) {
            redis.command("SET", "k", "v");
            redis.kill();
            assertThat(redis.running()).isFalse();
            redis.restart();
            assertThat(redis.command("GET", "k")).isEqualTo("v");
            redis.restartWithoutData();
            assertThat(redis.command("GET", "k")).isNull();
        }
    }

    @Test
    void paused_redis_accepts_a_connection_but_does_not_answer_until_resumed() throws IOException {
        try (RedisServer redis = RedisServer.start()) {
            redis.pause();
            assertThat(redis.running()).isTrue();
            try (RespConnection connection = RespConnection.open("127.0.0.1", redis.port(), Duration.ofMillis(200))) {
                assertThatThrownBy(() -> connection.command("PING")).isInstanceOf(SocketTimeoutException.class);
            }
            redis.resume();
            assertThat(redis.command("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void replies_of_every_type_and_size_are_read() throws IOException {
        try (RedisServer redis = RedisServer.start();
                RespConnection connection = redis.connect()) {
            String large = "ä€😀x".repeat(20_000);
            connection.command("SET", "large", large);
            assertThat(connection.text("GET", "large")).isEqualTo(large);
            assertThat(connection.integer("DECRBY", "n", "12345678901")).isEqualTo(-12345678901L);
            assertThat(connection.command("EVAL", "return {1, 'a', {false, 'b'}, redis.status_reply('OK')}", "0"))
                    .isEqualTo(java.util.Arrays.asList(1L, "a", java.util.Arrays.asList(null, "b"), "OK"));
            assertThatThrownBy(() -> connection.command("LPUSH", "large", "x"))
                    .isInstanceOfSatisfying(
                            RespError.class, e -> assertThat(e.code()).isEqualTo("WRONGTYPE"));
            for (int i = 0; i < 5_000; i++) {
                connection.send("ECHO", "message " + i);
            }
            for (int i = 0; i < 5_000; i++) {
                assertThat(connection.receive()).isEqualTo("message " + i);
            }
        }
    }

    @Test
    void a_server_that_does_not_come_up_is_reported_with_its_own_words() {
        assertThatThrownBy(() -> RedisServer.start("no-such-option 1"))
                .isInstanceOf(ServerException.class)
                .hasMessageContaining("exit code 1")
                .hasMessageContaining("no-such-option");
        assertThatThrownBy(() -> ZooKeeperServer.start("tickTime=soon"))
                .isInstanceOf(ServerException.class)
                .message()
                .containsPattern("soon|Invalid config"); // the second is all that a server without a logger says
    }

    @Test
    void zookeeper_serves_and_keeps_its_data() throws IOException {
        try (ZooKeeperServer zookeeper = ZooKeeperServer.start("tickTime=200")) {
            assertThat(zookeeper.mode()).contains("standalone");
            assertThat(zookeeper.ask("conf")).contains("tickTime=200");
            zookeeper.kill();
            assertThat(zookeeper.mode()).isEmpty();
            zookeeper.restart();
            assertThat(zookeeper.mode()).contains("standalone");
        }
    }

    @Test
    void a_single_zookeeper_that_starts_answers_or_closes_every_connection() throws IOException {
        assumeThat(Hosting.chosen())
                .as("the server of an image has ZOOKEEPER-5051; ours has not")
                .isEqualTo(Hosting.NATIVE);
        try (ZooKeeperServer zookeeper = ZooKeeperServer.start()) {
            for (int start = 0; start < 8; start++) {
                zookeeper.kill();
                CompletableFuture<Boolean> answered = CompletableFuture.supplyAsync(
                        () -> answersOrCloses(zookeeper), task -> new Thread(task).start());
                zookeeper.restart();
                assertThat(answered).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(true);
            }
        }
    }

    /**
     * Sends requests until the server serves. Returns false if a request got no answer on a connection that stayed
     * open.
     */
    private static boolean answersOrCloses(ZooKeeperServer zookeeper) {
        while (true) {
            try {
                if (zookeeper.ask("srvr").contains("Mode: ")) {
                    return true;
                }
            } catch (SocketTimeoutException e) {
                return false;
            } catch (IOException closed) {
                LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
            }
        }
    }

    @Test
    void ensemble_elects_another_leader_and_comes_back_as_a_whole() {
        try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start()) {
            assertThat(ensemble.servers())
                    .hasSize(3)
                    .allSatisfy(server -> assertThat(server.mode()).isPresent());
            ZooKeeperServer leader = ensemble.leader();
            leader.kill();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> ensemble.servers().stream()
                            .map(ZooKeeperServer::mode)
                            .flatMap(Optional::stream)
                            .toList()
                            .contains("leader"));
            assertThat(ensemble.leader()).isNotSameAs(leader);
            leader.restart();
            ensemble.awaitServing();
            assertThat(leader.mode()).contains("follower");

            ensemble.kill();
            assertThat(ensemble.running()).isFalse();
            ensemble.restart();
            assertThat(ensemble.leader().running()).isTrue();
        }
    }

    @Test
    void nothing_is_left_behind_by_a_jvm_that_is_killed() throws Exception {
        Process parent = new ProcessBuilder(JavaProgram.command(List.of(), Doomed.class))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader said = parent.inputReader(StandardCharsets.UTF_8)) {
            List<Long> pids = List.of(Long.valueOf(said.readLine()), Long.valueOf(said.readLine()));
            Path binary = Path.of(said.readLine());
            assertThat(pids).allMatch(pid -> ProcessHandle.of(pid).isPresent());
            assertThat(binary).exists();

            parent.destroyForcibly();

            await().atMost(Duration.ofSeconds(20))
                    .until(() -> pids.stream()
                                    .noneMatch(pid -> ProcessHandle.of(pid)
                                            .filter(ProcessHandle::isAlive)
                                            .isPresent())
                            && !Files.exists(binary));
        } finally {
            parent.destroyForcibly();
        }
    }

    /** Starts two servers, pauses one, and waits to be killed. */
    static final class Doomed {
        public static void main(String[] args) throws IOException {
            RedisServer redis = RedisServer.start();
            ZooKeeperServer zookeeper = ZooKeeperServer.start();
            redis.pause();
            System.out.println(redis.pid());
            System.out.println(zookeeper.pid());
            System.out.println(RedisBinary.path());
            System.in.read();
        }
    }
}
