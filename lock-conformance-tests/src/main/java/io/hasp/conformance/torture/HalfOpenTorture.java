package io.hasp.conformance.torture;

import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.NetworkNamespace;
import io.hasp.conformance.history.Check;
import io.hasp.conformance.history.Checks;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.processes.SubjectFactory;
import io.hasp.conformance.torture.TorturePlan.Setting;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Client processes whose connections break without a sign at either end. Not thread-safe. */
public final class HalfOpenTorture implements AutoCloseable {
    private static final int CLIENTS = 4;
    private static final int LOCKS = 2;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);
    private static final Duration LONGEST_HOLD = Duration.ofMillis(300);
    private static final Duration LONGEST_FAULT = Duration.ofSeconds(30);
    private static final int FAULTS = 6;

    private final List<FaultProxy> proxies = new ArrayList<>();
    private final Optional<NetworkNamespace> network;

    private HalfOpenTorture(Optional<NetworkNamespace> network) {
        this.network = network;
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
     * Puts a proxy before a server.
     *
     * @param port the server's port on 127.0.0.1
     * @return where clients reach it, such as {@code 127.0.0.1:31234}
     */
    public String before(int port) {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        InetAddress address = network.map(NetworkNamespace::outsideAddress).orElse(loopback);
        FaultProxy proxy = FaultProxy.before(new InetSocketAddress(loopback, port), address);
        proxies.add(proxy);
        return address.getHostAddress() + ":" + proxy.port();
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
     * @param inOrder whether waiters are served in order
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
            boolean inOrder)
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
                false);
        List<Check> checks = new ArrayList<>(Checks.safety());
        checks.add(Checks.noLostWakeUp(bound, silence.plus(bound)));
        if (inOrder) {
            checks.add(Checks.noPassingOver(bound));
        }
        UnaryOperator<List<String>> where = network.<UnaryOperator<List<String>>>map(inside -> inside::inside)
                .orElse(UnaryOperator.identity());
        return Torture.run(
                new TorturePlan(seed, setting),
                name -> ClientJvm.start(name, factory, argument, where),
                List.of(
                        new HalfOpenConnections(proxies, network, false),
                        new HalfOpenConnections(proxies, network, true)),
                true,
                checks);
    }

    @Override
    public void close() {
        proxies.forEach(FaultProxy::close);
        network.ifPresent(NetworkNamespace::close);
    }
}
