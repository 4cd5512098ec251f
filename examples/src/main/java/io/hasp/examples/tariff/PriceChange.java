package io.hasp.examples.tariff;

import io.hasp.DistributedReadWriteLock;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.examples.tariff.Tariff.Prices;
import io.hasp.examples.tariff.Tariff.StaleTokenException;
import java.time.Duration;
import org.h2.jdbcx.JdbcConnectionPool;

/**
 * Two instances of a shop change one tariff, and other instances read it. A change writes two prices, so no reader may
 * come between. The first instance pauses in the middle for longer than its lease. The second one changes the tariff
 * and continues to read, together with others. The database then refuses the first one's remaining write.
 */
public final class PriceChange {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final LockOptions ONE_SECOND = LockOptions.defaults().fixedLease(Duration.ofSeconds(1));

    private PriceChange() {}

    /** A cause for a pause of the program: a garbage collection, a slow disk, a suspended machine. */
    interface Pause {
        void last() throws Exception;
    }

    static void change(DistributedReadWriteLock lock, Tariff tariff, long net, long gross, Pause pause)
            throws Exception {
        try (Lease lease = lock.write().tryAcquire(PATIENCE).orElseThrow()) {
            tariff.writeNet(lease.fencingToken(), net);
            pause.last();
            tariff.writeGross(lease.fencingToken(), gross);
        }
    }

    /** Changes the tariff and looks at the result, without letting another writer in between. */
    static Prices changeAndShow(DistributedReadWriteLock lock, Tariff tariff, long net, long gross, Pause whileReading)
            throws Exception {
        Lease writing = lock.write().tryAcquire(PATIENCE).orElseThrow();
        try (writing) {
            tariff.writeNet(writing.fencingToken(), net);
            tariff.writeGross(writing.fencingToken(), gross);
            try (Lease reading = lock.downgrade(writing)) {
                whileReading.last();
                return tariff.read(reading.fencingToken());
            }
        }
    }

    static Prices show(DistributedReadWriteLock lock, Tariff tariff) throws Exception {
        return lock.read().call(lease -> tariff.read(lease.fencingToken()));
    }

    /**
     * Lets the first instance stand still until the second is through.
     *
     * @param args the URI of a lock service; {@code memory://local} if absent
     * @throws Exception if the lock service or the database fails
     */
    public static void main(String[] args) throws Exception {
        String uri = args.length > 0 ? args[0] : "memory://local";
        JdbcConnectionPool database = JdbcConnectionPool.create("jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1", "", "");
        try (LockClient first = LockClient.connect(uri);
                LockClient second = LockClient.connect(uri);
                LockClient third = LockClient.connect(uri)) {
            Tariff tariff = Tariff.open(database, 1);
            DistributedReadWriteLock slow = first.readWriteLock("tariffs/1", ONE_SECOND);
            DistributedReadWriteLock quick = second.readWriteLock("tariffs/1");
            DistributedReadWriteLock reader = third.readWriteLock("tariffs/1");
            try {
                change(slow, tariff, 100, 119, () -> {
                    Prices changed = changeAndShow(
                            quick,
                            tariff,
                            200,
                            238,
                            () -> System.out.println(
                                    "a reader beside the second instance sees " + show(reader, tariff)));
                    System.out.println("the second instance sees " + changed);
                });
            } catch (StaleTokenException e) {
                System.out.println("the first instance was refused: " + e.getMessage());
            }
            System.out.println("the tariff is " + show(reader, tariff));
        } finally {
            database.dispose();
        }
    }
}
