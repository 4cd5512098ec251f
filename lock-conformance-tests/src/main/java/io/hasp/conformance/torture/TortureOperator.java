package io.hasp.conformance.torture;

import io.hasp.BackendException;
import io.hasp.LockClient;
import io.hasp.LockInspector;
import io.hasp.LockView;
import io.hasp.conformance.history.HistoryLog;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An operator who breaks locks at random while clients work, each with the token that it saw a moment ago, and lists all of them now and
 * then. Not thread-safe.
 */
final class TortureOperator implements AutoCloseable {
    /** A different stream of random numbers than that of the faults. */
    private static final long OTHER = 0xD1B54A32D192ED03L;

    private static final int ONE_IN = 4;

    private final TorturePlan plan;
    private final Supplier<LockClient> connect;
    private final Duration pause;
    private final HistoryLog notes;
    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread thread = new Thread(this::work, "torture-operator");
    private int broken;
    private int tooLate;
    private int unanswered;
    private volatile @Nullable Throwable failed;

    /**
     * Starts an operator.
     *
     * @param connect opens its client
     * @param pause the longest time between two breaks
     * @param notes records the breaks
     */
    TortureOperator(TorturePlan plan, Supplier<LockClient> connect, Duration pause, HistoryLog notes) {
        this.plan = plan;
        this.connect = connect;
        this.pause = pause;
        this.notes = notes;
        thread.start();
    }

    private void work() {
        SplittableRandom random = new SplittableRandom(plan.seed() ^ OTHER);
        try (LockClient client = connect.get()) {
            LockInspector inspector = client.inspector();
            while (goesOn(random.nextLong(pause.toNanos()))) {
                try {
                    turn(inspector, random);
                } catch (BackendException outage) {
                    unanswered++;
                }
            }
        } catch (Throwable broken) {
            failed = broken;
        }
    }

    private void turn(LockInspector inspector, SplittableRandom random) {
        String name = "torture-" + random.nextInt(plan.setting().locks());
        Optional<LockView> view = random.nextInt(ONE_IN) == 0
                ? inspector
                        .locks("torture-")
                        .filter(lock -> lock.name().equals(name))
                        .findFirst()
                : inspector.lock(name);
        List<LockView.Holder> holders = view.map(LockView::holders).orElse(List.of());
        if (holders.isEmpty()) {
            return;
        }
        long token = holders.get(random.nextInt(holders.size())).fencingToken();
        if (random.nextInt(ONE_IN) == 0) {
            goesOn(random.nextLong(pause.toNanos() / ONE_IN));
        }
        long since = System.nanoTime();
        try {
            if (inspector.breakLock(name, token)) {
                notes.broken(name, token, since, true);
                broken++;
            } else {
                tooLate++;
            }
        } catch (BackendException unknown) {
            notes.broken(name, token, since, false);
            throw unknown;
        }
    }

    /** Waits for a time in nanoseconds; false if the end came first. */
    private boolean goesOn(long nanos) {
        try {
            return !end.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            return false;
        }
    }

    /**
     * Ends the operator's work.
     *
     * @throws IllegalStateException if the operator's client failed otherwise than by an outage
     */
    void end() throws InterruptedException {
        end.countDown();
        thread.join();
        Throwable why = failed;
        if (why != null) {
            throw new IllegalStateException("the operator of the torture failed", why);
        }
    }

    /** The number of calls by their outcome, once it has ended. */
    Map<String, Integer> counts() {
        return Map.of(
                "lock broken by an operator", broken,
                "operator too late", tooLate,
                "operator not answered", unanswered);
    }

    @Override
    public void close() {
        end.countDown();
        thread.interrupt();
    }
}
