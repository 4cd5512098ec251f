package io.hasp.redis.mutants;

import java.util.concurrent.Future;

/** Nobody tells the watchdog of the release: it asks for a longer lease for ever. */
final class WatchdogAfterRelease extends RenewedLock {

    WatchdogAfterRelease(int port) {
        super(port);
    }

    @Override
    void released(Future<?> renewal) {}
}
