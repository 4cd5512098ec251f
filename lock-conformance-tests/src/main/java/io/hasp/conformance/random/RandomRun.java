package io.hasp.conformance.random;

import io.hasp.LockClient;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.history.HistoryLog;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.IntStream;

/** The shared state of the threads of one run. Thread-safe. */
final class RandomRun implements AutoCloseable {
    final CallPlan plan;
    final HistoryLog log = HistoryLog.inMemory();
    final long zero = System.nanoTime();
    final KindsInUse kinds = new KindsInUse();
    /** Brings the interrupts. */
    final ScheduledExecutorService timer;
    /** Releases without a waiting thread. */
    final Queue<CompletableFuture<?>> releases = new ConcurrentLinkedQueue<>();

    private final HaspSubject subject;
    private final boolean recalls;
    private final Deque<String> violations = new ConcurrentLinkedDeque<>();
    private final Map<String, Integer> counts = new TreeMap<>();

    RandomRun(CallPlan plan, HaspSubject subject, boolean recalls) {
        this.plan = plan;
        this.subject = subject;
        this.recalls = recalls;
        this.timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "interrupts");
            thread.setDaemon(true);
            return thread;
        });
    }

    List<String> locks() {
        return IntStream.range(0, plan.locks()).mapToObj(this::lock).toList();
    }

    String lock(int index) {
        return "random-" + plan.seed() + "/" + index;
    }

    /** Returns true if clients of this run may keep locks. */
    boolean recalls() {
        return recalls;
    }

    LockClient connect(int client) {
        return subject.connect(
                usual -> plan.options(client, usual, subject.claims().contains(Claimed.FIFO), recalls));
    }

    LockClient connect() {
        return subject.connect();
    }

    /** Notes that a promise was broken. */
    void broken(String what) {
        violations.add(what);
    }

    /** Notes that a promise was broken which explains more than all that was noted before. */
    void brokenAboveAll(String what) {
        violations.addFirst(what);
    }

    List<String> violations() {
        return List.copyOf(violations);
    }

    /** Counts an outcome that is no violation. */
    void count(String what) {
        synchronized (counts) {
            counts.merge(what, 1, Integer::sum);
        }
    }

    Map<String, Integer> counts() {
        synchronized (counts) {
            return new TreeMap<>(counts);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
