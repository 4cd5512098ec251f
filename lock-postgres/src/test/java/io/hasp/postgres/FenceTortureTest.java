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
 * Transactions whose holders pause beyond their leases, before and behind the check. Leases of a few milliseconds and random pauses stand for
 * stopped processes. Each holder reads a row after its grant and replaces it by its token later: another value then shows a commit of an
 * earlier holder behind the grant, or of a later one.
 */
@Timeout(1800)
@InTier(Tier.STANDARD)
class FenceTortureTest {
    private static final int TRANSACTIONS = Integer.getInteger("hasp.fence.transactions", Tier.count(2_000, 100_000));
    private static final int NAMES = 8;
    private static final int THREADS = 3 * NAMES;
    private static final int LEASE_MILLIS = 4;
    private static final PostgresServer SERVER = PostgresServer.start();

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    /** The sums of a run: late transactions were committed, and {@code outlived} ones had paused beyond their lease. */
    private record Work(int committed, int late, int refused, int outlived) {
        Work plus(Work other) {
            return new Work(
                    committed + other.committed, late + other.late, refused + other.refused, outlived + other.outlived);
        }
    }

    @Test
    void no_checked_transaction_commits_behind_the_grant_of_the_next_holder() throws Exception {
        Work work = run("checked", true, TRANSACTIONS);
        System.err.println("with the check: " + work);
        assertThat(work.late()).isZero();
        assertThat(work.refused()).as("transactions that the check refused").isPositive();
        assertThat(work.outlived())
                .as("committed transactions that outlived their leases")
                .isPositive();
    }

    /** So the pauses are long enough for the test above. */
    @Test
    void without_the_check_late_writes_are_committed() throws Exception {
        Work work = run("unchecked", false, 2_000);
        System.err.println("without the check: " + work);
        assertThat(work.late()).isPositive();
    }

    private static Work run(String table, boolean checks, int transactions) throws Exception {
        TestBackend.on(SERVER).close();
        SERVER.run("create table " + table + " (name text primary key, token bigint not null) with (fillfactor = 50)");
        SERVER.run("insert into " + table + " select '" + table + "' || i, 0 from generate_series(0, " + (NAMES - 1)
                + ") i");
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            AtomicInteger left = new AtomicInteger(transactions);
            List<Callable<Work>> tasks = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                tasks.add(() -> {
                    try (Holder holder = new Holder(table, checks, thread)) {
                        return holder.work(left);
                    }
                });
            }
            Work sum = new Work(0, 0, 0, 0);
            for (Future<Work> one : threads.invokeAll(tasks)) {
                sum = sum.plus(one.get());
            }
            return sum;
        } finally {
            threads.shutdownNow();
        }
    }

    /** Takes one lock again and again, each time for a transaction. */
    private static final class Holder implements AutoCloseable {
        private final String name;
        private final boolean checks;
        private final int thread;
        private final SplittableRandom random;
        private final Connection locks = SERVER.connect();
        private final Connection data = SERVER.connect();
        private final PreparedStatement acquire;
        private final PreparedStatement read;
        private final PreparedStatement check;
        private final PreparedStatement replace;

        Holder(String table, boolean checks, int thread) throws SQLException {
            this.name = table + thread % NAMES;
            this.checks = checks;
            this.thread = thread;
            this.random = new SplittableRandom(thread);
            data.setAutoCommit(false);
            acquire = locks.prepareStatement("select case when o_answer = 'GRANTED' then o_token else 0 end"
                    + " from hasp_acquire(?, ?, " + LEASE_MILLIS + ", false, '', '', 1, 1, false, null)");
            read = data.prepareStatement("select token from " + table + " where name = ?");
            check = data.prepareStatement("select hasp_check(?, ?)::int");
            replace = data.prepareStatement(
                    "with old as (select name, token from " + table + " where name = ? for update)" + " update " + table
                            + " t set token = ? from old where t.name = old.name returning old.token");
        }

        Work work(AtomicInteger left) throws Exception {
            Work sum = new Work(0, 0, 0, 0);
            for (int i = 0; left.get() > 0; i++) {
                long token = number(acquire, name, "h-" + thread + "-" + i);
                if (token == 0) {
                    TimeUnit.MICROSECONDS.sleep(random.nextInt(2_000));
                } else if (left.getAndDecrement() > 0) {
                    sum = sum.plus(transaction(token));
                }
            }
            return sum;
        }

        private Work transaction(long token) throws Exception {
            long begin = System.nanoTime();
            long seen = number(read, name);
            pause();
            if (checks && number(check, name, token * 256) == 0) {
                data.rollback();
                return new Work(0, 0, 1, 0);
            }
            pause();
            long before = number(replace, name, token);
            pause();
            data.commit();
            boolean outlived = System.nanoTime() - begin > TimeUnit.MILLISECONDS.toNanos(LEASE_MILLIS);
            return new Work(1, before == seen ? 0 : 1, 0, outlived ? 1 : 0);
        }

        private void pause() throws InterruptedException {
            TimeUnit.MICROSECONDS.sleep(random.nextInt(2_000 * (random.nextInt(4) == 0 ? 6 : 1)));
        }

        private static long number(PreparedStatement statement, Object... arguments) throws SQLException {
            for (int i = 0; i < arguments.length; i++) {
                statement.setObject(i + 1, arguments[i]);
            }
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }

        @Override
        public void close() throws SQLException {
            locks.close();
            data.close();
        }
    }
}
