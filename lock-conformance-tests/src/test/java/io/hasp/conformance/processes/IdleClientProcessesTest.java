package io.hasp.conformance.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.history.Event;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdleClientProcessesTest {
    @TempDir
    private Path folder;

    private ClientJvm start(String name) {
        return ClientJvm.start(name, FileLocks.class, folder.toString());
    }

    private static boolean runs(long pid) {
        return ProcessHandle.of(pid).isPresent();
    }

    @Test
    void a_process_is_used_again_and_ends_when_nobody_keeps_it_anymore() throws Exception {
        long pid;
        try (IdleClientProcesses outer = IdleClientProcesses.keep()) {
            try (IdleClientProcesses inner = IdleClientProcesses.keep();
                    ClientJvm a = start("a")) {
                pid = a.pid();
                inner.close();
            }
            assertThat(runs(pid)).isTrue();
            try (ClientJvm b = start("b");
                    ClientJvm c = start("c")) {
                assertThat(b.pid()).isEqualTo(pid);
                assertThat(c.pid()).isNotEqualTo(pid);
                assertThat(b.tryAcquire("L", Duration.ZERO)).isPresent();
                assertThat(c.tryAcquire("L", Duration.ZERO)).isEmpty();
            }
            outer.close();
        }
        assertThat(runs(pid)).isFalse();
        try (ClientJvm d = start("d")) {
            pid = d.pid();
        }
        assertThat(runs(pid)).isFalse();
    }

    @Test
    void the_next_client_knows_nothing_of_the_one_before() throws Exception {
        try (IdleClientProcesses keep = IdleClientProcesses.keep()) {
            ClientJvm a = start("a");
            Hold held = a.tryAcquire("L", Duration.ZERO).orElseThrow();
            a.close();
            try (ClientJvm b = start("b")) {
                assertThat(b.pid()).isEqualTo(a.pid());
                assertThat(b.report()).isEmpty();
                Optional<Hold> again = b.tryAcquire("L", Duration.ZERO);
                assertThat(again).as("the lock that the closed client had left").isPresent();

                assertThat(held.believesHeld()).isFalse();
                assertThatThrownBy(held::release).isInstanceOf(RemoteFailure.class);
                a.pause();
                a.kill();
                assertThat(again.orElseThrow().believesHeld()).isTrue();
                assertThat(b.history().events())
                        .allSatisfy(event -> assertThat(event.client()).startsWith("b/"));
            }
            assertThat(a.history().events())
                    .filteredOn(event -> event.kind() == Event.Kind.DIED)
                    .hasSize(1);
        }
    }

    @Test
    void a_process_that_was_killed_or_is_still_busy_or_paused_is_not_used_again() throws Exception {
        try (IdleClientProcesses keep = IdleClientProcesses.keep()) {
            ClientJvm killed = start("killed");
            killed.kill();
            killed.close();
            ClientJvm paused = start("paused");
            paused.pause();
            paused.close();
            ClientJvm busy = start("busy");
            CompletableFuture<?> looping = busy.looping(LockLoop.on("L", Duration.ofMinutes(1)));
            busy.close();

            assertThat(looping).isCompletedExceptionally();
            for (ClientJvm each : new ClientJvm[] {killed, paused, busy}) {
                assertThat(runs(each.pid())).as(each.name()).isFalse();
            }
        }
    }

    @Test
    void a_process_that_is_of_another_kind_or_could_not_open_a_client_is_not_used() throws Exception {
        try (IdleClientProcesses keep = IdleClientProcesses.keep()) {
            ClientJvm a = start("a");
            a.close();
            try (ClientJvm other = ClientJvm.start("other", Other.class, folder.toString())) {
                assertThat(other.pid()).isNotEqualTo(a.pid());
            }
            assertThatThrownBy(() -> ClientJvm.start("b", FileLocks.class, "\0"))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(runs(a.pid())).as("tried and given up").isFalse();
        }
    }

    /** The same lock by another name. */
    public static final class Other implements SubjectFactory {
        @Override
        public LockSubject subject(String argument) {
            return new FileLocks().subject(argument);
        }
    }
}
