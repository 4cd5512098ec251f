package io.hasp.examples.leader;

import io.hasp.LeaderElection;
import io.hasp.LockClient;
import io.hasp.Term;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Reports that one process of several writes. Each process is a candidate; the leader writes, and the store refuses a former leader by the
 * token of its term.
 */
public final class Leader {
    private static final Duration BETWEEN = Duration.ofMillis(500);

    private Leader() {}

    /** A store of reports that refuses a token below the largest that it has seen. Thread-safe. */
    public static final class Reports {
        private long newest;
        private int written;

        /**
         * Writes the next report.
         *
         * @param token the token of the writer's term
         * @return the number of the report
         * @throws IllegalStateException if a later leader has written
         */
        public synchronized int write(long token) {
            if (token < newest) {
                throw new IllegalStateException("refused: token " + token + " is older than " + newest);
            }
            newest = token;
            return ++written;
        }
    }

    /**
     * Joins the election; while this process leads, it writes a report now and then.
     *
     * @param locks the client
     * @param reports the store
     * @return the candidate, to be closed
     */
    public static LeaderElection start(LockClient locks, Reports reports) {
        LeaderElection election = locks.election("reports");
        election.run(term -> write(term, reports));
        return election;
    }

    private static void write(Term term, Reports reports) throws InterruptedException {
        while (true) {
            System.out.println("report " + reports.write(term.fencingToken()) + ", with token " + term.fencingToken());
            TimeUnit.NANOSECONDS.sleep(BETWEEN.toNanos()); // interrupted at the end of the term
        }
    }

    /**
     * Is a candidate for half a minute. Start it twice and kill the leader: the other one goes on.
     *
     * @param args the URI of a lock service; {@code memory://local} if absent
     * @throws InterruptedException if the main thread is interrupted
     */
    public static void main(String[] args) throws InterruptedException {
        String uri = args.length > 0 ? args[0] : "memory://local";
        try (LockClient locks = LockClient.connect(uri);
                LeaderElection election = start(locks, new Reports())) {
            System.out.println(election.label() + " is a candidate");
            TimeUnit.SECONDS.sleep(30);
        }
    }
}
