package io.hasp.redis;

import io.hasp.LockClient;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.processes.ErrorInjector;
import io.hasp.conformance.processes.SubjectFactory;
import io.hasp.conformance.torture.TortureClients;
import io.hasp.redis.jedis.CombiningPool;
import io.hasp.redis.jedis.FaultySocket.Steps;
import io.hasp.redis.jedis.JedisConnection;
import io.hasp.redis.redlock.NodeSocketsPool;
import io.hasp.redis.redlock.Quorum;
import io.hasp.redis.redlock.RedlockProtocol;
import io.hasp.redis.redlock.RedlockScripts;
import io.hasp.redis.server.RedisEndpoint;
import io.hasp.spi.BackendSource;
import java.net.URI;
import java.time.Duration;
import redis.clients.jedis.JedisSocketFactory;

/** Hasp in a client process, on sockets on which any step may fail with an {@link Error}. */
public final class FaultySockets implements SubjectFactory, ErrorInjector {
    /** A call takes about half of it. */
    private static final int MOST_STEPS = 80;

    /** The last parameter of those clients that keep locks; no backend knows it. */
    private static final String KEEP = "&keep=";

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Steps steps = new Steps();
    private int mostSockets;

    @Override
    public LockSubject subject(String uri) {
        int keep = uri.indexOf(KEEP);
        URI server = URI.create(keep < 0 ? uri : uri.substring(0, keep));
        BackendSource source = uri.startsWith("redlock:") ? redlock(server) : redis(server);
        HaspSubject subject = new HaspSubject("hasp", options -> LockClient.over(source, options));
        return keep < 0 ? subject : subject.keeping(TortureClients.KEEP);
    }

    private BackendSource redis(URI uri) {
        RedisConfig config = RedisConfig.of(uri);
        mostSockets = CombiningPool.SOCKETS + 1;
        return context -> RedisBackend.open(
                new JedisConnection(config.endpoint(), sockets(config.endpoint())), config.locks(), context);
    }

    private BackendSource redlock(URI uri) {
        RedlockConfig config = RedlockConfig.of(uri);
        int nodes = config.nodes().size();
        // Beside the pool and the subscription, one may look whether the node is back.
        mostSockets = nodes * (NodeSocketsPool.MOST + 2);
        return context -> RedlockBackend.open(
                config,
                new RedlockProtocol(Quorum.of(nodes), RedlockScripts.standard(), context.timing()),
                this::sockets,
                context);
    }

    private JedisSocketFactory sockets(RedisEndpoint endpoint) {
        return steps.sockets(
                endpoint.port(), Math.toIntExact(endpoint.commandTimeout().toMillis()));
    }

    @Override
    public void throwErrors(long seed) {
        steps.failAtRandom(seed, MOST_STEPS);
    }

    @Override
    public void stopErrors() throws InterruptedException {
        steps.heal();
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (steps.open() > mostSockets) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException(steps.open() + " sockets are open, of at most " + mostSockets
                        + ", after " + steps.errors() + " errors");
            }
            Thread.sleep(1);
        }
        System.err.println(steps.errors() + " errors so far, " + steps.open() + " sockets are open");
    }
}
