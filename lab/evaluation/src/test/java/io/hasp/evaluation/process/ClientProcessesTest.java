package io.hasp.evaluation.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.evaluation.measure.Experiments;
import io.hasp.evaluation.measure.ResourceUsage;
import io.hasp.evaluation.measure.Safety;
import io.hasp.evaluation.measure.SliceLog;
import io.hasp.evaluation.measure.SliceResult;
import io.hasp.evaluation.measure.Workload;
import io.hasp.evaluation.process.ClientProgram.Command;
import io.hasp.evaluation.servers.ClientProfile;
import io.hasp.evaluation.servers.Environment;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

@InTier(Tier.STANDARD)
class ClientProcessesTest {
    private static final String SUBJECT = "hasp-redis-jedis";
    private static final Workload HOLDING = new Workload(Experiments.CONTENDED, 1, 2, 1, Duration.ofMillis(10));
    private static final Duration SLICE = Duration.ofSeconds(1);

    @Test
    void two_processes_that_hold_the_same_lock_at_the_same_time_are_seen() throws Exception {
        try (RedisServer one = RedisServer.start();
                RedisServer other = RedisServer.start();
                ClientProcesses here = processes(one);
                ClientProcesses there = processes(other)) {
            Safety together;
            int rounds = 0;
            do {
                long start = System.nanoTime() + Duration.ofMillis(500).toNanos();
                // The common pool may have a single thread, which would let one work after the other.
                CompletableFuture<SliceLog> first =
                        CompletableFuture.supplyAsync(() -> work(here, start), task -> new Thread(task).start());
                CompletableFuture<SliceLog> second =
                        CompletableFuture.supplyAsync(() -> work(there, start), task -> new Thread(task).start());

                Safety alone = SliceResult.of(SLICE, List.of(first.get()), ResourceUsage.UNKNOWN)
                        .safety();
                together = SliceResult.of(SLICE, List.of(first.get(), second.get()), ResourceUsage.UNKNOWN)
                        .safety();

                assertThat(alone.holds()).isPositive();
                assertThat(alone.violations()).isZero();
                // A busy machine may let one work after the other, too.
            } while (together.overlaps() == 0 && ++rounds < 5);

            assertThat(together.overlaps()).isPositive();
            assertThat(together.staleTokens()).isPositive();
        }
    }

    @Test
    void a_process_that_cannot_connect_says_why_and_is_gone() {
        Environment nowhere = new Environment("redis://127.0.0.1:1", "", "", ClientProfile.USUAL);
        List<Long> before = children();

        assertThatThrownBy(() -> ClientProcesses.start(1, nowhere, List.of("baseline-redis"))
                        .close())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a client process can't start")
                .hasMessageContaining("Connection refused");
        assertThat(children()).isEqualTo(before);
    }

    /** An agent that every JVM of a site gets may greet on standard output, which the answers come by. */
    @Test
    void what_a_virtual_machine_says_before_the_program_begins_is_not_taken_for_its_answer() throws Exception {
        try (RedisServer redis = RedisServer.start();
                ClientHandle client = ClientHandle.start(at(redis), List.of(SUBJECT), "--show-version")) {
            client.connected().get();

            SliceLog log = client.ask(Command.WORK, SUBJECT, HOLDING, System.nanoTime(), SLICE, SliceLog::ofArguments)
                    .get();

            assertThat(SliceResult.of(SLICE, List.of(log), ResourceUsage.UNKNOWN)
                            .safety()
                            .holds())
                    .isPositive();
        }
    }

    @Test
    void what_a_lock_throws_in_a_process_is_told_and_the_process_works_on() throws Exception {
        try (RedisServer redis = RedisServer.start();
                ClientProcesses processes = processes(redis)) {
            redis.command("SET", "hasp:{contended}", "not a lock");
            assertThatThrownBy(() -> work(processes, System.nanoTime())).hasMessageContaining("hasp:{contended}");

            redis.command("DEL", "hasp:{contended}");
            assertThat(SliceResult.of(SLICE, List.of(work(processes, System.nanoTime())), ResourceUsage.UNKNOWN)
                            .safety()
                            .holds())
                    .isPositive();
        }
    }

    @Test
    void clients_that_a_workload_takes_beside_the_first_are_independent_and_gone_after_it() throws Exception {
        Workload independent = new Workload(Experiments.HANDOFF, 1, 4, 1, Duration.ofMillis(10));
        try (RedisServer redis = RedisServer.start();
                ClientProcesses processes = processes(redis)) {
            ask(processes, Command.PREPARE, independent);
            assertThat(clientsOf(redis)).isEqualTo(4);

            SliceLog log = processes
                    .ask(client -> client.ask(
                            Command.WORK, SUBJECT, independent, System.nanoTime(), SLICE, SliceLog::ofArguments))
                    .get();
            SliceResult result = SliceResult.of(SLICE, List.of(log), ResourceUsage.UNKNOWN);
            assertThat(result.perThread()).hasSize(4).allMatch(turns -> turns > 0);
            assertThat(result.safety().violations()).isZero();

            ask(processes, Command.DISMISS, independent);
            Awaitility.await().until(() -> clientsOf(redis) == 1);
        }
    }

    private static void ask(ClientProcesses processes, Command command, Workload workload) throws Exception {
        assertThat(processes
                        .ask(client -> client.ask(command, SUBJECT, workload, 0, Duration.ZERO, answer -> true))
                        .get())
                .isTrue();
    }

    /** Each listens to a channel of its own. */
    private static int clientsOf(RedisServer redis) {
        return ((List<?>) Objects.requireNonNull(redis.command("PUBSUB", "CHANNELS", "hasp:c:*"))).size();
    }

    private static ClientProcesses processes(RedisServer redis) throws Exception {
        return ClientProcesses.start(1, at(redis), List.of(SUBJECT));
    }

    private static Environment at(RedisServer redis) {
        return new Environment(redis.uri(), "", "", ClientProfile.USUAL);
    }

    private static SliceLog work(ClientProcesses processes, long start) {
        try {
            return processes
                    .each(1, client -> client.ask(Command.WORK, SUBJECT, HOLDING, start, SLICE, SliceLog::ofArguments))
                    .get(0);
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Long> children() {
        try (Stream<ProcessHandle> children = ProcessHandle.current().children()) {
            return children.filter(ProcessHandle::isAlive)
                    .map(ProcessHandle::pid)
                    .sorted()
                    .toList();
        }
    }
}
