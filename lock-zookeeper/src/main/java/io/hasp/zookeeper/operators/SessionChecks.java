package io.hasp.zookeeper.operators;

import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;

/** Checks the session: the mode of its server, the timeout that was granted, and the time for an answer. */
public final class SessionChecks {
    private static final int READS = 9;

    /** A beat comes each quarter of the session timeout, and needs its answer well before the next one. */
    private static final int SHARE_OF_TIMEOUT = 20;

    private final ZooKeeper handle;
    private final Timing timing;
    private final Findings findings;

    public SessionChecks(ZooKeeper handle, Timing timing, Findings findings) {
        this.handle = handle;
        this.timing = timing;
        this.findings = findings;
    }

    /** Runs the checks. Returns false if the server is read-only, so that no lock can be acquired. */
    public boolean run(Duration asked) {
        boolean readOnly = handle.getState() == ZooKeeper.States.CONNECTEDREADONLY;
        if (readOnly) {
            findings.fail(
                    "mode",
                    "the server is read-only, because it has lost its quorum: no lock can be acquired or released");
        } else {
            findings.ok("mode", "the server of this session accepts changes");
            timeout(asked);
        }
        findings.run("round trip", this::roundTrip);
        return !readOnly;
    }

    private void timeout(Duration asked) {
        Duration granted = Duration.ofMillis(handle.getSessionTimeout());
        String text = "asked for " + asked.toMillis() + " ms, granted " + granted.toMillis() + " ms";
        if (granted.equals(asked)) {
            findings.ok("session timeout", text);
        } else {
            findings.warn(
                    "session timeout",
                    text
                            + ": minSessionTimeout and maxSessionTimeout of the servers limit it. The locks of a client that dies are free"
                            + " after the time that was granted");
        }
    }

    private void roundTrip() throws KeeperException, InterruptedException {
        List<Long> times = new ArrayList<>();
        for (int i = 0; i < READS; i++) {
            long sent = timing.nanoTime();
            handle.exists("/", false);
            times.add(timing.nanoTime() - sent);
        }
        Duration median = Duration.ofNanos(times.stream().sorted().toList().get(READS / 2));
        Duration most = Duration.ofMillis(handle.getSessionTimeout()).dividedBy(SHARE_OF_TIMEOUT);
        String text = "median of " + READS + " reads: " + median.toNanos() / 1_000 + " microseconds";
        if (handle.getSessionTimeout() > 0 && median.compareTo(most) > 0) {
            findings.warn(
                    "round trip",
                    text + ", which is more than a " + SHARE_OF_TIMEOUT
                            + "th of the session timeout: locks may be lost when the network is a little slower. Use a longer"
                            + " sessionTimeout");
        } else {
            findings.ok("round trip", text);
        }
    }
}
