package io.hasp.redis.mutants;

import java.util.concurrent.Future;

/** Leaves the watchdog running after the release: it renews the lease without end. */
final class WatchdogAfterRelease extends RenewedLock {

    WatchdogAfterRelease(int port) {
        super(port);
    }

    @Override
    void released(Future<?> renewal) {}
}
