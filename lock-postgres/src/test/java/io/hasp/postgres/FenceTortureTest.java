package io.hasp.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.PostgresServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Transactions whose holders pause beyond their leases, before and behind the check. Each writes its token, which must never replace a
 * larger one. Leases of a few milliseconds and random pauses stand for stopped processes.
 */
@Timeout(1800)
@InTier(Tier.STANDARD)
class FenceTortureTest {
    private static final int TRANSACTIONS = Integer.getInteger("hasp.fence.transactions", Tier.count(2_000, 100_000));
    private static final int THREADS = 8;
    private static final int LEASE_MILLIS = 4;
    private static final PostgresServer SERVER = PostgresServer.start();

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    /** The sums of a run. */
    private record Work(int committed, int late, int refused) {
        Work plus(Work other) {
            return new Work(committed + other.committed, late + other.late, refused + other.refused);
        }
    }

    @Test
    void no_checked_transaction_commits_behind_the_grant_of_the_next_holder() throws Exception {
        Work work = run("checked", true);
        System.err.println("with the check: " + work);
        assertThat(work.late()).isZero();
        assertThat(work.refused()).as("transactions that the check refused").isPositive();
        assertThat(work.committed()).isPositive();
    }

    /** So the pauses are long enough for the test above. */
    @Test
    void without_the_check_late_writes_are_committed() throws Exception {
        Work work = run("unchecked", false);
        System.err.println("without the check: " + work);
        assertThat(work.late()).isPositive();
    }

    private static Work run(String name, boolean checks) throws Exception {
        TestBackend.on(SERVER).close();
        SERVER.run("create table " + name + " (token bigint not null)");
        SERVER.run("insert into " + name + " values (0)");
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            AtomicInteger left = new AtomicInteger(TRANSACTIONS);
            List<Callable<Work>> tasks = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                tasks.add(() -> work(name, checks, thread, left));
            }
            Work sum = new Work(0, 0, 0);
            for (Future<Work> one : threads.invokeAll(tasks)) {
                sum = sum.plus(one.get());
            }
            return sum;
        } finally {
            threads.shutdownNow();
        }
    }

    private static Work work(String name, boolean checks, int thread, AtomicInteger left) throws Exception {
        SplittableRandom random = new SplittableRandom(thread);
        Work sum = new Work(0, 0, 0);
        try (Connection locks = SERVER.connect();
                Connection data = SERVER.connect()) {
            data.setAutoCommit(false);
            for (int i = 0; left.getAndDecrement() > 0; i++) {
                long token = acquire(locks, name, "h-" + thread + "-" + i);
                if (token > 0) {
                    sum = sum.plus(transaction(data, name, token, checks, random));
                }
            }
        }
        return sum;
    }

    /** Takes the lock for a short while, once; zero if another one has it. */
    private static long acquire(Connection connection, String name, String holder) throws SQLException {
        try (PreparedStatement acquire = connection.prepareStatement("select o_answer, o_token from hasp_acquire(?, ?, "
                + LEASE_MILLIS + ", false, '', '', 1, 1, false, null)")) {
            acquire.setString(1, name);
            acquire.setString(2, holder);
            try (ResultSet row = acquire.executeQuery()) {
                row.next();
                return row.getString(1).equals("GRANTED") ? row.getLong(2) : 0;
            }
        }
    }

    private static Work transaction(Connection data, String name, long token, boolean checks, SplittableRandom random)
            throws Exception {
        pause(random);
        if (checks && !checked(data, name, token)) {
            data.rollback();
            return new Work(0, 0, 1);
        }
        pause(random);
        long before = replace(data, name, token);
        pause(random);
        data.commit();
        return new Work(1, before > token ? 1 : 0, 0);
    }

    private static void pause(SplittableRandom random) throws InterruptedException {
        TimeUnit.MICROSECONDS.sleep(random.nextInt(3_000 * (random.nextInt(4) == 0 ? 4 : 1)));
    }

    private static boolean checked(Connection data, String name, long token) throws SQLException {
        try (PreparedStatement check = data.prepareStatement("select hasp_check(?, ?)")) {
            check.setString(1, name);
            check.setLong(2, token * 256);
            try (ResultSet row = check.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }

    /** Writes the token, and returns the one that was there. */
    private static long replace(Connection data, String name, long token) throws SQLException {
        try (PreparedStatement update = data.prepareStatement("with old as (select token from " + name
                + " for update) update " + name + " set token = ? from old returning old.token")) {
            update.setLong(1, token);
            try (ResultSet row = update.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }
}
