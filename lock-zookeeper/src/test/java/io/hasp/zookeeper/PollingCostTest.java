package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.HolderId;
import io.hasp.spi.Share;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;

/** The listings of waiters whose number exceeds that of the permits. Each carries the names of all nodes, so they grow with the square. */
@InTier(Tier.STANDARD)
class PollingCostTest {
    private static final int PERMITS = 128;
    private static final Share PERMIT = new Share(1, PERMITS);
    private static final int WAITERS = 320;
    private static final int CLIENTS = 4;
    private static final Duration WATCHED = Duration.ofSeconds(5);

    private final AtomicInteger listings = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
    private final Set<HolderId> waiting = ConcurrentHashMap.newKeySet();
    private final Set<HolderId> served = ConcurrentHashMap.newKeySet();
    private final List<CuratorFramework> curators = new ArrayList<>();
    private final List<Probe> probes = new ArrayList<>();

    @Test
    void zk10_waiters_for_many_permits_list_nothing_while_nothing_changes_and_a_few_times_until_they_are_served()
            throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            try {
                waitersForHeldPermits(server);
            } finally {
                timer.shutdownNow();
                probes.forEach(Probe::close);
                curators.forEach(CuratorFramework::close);
            }
        }
    }

    private void waitersForHeldPermits(ZooKeeperServer server) throws Exception {
        for (int i = 0; i < CLIENTS; i++) {
            curators.add(connect(server.connectString()));
            probes.add(Probe.over(ZooKeeperBackend.on(curators.get(i), ZooKeeperLocks.defaults())));
        }
        List<Probe.Holder> holders = new ArrayList<>();
        for (int i = 0; i < PERMITS; i++) {
            holders.add(probes.get(i % CLIENTS).holder("many", PERMIT));
            holders.get(i).granted();
        }
        for (int i = 0; i < WAITERS; i++) {
            Probe probe = probes.get(i % CLIENTS);
            ask(probe, probe.holder("many", PERMIT));
        }
        await().until(() -> waiting.size() == WAITERS);
        begin();

        Thread.sleep(WATCHED.toMillis());

        assertThat(listings).as("listings in %s, of %s bytes", WATCHED, bytes).hasValue(0);
        Collections.shuffle(holders, new Random(1));
        holders.forEach(Probe.Holder::release);
        await().atMost(Duration.ofSeconds(60)).until(() -> served.size() == WAITERS);
        assertThat(listings)
                .as("listings of %s bytes until all are served", bytes)
                .hasValueLessThan(2 * WAITERS);
    }

    /** As the engine does: asks again at each signal, and when the time between two polls has passed. */
    private void ask(Probe probe, Probe.Holder waiter) {
        probe.backend.acquire(waiter.claim, signal -> ask(probe, waiter)).thenAccept(attempt -> {
            if (attempt instanceof Attempt.Granted && served.add(waiter.claim.holder())) {
                probe.backend.release(waiter.claim);
            } else if (attempt instanceof Attempt.Busy busy) {
                waiting.add(waiter.claim.holder());
                timer.schedule(() -> ask(probe, waiter), busy.pollAfter().toMillis(), TimeUnit.MILLISECONDS);
            }
        });
    }

    private void begin() {
        listings.set(0);
        bytes.set(0);
    }

    private CuratorFramework connect(String servers) throws Exception {
        CuratorFramework curator = CuratorFrameworkFactory.builder()
                .connectString(servers)
                .sessionTimeoutMs(20_000)
                .ensembleTracker(false)
                .retryPolicy(new RetryOneTime(100))
                .zookeeperFactory((ZookeeperFactory) CountingHandle::new)
                .build();
        curator.start();
        await().until(curator.getZookeeperClient()::isConnected);
        return curator;
    }

    /** Counts the listings of folders and the bytes of their names. */
    private final class CountingHandle extends ZooKeeper {
        CountingHandle(String servers, int sessionTimeout, Watcher watcher, boolean readOnly) throws IOException {
            super(servers, sessionTimeout, watcher, readOnly);
        }

        @Override
        public void getChildren(String path, boolean watch, AsyncCallback.Children2Callback then, Object context) {
            super.getChildren(
                    path,
                    watch,
                    (rc, asked, same, children, stat) -> {
                        count(children);
                        then.processResult(rc, asked, same, children, stat);
                    },
                    context);
        }

        @Override
        public void getChildren(String path, boolean watch, AsyncCallback.ChildrenCallback then, Object context) {
            super.getChildren(
                    path,
                    watch,
                    (rc, asked, same, children) -> {
                        count(children);
                        then.processResult(rc, asked, same, children);
                    },
                    context);
        }

        private void count(List<String> children) {
            listings.incrementAndGet();
            children.forEach(name -> bytes.addAndGet(name.length() + Integer.BYTES));
        }
    }
}
