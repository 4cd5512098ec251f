package io.hasp.redis;

import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.processes.HaspInProcess;
import io.hasp.conformance.rules.HaspConformance;
import io.hasp.conformance.rules.Wire;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;

/** The rules over Redlock on five Redis processes; none is skipped. */
class RedlockConformanceTest implements HaspConformance {
    private static final RedlockServers NODES = RedlockServers.start(5);
    private static final String NAME = "hasp-redlock";

    @Override
    public HaspSubject subject() {
        return HaspSubject.at(NAME, NODES.uri());
    }

    @Override
    public Faults faults() {
        return NODES;
    }

    @Override
    public ClientJvm process(String name) {
        return ClientJvm.start(name, HaspInProcess.class, NODES.uri());
    }

    /** The proxy stands before one node: what it breaks, the majority makes up for. */
    @Override
    public Wire wire() {
        List<Integer> ports = new ArrayList<>();
        NODES.nodes().forEach(node -> ports.add(node.port()));
        FaultProxy proxy = FaultProxy.before(ports.get(0));
        ports.set(0, proxy.port());
        return new Wire(proxy, HaspSubject.at(NAME, RedlockServers.uri(ports)));
    }

    @AfterAll
    static void stop() {
        NODES.close();
    }
}
