package io.hasp.evaluation.subject;

import io.hasp.conformance.LockSubject;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.faults.RedisFaults;
import io.hasp.conformance.faults.ZooKeeperFaults;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.processes.SubjectFactory;
import io.hasp.conformance.rules.LockConformance;
import io.hasp.conformance.rules.SharedLockConformance;
import io.hasp.conformance.rules.support.ProxiedSubject;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.servers.PostgresServer;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.Server;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.evaluation.servers.PostgresEndpoint;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.opentest4j.TestAbortedException;

/**
 * A peer as the suite sees it. Its adopters are run by {@link Peers} alone: a rule that a peer breaks is a finding, not a
 * failure of the build.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PeerConformance implements RuleGroup {
    private final Peer peer;
    private final Host host;

    PeerConformance(Peer peer) {
        this.peer = peer;
        this.host = switch (peer.servers()) {
            case REDIS -> new RedisHost();
            case REDLOCK -> new IndependentHosts();
            case ZOOKEEPER -> new ZooKeeperHost();
            case POSTGRES -> new PostgresHost();
        };
    }

    @Override
    public LockSubject subject() {
        return new OnOwnThread(peer.at(host.address()));
    }

    @Override
    public Faults faults() {
        return host.faults(peer);
    }

    @Override
    public ClientJvm process(String name) {
        return ClientJvm.start(name, InProcess.class, peer.name() + " " + host.address());
    }

    @Override
    public ProxiedSubject proxied() throws Exception {
        String address = host.address();
        if (address.contains(",")) {
            return RuleGroup.super.proxied();
        }
        FaultProxy proxy = FaultProxy.before(Integer.parseInt(address.substring(address.indexOf(':') + 1)));
        return new ProxiedSubject(
                proxy, new OnOwnThread(peer.onTheWire("127.0.0.1:" + proxy.port())), peer.leaseOnTheWire());
    }

    @AfterAll
    void stop() {
        host.close();
    }

    /** The peer in a process of its own, which makes one of these; the argument is its name and its servers' addresses. */
    public static final class InProcess implements SubjectFactory {
        /** For the process. */
        public InProcess() {}

        @Override
        public LockSubject subject(String argument) {
            int space = argument.indexOf(' ');
            Peer peer = Peer.valueOf(argument.substring(0, space));
            return new OnOwnThread(peer.at(argument.substring(space + 1)));
        }
    }

    private interface Host extends AutoCloseable {
        String address();

        Faults faults(Peer peer);

        @Override
        void close();
    }

    /** It keeps its data when its process ends, because some rules are about a restart with data. */
    private static final class RedisHost implements Host {
        private final RedisServer server = RedisServer.start("appendonly yes", "appendfsync no");

        @Override
        public String address() {
            return "127.0.0.1:" + server.port();
        }

        @Override
        public Faults faults(Peer peer) {
            return peer == Peer.FAIRLOCK
                    ? new FairLockFaults(server, peer::placeOf)
                    : new RedisFaults(server, peer::placeOf);
        }

        @Override
        public void close() {
            server.close();
        }
    }

    /** Three Redis servers, the fewest of which a majority decides. */
    private static final class IndependentHosts implements Host {
        private static final int COUNT = 3;

        private final List<RedisServer> servers = Stream.generate(
                        () -> RedisServer.start("appendonly yes", "appendfsync no"))
                .limit(COUNT)
                .toList();

        @Override
        public String address() {
            return servers.stream().map(server -> "127.0.0.1:" + server.port()).collect(Collectors.joining(","));
        }

        @Override
        public Faults faults(Peer peer) {
            return new Faults() {
                @Override
                public Server server() {
                    return Server.together(servers);
                }

                @Override
                public void deleteLock(String lock) {
                    servers.forEach(server -> server.command("DEL", peer.placeOf(lock)));
                }
            };
        }

        @Override
        public void close() {
            servers.forEach(RedisServer::close);
        }
    }

    private static final class ZooKeeperHost implements Host {
        private final ZooKeeperServer server = ZooKeeperServer.start();

        @Override
        public String address() {
            return "127.0.0.1:" + server.port();
        }

        @Override
        public Faults faults(Peer peer) {
            return peer == Peer.CURATOR_SEMAPHORE_MUTEX
                    ? new SemaphoreMutexFaults(server, peer::placeOf)
                    : new ZooKeeperFaults(server, server.connectString(), peer::placeOf);
        }

        @Override
        public void close() {
            server.close();
        }
    }

    private static final class PostgresHost implements Host {
        private final PostgresServer server = PostgresServer.start();

        PostgresHost() {
            try {
                PostgresEndpoint.of(server.uri()).create();
            } catch (SQLException e) {
                server.close();
                throw new IllegalStateException("the tables of the peers could not be created", e);
            }
        }

        @Override
        public String address() {
            return "127.0.0.1:" + server.port();
        }

        @Override
        public Faults faults(Peer peer) {
            return new TableFaults(server, peer.placeOf(""));
        }

        @Override
        public void close() {
            server.close();
        }
    }

    /** The rules for locks with one holder. */
    interface Exclusive extends LockConformance {

        /** {@inheritDoc} Not more in the full tier: only Hasp is tested with more. */
        @Override
        default int cycles() {
            return 10_000;
        }
    }

    /** The rules for locks that do not wait: a rule about waits is not for them, and in the others {@link AskedAgain} waits. */
    interface WithoutWaiting extends Exclusive {
        /** Rules about waits: their end by interrupt, time limit or outage, the order of waiters, and their wake-up. */
        String ABOUT_WAITS =
                "ap1_interrupt_ends_a_wait_.*|ap2_wait_.*|fa11_.*_in_the_middle_of_a_wait_.*|fa7_wait_.*|li[3-9]_.*";

        /**
         * Leaves out a rule about waits.
         *
         * @param rule that is about to run
         */
        @BeforeEach
        default void leaveOutWaits(TestInfo rule) {
            String name = rule.getTestMethod().orElseThrow().getName();
            if (name.matches(ABOUT_WAITS)) {
                throw new TestAbortedException("waiting is not claimed");
            }
        }
    }

    static final class ShedLockOnRedis extends PeerConformance implements WithoutWaiting {
        ShedLockOnRedis() {
            super(Peer.SHEDLOCK_REDIS);
        }
    }

    static final class ShedLockOnJdbc extends PeerConformance implements WithoutWaiting {
        ShedLockOnJdbc() {
            super(Peer.SHEDLOCK_JDBC);
        }
    }

    static final class SpringOnJdbc extends PeerConformance implements Exclusive {
        SpringOnJdbc() {
            super(Peer.SPRING_JDBC);
        }
    }

    static final class RLock extends PeerConformance implements Exclusive {
        RLock() {
            super(Peer.RLOCK);
        }
    }

    static final class FencedLock extends PeerConformance implements Exclusive {
        FencedLock() {
            super(Peer.FENCEDLOCK);
        }
    }

    static final class FairLock extends PeerConformance implements Exclusive {
        FairLock() {
            super(Peer.FAIRLOCK);
        }
    }

    static final class SpinLock extends PeerConformance implements Exclusive {
        SpinLock() {
            super(Peer.SPINLOCK);
        }
    }

    static final class RedLock extends PeerConformance implements Exclusive {
        RedLock() {
            super(Peer.REDISSON_REDLOCK);
        }
    }

    static final class SharedMutex extends PeerConformance implements Exclusive {
        SharedMutex() {
            super(Peer.CURATOR_SHARED);
        }
    }

    static final class SemaphoreMutex extends PeerConformance implements Exclusive {
        SemaphoreMutex() {
            super(Peer.CURATOR_SEMAPHORE_MUTEX);
        }
    }

    static final class SpringOnRedisWithTimeout extends PeerConformance implements Exclusive {
        SpringOnRedisWithTimeout() {
            super(Peer.SPRING_REDIS_TIMEOUT);
        }
    }

    static final class SpringOnRedisSpinning extends PeerConformance implements Exclusive {
        SpringOnRedisSpinning() {
            super(Peer.SPRING_REDIS_SPIN);
        }
    }

    static final class Mutex extends PeerConformance implements Exclusive {
        Mutex() {
            super(Peer.CURATOR);
        }
    }

    static final class SpringOnRedis extends PeerConformance implements Exclusive {
        SpringOnRedis() {
            super(Peer.SPRING_REDIS);
        }
    }

    static final class SpringOnZooKeeper extends PeerConformance implements Exclusive {
        SpringOnZooKeeper() {
            super(Peer.SPRING_ZOOKEEPER);
        }
    }

    static final class RedissonReadWrite extends PeerConformance implements SharedLockConformance {
        RedissonReadWrite() {
            super(Peer.REDISSON_READ_WRITE);
        }
    }

    static final class RedissonPermits extends PeerConformance implements SharedLockConformance {
        RedissonPermits() {
            super(Peer.REDISSON_SEMAPHORE);
        }
    }

    static final class RedissonLeasedPermits extends PeerConformance implements SharedLockConformance {
        RedissonLeasedPermits() {
            super(Peer.REDISSON_SEMAPHORE_LEASED);
        }
    }

    static final class CuratorReadWrite extends PeerConformance implements SharedLockConformance {
        CuratorReadWrite() {
            super(Peer.CURATOR_READ_WRITE);
        }
    }

    static final class CuratorPermits extends PeerConformance implements SharedLockConformance {
        CuratorPermits() {
            super(Peer.CURATOR_SEMAPHORE);
        }
    }
}
