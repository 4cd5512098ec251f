package io.hasp.conformance.rules.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockMode;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import io.hasp.conformance.processes.CrashableClient;
import io.hasp.conformance.rules.support.RuleRun.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** One run of a rule about a lock that is shared: as a {@link RuleRun}, with modes. */
public final class SharedRun implements AutoCloseable {
    private static final Duration PROMPT = Timings.units(0.5);

    private final RuleGroup rules;
    private final RuleRun run;
    private final List<CrashableClient> crashing = new ArrayList<>();

    private SharedRun(RuleGroup rules, RuleRun run) {
        this.rules = rules;
        this.run = run;
    }

    public static SharedRun about(RuleGroup rules, Claimed... needed) {
        return new SharedRun(rules, RuleRun.about(rules.subject(), needed));
    }

    /** A hold, and when it was granted. */
    public record Granted(Hold hold, long at) {
        public void release() throws Exception {
            assertThat(hold.release()).as("the holder's release succeeds").isTrue();
        }
    }

    public String lock() {
        return run.lock();
    }

    public LockUser user() throws Exception {
        return run.user();
    }

    public List<LockUser> users(int count) throws Exception {
        return run.users(count);
    }

    /** Clients that the rule may kill; they start side by side. */
    public List<CrashableClient> crashable(String... names) throws Exception {
        List<Callable<CrashableClient>> starts = new ArrayList<>();
        for (String name : names) {
            starts.add(() -> rules.crashable(name));
        }
        List<Future<CrashableClient>> started = InParallel.run(starts);
        List<CrashableClient> clients = new ArrayList<>();
        Throwable failed = null;
        for (Future<CrashableClient> one : started) {
            try {
                clients.add(one.get());
            } catch (ExecutionException e) {
                failed = e.getCause();
            }
        }
        crashing.addAll(clients);
        if (failed != null) {
            throw failed instanceof Exception exception ? exception : new IllegalStateException(failed);
        }
        return clients;
    }

    public <T> Task<T> start(Callable<T> work) {
        return run.start(work);
    }

    public boolean claims(Claimed claim) {
        return rules.subject().claims().contains(claim);
    }

    /** Takes a lock that has room for it. */
    public Hold take(LockUser user, LockMode mode) throws Exception {
        return take(user, lock(), mode);
    }

    public Hold take(LockUser user, String name, LockMode mode) throws Exception {
        return user.tryAcquire(name, mode, Timings.tolerance()).orElseThrow(() -> refused(mode));
    }

    /** The same for a fixed time. */
    public Hold take(LockUser user, LockMode mode, Duration lease) throws Exception {
        return user.tryAcquire(lock(), mode, Timings.tolerance(), lease).orElseThrow(() -> refused(mode));
    }

    private static AssertionError refused(LockMode mode) {
        return new AssertionError("a lock that has room for it was refused for " + Timings.tolerance() + ": " + mode);
    }

    public void assertRefused(LockUser user, LockMode mode, String because) throws Exception {
        assertThat(user.tryAcquire(lock(), mode, Duration.ZERO))
                .as("a request of another client for " + mode + " must be refused: " + because)
                .isEmpty();
    }

    /** Takes a lock on a thread of its own, however long that takes, and returns when this waits. */
    public Task<Granted> queued(LockUser user, LockMode mode) throws Exception {
        return queued(user, lock(), mode);
    }

    public Task<Granted> queued(LockUser user, String name, LockMode mode) throws Exception {
        return queued(name, () -> granted(user, name, mode));
    }

    /** The same behind another waiter: without an order it may be granted at once. */
    public Task<Granted> behind(LockUser user, String name, LockMode mode) throws Exception {
        return claims(Claimed.FIFO) ? queued(user, name, mode) : start(() -> granted(user, name, mode));
    }

    public Task<Granted> behind(LockUser user, LockMode mode) throws Exception {
        return behind(user, lock(), mode);
    }

    private static Granted granted(LockUser user, String name, LockMode mode) throws Exception {
        Hold hold = user.tryAcquire(name, mode, Timings.longWait())
                .orElseThrow(() -> new AssertionError("a waiter was never woken: " + mode));
        return new Granted(hold, System.nanoTime());
    }

    /** Waits until so many clients hold the lock or queue for it, where the server can say so. */
    public void awaitPresent(int count) throws Exception {
        if (claims(Claimed.FIFO)) {
            RuleRun.awaitPresent(rules.faults(), lock(), count);
        }
    }

    /**
     * Waits until a task has queued. If clients queue on the server, its count shows that; otherwise the state of the
     * thread does.
     */
    public <T> Task<T> queued(String name, Callable<T> asking) throws Exception {
        if (!claims(Claimed.FIFO)) {
            Task<T> task = start(asking);
            task.awaitBlocked();
            return task;
        }
        int before = rules.faults().present(name);
        Task<T> task = start(asking);
        RuleRun.awaitPresent(rules.faults(), name, before + 1);
        return task;
    }

    /**
     * Returns the time from an event until the last waiter got the lock, minus the lateness of the machine.
     *
     * @param event wakes them, and returns its moment
     */
    public static Duration untilTheLast(Callable<Long> event, List<Task<Granted>> waiting, String orElse)
            throws Exception {
        try (MachineLateness lateness = new MachineLateness()) {
            long since = event.call();
            long last = since;
            for (Task<Granted> one : waiting) {
                last = Math.max(last, one.within(Timings.longWait(), orElse).at());
            }
            return Duration.ofNanos(last - since).minus(lateness.worst());
        }
    }

    /** The moment before a release, as an event. */
    public static Callable<Long> release(Hold hold) {
        return () -> {
            long now = System.nanoTime();
            assertThat(hold.release()).as("the holder's release succeeds").isTrue();
            return now;
        };
    }

    public static void release(List<Task<Granted>> granted) throws Exception {
        for (Task<Granted> one : granted) {
            one.get().release();
        }
    }

    /**
     * Of several rounds, so that a single late thread does not count: earlier than a poll would have helped.
     *
     * @param what the waiters that had to be woken
     */
    public static void assertPrompt(List<Duration> rounds, String what) {
        Duration median = rounds.stream().sorted().toList().get(rounds.size() / 2);
        assertThat(median)
                .as("the median of the time until the last of " + what + " got the lock, in " + rounds.size()
                        + " rounds")
                .isLessThanOrEqualTo(PROMPT);
    }

    /** Watches for a while that one who waits goes on waiting and those who fit get in and out. */
    public void assertOnlyFits(Duration time, LockUser other, LockMode fits, LockMode doesNot, String because)
            throws Exception {
        long start = System.nanoTime();
        try (MachineLateness lateness = new MachineLateness()) {
            while (System.nanoTime() - start < time.toNanos()) {
                // Shorter than the time between two renewals: the next one may mend what this one broke.
                Optional<Hold> hold =
                        other.tryAcquire(lock(), fits, Timings.units(3).plus(lateness.allowance()));
                assertThat(hold)
                        .as("a request of another client for " + fits + " must be granted: " + because)
                        .isPresent();
                assertThat(hold.orElseThrow().release()).isTrue();
                assertRefused(other, doesNot, because);
                // Not a wait for something to happen: the interval at which "nothing happened" is sampled.
                Thread.sleep(Timings.units(0.5).toMillis());
            }
        }
    }

    @Override
    public void close() throws Exception {
        try {
            for (CrashableClient client : crashing) {
                client.kill();
                client.close();
            }
        } finally {
            run.close();
        }
    }
}
