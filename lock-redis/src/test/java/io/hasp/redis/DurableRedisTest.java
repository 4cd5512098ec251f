package io.hasp.redis;

import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.faults.RedisFaults;
import io.hasp.conformance.rules.FencingRules;
import io.hasp.conformance.servers.RedisServer;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;

/** Tokens over restarts of a server that writes everything to disk before it answers. */
final class DurableRedisTest implements FencingRules {
    private static final RedisServer REDIS = RedisServer.start("appendonly yes", "appendfsync always");

    @Override
    public HaspSubject subject() {
        return HaspSubject.at("hasp-redis-durable", REDIS.uri(), Claimed.TOKEN_AFTER_DATA_LOSS);
    }

    @Override
    public Faults faults() {
        return new RedisFaults(REDIS, name -> name);
    }

    @Override
    public Set<String> skips() {
        // Asked of the other servers.
        return Set.of("fe4_token_of_an_acquisition_whose_reply_was_lost_is_never_given_twice");
    }

    @AfterAll
    static void stop() {
        REDIS.close();
    }
}
