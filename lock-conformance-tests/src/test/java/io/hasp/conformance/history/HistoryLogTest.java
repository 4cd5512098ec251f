package io.hasp.conformance.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HistoryLogTest {

    @Test
    void files_of_several_processes_are_merged_by_time_and_read_back_exactly(@TempDir Path folder) throws IOException {
        Path one = folder.resolve("one");
        Path other = folder.resolve("other");
        try (HistoryLog a = HistoryLog.appendingTo(one);
                HistoryLog b = HistoryLog.appendingTo(other)) {
            AttemptLog first = a.acquiring("p1/1", "tab\tline\nä€😀%");
            AttemptLog second = b.acquiring("p2/1", "L");
            first.granted(Long.MAX_VALUE);
            second.unknown(new IOException("reset\tby\npeer"));
        }
        try (HistoryLog again = HistoryLog.appendingTo(one)) {
            again.died("p2", System.nanoTime());
        }
        Files.writeString(one, "12345\tGRAN", StandardOpenOption.APPEND);

        History merged = History.merge(List.of(History.read(one), History.read(other)));

        assertThat(merged.events()).hasSize(5).isSortedAccordingTo((x, y) -> Long.compare(x.at(), y.at()));
        assertThat(merged.events().get(0).lock()).isEqualTo("tab\tline\nä€😀%");
        assertThat(merged.events().get(3).note()).contains("reset\tby\npeer");
        assertThat(merged.locks()).containsExactly("L", "tab\tline\nä€😀%");
        Path copy = folder.resolve("copy");
        merged.write(copy);
        assertThat(History.read(copy).events()).isEqualTo(merged.events());
    }

    @Test
    void a_file_that_is_no_history_is_refused(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("x"), "hello\n");
        assertThatThrownBy(() -> History.read(file)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_recorded_user_writes_down_grants_refusals_failures_losses_and_releases() throws Exception {
        HistoryLog log = HistoryLog.inMemory();
        Toy toy = new Toy();
        try (RecordedUser user = new RecordedUser(toy, log, "p")) {
            Hold hold = user.tryAcquire("L", Duration.ZERO).orElseThrow();
            assertThat(user.tryAcquire("L", Duration.ZERO)).isEmpty();
            toy.believes = false;
            hold.release();
            toy.failing = true;
            assertThatThrownBy(() -> user.tryAcquire("L", Duration.ZERO, Duration.ofSeconds(1)))
                    .isInstanceOf(IOException.class);
        }
        assertThat(log.history().events())
                .extracting(Event::kind)
                .containsExactly(
                        Event.Kind.ACQUIRE,
                        Event.Kind.GRANTED,
                        Event.Kind.ACQUIRE,
                        Event.Kind.REFUSED,
                        Event.Kind.LOST,
                        Event.Kind.RELEASE,
                        Event.Kind.NOT_HELD,
                        Event.Kind.ACQUIRE,
                        Event.Kind.UNKNOWN);
    }

    /** Grants once. */
    private static final class Toy implements LockUser {
        private boolean believes = true;
        private boolean failing;
        private boolean taken;

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) {
            if (taken) {
                return Optional.empty();
            }
            taken = true;
            return Optional.of(new Hold() {
                @Override
                public boolean release() {
                    return believes;
                }

                @Override
                public OptionalLong token() {
                    return OptionalLong.of(1);
                }

                @Override
                public boolean believesHeld() {
                    return believes;
                }
            });
        }

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait, Duration lease) throws IOException {
            if (failing) {
                throw new IOException("down");
            }
            return tryAcquire(lock, wait);
        }

        @Override
        public void close() {}
    }
}
