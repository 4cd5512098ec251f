package io.hasp.redis.mutants;

import io.hasp.conformance.servers.RespConnection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Counts its grants in the client's memory: every client begins at one. */
final class TokenFromMemory extends TutorialLock {
    private final Map<Object, AtomicLong> counts = new ConcurrentHashMap<>();

    TokenFromMemory(int port) {
        super(port);
    }

    @Override
    public Set<Claimed> claims() {
        return Set.of(Claimed.FIXED_LEASE, Claimed.FENCING_TOKEN);
    }

    @Override
    long token(RespConnection redis, String key, Object client) {
        return counts.computeIfAbsent(client, any -> new AtomicLong()).incrementAndGet();
    }
}
