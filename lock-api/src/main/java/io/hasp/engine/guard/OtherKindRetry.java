package io.hasp.engine.guard;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Repeats a request that was refused because the name is a lock of another kind, if only this client uses it as such: it keeps that lock
 * without a lease, or its release is unanswered. The kept lock is given back first.
 */
public final class OtherKindRetry {
    private static final int TRIES = 40;
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(1);

    private final Predicate<Claim> settling;
    private final Later later;

    /** Runs a task after so many nanoseconds, where requests are made. */
    public interface Later {
        void run(long delay, Runnable task);
    }

    /**
     * The retries of one client.
     *
     * @param settling gives back the lock that the client keeps under that name as another kind; true if nothing else of the client is
     * there
     */
    public OtherKindRetry(Predicate<Claim> settling, Later later) {
        this.settling = settling;
        this.later = later;
    }

    /** The answer to a request for a claim, or to its last repetition. */
    CompletionStage<Attempt> acquire(Claim claim, Supplier<CompletionStage<Attempt>> request) {
        CompletionStage<Attempt> answer = request.get();
        if (Answers.present(answer) != null) {
            return answer;
        }
        CompletableFuture<Attempt> last = new CompletableFuture<>();
        new Request(claim, request, last).answered(answer);
        return last;
    }

    /** One request, and its repetitions. */
    private final class Request implements Runnable {
        private final Claim claim;
        private final Supplier<CompletionStage<Attempt>> request;
        private final CompletableFuture<Attempt> last;
        private boolean own;
        private int tries;

        Request(Claim claim, Supplier<CompletionStage<Attempt>> request, CompletableFuture<Attempt> last) {
            this.claim = claim;
            this.request = request;
            this.last = last;
        }

        @Override
        public void run() {
            try {
                answered(request.get());
            } catch (Throwable broken) {
                last.completeExceptionally(broken);
            }
        }

        private void answered(CompletionStage<Attempt> answer) {
            answer.whenComplete((attempt, thrown) -> {
                try {
                    if (thrown == null) {
                        last.complete(attempt);
                    } else if (last.isDone() || !isOfOtherKind(thrown) || !repeats()) {
                        last.completeExceptionally(thrown);
                    }
                } catch (Throwable broken) {
                    last.completeExceptionally(broken);
                }
            });
        }

        /** Once more after the other kind has gone. */
        private boolean repeats() {
            boolean before = own;
            own = settling.test(claim);
            tries++;
            if (tries > TRIES || !(own || before)) {
                return false;
            }
            later.run(tries == 1 ? 0 : PAUSE, this);
            return true;
        }
    }

    private static boolean isOfOtherKind(Throwable thrown) {
        return BackendFailure.causeOf(thrown) instanceof BackendFailure failure
                && failure.kind() == BackendFailure.Kind.OTHER_KIND;
    }
}
