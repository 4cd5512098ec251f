package io.hasp.conformance.torture;

import io.hasp.LockClient;
import io.hasp.conformance.Timings;
import io.hasp.conformance.history.Check;
import io.hasp.conformance.history.Event;
import io.hasp.conformance.history.History;
import io.hasp.conformance.history.HistoryLog;
import io.hasp.conformance.history.Verdict;
import io.hasp.conformance.processes.CounterFile;
import io.hasp.conformance.processes.LockLoop;
import io.hasp.conformance.processes.LockLoop.Outcome;
import io.hasp.conformance.processes.ScratchFolder;
import io.hasp.conformance.processes.WorkingClient;
import io.hasp.conformance.torture.TorturePlan.ScheduledFault;
import io.hasp.conformance.torture.TorturePlan.Setting;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs clients that take locks for a while, injects faults, and then judges the clients' histories. If the lock has
 * fencing tokens, each lock protects a counter that checks them. Permits of a semaphore do not.
 */
public final class Torture {
    /** Allowed time of a call beyond its wait and hold; a longer call is a hang. */
    private static final Duration HANG = Duration.ofSeconds(60);

    private static final Duration LEFT = Duration.ofSeconds(2);

    /** An operator breaks locks so many times while a client waits, or more often. */
    private static final int ONE_IN = 8;

    /** Of one check and one lock. */
    private static final int MOST_VIOLATIONS = 5;

    private static final Duration LOOK = Duration.ofMillis(2);

    private final TorturePlan plan;
    private final List<Fault> faults;
    private final List<Check> checks;
    private final boolean counting;
    private final HistoryLog notes = HistoryLog.inMemory();

    /** The moment from which the clients may stop; empty until the last fault is repaired. */
    private volatile OptionalLong end = OptionalLong.empty();

    private volatile boolean heldAfterFaults;
    /** Opens the client of an operator; null for a torture without one. */
    private final @Nullable Supplier<LockClient> operators;

    private Torture(
            TorturePlan plan,
            List<Fault> faults,
            List<Check> checks,
            boolean counting,
            @Nullable Supplier<LockClient> operators) {
        this.operators = operators;
        this.plan = plan;
        this.faults = faults;
        this.checks = checks;
        this.counting = counting;
    }

    /**
     * Runs one torture. Takes the setting's time and a little more, and closes all clients. All faults are healed in
     * the end, unless healing itself fails.
     *
     * @param plan the seed and its limits
     * @param opener opens the clients
     * @param faults the possible faults; none for a run without faults
     * @param fenced true if the lock has fencing tokens, so that a counter can check them
     * @param checks the checks of the history
     * @return the result
     * @throws Exception if clients can't be opened, or faults can't be injected or healed: then there is no result
     *     about the lock
     */
    public static TortureResult run(
            TorturePlan plan, TortureClients.Opener opener, List<Fault> faults, boolean fenced, List<Check> checks)
            throws Exception {
        return run(plan, opener, faults, fenced, checks, null);
    }

    /**
     * Runs one torture in which an operator breaks locks, in {@link #run(TorturePlan, TortureClients.Opener, List,
     * boolean, List)}'s way. A client may consider a broken grant held for a while; {@link
     * io.hasp.conformance.history.Checks#brokenHoldsEnd} limits that time.
     *
     * @param plan as there
     * @param opener as there
     * @param faults as there
     * @param fenced as there
     * @param checks as there
     * @param operator opens the operator's client; null for none
     * @return the result, with the number of broken locks among the faults
     * @throws Exception as there
     */
    public static TortureResult run(
            TorturePlan plan,
            TortureClients.Opener opener,
            List<Fault> faults,
            boolean fenced,
            List<Check> checks,
            @Nullable Supplier<LockClient> operator)
            throws Exception {
        Torture torture = new Torture(plan, List.copyOf(faults), List.copyOf(checks), fenced, operator);
        try (ScratchFolder folder = ScratchFolder.create();
                TortureClients clients =
                        new TortureClients(opener, plan.setting().clients())) {
            return torture.run(clients, folder.path());
        }
    }

    private TortureResult run(TortureClients clients, Path folder) throws Exception {
        long start = System.nanoTime();
        ExecutorService drivers = Executors.newCachedThreadPool();
        SortedMap<String, Integer> injected = new TreeMap<>();
        List<CompletableFuture<Outcome>> work = new ArrayList<>();
        Outcome sum = Outcome.NONE;
        try {
            for (int thread = 0; thread < clients.count() * plan.setting().threads(); thread++) {
                int own = thread;
                work.add(CompletableFuture.supplyAsync(() -> drive(clients, own, folder), drivers));
            }
            injectBesideOperator(clients, start, injected);
            Setting setting = plan.setting();
            long limit = end.orElseThrow()
                    + setting.time().plus(setting.longestWait()).plus(HANG).toNanos();
            for (CompletableFuture<Outcome> one : work) {
                sum = sum.plus(one.get(limit - System.nanoTime(), TimeUnit.NANOSECONDS));
            }
            Optional<Verdict> left = setting.together() ? leftTaken(clients.get(0)) : Optional.empty();
            return judge(clients.history(), folder, sum, injected, left);
        } catch (TimeoutException e) {
            return judge(clients.history(), folder, sum, injected, Optional.of(hang()));
        } catch (ExecutionException e) {
            throw new IllegalStateException("a client of the torture failed", e.getCause());
        } finally {
            end = OptionalLong.of(System.nanoTime() - plan.setting().time().toNanos());
            drivers.shutdownNow();
        }
    }

    private Outcome drive(TortureClients clients, int thread, Path folder) {
        int place = thread % clients.count();
        Outcome sum = Outcome.NONE;
        for (long turn = 0; goesOn(); turn++) {
            boolean mended = end.isPresent();
            WorkingClient client = clients.get(place);
            LockLoop loop = plan.turn(thread, turn);
            int lock = Integer.parseInt(loop.lock().substring(loop.lock().lastIndexOf('-') + 1));
            if (counting && plan.counted(lock)) {
                loop = loop.countingFenced(counter(folder, lock));
            }
            try {
                Outcome outcome = client.looping(loop).join();
                if (mended && outcome.held() > 0) {
                    heldAfterFaults = true;
                }
                sum = sum.plus(outcome);
            } catch (CompletionException e) {
                // The client was killed in the middle of its turn. The next turn goes to its successor.
                sum = sum.plus(new Outcome(0, 0, 1, 0));
                while (clients.get(place) == client && goesOn()) {
                    LockSupport.parkNanos(LOOK.toNanos());
                }
            }
        }
        return sum;
    }

    /** On a busy machine a server may need seconds to come back: the clients' time to show that they work counts from then. */
    private boolean goesOn() {
        OptionalLong end = this.end;
        if (end.isEmpty()) {
            return true;
        }
        long late = System.nanoTime() - end.getAsLong();
        return late < 0 || (!heldAfterFaults && late < plan.setting().time().toNanos());
    }

    private void injectBesideOperator(TortureClients clients, long start, SortedMap<String, Integer> injected)
            throws Exception {
        if (operators == null) {
            inject(clients, start, injected);
            return;
        }
        Duration pause = plan.setting().longestWait().dividedBy(ONE_IN);
        try (TortureOperator operator = new TortureOperator(plan, operators, pause, notes)) {
            inject(clients, start, injected);
            operator.end();
            injected.putAll(operator.counts());
        }
    }

    private void inject(TortureClients clients, long start, SortedMap<String, Integer> injected) throws Exception {
        for (ScheduledFault scheduled : plan.schedule(faults.size())) {
            sleepUntil(start + scheduled.at().toNanos());
            Fault fault = faults.get(scheduled.fault());
            injected.merge(fault.name(), 1, Integer::sum);
            if (fault.outage()) {
                notes.fault(fault.name(), fault.name());
            }
            noteMoment(fault, Event.BEGINS);
            try {
                fault.inject(clients, scheduled.choice());
                noteMoment(fault, Event.LASTS);
                sleepUntil(start + scheduled.at().plus(scheduled.length()).toNanos());
            } finally {
                fault.heal(clients);
            }
            if (fault.outage()) {
                notes.healed(fault.name());
            }
            noteMoment(fault, Event.ENDS);
        }
        long planned = start + plan.setting().time().toNanos();
        long shown = System.nanoTime() + plan.leadOut().toNanos();
        long last = shown - planned > 0 ? shown : planned;
        end = OptionalLong.of(last);
        sleepUntil(last);
    }

    private void noteMoment(Fault fault, String moment) {
        if (fault.restartsWaits()) {
            notes.fault(fault.name(), moment);
            notes.healed(fault.name());
        }
    }

    private static void sleepUntil(long moment) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(moment - System.nanoTime());
    }

    private TortureResult judge(
            History seen, Path folder, Outcome sum, SortedMap<String, Integer> injected, Optional<Verdict> hang)
            throws IOException {
        for (int lock = 0; counting && lock < plan.setting().locks(); lock++) {
            if (plan.counted(lock)) {
                try (CounterFile counter = CounterFile.open(counter(folder, lock))) {
                    notes.total("torture-" + lock, counter.read());
                }
            }
        }
        History history = History.merge(List.of(seen, notes.history()));
        List<Verdict> verdicts = history.judge(checks, MOST_VIOLATIONS);
        if (verdicts.get(0) instanceof Verdict.Sound) {
            verdicts =
                    hang.or(() -> ProgressCheck.missing(history)).map(List::of).orElse(verdicts);
        }
        return new TortureResult(plan, sum, injected, verdicts, history);
    }

    /** Of sets of locks, no lock may stay taken after the end. A server may keep the locks of a killed client for their lease. */
    private Optional<Verdict> leftTaken(WorkingClient client) {
        Duration within = Timings.lease().plus(LEFT);
        return client.looping(plan.last(within)).join().held() == 1
                ? Optional.empty()
                : Optional.of(new Verdict.Broken(
                        "nothing stays taken",
                        "torture",
                        "not all locks were free within " + within.toMillis() + " ms after the end",
                        ""));
    }

    private Verdict hang() {
        return new Verdict.Broken(
                "every call ends", "torture", "a call did not end within " + HANG.toSeconds() + " s of its limit", "");
    }

    private static Path counter(Path folder, int lock) {
        return folder.resolve("counter-" + lock);
    }
}
