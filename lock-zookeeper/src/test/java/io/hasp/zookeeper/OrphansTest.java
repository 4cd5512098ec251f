package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientClosedException;
import io.hasp.LockClient;
import io.hasp.LockException;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.Hold;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.ZooKeeperSessions;
import io.hasp.conformance.history.Checks;
import io.hasp.conformance.history.HistoryLog;
import io.hasp.conformance.history.RecordedUser;
import io.hasp.conformance.servers.ZooKeeperEnsemble;
import io.hasp.conformance.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Interrupts, cut connections and ended sessions in the midst of many acquisitions on three servers: no lock has two holders, and no node
 * and no watch is left, though every client lives on.
 */
@Timeout(300)
@InTier(Tier.STANDARD)
class OrphansTest {
    private static final int ACQUISITIONS = Tier.count(100, 1_000);
    private static final int CLIENTS = 3;
    private static final int THREADS = 2;
    private static final int INTERRUPTS_PER_CUT = 4;
    private static final int INTERRUPTS_PER_END = 20;
    private static final long LONGEST_PAUSE_MILLIS = 40;
    private static final Duration SESSION = Duration.ofSeconds(4);
    private static final Duration WAIT = Duration.ofSeconds(8);
    private static final String LOCK = "orphans";

    private final SplittableRandom random = new SplittableRandom(Long.getLong("hasp.torture.seed", 1));
    private final HistoryLog log = HistoryLog.inMemory();
    private final AtomicInteger acquired = new AtomicInteger();
    private final List<FaultProxy> proxies = new ArrayList<>();
    private final List<CuratorFramework> sessions = new ArrayList<>();
    private final List<LockClient> clients = new ArrayList<>();
    private final List<Thread> workers = new ArrayList<>();
    private int interrupts;
    private int cuts;
    private final AtomicInteger ends = new AtomicInteger();

    @Test
    void zk12_a_thousand_acquisitions_under_interrupts_cuts_and_ended_sessions_leave_nothing() throws Exception {
        try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start()) {
            try {
                ensemble.servers().forEach(server -> proxies.add(FaultProxy.before(server.port())));
                for (int client = 0; client < CLIENTS; client++) {
                    connect("c" + client);
                }
                workers.forEach(Thread::start);
                while (!enough()) {
                    TimeUnit.MILLISECONDS.sleep(random.nextLong(LONGEST_PAUSE_MILLIS));
                    trouble(ensemble.connectString());
                }
                for (Thread worker : workers) {
                    worker.join();
                }
                System.err.printf(
                        "%d acquisitions, %d interrupts, %d cuts, %d ended sessions%n",
                        acquired.get(), interrupts, cuts, ends.get());
                assertThat(cuts).isPositive();
                log.history()
                        .check(List.of(Checks.noOverlapOfBeliefs(), Checks.tokensIncrease(), Checks.tokensUnique()))
                        .orThrow();
                assertNothingIsLeft(ensemble);
            } finally {
                clients.forEach(LockClient::close);
                sessions.forEach(CuratorFramework::close);
                proxies.forEach(FaultProxy::close);
            }
        }
    }

    /** At least one of each fault. */
    private boolean enough() {
        return acquired.get() >= ACQUISITIONS && ends.get() > 0;
    }

    private void connect(String name) throws Exception {
        CuratorFramework session = CuratorFrameworkFactory.builder()
                .connectString(proxies.stream()
                        .map(proxy -> "127.0.0.1:" + proxy.port())
                        .collect(Collectors.joining(",")))
                .sessionTimeoutMs((int) SESSION.toMillis())
                .connectionTimeoutMs((int) SESSION.toMillis())
                .retryPolicy(new RetryOneTime(100))
                .ensembleTracker(false)
                .build();
        sessions.add(session);
        session.start();
        assertThat(session.blockUntilConnected(20, TimeUnit.SECONDS)).isTrue();
        HaspSubject subject = new HaspSubject(name, options -> {
            LockClient client = LockClient.over(ZooKeeperBackend.on(session, ZooKeeperLocks.defaults()), options);
            clients.add(client);
            return client;
        });
        RecordedUser user = new RecordedUser(subject.open(), log, name);
        for (int thread = 0; thread < THREADS; thread++) {
            workers.add(new Thread(() -> work(user), name + "-" + thread));
        }
    }

    private void work(RecordedUser user) {
        while (!enough()) {
            try {
                Optional<? extends Hold> hold = user.recorded(LOCK, WAIT, null);
                if (hold.isPresent()) {
                    acquired.incrementAndGet();
                    hold.get().release();
                }
            } catch (InterruptedException | LockException | ClientClosedException e) {
                // Expected: the history knows what is certain and what isn't.
                Thread.interrupted();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    private void trouble(String servers) throws InterruptedException {
        workers.get(random.nextInt(workers.size())).interrupt();
        interrupts++;
        if (interrupts % INTERRUPTS_PER_CUT == 0) {
            proxies.get(random.nextInt(proxies.size()))
                    .cut(random.nextBoolean() ? ConnectionEnd.RST : ConnectionEnd.FIN);
            cuts++;
        }
        if (interrupts % INTERRUPTS_PER_END == 0) {
            end(sessions.get(random.nextInt(CLIENTS)), servers);
        }
    }

    private void end(CuratorFramework session, String servers) throws InterruptedException {
        try {
            ZooKeeper handle = session.getZookeeperClient().getZooKeeper();
            if (handle.getState() == ZooKeeper.States.CONNECTED) {
                ZooKeeperSessions.expire(servers, handle.getSessionId(), handle.getSessionPasswd());
                ends.incrementAndGet();
            }
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception notThere) {
            // A fault is under way already.
        }
    }

    /** Except for one watch of each client's session, which hears of its end. */
    private void assertNothingIsLeft(ZooKeeperEnsemble ensemble) throws Exception {
        List<ServerAdmin> admins = new ArrayList<>();
        try {
            for (ZooKeeperServer server : ensemble.servers()) {
                admins.add(ServerAdmin.connect(server));
            }
            await().atMost(SESSION.multipliedBy(4)).untilAsserted(() -> {
                int watches = 0;
                for (ServerAdmin seen : admins) {
                    assertThat(seen.children(LOCK)).isEmpty();
                    assertThat(seen.ephemerals()).isZero();
                    watches += seen.watches();
                }
                assertThat(watches).isEqualTo(sessions.size());
            });
        } finally {
            for (ServerAdmin seen : admins) {
                seen.close();
            }
        }
    }
}
