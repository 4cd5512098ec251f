package io.hasp.redis.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.hasp.redis.script.LockKeys;
import io.hasp.spi.LockName;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A floor that is asked for again and again, because a client may keep the lock, with errors of the JVM in between. */
class ServerTokenFloorTest {
    private final Queue<Runnable> timers = new ArrayDeque<>();
    private final Queue<Runnable> requests = new ArrayDeque<>();
    private final StubConnection connection = new StubConnection();
    private final ByHand timing = new ByHand();

    private CompletableFuture<Void> raising() {
        ServerTokenFloor floor = new ServerTokenFloor(
                connection, new ScriptRunner(connection, timing), new LockKeys("hasp"), timing, requests::add);
        return floor.raise(new LockName("x"), 17).toCompletableFuture();
    }

    @Test
    void an_error_in_a_later_question_ends_the_wait_for_the_answer() {
        connection.answers.add(CompletableFuture.completedStage("KEPT"));
        CompletableFuture<Void> raised = raising();
        timers.remove().run();
        assertThat(raised).isNotDone();

        // Without an answer it throws, on a thread without a caller.
        Throwable unheard = catchThrowable(requests.remove()::run);

        assertThat(raised).as("what the caller waits for, after " + unheard).isCompletedExceptionally();
    }

    @Test
    void an_error_in_the_midst_of_an_answer_ends_the_wait_for_it() {
        CompletableFuture<String> answer = new CompletableFuture<>();
        connection.answers.add(answer);
        CompletableFuture<Void> raised = raising();
        timing.broken = true;

        answer.complete("KEPT");

        assertThat(raised).as("what the caller waits for").isCompletedExceptionally();
    }

    private final class ByHand implements Timing {
        boolean broken;

        @Override
        public long nanoTime() {
            if (broken) {
                throw new OutOfMemoryError("injected");
            }
            return 0;
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            timers.add(task);
            return () -> timers.remove(task);
        }
    }
}
