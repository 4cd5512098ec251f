package io.hasp.examples.transfer;

import io.hasp.InvalidArgumentException;
import io.hasp.LockClient;
import io.hasp.MultiLease;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Two instances of a bank move money between the same accounts, in opposite directions, at the same time. Each transfer takes the locks of
 * both accounts together, so no two transfers wait for each other, and no money is lost.
 */
public final class Transfer {
    private static final int TRANSFERS = 25;

    private Transfer() {}

    /**
     * Moves money between two accounts.
     *
     * @throws InvalidArgumentException if both are the same account
     */
    static void transfer(LockClient locks, Accounts accounts, String from, String to, long amount) throws Exception {
        locks.allOf(locks.lock("accounts/" + from), locks.lock("accounts/" + to))
                .run(lease -> {
                    long rest = accounts.read(from, token(lease, from)) - amount;
                    long sum = accounts.read(to, token(lease, to)) + amount;
                    accounts.write(from, token(lease, from), rest);
                    accounts.write(to, token(lease, to), sum);
                });
    }

    private static long token(MultiLease lease, String account) {
        return lease.fencingToken("accounts/" + account);
    }

    /**
     * Runs both instances.
     *
     * @param args the URI of a lock service; {@code memory://local} if absent
     * @throws Exception if the lock service fails
     */
    public static void main(String[] args) throws Exception {
        String uri = args.length > 0 ? args[0] : "memory://local";
        Accounts accounts = new Accounts();
        ExecutorService instances = Executors.newFixedThreadPool(2);
        try (LockClient first = LockClient.connect(uri);
                LockClient second = LockClient.connect(uri)) {
            List<Future<?>> running = new ArrayList<>();
            running.add(instances.submit(repeated(first, accounts, "alice", "bob", 3)));
            running.add(instances.submit(repeated(second, accounts, "bob", "alice", 2)));
            for (Future<?> each : running) {
                each.get();
            }
            System.out.println("alice has " + accounts.balance("alice") + ", bob has " + accounts.balance("bob"));
        } finally {
            instances.shutdown();
        }
    }

    private static Callable<Boolean> repeated(
            LockClient locks, Accounts accounts, String from, String to, long amount) {
        return () -> {
            for (int i = 0; i < TRANSFERS; i++) {
                transfer(locks, accounts, from, to, amount);
            }
            return true;
        };
    }
}
