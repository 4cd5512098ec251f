package io.hasp.packaging;

import io.hasp.Lease;
import io.hasp.LockClient;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One client waits for a lock that another one holds. */
final class HandOver {
    private HandOver() {}

    static void between(LockClient holds, LockClient waits, String name) throws Exception {
        Lease first = holds.lock(name).acquire();
        CompletableFuture<Lease> waiter = waits.lock(name).acquireAsync();
        if (waits.lock(name).tryAcquire().isPresent()) {
            throw new IllegalStateException("held twice");
        }
        first.release();
        Lease second = waiter.get(30, TimeUnit.SECONDS);
        if (second.fencingToken() <= first.fencingToken()) {
            throw new IllegalStateException(first + " before " + second);
        }
        second.release();
    }
}
