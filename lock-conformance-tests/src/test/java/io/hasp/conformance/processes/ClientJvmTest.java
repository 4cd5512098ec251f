package io.hasp.conformance.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.Hold;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.history.Checks;
import io.hasp.conformance.history.Event;
import io.hasp.conformance.history.History;
import io.hasp.conformance.history.HistoryLog;
import io.hasp.conformance.history.Verdict;
import io.hasp.conformance.processes.LockLoop.Outcome;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
@InTier(Tier.STANDARD)
final class ClientJvmTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    private ClientJvm start(String name) {
        return ClientJvm.start(name, FileLocks.class, folder.toString());
    }

    @Test
    void two_processes_take_turns_and_their_histories_tell_so() throws Exception {
        try (ClientJvm a = start("a");
                ClientJvm b = start("b")) {
            Hold first = a.tryAcquire("L", Duration.ZERO).orElseThrow();
            assertThat(b.tryAcquire("L", Duration.ZERO)).isEmpty();
            assertThat(first.believesHeld()).isTrue();
            CompletableFuture<Optional<RemoteHold>> waiting = b.acquiring("L", LONG, null);
            assertThat(first.release()).isTrue();
            RemoteHold second = waiting.get(20, TimeUnit.SECONDS).orElseThrow();
            assertThat(second.token().getAsLong()).isGreaterThan(first.token().getAsLong());
            assertThat(first.release()).isFalse();
            assertThat(first.believesHeld()).isFalse();
            assertThat(b.report()).singleElement().satisfies(report -> {
                assertThat(report.believed()).isTrue();
                assertThat(report.lock()).isEqualTo("L");
                assertThat(report.at()).isLessThan(System.nanoTime());
            });
            assertThat(second.release()).isTrue();

            History history = History.merge(List.of(a.history(), b.history()));
            history.check(Checks.noOverlap()).orThrow();
            history.check(Checks.safety()).orThrow();
            assertThat(history.events())
                    .filteredOn(event -> event.kind() == Event.Kind.GRANTED)
                    .extracting(event -> event.client().substring(0, 2))
                    .containsExactly("a/", "b/");
        }
    }

    @Test
    void a_killed_process_holds_nothing_any_more_and_its_calls_end() throws Exception {
        try (ClientJvm a = start("a");
                ClientJvm b = start("b")) {
            assertThat(a.tryAcquire("L", Duration.ZERO)).isPresent();
            assertThat(b.tryAcquire("other", Duration.ZERO)).isPresent();
            CompletableFuture<Optional<RemoteHold>> pending = a.acquiring("other", LONG, null);
            a.pause();
            a.kill();
            a.kill();
            assertThatThrownBy(pending::join)
                    .hasCauseInstanceOf(RemoteFailure.class)
                    .hasMessageContaining("has ended");
            assertThatThrownBy(() -> a.tryAcquire("L", Duration.ZERO)).isInstanceOf(RemoteFailure.class);
            assertThat(b.tryAcquire("L", LONG)).isPresent();

            History history = History.merge(List.of(a.history(), b.history()));
            assertThat(history.events())
                    .filteredOn(event -> event.kind() == Event.Kind.DIED)
                    .hasSize(1);
            history.check(Checks.noOverlap()).orThrow();
        }
    }

    @Test
    void a_paused_process_stands_still_until_resumed() throws Exception {
        try (ClientJvm a = start("a")) {
            assertThat(a.tryAcquire("L", Duration.ZERO)).isPresent();
            a.pause();
            CompletableFuture<List<HoldReport>> report = a.reporting();
            assertThatThrownBy(() -> report.get(300, TimeUnit.MILLISECONDS))
                    .isInstanceOf(java.util.concurrent.TimeoutException.class);
            long resumed = System.nanoTime();
            a.resume();
            assertThat(report.get(20, TimeUnit.SECONDS))
                    .singleElement()
                    .satisfies(hold -> assertThat(hold.at()).isGreaterThan(resumed));
        }
    }

    @Test
    void loops_of_several_processes_lose_no_update_under_a_real_lock() throws Exception {
        Path counter = folder.resolve("counter");
        LockLoop loop = LockLoop.on("L", Duration.ofSeconds(1)).threads(2).counting(counter);
        try (ClientJvm a = start("a");
                ClientJvm b = start("b");
                HistoryLog end = HistoryLog.inMemory();
                CounterFile file = CounterFile.open(counter)) {
            CompletableFuture<Outcome> first = a.looping(loop);
            CompletableFuture<Outcome> second = b.looping(loop.holding(Duration.ofMillis(2)));
            Outcome sum = first.join().plus(second.join());
            assertThat(sum.held()).isPositive();
            assertThat(sum.failed()).isZero();
            assertThat(file.read()).isEqualTo(sum.held());
            end.total("L", file.read());
            History history = History.merge(List.of(a.history(), b.history(), end.history()));
            history.check(Checks.noOverlap(), Checks.noLostUpdate(), Checks.tokensUnique())
                    .orThrow();
        }
    }

    @Test
    void loops_without_a_lock_are_convicted_by_their_history() throws Exception {
        Path counter = folder.resolve("counter");
        LockLoop loop = LockLoop.on("L", Duration.ofMillis(500))
                .threads(2)
                .holding(Duration.ofMillis(1))
                .counting(counter);
        try (ClientJvm a = ClientJvm.start("a", NoLock.class, "");
                ClientJvm b = ClientJvm.start("b", NoLock.class, "")) {
            CompletableFuture<Outcome> first = a.looping(loop);
            b.looping(loop).join();
            first.join();
            History history = History.merge(List.of(a.history(), b.history()));
            assertThat(history.check(Checks.noOverlap())).isInstanceOf(Verdict.Broken.class);
            assertThat(history.check(Checks.noLostUpdate())).isInstanceOf(Verdict.Broken.class);
        }
    }

    @Test
    void failures_over_there_are_told_here() throws Exception {
        try (ClientJvm a = start("a")) {
            assertThatThrownBy(() -> a.tryAcquire("", Duration.ZERO))
                    .isInstanceOfSatisfying(
                            RemoteFailure.class,
                            e -> assertThat(e.type()).isEqualTo(IllegalArgumentException.class.getName()))
                    .hasMessageContaining("a lock needs a name");
            assertThatThrownBy(() -> a.tryAcquire("L", Duration.ZERO, Duration.ofSeconds(1)))
                    .isInstanceOf(RemoteFailure.class)
                    .hasMessageContaining("no fixed leases");
            assertThat(a.tryAcquire("ä €%", Duration.ZERO)).isPresent();
        }
        assertThatThrownBy(() -> ClientJvm.start("a", NoLock.class, "nonsense"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no subject for nonsense");
    }

    @Test
    void nothing_is_left_behind_by_close() throws Exception {
        ClientJvm a = start("a");
        assertThat(a.tryAcquire("L", Duration.ZERO)).isPresent();
        assertThat(a.folder()).exists();
        a.close();
        a.close();
        assertThat(ProcessHandle.of(a.pid())).isEmpty();
        assertThat(a.folder()).doesNotExist();
        assertThat(a.history().events()).isNotEmpty();

        ClientJvm paused = start("paused");
        paused.pause();
        paused.close();
        assertThat(ProcessHandle.of(paused.pid())).isEmpty();
    }

    @Test
    void nothing_is_left_behind_by_a_jvm_that_is_killed() throws Exception {
        Process parent = new ProcessBuilder(JavaProgram.command(List.of(), Doomed.class, folder.toString()))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader said = parent.inputReader(StandardCharsets.UTF_8)) {
            List<Long> pids = List.of(Long.valueOf(said.readLine()), Long.valueOf(said.readLine()));
            List<Path> folders = List.of(Path.of(said.readLine()), Path.of(said.readLine()), Path.of(said.readLine()));
            assertThat(folders).allMatch(Files::exists);
            parent.destroyForcibly();
            await().atMost(LONG)
                    .until(() ->
                            pids.stream().noneMatch(pid -> ProcessHandle.of(pid).isPresent())
                                    && folders.stream().noneMatch(Files::exists));
        } finally {
            parent.destroyForcibly();
        }
    }

    @Test
    void a_fenced_counter_refuses_old_tokens_and_an_unfenced_one_loses_updates() throws IOException {
        try (CounterFile one = CounterFile.open(folder.resolve("c"));
                CounterFile other = CounterFile.open(folder.resolve("c"))) {
            assertThat(one.read(7)).hasValue(0);
            assertThat(one.write(7, 1)).isTrue();
            assertThat(other.read(8)).hasValue(1);
            assertThat(one.write(7, 2)).isFalse();
            assertThat(one.read(7)).isEmpty();
            assertThat(other.write(8, 2)).isTrue();

            long stale = one.read();
            other.write(other.read() + 1);
            one.write(stale + 1);
            assertThat(one.read()).isEqualTo(3);
        }
    }

    /** Starts two clients, pauses one, and waits to be killed. */
    static final class Doomed {
        public static void main(String[] args) throws IOException {
            ClientJvm a = ClientJvm.start("a", FileLocks.class, args[0]);
            ClientJvm b = ClientJvm.start("b", FileLocks.class, args[0]);
            b.pause();
            System.out.println(a.pid());
            System.out.println(b.pid());
            System.out.println(a.folder());
            System.out.println(b.folder());
            System.out.println(ScratchFolder.create().path());
            System.in.read();
        }
    }
}
