package io.hasp.evaluation.subject;

import io.hasp.ClientOptions;
import io.hasp.LockClient;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.evaluation.measure.SliceListener;
import io.hasp.evaluation.servers.RedisEndpoint;
import io.hasp.redis.RedisBackend;
import io.hasp.redis.RedisLocks;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.redisson.api.RedissonClient;

/**
 * Hasp on an application's Redisson client, which ends with the subject's client.
 *
 * @param name how results call it
 * @param endpoint the servers
 * @param options of Hasp's client
 * @param commandTimeout of the Redisson client; zero for its default
 * @param oneThread whether a client serves a single thread
 */
record OwnRedisson(
        String name, RedisEndpoint endpoint, ClientOptions options, Duration commandTimeout, boolean oneThread)
        implements LockSubject {

    @Override
    public Set<Claimed> claims() {
        return hasp(any -> {
                    throw new UnsupportedOperationException("there is no Redisson client yet");
                })
                .claims();
    }

    private HaspSubject hasp(Function<ClientOptions, LockClient> connect) {
        return new HaspSubject(name, connect).sharing();
    }

    @Override
    public LockUser open() throws Exception {
        RedissonClient redisson = endpoint.redisson(RedissonLock.USUAL_WATCHDOG, commandTimeout, oneThread);
        RedisLocks locks = endpoint.config().locks();
        return AccompaniedUser.open(
                hasp(any -> LockClient.over(RedisBackend.onRedisson(redisson, locks), options)),
                () -> redisson.shutdown(0, 2, TimeUnit.SECONDS),
                SliceListener.NONE);
    }
}
