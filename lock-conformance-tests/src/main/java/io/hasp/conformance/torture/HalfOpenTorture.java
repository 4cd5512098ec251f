package io.hasp.conformance.torture;

import io.hasp.BackendException;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.NetworkNamespace;
import io.hasp.conformance.history.Check;
import io.hasp.conformance.history.Checks;
import io.hasp.conformance.history.Explanation;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.processes.LockLoop;
import io.hasp.conformance.processes.SubjectFactory;
import io.hasp.conformance.rules.support.MachineLateness;
import io.hasp.conformance.torture.TorturePlan.Setting;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Client processes whose connections break without a sign at either end. Not thread-safe. */
public final class HalfOpenTorture implements AutoCloseable {
    private static final int CLIENTS = 4;
    private static final int LOCKS = 2;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);
    private static final Duration LONGEST_HOLD = Duration.ofMillis(300);
    private static final Duration LONGEST_FAULT = Duration.ofSeconds(30);
    private static final int FAULTS = 6;
    private static final int CONNECTS = 10;

    private final List<FaultProxy> proxies = new ArrayList<>();
    private final List<Fault> faults = new ArrayList<>();
    private final List<Check> checks = new ArrayList<>();
    private Explanation explanation = (lock, from, to) -> "";
    private final Optional<NetworkNamespace> network;
    private final MachineLateness lateness = new MachineLateness();

    private HalfOpenTorture(Optional<NetworkNamespace> network) {
        this.network = network;
        faults.add(new HalfOpenConnections(proxies, network, false));
        faults.add(new HalfOpenConnections(proxies, network, true));
    }

    /**
     * Loses bytes in proxies.
     *
     * @return a new torture without servers
     */
    public static HalfOpenTorture ofBytes() {
        return new HalfOpenTorture(Optional.empty());
    }

    /**
     * Loses packets in a network namespace, so that nothing is acknowledged.
     *
     * @return a new torture without servers
     * @throws IllegalStateException as {@link NetworkNamespace#filterMissing} says
     */
    public static HalfOpenTorture ofPackets() {
        return new HalfOpenTorture(Optional.of(NetworkNamespace.open()));
    }

    /**
     * The names of all locks: two that the clients contend for, and one for each client that it holds for longer than a lease.
     *
     * @return the names
     */
    public static List<String> locks() {
        List<String> names = new ArrayList<>();
        IntStream.range(0, LOCKS).mapToObj(lock -> "torture-" + lock).forEach(names::add);
        IntStream.range(0, CLIENTS).mapToObj(HalfOpenTorture::held).forEach(names::add);
        return names;
    }

    private static String held(int place) {
        return "held-" + place;
    }

    /**
     * Opens a client and uses it once, as often as that needs. On a busy machine the first calls of a process take longer than a command
     * may, because its classes are loaded for them; that says nothing of the lock.
     *
     * @param opener connects
     * @return an open client
     */
    public static LockClient opened(Supplier<LockClient> opener) {
        for (int tried = 1; ; tried++) {
            try {
                return used(opener.get());
            } catch (BackendException slow) {
                if (tried == CONNECTS) {
                    throw slow;
                }
            }
        }
    }

    private static LockClient used(LockClient client) {
        boolean used = false;
        try {
            client.lock("first").tryAcquire().ifPresent(Lease::release);
            used = true;
            return client;
        } finally {
            if (!used) {
                client.closeNow();
            }
        }
    }

    /**
     * Returns the address of the proxies.
     *
     * @return an address that clients and servers can reach
     */
    public String host() {
        return address().getHostAddress();
    }

    private InetAddress address() {
        return network.map(NetworkNamespace::outsideAddress).orElseGet(InetAddress::getLoopbackAddress);
    }

    /**
     * Breaks something else in turn with the connections.
     *
     * @param fault any fault that leaves the client processes alive
     * @return this torture
     */
    public HalfOpenTorture breaking(Fault fault) {
        faults.add(fault);
        return this;
    }

    /**
     * Demands more of the history.
     *
     * @param check one more check
     * @return this torture
     */
    public HalfOpenTorture checking(Check check) {
        checks.add(check);
        return this;
    }

    /**
     * Explains violations.
     *
     * @param record what an observer recorded
     * @return this torture
     */
    public HalfOpenTorture explainedBy(Explanation record) {
        explanation = record;
        return this;
    }

    /**
     * Puts a proxy before a server.
     *
     * @param port the server's port on 127.0.0.1
     * @return where clients reach it, such as {@code 127.0.0.1:31234}
     */
    public String before(int port) {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        FaultProxy proxy = FaultProxy.before(new InetSocketAddress(loopback, port), address());
        proxies.add(proxy);
        return host() + ":" + proxy.port();
    }

    /**
     * Tortures clients.
     *
     * @param seed of all choices
     * @param time how long
     * @param factory makes the lock under test in each client process
     * @param argument handed to the factory
     * @param silence after how long the servers free the lock of a silent client
     * @param bound how long a client may need to reach the servers again, and then to notice that it is its turn
     * @param inOrder how long a waiter may be passed over, on a machine that is not late; empty if waiters are not served in order
     * @return what came of it
     * @throws Exception as {@link Torture#run}
     */
    public TortureResult run(
            long seed,
            Duration time,
            Class<? extends SubjectFactory> factory,
            String argument,
            Duration silence,
            Duration bound,
            Optional<Duration> inOrder)
            throws Exception {
        Duration longest = time.dividedBy(FAULTS);
        Setting setting = new Setting(
                time,
                CLIENTS,
                LOCKS,
                LONGEST_WAIT,
                LONGEST_HOLD,
                Duration.ZERO,
                longest.compareTo(LONGEST_FAULT) < 0 ? longest : LONGEST_FAULT,
                1,
                false,
                false);
        List<Check> all = new ArrayList<>(Checks.safety());
        all.addAll(checks);
        all.add(Checks.noLostWakeUp(bound, silence.plus(bound), lateness::allowance));
        inOrder.ifPresent(limit -> all.add(Checks.noPassingOver(limit, lateness::allowance)));
        Duration hold = silence.multipliedBy(3).dividedBy(2);
        return Torture.run(
                new TorturePlan(seed, setting),
                name -> holding(
                        start(name, factory, argument),
                        LockLoop.on(held(place(name)), time).holding(hold)),
                faults,
                true,
                all.stream().map(check -> check.explainedBy(explanation)).toList());
    }

    private ClientJvm start(String name, Class<? extends SubjectFactory> factory, String argument) {
        UnaryOperator<List<String>> where = network.<UnaryOperator<List<String>>>map(inside -> inside::inside)
                .orElse(UnaryOperator.identity());
        return ClientJvm.start(name, factory, argument, where);
    }

    /** Its history says what comes of it; the end of the client ends it. */
    @SuppressWarnings("FutureReturnValueIgnored")
    private static ClientJvm holding(ClientJvm client, LockLoop loop) {
        client.looping(loop);
        return client;
    }

    /** Of {@code c2.7}: 2. */
    private static int place(String client) {
        return Integer.parseInt(client.substring(1, client.indexOf('.')));
    }

    @Override
    public void close() {
        lateness.close();
        proxies.forEach(FaultProxy::close);
        network.ifPresent(NetworkNamespace::close);
    }
}
