package io.hasp.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.DistributedLock;
import io.hasp.Lease;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the tokens in the text form of a lease. An operator uses them to find the lease on the server. Stateless. */
public final class ShownToken {
    private static final Pattern SHOWN = Pattern.compile("token (\\d+) \\((\\d+) on the server\\)");

    private ShownToken() {}

    /**
     * Returns the server's token, after checking that the text begins with the fencing token.
     *
     * @param lease a lease of Hasp
     * @return the server's token
     */
    public static long onServer(Lease lease) {
        Matcher shown = SHOWN.matcher(lease.toString());
        assertThat(shown.find()).as(lease.toString()).isTrue();
        assertThat(shown.group(1)).isEqualTo(Long.toString(lease.fencingToken()));
        return Long.parseLong(shown.group(2));
    }

    /**
     * Acquires a lease whose grant was handed over from another lease of the same client. A grant can be handed over
     * for 20 ms only, so the method retries after a pause of the machine.
     *
     * @param lock a free lock
     * @return a held lease
     * @throws InterruptedException if the thread is interrupted
     * @throws ExecutionException if the lock can't be acquired
     */
    public static Lease handedOver(DistributedLock lock) throws InterruptedException, ExecutionException {
        for (int tries = 0; tries < 1_000; tries++) {
            Lease first = lock.acquire();
            CompletableFuture<Lease> waiting = lock.acquireAsync();
            first.release();
            Lease second = waiting.get();
            if (second.fencingToken() == first.fencingToken() + 1) {
                return second;
            }
            second.release();
        }
        throw new AssertionError("never handed over");
    }
}
