package io.hasp.evaluation.subject;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.servers.RespConnection;
import io.hasp.evaluation.servers.RedisEndpoint;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.redisson.api.RScript;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;

/**
 * The two scripts of {@link RedisBaseline} through a client library: what that library costs. Each with its defaults, and called as its
 * documentation advises: Lettuce on one connection for all threads, Redisson on its pool; both asynchronously, and the thread waits for
 * the future.
 *
 * @param library which
 * @param uri of the server, as Hasp takes it
 * @param lease after which a silent client's locks are free
 * @param oneThread whether a client serves a single thread
 */
record ClientBaseline(Library library, String uri, Duration lease, boolean oneThread) implements LockSubject {

    enum Library {
        LETTUCE,
        REDISSON
    }

    /** Runs a script of one key, by its digest. */
    private interface Scripts extends AutoCloseable {
        Future<Long> run(String digest, String key, String... arguments);

        @Override
        void close();
    }

    @Override
    public String name() {
        return "baseline-redis-" + library.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public Set<Claimed> claims() {
        return Set.of();
    }

    @Override
    public LockUser open() throws IOException {
        RedisEndpoint endpoint = RedisEndpoint.of(uri);
        try (RespConnection connection = endpoint.connect()) {
            String take = RedisBaseline.loaded(connection, RedisBaseline.TAKE);
            String giveBack = RedisBaseline.loaded(connection, RedisBaseline.GIVE_BACK);
            Scripts scripts = library == Library.LETTUCE
                    ? new ThroughLettuce(endpoint.lettuce())
                    : new ThroughRedisson(endpoint.redisson(RedissonLock.USUAL_WATCHDOG, oneThread));
            return new User(scripts, endpoint, Long.toString(lease.toMillis()), take, giveBack);
        }
    }

    private record User(Scripts scripts, RedisEndpoint endpoint, String leaseMillis, String take, String giveBack)
            implements LockUser {

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) throws Exception {
            String key = endpoint.key("baseline", lock);
            String holder = UUID.randomUUID().toString();
            return PollingWait.until(wait, () -> ask(take, key, holder, leaseMillis))
                    ? Optional.of(() -> ask(giveBack, key, holder))
                    : Optional.empty();
        }

        private boolean ask(String script, String key, String... arguments)
                throws ExecutionException, InterruptedException {
            return scripts.run(script, key, arguments).get() == 1;
        }

        @Override
        public void close() {
            scripts.close();
        }
    }

    private static final class ThroughLettuce implements Scripts {
        private final RedisClient client;
        private final StatefulRedisConnection<String, String> connection;

        ThroughLettuce(RedisClient client) {
            this.client = client;
            this.connection = client.connect();
        }

        @Override
        public Future<Long> run(String digest, String key, String... arguments) {
            return connection.async().evalsha(digest, ScriptOutputType.INTEGER, new String[] {key}, arguments);
        }

        @Override
        public void close() {
            client.shutdown(0, 2, TimeUnit.SECONDS);
        }
    }

    private record ThroughRedisson(RedissonClient client) implements Scripts {
        @Override
        public Future<Long> run(String digest, String key, String... arguments) {
            return client.getScript(StringCodec.INSTANCE)
                    .evalShaAsync(RScript.Mode.READ_WRITE, digest, RScript.ReturnType.LONG, List.of(key), (Object[])
                            arguments);
        }

        @Override
        public void close() {
            client.shutdown(0, 2, TimeUnit.SECONDS);
        }
    }
}
