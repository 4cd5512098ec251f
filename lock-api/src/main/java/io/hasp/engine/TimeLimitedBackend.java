package io.hasp.engine;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.LockBackend;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.SignalListener;
import io.hasp.spi.TokenFloor;
import io.hasp.spi.Transfer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Fails an answer that is not there by the time that the backend gives for all of its answers. Where memory runs out just as a stage
 * completes, the stages that depend on it never do; their callers would wait until the client is closed. All answers have the same
 * time, so they are due in the order of the requests, and one timer at a time is enough.
 */
final class TimeLimitedBackend implements LockBackend {
    private final LockBackend backend;
    private final long limit;
    private final LongSupplier clock;
    private final Alarm alarm;
    private final Queue<Pending> pending = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean armed = new AtomicBoolean();

    /** Runs a task after so many nanoseconds. */
    interface Alarm {
        void set(long delay, Runnable task);
    }

    private TimeLimitedBackend(LockBackend backend, Duration limit, LongSupplier clock, Alarm alarm) {
        this.backend = backend;
        this.limit = Nanos.of(limit);
        this.clock = clock;
        this.alarm = alarm;
    }

    /** The same backend, if it gives no time. */
    static LockBackend of(LockBackend backend, LongSupplier clock, Alarm alarm) {
        return backend.answersWithin()
                .<LockBackend>map(limit -> new TimeLimitedBackend(backend, limit, clock, alarm))
                .orElse(backend);
    }

    /** Not a record: only itself is equal to it. */
    private static final class Pending {
        private final CompletableFuture<?> answer;
        private final long due;

        Pending(CompletableFuture<?> answer, long due) {
            this.answer = answer;
            this.due = due;
        }
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
        return limited(backend.acquire(claim, signals));
    }

    @Override
    public Transfer transfer(Grant from, Claim to, SignalListener signals) {
        Transfer answers = backend.transfer(from, to, signals);
        return new Transfer(limited(answers.released()), limited(answers.attempt()));
    }

    @Override
    public CompletionStage<List<Renewal>> renew(List<Grant> held) {
        return limited(backend.renew(held));
    }

    @Override
    public CompletionStage<Released> release(Claim claim) {
        return limited(backend.release(claim));
    }

    @Override
    public CompletionStage<Released> retain(Claim claim) {
        return limited(backend.retain(claim));
    }

    private <T> CompletionStage<T> limited(CompletionStage<T> stage) {
        CompletableFuture<T> answer = stage.toCompletableFuture();
        if (!answer.isDone()) {
            forgetAnswered();
            pending.add(new Pending(answer, clock.getAsLong() + limit));
            arm(limit);
        }
        return answer;
    }

    private void forgetAnswered() {
        Pending first = pending.peek();
        while (first != null && first.answer.isDone()) {
            pending.remove(first);
            first = pending.peek();
        }
    }

    private void arm(long delay) {
        if (armed.get() || !armed.compareAndSet(false, true)) {
            return;
        }
        boolean set = false;
        try {
            alarm.set(delay, this::failThoseDue);
            set = true;
        } finally {
            if (!set) {
                armed.set(false);
            }
        }
    }

    private void failThoseDue() {
        try {
            forgetAnswered();
            Pending first = pending.peek();
            while (first != null && first.due <= clock.getAsLong()) {
                fail(first);
                forgetAnswered();
                first = pending.peek();
            }
        } finally {
            armed.set(false);
            armForNext();
        }
    }

    /** No answer may be waited for without a timer: if there is no memory for one, all fail now. */
    private void armForNext() {
        Pending next = pending.peek();
        if (next != null) {
            try {
                arm(next.due - clock.getAsLong());
            } catch (Error noTimer) {
                for (Pending one = pending.poll(); one != null; one = pending.poll()) {
                    fail(one);
                }
            }
        }
    }

    private static void fail(Pending one) {
        one.answer.completeExceptionally(Failures.patiently(TimeLimitedBackend::lost, one));
    }

    private static BackendFailure lost(Pending one) {
        return new BackendFailure(
                BackendFailure.Kind.UNAVAILABLE,
                BackendFailure.Outcome.UNKNOWN,
                "the answer was lost in this process",
                null);
    }

    @Override
    public Capabilities capabilities() {
        return backend.capabilities();
    }

    @Override
    public Optional<TokenFloor> tokenFloor() {
        return backend.tokenFloor().map(floor -> (name, least) -> limited(floor.raise(name, least)));
    }

    @Override
    public Optional<Duration> answersWithin() {
        return backend.answersWithin();
    }

    @Override
    public void close() {
        backend.close();
    }
}
