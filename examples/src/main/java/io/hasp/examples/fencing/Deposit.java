package io.hasp.examples.fencing;

import io.hasp.DistributedLock;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.examples.fencing.Account.StaleTokenException;
import java.time.Duration;
import java.util.Optional;
import org.h2.jdbcx.JdbcConnectionPool;

/**
 * Two instances of a bank add to one account: each reads the balance, adds, and writes the sum, under the lock. The
 * first instance pauses before its write for longer than its lease, and the second one gets the lock. The database
 * refuses the first one's write, because its token is smaller.
 */
public final class Deposit {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final LockOptions ONE_SECOND = LockOptions.defaults().fixedLease(Duration.ofSeconds(1));

    private Deposit() {}

    /** A cause for a pause of the program: a garbage collection, a slow disk, a suspended machine. */
    interface Pause {
        void last() throws Exception;
    }

    /**
     * Puts money on an account.
     *
     * @return the new balance; empty if others had the lock all the time
     * @throws StaleTokenException if the lock was given to another before this one wrote: nothing was written
     */
    static Optional<Long> deposit(DistributedLock lock, Account account, long amount, Pause pause) throws Exception {
        return lock.tryCall(PATIENCE, lease -> {
                    long balance = account.read(lease.fencingToken());
                    pause.last();
                    account.write(lease.fencingToken(), balance + amount);
                    return balance + amount;
                })
                .toOptional();
    }

    /**
     * Lets the first instance stand still until the second is through.
     *
     * @param args the URI of a lock service; {@code memory://local} if absent
     * @throws Exception if the lock service or the database fails
     */
    public static void main(String[] args) throws Exception {
        String uri = args.length > 0 ? args[0] : "memory://local";
        JdbcConnectionPool database = JdbcConnectionPool.create("jdbc:h2:mem:bank;DB_CLOSE_DELAY=-1", "", "");
        try (LockClient first = LockClient.connect(uri);
                LockClient second = LockClient.connect(uri)) {
            Account account = Account.open(database, 1);
            DistributedLock slow = first.lock("accounts/1", ONE_SECOND);
            DistributedLock quick = second.lock("accounts/1", ONE_SECOND);
            try {
                deposit(
                        slow,
                        account,
                        100,
                        () -> System.out.println("the second instance wrote "
                                + deposit(quick, account, 5, () -> {}).orElseThrow()));
            } catch (StaleTokenException e) {
                System.out.println("the first instance was refused: " + e.getMessage());
            }
            System.out.println("the balance is " + account.balance());
        } finally {
            database.dispose();
        }
    }
}
