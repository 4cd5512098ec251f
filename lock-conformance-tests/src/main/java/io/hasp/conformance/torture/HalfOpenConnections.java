package io.hasp.conformance.torture;

import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.NetworkNamespace;
import io.hasp.conformance.faults.ProxiedConnection;
import io.hasp.conformance.faults.TrafficPolicy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * About half of the established connections carry nothing in either direction, and neither end is notified. New connections work.
 * Packets are lost in a network namespace, or bytes in the proxies where there is none.
 */
final class HalfOpenConnections implements Fault {
    private final List<FaultProxy> proxies;
    private final Optional<NetworkNamespace> network;
    private final boolean forGood;
    private final Map<FaultProxy, List<ProxiedConnection>> broken = new LinkedHashMap<>();

    /**
     * A fault of the connections through some proxies.
     *
     * @param proxies what the clients connect to
     * @param network where the clients are; empty if the proxies lose the bytes
     * @param forGood whether the connections stay as they are when the fault ends; otherwise all arrives late
     */
    HalfOpenConnections(List<FaultProxy> proxies, Optional<NetworkNamespace> network, boolean forGood) {
        this.proxies = proxies;
        this.network = network;
        this.forGood = forGood;
    }

    @Override
    public String name() {
        return "connections half open " + (forGood ? "for good" : "for a while");
    }

    @Override
    public boolean outage() {
        return false;
    }

    @Override
    public boolean restartsWaits() {
        return true;
    }

    @Override
    public void inject(TortureClients clients, long choice) {
        SplittableRandom random = new SplittableRandom(choice);
        for (FaultProxy proxy : proxies) {
            broken.put(
                    proxy,
                    proxy.connections().stream()
                            .filter(connection -> connection.open() && random.nextBoolean())
                            .toList());
        }
        if (network.isPresent()) {
            broken.forEach((proxy, some) -> network.get().dropConnections(proxy.port(), ports(some)));
        } else {
            set(forGood ? TrafficPolicy.DROP : TrafficPolicy.HOLD);
        }
    }

    private static List<Integer> ports(List<ProxiedConnection> some) {
        return some.stream().map(ProxiedConnection::clientPort).distinct().toList();
    }

    private void set(TrafficPolicy policy) {
        broken.values().stream().flatMap(List::stream).forEach(connection -> {
            for (Direction direction : Direction.values()) {
                connection.set(direction, policy);
            }
        });
    }

    @Override
    public void heal(TortureClients clients) {
        if (!forGood && network.isPresent()) {
            broken.forEach((proxy, some) -> network.get().restoreConnections(proxy.port(), ports(some)));
        } else if (!forGood) {
            set(TrafficPolicy.PASS);
        }
        broken.clear();
    }
}
