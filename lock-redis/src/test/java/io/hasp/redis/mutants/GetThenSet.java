package io.hasp.redis.mutants;

import io.hasp.conformance.servers.RespConnection;
import java.io.IOException;
import java.time.Duration;

/** Looks whether the lock is free, then takes it: two clients can look before either takes. */
final class GetThenSet extends TutorialLock {

    GetThenSet(int port) {
        super(port);
    }

    @Override
    boolean take(RespConnection redis, String key, String value, Duration lease) throws IOException {
        if (redis.text("GET", key) != null) {
            return false;
        }
        redis.command("SET", key, value, "PX", Long.toString(lease.toMillis()));
        return true;
    }
}
