package io.hasp.conformance.torture;

import io.hasp.LockClient;
import io.hasp.conformance.Timings;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.history.Check;
import io.hasp.conformance.history.Checks;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.SentinelServers;
import io.hasp.conformance.servers.Server;
import io.hasp.conformance.servers.ZooKeeperEnsemble;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.conformance.torture.TorturePlan.Setting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The environment of a torture: real servers that keep acknowledged writes, a proxy in front of each, and faults that a
 * lock on such servers should survive, one at a time. The locks are of all kinds. Not thread-safe.
 */
public final class TortureEnvironment implements AutoCloseable {
    /** Longer than a lease: a busy disk keeps a ZooKeeper server silent for seconds, which must not end the sessions. */
    private static final int SESSION_LEASES = 4;

    private static final int NODES = 5;
    private static final int CANDIDATES = 3;

    private final List<Server> servers = new ArrayList<>();
    private final List<FaultProxy> proxies = new ArrayList<>();
    private final List<Fault> faults = new ArrayList<>();
    private final Duration silence;
    private Duration longestHold;
    private Duration longestFault;
    private int threads = 1;
    private boolean sharing = true;
    private boolean electing;
    private boolean together;
    private @Nullable SentinelServers sentinels;
    private @Nullable Supplier<LockClient> operator;

    private TortureEnvironment(Duration silence) {
        this.silence = silence;
        Setting usual = Setting.of(Duration.ZERO, Timings.lease());
        this.longestHold = usual.longestHold();
        this.longestFault = usual.longestFault();
    }

    /**
     * One Redis server that syncs every change to disk.
     *
     * @return a new environment
     */
    public static TortureEnvironment redis() {
        TortureEnvironment environment = new TortureEnvironment(Timings.lease());
        RedisServer redis = RedisServer.start("appendonly yes", "appendfsync always");
        environment.add("redis", redis, redis, redis.port());
        environment.faults.add(TortureFaults.closingIdle("redis", redis));
        return environment.withClientFaults();
    }

    /**
     * Three ZooKeeper servers, of which one at a time fails.
     *
     * @return a new environment; sessions should last {@link #silence}
     */
    public static TortureEnvironment zookeeper() {
        TortureEnvironment environment = new TortureEnvironment(Timings.lease().multipliedBy(SESSION_LEASES));
        ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start();
        int id = 1;
        for (ZooKeeperServer server : ensemble.servers()) {
            environment.add("zookeeper " + id++, server, ensemble, server.port());
        }
        return environment.withClientFaults();
    }

    /**
     * Creates three ZooKeeper servers whose client connections stall for longer than a third of the session. The held
     * traffic then arrives at once, and the server stops before it has informed its leader.
     *
     * @return a new environment, in which a fault may outlast a session
     */
    public static TortureEnvironment stalledSessions() {
        return sessions(1.5, (environment, id, server, proxy) -> {
            // Just not as long as a client waits for an answer before it connects anew.
            Duration stall = environment.silence.multipliedBy(3).dividedBy(5);
            return List.of(SessionFaults.stalledThenPaused("zookeeper " + id, proxy, server, stall));
        });
    }

    /**
     * Creates three ZooKeeper servers that restart with another limit of session timeouts: half of the requested
     * timeout, or the former limit.
     *
     * @return a new environment
     */
    public static TortureEnvironment shortenedSessions() {
        return sessions(1, (environment, id, server, proxy) -> {
            String name = "zookeeper " + id;
            String half =
                    "maxSessionTimeout=" + environment.silence.dividedBy(2).toMillis();
            return List.of(
                    SessionFaults.reconfigured(name, server, half),
                    TortureFaults.held(name, proxy),
                    TortureFaults.cut(name, proxy));
        });
    }

    /**
     * A Redis master, one replica that syncs every change to disk, and three sentinels. The master dies, stands still, or is
     * replaced while it serves; each time the replica takes over. Clients should let the replica acknowledge each grant.
     *
     * @return a new environment, without a proxy
     */
    public static TortureEnvironment sentinel() {
        TortureEnvironment environment = new TortureEnvironment(Timings.lease());
        SentinelServers servers =
                SentinelServers.start(1, Duration.ofSeconds(1), "appendonly yes", "appendfsync always");
        environment.sentinels = servers;
        environment.faults.addAll(SentinelFaults.of(servers));
        return environment.exclusive().withClientFaults();
    }

    /** Selects the faults of one server. */
    private interface FaultsOfServer {
        List<Fault> faults(TortureEnvironment environment, int id, ZooKeeperServer server, FaultProxy proxy);
    }

    /** Holds and faults are as long as sessions, which are short and so need servers that a busy disk does not keep. */
    private static TortureEnvironment sessions(double longestFault, FaultsOfServer kind) {
        TortureEnvironment environment = new TortureEnvironment(Timings.lease().multipliedBy(3));
        environment.longestHold = environment.silence.multipliedBy(3);
        environment.longestFault = Duration.ofNanos((long) (environment.silence.toNanos() * longestFault));
        ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start();
        environment.servers.add(ensemble);
        int id = 1;
        for (ZooKeeperServer server : ensemble.servers()) {
            FaultProxy proxy = FaultProxy.before(server.port());
            environment.proxies.add(proxy);
            environment.faults.addAll(kind.faults(environment, id++, server, proxy));
        }
        return environment;
    }

    /**
     * Creates five independent Redis servers that sync every change to disk. Their nodes fail in the ways that the
     * rules for operators of a Redlock allow: they stop, lose connections, and return with their data, or empty after
     * one lease. Holds are short, so that each fault affects many grants. Locks are exclusive, since Redlock has no
     * shared locks.
     *
     * @return a new environment
     */
    public static TortureEnvironment redlock() {
        TortureEnvironment environment = new TortureEnvironment(Timings.lease());
        List<RedisServer> nodes = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            RedisServer node = RedisServer.start("appendonly yes", "appendfsync always");
            nodes.add(node);
            environment.servers.add(node);
            environment.proxies.add(FaultProxy.before(node.port()));
        }
        environment.faults.addAll(List.of(
                TortureFaults.paused("a node", nodes.get(0)),
                TortureFaults.paused("two nodes", nodes.get(1), nodes.get(3)),
                TortureFaults.paused("three nodes", nodes.get(0), nodes.get(2), nodes.get(4)),
                TortureFaults.restarted("a node", nodes.get(4)),
                TortureFaults.restarted("two nodes", nodes.get(2), nodes.get(3)),
                TortureFaults.emptied("a node", nodes.get(1), Timings.lease().plus(Timings.units(1))),
                TortureFaults.held("a node", environment.proxies.get(0)),
                TortureFaults.dropped("a node", environment.proxies.get(1)),
                TortureFaults.delayed("a node", environment.proxies.get(2)),
                TortureFaults.cut("a node", environment.proxies.get(3)),
                TortureFaults.closingIdle("the nodes", nodes.toArray(RedisServer[]::new))));
        environment.sharing = false;
        environment.longestHold = Timings.lease().dividedBy(50);
        environment.longestFault = Timings.lease();
        return environment.withClientFaults();
    }

    private void add(String name, Server server, Server whole, int port) {
        if (!servers.contains(whole)) {
            servers.add(whole);
        }
        FaultProxy proxy = FaultProxy.before(port);
        proxies.add(proxy);
        faults.addAll(List.of(
                TortureFaults.paused(name, server),
                TortureFaults.restarted(name, server),
                TortureFaults.held(name, proxy),
                TortureFaults.dropped(name, proxy),
                TortureFaults.delayed(name, proxy),
                TortureFaults.cut(name, proxy)));
    }

    private TortureEnvironment withClientFaults() {
        faults.add(TortureFaults.clientPaused());
        faults.add(TortureFaults.clientKilled());
        return this;
    }

    /**
     * Breaks other things than usual.
     *
     * @param these instead of all other faults
     * @return this
     */
    public TortureEnvironment only(Fault... these) {
        faults.clear();
        faults.addAll(List.of(these));
        return this;
    }

    /**
     * Lets several threads of each client work, so that they share what a client shares.
     *
     * @param number how many
     * @return this
     */
    public TortureEnvironment threads(int number) {
        threads = number;
        return this;
    }

    /**
     * Takes locks alone only, for subjects that others can't share.
     *
     * @return this
     */
    public TortureEnvironment exclusive() {
        sharing = false;
        return this;
    }

    /**
     * Lets three clients lead one election in turn, without fixed leases.
     *
     * @return this
     */
    public TortureEnvironment electing() {
        electing = true;
        return exclusive();
    }

    /**
     * Acquires random sets of six locks together, without fixed leases.
     *
     * @return this
     */
    public TortureEnvironment together() {
        together = true;
        return exclusive();
    }

    /**
     * Lets an operator break locks while clients work. Holds are longer than usual then, so that clients find out while
     * they hold. For a backend with the capability {@link io.hasp.LockCapabilities#inspection}.
     *
     * @param client opens the operator's client, which connects to {@link #address}
     * @return this
     */
    public TortureEnvironment operated(Supplier<LockClient> client) {
        operator = client;
        Duration longer = silence.multipliedBy(2);
        longestHold = longestHold.compareTo(longer) < 0 ? longer : longestHold;
        return this;
    }

    /**
     * Returns the address for clients, through the proxies.
     *
     * @return host and port, of several servers separated by commas; those of the sentinels, if there are any
     */
    public String address() {
        if (sentinels != null) {
            return sentinels.addresses();
        }
        return proxies.stream().map(proxy -> "127.0.0.1:" + proxy.port()).collect(Collectors.joining(","));
    }

    /**
     * Returns the time after which the servers should free the lock of a silent client: its lease or session timeout.
     *
     * @return the time that the clients should request
     */
    public Duration silence() {
        return silence;
    }

    /**
     * Tortures clients here.
     *
     * @param seed of all choices
     * @param time how long
     * @param opener opens clients that connect to {@link #address}
     * @return what came of it
     * @throws Exception as {@link Torture#run}
     */
    public TortureResult torture(long seed, Duration time, TortureClients.Opener opener) throws Exception {
        Setting usual = Setting.of(time, Timings.lease());
        Setting setting = new Setting(
                time,
                electing ? CANDIDATES : usual.clients(),
                electing ? 1 : usual.locks(),
                electing ? usual.longestWait().plus(silence) : usual.longestWait(),
                longestHold,
                electing ? Duration.ZERO : Timings.lease(),
                longestFault,
                threads,
                false,
                false);
        Setting ofKind = together ? setting.ofSets() : sharing ? setting.ofAllKinds() : setting;
        return Torture.run(new TorturePlan(seed, ofKind), opener, faults, true, checks(), operator);
    }

    /** A waiter may notice a free lock as late as the next poll, or the next connection. */
    private List<Check> checks() {
        List<Check> checks = new ArrayList<>(Checks.safety());
        if (operator != null) {
            checks.add(Checks.brokenHoldsEnd(silence.plus(Timings.units(1))));
        }
        if (together) {
            // A call waits for one lock at a time, and the others of its set may be free.
            return checks;
        }
        checks.add(Checks.noLostWakeUp(
                silence.plus(Timings.units(15)),
                silence.plus(Timings.tolerance()).plus(Timings.units(5))));
        return checks;
    }

    @Override
    public void close() {
        proxies.forEach(FaultProxy::close);
        servers.forEach(Server::close);
        if (sentinels != null) {
            sentinels.close();
        }
    }
}
