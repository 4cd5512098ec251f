package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.ClientOptions;
import io.hasp.DistributedLock;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockCapabilities;
import io.hasp.LockClient;
import io.hasp.LockInspector;
import io.hasp.LockView;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.Timings;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun;
import io.hasp.conformance.rules.support.RuleRun.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.opentest4j.TestAbortedException;

/** One run of a rule for operators: as a {@link RuleRun}, with an operator's client and clients that have labels. */
final class InspectedRun implements AutoCloseable {
    private final RuleGroup rules;
    private final HaspSubject subject;
    private final RuleRun run;
    private final List<LockClient> clients = new ArrayList<>();
    private final LockInspector inspector;

    private InspectedRun(RuleGroup rules, HaspSubject subject, RuleRun run) {
        this.rules = rules;
        this.subject = subject;
        this.run = run;
        this.inspector = opened("operator").inspector();
    }

    /** Skips the rule unless the backend has an inspector and all that is claimed. */
    static InspectedRun about(RuleGroup rules, HaspSubject subject, Claimed... needed) {
        try (LockClient client = subject.connect()) {
            if (!client.capabilities().inspection()) {
                throw new TestAbortedException("no inspection is offered");
            }
        }
        return new InspectedRun(rules, subject, RuleRun.about(subject, needed));
    }

    private LockClient opened(String label) {
        return client(label, options -> options);
    }

    LockClient client(String label) {
        return opened(label);
    }

    synchronized LockClient client(String label, UnaryOperator<ClientOptions> more) {
        LockClient client = subject.connect(options -> more.apply(options.label(label)));
        clients.add(client);
        return client;
    }

    LockInspector inspector() {
        return inspector;
    }

    /** True if a client of this subject may keep locks. */
    boolean keeps() {
        return capabilities().keptLocks() && !(rules instanceof KeptLockRules kept && !kept.mayKeep());
    }

    LockCapabilities capabilities() {
        return clients.get(0).capabilities();
    }

    String lock() {
        return run.lock();
    }

    RuleRun run() {
        return run;
    }

    LockView view(String name) {
        return inspector
                .lock(name)
                .orElseThrow(() -> new AssertionError("the inspector does not show a lock in use, " + name));
    }

    /** The only holder of a lock. */
    LockView.Holder holder(String name) {
        List<LockView.Holder> holders = view(name).holders();
        assertThat(holders).as("the holders of a lock that one client holds").hasSize(1);
        return holders.get(0);
    }

    static Lease take(DistributedLock lock) throws InterruptedException {
        return lock.tryAcquire(Timings.longWait())
                .orElseThrow(() -> new AssertionError("a lock that no other client has was refused"));
    }

    /** Waits for the lock, and returns when the server has the waiter in its queue if it has one queue. */
    Task<Lease> waiting(DistributedLock lock) throws Exception {
        boolean queue = subject.claims().contains(Claimed.FIFO);
        int before = queue ? rules.faults().present(lock.name()) : 0;
        Task<Lease> task = run.start(() -> lock.tryAcquire(Timings.longWait())
                .orElseThrow(() -> new AssertionError("the waiter was never woken")));
        if (queue) {
            RuleRun.awaitPresent(rules.faults(), lock.name(), before + 1);
        } else {
            task.awaitBlocked();
        }
        return task;
    }

    boolean inOrder() {
        return subject.claims().contains(Claimed.FIFO);
    }

    /** The longest time until the client of a broken grant finds out. */
    static void awaitLost(Lease lease) {
        Duration limit = Timings.lease().plus(Timings.tolerance());
        Awaitility.await("the former holder of a broken lock finds out")
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .atMost(limit)
                .until(() -> lease.state() == LeaseState.LOST);
    }

    @Override
    public void close() throws Exception {
        try {
            run.close();
        } finally {
            clients.forEach(LockClient::closeNow);
        }
    }
}
