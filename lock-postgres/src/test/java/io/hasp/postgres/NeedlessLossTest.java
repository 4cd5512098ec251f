package io.hasp.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.LockEvent;
import io.hasp.LockException;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.servers.PostgresServer;
import java.net.URI;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Time-outs of statements, cut connections and a server that stands still, while clients hand locks to each other. A trigger records each
 * lease that the server ends before its time. No client may report such a lease as lost.
 */
@Timeout(900)
@InTier(Tier.STANDARD)
class NeedlessLossTest {
    private static final long SEED = Long.getLong("hasp.torture.seed", 1);
    private static final Duration TIME = Duration.ofSeconds(Long.getLong("hasp.torture.seconds", Tier.count(12, 240)));
    private static final int CLIENTS = 4;
    private static final int THREADS = 3;
    private static final Duration TIMEOUT = Duration.ofMillis(400);
    private static final String RUN_OUT = "deadline";

    private final PostgresServer server = PostgresServer.start();
    private final ConcurrentLinkedQueue<LockEvent.Lost> lost = new ConcurrentLinkedQueue<>();
    private final AtomicLong held = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicBoolean over = new AtomicBoolean();

    @Test
    void no_lease_is_lost_before_it_has_run_out_on_the_server() throws Exception {
        TestBackend.on(server).close();
        record();
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS * THREADS);
        List<LockClient> clients = new ArrayList<>();
        try (FaultProxy proxy = FaultProxy.before(server.port())) {
            List<Future<?>> work = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                LockClient client = connect(proxy, i);
                clients.add(client);
                for (int k = 0; k < THREADS; k++) {
                    long seed = SEED * 1000 + i * THREADS + k;
                    work.add(threads.submit(() -> work(client, new SplittableRandom(seed))));
                }
            }
            faults(proxy, new SplittableRandom(SEED));
            over.set(true);
            for (Future<?> one : work) {
                one.get();
            }
        } finally {
            over.set(true);
            threads.shutdownNow();
            clients.forEach(LockClient::close);
        }
        List<String> needless = needless();
        server.close();
        System.err.println(held + " holds, " + failed + " failed calls, losses by reason: " + reasons());
        assertThat(needless).isEmpty();
        assertThat(held.get()).isPositive();
        assertThat(failed.get())
                .as("calls that failed, so that there were time-outs")
                .isPositive();
    }

    private LockClient connect(FaultProxy proxy, int number) {
        ClientOptions options = ClientOptions.defaults()
                .renewedLease(Duration.ofSeconds(8))
                .addListener(event -> {
                    if (event instanceof LockEvent.Lost one) {
                        lost.add(one);
                    }
                });
        String keeps = number % 2 == 0 ? "&keep=500ms" : "";
        return LockClient.connect(
                URI.create(PostgresServer.uri("127.0.0.1:" + proxy.port()) + "&commandTimeout=" + TIMEOUT.toMillis()
                        + "ms" + keeps),
                options);
    }

    private void record() {
        server.run("create table ended (token bigint, early interval, at timestamptz, query text)");
        server.run("create function ended() returns trigger language plpgsql as $$ begin"
                + " if old.holder <> '' and new.holder <> old.holder and old.expires > clock_timestamp() then"
                + " insert into ended values (old.token, old.expires - clock_timestamp(), clock_timestamp(), current_query());"
                + " end if; return new; end $$");
        server.run("create trigger ended before update on hasp_holder for each row execute function ended()");
    }

    private void work(LockClient client, SplittableRandom random) {
        while (!over.get()) {
            try {
                Optional<Lease> lease = acquire(client, random);
                if (lease.isPresent()) {
                    held.incrementAndGet();
                    TimeUnit.MICROSECONDS.sleep(random.nextInt(random.nextInt(20) == 0 ? 100_000 : 500));
                    lease.get().release();
                }
            } catch (LockException e) {
                failed.incrementAndGet();
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private static Optional<Lease> acquire(LockClient client, SplittableRandom random) throws InterruptedException {
        Duration wait = random.nextInt(3) == 0 ? Duration.ZERO : Duration.ofMillis(random.nextInt(3_000));
        return switch (random.nextInt(4)) {
            case 0 -> client.readWriteLock("rw").read().tryAcquire(wait);
            case 1 -> client.readWriteLock("rw").write().tryAcquire(wait);
            default -> client.lock("exclusive" + random.nextInt(2)).tryAcquire(wait);
        };
    }

    private void faults(FaultProxy proxy, SplittableRandom random) throws Exception {
        long end = System.nanoTime() + TIME.toNanos();
        while (System.nanoTime() - end < 0) {
            TimeUnit.MILLISECONDS.sleep(random.nextInt(400));
            int millis = random.nextInt(Integer.getInteger("hasp.torture.fault", 700));
            switch (random.nextInt(6)) {
                case 0 -> {
                    server.pause();
                    TimeUnit.MILLISECONDS.sleep(millis);
                    server.resume();
                }
                case 1 -> proxy.cut(random.nextBoolean() ? ConnectionEnd.RST : ConnectionEnd.HALF_OPEN);
                case 2 -> new BackendEnd(server).terminate();
                case 3 -> hold(millis + 200);
                case 4 -> {
                    proxy.set(TrafficPolicy.HOLD);
                    TimeUnit.MILLISECONDS.sleep(millis);
                    proxy.heal();
                }
                default -> {
                    proxy.set(TrafficPolicy.DROP);
                    TimeUnit.MILLISECONDS.sleep(millis / 2);
                    proxy.heal();
                }
            }
        }
        server.resume();
        proxy.heal();
    }

    /** Ends the connections of all clients. */
    private record BackendEnd(PostgresServer server) {
        void terminate() {
            server.run(
                    "select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name like 'hasp%'");
        }
    }

    /** An operator's statement has the rows of all locks. */
    private void hold(int millis) throws Exception {
        try (Connection operator = server.connect();
                Statement statement = operator.createStatement()) {
            operator.setAutoCommit(false);
            statement.execute("select * from hasp_lock for update");
            TimeUnit.MILLISECONDS.sleep(millis);
            operator.commit();
        }
    }

    private Map<String, Integer> reasons() {
        Map<String, Integer> reasons = new TreeMap<>();
        lost.forEach(one -> reasons.merge(one.reason().split(":")[0], 1, Integer::sum));
        return reasons;
    }

    /** Leases that the server ended before their time, and whose loss no client found by its own deadline. */
    private List<String> needless() throws Exception {
        List<String> needless = new ArrayList<>();
        try (Connection connection = server.connect();
                var early = connection.prepareStatement("select early, query from ended where token = ?")) {
            for (LockEvent.Lost one : lost) {
                early.setLong(1, one.fencingToken() / 256);
                try (var row = early.executeQuery()) {
                    if (!one.reason().contains(RUN_OUT) && row.next()) {
                        needless.add(one + " ended " + row.getString(1) + " before its time by " + row.getString(2));
                    }
                }
            }
        }
        return needless;
    }
}
