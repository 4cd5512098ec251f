package io.hasp.packaging;

import io.hasp.Lease;
import io.hasp.LockClient;

/** Takes a lock at each service in its arguments, or at the one in the environment. */
public final class TakeLocks {
    private TakeLocks() {}

    /**
     * Prints a line for each lock.
     *
     * @param uris of lock services; without any, the environment decides
     * @throws InterruptedException if interrupted
     */
    public static void main(String[] uris) throws InterruptedException {
        if (uris.length == 0) {
            take("the environment's", LockClient.connect());
        }
        for (String uri : uris) {
            take(uri, LockClient.connect(uri));
        }
    }

    private static void take(String what, LockClient client) throws InterruptedException {
        try (client;
                Lease lease = client.lock("packaging").acquire()) {
            System.out.println("locked at " + what + ", token " + lease.fencingToken());
        }
    }
}
