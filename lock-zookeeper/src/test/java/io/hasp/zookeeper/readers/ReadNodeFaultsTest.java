package io.hasp.zookeeper.readers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.BackendException;
import io.hasp.ClientOptions;
import io.hasp.DistributedLock;
import io.hasp.DistributedReadWriteLock;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.spi.BackendContext;
import io.hasp.zookeeper.MultiSessionBackend;
import io.hasp.zookeeper.ProxiedClientFixture;
import io.hasp.zookeeper.ZooKeeperProvider;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * Many readers of one client share nodes while its connection stalls, breaks and loses answers: they never read beside a writer of
 * another client, each call ends, and in the end nothing is left, here or on the server.
 */
@InTier(Tier.STANDARD)
class ReadNodeFaultsTest extends ProxiedClientFixture {
    private static final long SEED = Long.getLong("hasp.seed", 1);
    private static final Duration TIME = Duration.ofSeconds(Long.getLong("hasp.torture.seconds", Tier.count(8, 120)));
    private static final int READERS = 12;

    private final Set<Lease> reading = ConcurrentHashMap.newKeySet();
    private final AtomicReference<Throwable> broken = new AtomicReference<>();
    private final AtomicInteger read = new AtomicInteger();
    private final AtomicInteger written = new AtomicInteger();
    private final List<MultiSessionBackend> backends = new CopyOnWriteArrayList<>();
    private volatile boolean over;

    @Test
    void readers_that_share_nodes_survive_every_fault_of_their_connection() throws Exception {
        try (LockClient readers = LockClient.over(this::open, ClientOptions.defaults());
                LockClient writer = LockClient.connect("zookeeper://" + address())) {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                int seed = i;
                threads.add(
                        started(() -> readUntilOver(readers.readWriteLock(lock), new SplittableRandom(SEED + seed))));
            }
            threads.add(started(() -> writeUntilOver(writer.readWriteLock(lock).write())));
            disturb(new SplittableRandom(SEED));
            over = true;
            for (Thread thread : threads) {
                thread.join(Duration.ofSeconds(60).toMillis());
                assertThat(thread.isAlive())
                        .as("%s still waits", thread.getName())
                        .isFalse();
            }
            assertThat(broken.get()).as("with -Dhasp.seed=%d", SEED).isNull();
            System.err.println("shared nodes under faults: " + read + " reads, " + written + " writes");
            assertThat(read).hasPositiveValue();
            assertThat(written).hasPositiveValue();
            await().untilAsserted(() -> assertThat(backends).singleElement().matches(MultiSessionBackend::idle));
        }
    }

    private MultiSessionBackend open(BackendContext context) {
        URI uri = URI.create("zookeeper://127.0.0.1:" + proxy.port() + "?sessionTimeout=6s&commandTimeout=300ms");
        MultiSessionBackend opened = (MultiSessionBackend) new ZooKeeperProvider().open(uri, context);
        backends.add(opened);
        return opened;
    }

    private Thread started(Runnable work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (RuntimeException | Error failure) {
                broken.compareAndSet(null, failure);
            }
        });
        thread.start();
        return thread;
    }

    private void readUntilOver(DistributedReadWriteLock both, SplittableRandom random) {
        while (!over && broken.get() == null) {
            try {
                DistributedLock wanted = random.nextInt(20) == 0 ? both.write() : both.read();
                Duration wait = random.nextInt(4) == 0 ? Duration.ZERO : Duration.ofMillis(random.nextInt(2000));
                Optional<Lease> lease = wanted.tryAcquire(wait);
                lease.ifPresent(this::use);
            } catch (BackendException expected) {
                Thread.onSpinWait();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private void use(Lease lease) {
        reading.add(lease);
        read.incrementAndGet();
        Thread.onSpinWait();
        reading.remove(lease);
        try {
            lease.release();
        } catch (BackendException outage) {
            Thread.onSpinWait();
        }
    }

    private void writeUntilOver(DistributedLock write) {
        while (!over && broken.get() == null) {
            try {
                Optional<Lease> lease = write.tryAcquire(Duration.ofSeconds(1));
                lease.ifPresent(this::checkAlone);
            } catch (BackendException expected) {
                Thread.onSpinWait();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private void checkAlone(Lease writing) {
        written.incrementAndGet();
        for (int look = 0; look < 200; look++) {
            for (Lease other : reading) {
                boolean before = writing.state() == LeaseState.HELD;
                boolean beside = other.state() == LeaseState.HELD;
                assertThat(before && beside && writing.state() == LeaseState.HELD)
                        .as("%s beside %s", other, writing)
                        .isFalse();
            }
            Thread.onSpinWait();
        }
        writing.release();
    }

    private void disturb(SplittableRandom random) throws InterruptedException {
        long end = System.nanoTime() + TIME.toNanos();
        while (System.nanoTime() < end && broken.get() == null) {
            Thread.sleep(300 + random.nextInt(1500));
            switch (random.nextInt(4)) {
                case 0 -> proxy.cut(random.nextBoolean() ? ConnectionEnd.RST : ConnectionEnd.FIN);
                case 1 -> proxy.set(Direction.REPLIES, TrafficPolicy.DROP);
                case 2 -> proxy.set(Direction.REQUESTS, TrafficPolicy.HOLD);
                default -> proxy.set(TrafficPolicy.delayed(Duration.ofMillis(random.nextInt(40))));
            }
            Thread.sleep(random.nextInt(350));
            proxy.cut(ConnectionEnd.RST);
            proxy.heal();
        }
    }
}
