package io.hasp.engine.driver;

import io.hasp.engine.guard.Answers;
import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.machine.Contender;
import io.hasp.engine.machine.Effect;
import io.hasp.engine.machine.Event;
import io.hasp.engine.machine.PendingRelease;
import io.hasp.engine.threads.RequestExecutor;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.Released;
import io.hasp.spi.SignalListener;
import io.hasp.spi.Transfer;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests of one name to the backend. Each answer becomes an event.
 */
public final class BackendRequests {
    private final SharedServices services;
    private final Consumer<Event> events;

    public BackendRequests(SharedServices services, Consumer<Event> events) {
        this.services = services;
        this.events = events;
    }

    RequestExecutor.Request acquire(Effect.Acquire asked) {
        return new AcquireRequest(asked.contender(), asked.claim(), asked.request());
    }

    public RequestExecutor.Request release(HeldLease lease) {
        return new ReleaseRequest(lease);
    }

    public RequestExecutor.Request transfer(Effect.Transfer asked) {
        return new TransferRequest(asked);
    }

    /** Returns a task that sends the release. */
    Runnable withdrawal(PendingRelease release) {
        return new Withdrawal(release);
    }

    private SignalListener signals(Contender contender, Claim claim) {
        return signal -> events.accept(new Event.Signalled(contender, claim.holder(), signal));
    }

    /** Translates an answer or a failure into an event. */
    private interface Answered<T> {
        Event event(@Nullable T answer, @Nullable BackendFailure failure);
    }

    private final class AcquireRequest implements RequestExecutor.Request, Answered<Attempt> {
        private final Contender contender;
        private final Claim claim;
        private final int request;
        private long sentAt;

        AcquireRequest(Contender contender, Claim claim, int request) {
            this.contender = contender;
            this.claim = claim;
            this.request = request;
        }

        @Override
        public void run() {
            try {
                sentAt = services.now();
                whenAnswered(services.backend.acquire(claim, signals(contender, claim)), this);
            } catch (Throwable broken) {
                services.failStop.fail(broken);
            }
        }

        @Override
        public Event event(@Nullable Attempt attempt, @Nullable BackendFailure failure) {
            return new Event.Answered(contender, request, sentAt, attempt, failure);
        }

        @Override
        public void drop() {
            events.accept(new Event.Dropped(contender));
        }
    }

    private final class ReleaseRequest implements RequestExecutor.Request, Answered<Released> {
        private final HeldLease lease;

        ReleaseRequest(HeldLease lease) {
            this.lease = lease;
        }

        @Override
        public void run() {
            try {
                Claim claim = lease.given();
                whenAnswered(lease.stays() ? services.backend.retain(claim) : services.backend.release(claim), this);
            } catch (Throwable broken) {
                services.failStop.fail(broken);
            }
        }

        @Override
        public Event event(@Nullable Released found, @Nullable BackendFailure failure) {
            return new Event.ReleaseAnswered(lease, found, failure);
        }

        @Override
        public void drop() {
            runElsewhere(this);
        }
    }

    private final class TransferRequest implements RequestExecutor.Request {
        private final HeldLease from;
        private final ReleaseRequest release;
        private final AcquireRequest acquire;

        TransferRequest(Effect.Transfer asked) {
            this.from = asked.from();
            this.release = new ReleaseRequest(from);
            this.acquire = new AcquireRequest(asked.contender(), asked.claim(), asked.request());
        }

        @Override
        public void run() {
            services.guarded(() -> {
                acquire.sentAt = services.now();
                Claim claim = acquire.claim;
                Transfer answers = services.backend.transfer(from.grant, claim, signals(acquire.contender, claim));
                whenAnswered(answers.released(), release);
                whenAnswered(answers.attempt(), acquire);
            });
        }

        @Override
        public void drop() {
            runElsewhere(this);
        }
    }

    private final class Withdrawal implements Runnable, Answered<Released> {
        private final PendingRelease release;

        Withdrawal(PendingRelease release) {
            this.release = release;
        }

        @Override
        public void run() {
            services.guarded(() -> whenAnswered(services.backend.release(release.claim), this));
        }

        @Override
        public Event event(@Nullable Released found, @Nullable BackendFailure failure) {
            return new Event.PendingReleaseAnswered(release, failure);
        }
    }

    /** Sends the release although the caller has left. It may block, so it never runs on the timer's or the backend's own thread. */
    private void runElsewhere(RequestExecutor.Request request) {
        services.threads.background.execute(request::run);
    }

    /** Adds no stage if the answer is present, as it is after a call that blocks. */
    private <T> void whenAnswered(CompletionStage<T> answer, Answered<T> then) {
        T present = Answers.present(answer);
        if (present != null) {
            deliver(then, present, null);
        } else {
            answer.whenComplete((value, thrown) -> deliver(then, value, thrown));
        }
    }

    private <T> void deliver(Answered<T> then, @Nullable T value, @Nullable Throwable thrown) {
        try {
            events.accept(then.event(value, thrown == null ? null : services.failureOf(thrown)));
        } catch (Throwable broken) {
            services.failStop.fail(broken);
        }
    }
}
