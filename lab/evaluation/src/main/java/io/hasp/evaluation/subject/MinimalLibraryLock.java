package io.hasp.evaluation.subject;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.evaluation.servers.RedisEndpoint;
import io.hasp.evaluation.servers.RedisTopology;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
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
 * The two scripts of {@link MinimalRedisLock} through a client library, to measure that library's cost. Each library has
 * its defaults and is called as its documentation advises: Lettuce on one connection for all threads, Redisson on its
 * pool. Calls are asynchronous, and the thread waits for the future.
 *
 * @param library the client library
 * @param endpoint the servers
 * @param lease after which a silent client's locks are free
 * @param oneThread true if a client serves a single thread
 */
record MinimalLibraryLock(Library library, RedisEndpoint endpoint, Duration lease, boolean oneThread)
        implements LockSubject {

    enum Library {
        LETTUCE,
        REDISSON
    }

    /** Runs a script of one key, by its digest. */
    private interface Scripts extends AutoCloseable {
        Future<Long> run(String digest, String key, String... arguments);

        /** At each master. */
        String load(String script);

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
    public LockUser open() {
        Scripts scripts = library == Library.LETTUCE
                ? ThroughLettuce.to(endpoint)
                : new ThroughRedisson(endpoint.redisson(RedissonLock.USUAL_WATCHDOG, oneThread));
        boolean loaded = false;
        try {
            String take = scripts.load(MinimalRedisLock.TAKE);
            String giveBack = scripts.load(MinimalRedisLock.GIVE_BACK);
            loaded = true;
            return new User(scripts, endpoint, Long.toString(lease.toMillis()), take, giveBack);
        } finally {
            if (!loaded) {
                scripts.close();
            }
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

    private record ThroughLettuce(AbstractRedisClient client, RedisClusterAsyncCommands<String, String> commands)
            implements Scripts {

        static ThroughLettuce to(RedisEndpoint endpoint) {
            if (endpoint.topology() == RedisTopology.CLUSTER) {
                RedisClusterClient cluster = RedisClusterClient.create(endpoint.lettuceNodes());
                return new ThroughLettuce(cluster, cluster.connect().async());
            }
            RedisClient client = RedisClient.create(endpoint.lettuceUri());
            return new ThroughLettuce(client, client.connect().async());
        }

        @Override
        public Future<Long> run(String digest, String key, String... arguments) {
            return commands.evalsha(digest, ScriptOutputType.INTEGER, new String[] {key}, arguments);
        }

        @Override
        public String load(String script) {
            return commands.scriptLoad(script).toCompletableFuture().join();
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
        public String load(String script) {
            return client.getScript(StringCodec.INSTANCE).scriptLoad(script);
        }

        @Override
        public void close() {
            client.shutdown(0, 2, TimeUnit.SECONDS);
        }
    }
}
