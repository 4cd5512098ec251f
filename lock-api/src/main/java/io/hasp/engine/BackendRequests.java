package io.hasp.engine;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.Released;
import io.hasp.spi.SignalListener;
import io.hasp.spi.Transfer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The requests of one name to the backend. What is answered, is an event. */
final class BackendRequests {
    private final Services services;
    private final Consumer<Event> events;

    BackendRequests(Services services, Consumer<Event> events) {
        this.services = services;
        this.events = events;
    }

    RequestExecutor.Request acquire(Contender contender, Claim claim) {
        return new AcquireRequest(contender, claim);
    }

    RequestExecutor.Request release(HeldLease lease) {
        return new ReleaseRequest(lease);
    }

    RequestExecutor.Request transfer(HeldLease from, Contender contender, Claim claim) {
        return new TransferRequest(from, contender, claim);
    }

    private SignalListener signals(Contender contender, Claim claim) {
        return signal -> events.accept(new Event.Signalled(contender, claim.holder(), signal));
    }

    private final class AcquireRequest implements RequestExecutor.Request {
        private final Contender contender;
        private final Claim claim;

        AcquireRequest(Contender contender, Claim claim) {
            this.contender = contender;
            this.claim = claim;
        }

        @Override
        public void run() {
            long sentAt = services.now();
            CompletionStage<Attempt> answer;
            try {
                answer = services.backend.acquire(claim, signals(contender, claim));
            } catch (Throwable broken) {
                answer = CompletableFuture.failedStage(Failures.ofClient(broken));
            }
            whenAnswered(
                    answer,
                    (attempt, failure) -> events.accept(new Event.Answered(contender, sentAt, attempt, failure)));
        }

        @Override
        public void drop() {
            events.accept(new Event.Dropped(contender));
        }
    }

    private final class ReleaseRequest implements RequestExecutor.Request {
        private final HeldLease lease;

        ReleaseRequest(HeldLease lease) {
            this.lease = lease;
        }

        @Override
        public void run() {
            whenAnswered(
                    release(lease.grant.claim()),
                    (found, failure) -> events.accept(new Event.ReleaseAnswered(lease, found, failure)));
        }

        @Override
        public void drop() {
            run();
        }
    }

    private final class TransferRequest implements RequestExecutor.Request {
        private final HeldLease from;
        private final Contender contender;
        private final Claim claim;

        TransferRequest(HeldLease from, Contender contender, Claim claim) {
            this.from = from;
            this.contender = contender;
            this.claim = claim;
        }

        @Override
        public void run() {
            long sentAt = services.now();
            Transfer answers;
            try {
                answers = services.backend.transfer(from.grant, claim, signals(contender, claim));
            } catch (Throwable broken) {
                answers = Transfer.failed(Failures.ofClient(broken));
            }
            whenAnswered(
                    answers.released(),
                    (found, failure) -> events.accept(new Event.ReleaseAnswered(from, found, failure)));
            whenAnswered(
                    answers.attempt(),
                    (attempt, failure) -> events.accept(new Event.Answered(contender, sentAt, attempt, failure)));
        }

        @Override
        public void drop() {
            run();
        }
    }

    /** Asks at once. */
    void withdraw(OwedRelease owed) {
        whenAnswered(release(owed.claim), (found, failure) -> events.accept(new Event.OwedAnswered(owed, failure)));
    }

    private CompletionStage<Released> release(Claim claim) {
        try {
            return services.backend.release(claim);
        } catch (Throwable broken) {
            return CompletableFuture.failedStage(Failures.ofClient(broken));
        }
    }

    /** Without another stage where the answer is there, as it is after a call that blocks. */
    private static <T> void whenAnswered(
            CompletionStage<T> answer, BiConsumer<@Nullable T, @Nullable BackendFailure> then) {
        T present = ContractGuard.present(answer);
        if (present != null) {
            then.accept(present, null);
        } else {
            answer.whenComplete((value, thrown) -> then.accept(value, Failures.ofNullable(thrown)));
        }
    }
}
