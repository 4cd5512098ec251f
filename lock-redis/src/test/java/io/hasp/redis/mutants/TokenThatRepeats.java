package io.hasp.redis.mutants;

import io.hasp.conformance.servers.RespConnection;
import java.io.IOException;
import java.util.Set;

/** Gives a returning client its last token again, unless another client had the lock in between. */
final class TokenThatRepeats extends TutorialLock {

    TokenThatRepeats(int port) {
        super(port);
    }

    @Override
    public Set<Claimed> claims() {
        return Set.of(Claimed.FIXED_LEASE, Claimed.FENCING_TOKEN);
    }

    @Override
    long token(RespConnection redis, String key, Object client) throws IOException {
        String me = Integer.toString(System.identityHashCode(client));
        boolean again = me.equals(redis.text("SET", key + ":last", me, "GET"));
        return redis.integer("INCRBY", key + ":token", again ? "0" : "1");
    }
}
