package io.hasp.conformance.rules;

import io.hasp.UnsupportedCapabilityException;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import io.hasp.conformance.processes.CrashableClient;
import io.hasp.conformance.rules.support.KeepEvents;
import io.hasp.conformance.rules.support.Keeper;
import io.hasp.conformance.rules.support.ProxiedSubject;
import io.hasp.conformance.rules.support.RuleRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.opentest4j.TestAbortedException;

/** One run of a rule about locks that are kept: as a {@link RuleRun}, with clients that keep. */
final class KeptRun implements AutoCloseable {
    /** Long enough for all that a rule does with a lock that is kept, and a third of the shortest session under test. */
    static final Duration KEEP = Timings.units(10);

    /** Short beside {@link #LONG_LEASE}, so that nothing else can end what is kept. */
    static final Duration SHORT_KEEP = Timings.units(5);

    static final Duration LONG_LEASE = Timings.units(60);

    private final HaspSubject subject;
    private final RuleRun run;
    private final List<AutoCloseable> opened = new ArrayList<>();

    private KeptRun(HaspSubject subject) {
        this.subject = subject;
        this.run = new RuleRun(subject);
    }

    /** Skips the rule unless the backend supports kept locks. */
    static KeptRun about(KeptLockRules rules) throws Exception {
        if (!rules.mayKeep()) {
            throw new TestAbortedException("no kept locks are offered: the options exclude them");
        }
        try {
            rules.subject().keeping(Timings.lease().dividedBy(3)).open().close();
        } catch (UnsupportedCapabilityException e) {
            throw new TestAbortedException("no kept locks are offered", e);
        }
        return new KeptRun(rules.subject());
    }

    RuleRun run() {
        return run;
    }

    String lock() {
        return run.lock();
    }

    /** Names of other locks. */
    List<String> names(int count) {
        return IntStream.range(0, count).mapToObj(i -> lock() + "-" + i).toList();
    }

    /** A client that keeps nothing itself. */
    LockUser other() throws Exception {
        return run.user();
    }

    /** A client that keeps locks for long. */
    Keeper keeper() throws Exception {
        return keeper(KEEP);
    }

    /** A client whose leases are three times as long as it keeps locks. */
    Keeper keeper(Duration keep) throws Exception {
        return keeper(keep, keep.multipliedBy(3));
    }

    Keeper keeper(Duration keep, Duration lease) throws Exception {
        return keeper(subject, keep, lease);
    }

    /** A client that keeps locks, behind a network that is disturbed. */
    Keeper keeper(ProxiedSubject proxied, Duration keep, Duration lease) throws Exception {
        return keeper((HaspSubject) proxied.subject(), keep, lease);
    }

    private Keeper keeper(HaspSubject behind, Duration keep, Duration lease) throws Exception {
        KeepEvents events = new KeepEvents();
        LockUser user = behind.leasing(lease).keeping(keep).notifying(events).open();
        opened.add(user);
        return new Keeper(user, events);
    }

    /** A client that keeps locks and may be stopped and killed, with the lease of all others. */
    CrashableClient crashable(KeptLockRules rules, String name) throws Exception {
        CrashableClient client = rules.crashableKeeper(name, Timings.lease().dividedBy(3));
        opened.add(client::kill);
        opened.add(client);
        return client;
    }

    @Override
    public void close() throws Exception {
        try {
            for (AutoCloseable one : opened) {
                one.close();
            }
        } finally {
            run.close();
        }
    }
}
