package io.hasp.redis;

import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.processes.HaspInProcess;
import io.hasp.conformance.rules.HaspConformance;
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

    @AfterAll
    static void stop() {
        NODES.close();
    }
}
