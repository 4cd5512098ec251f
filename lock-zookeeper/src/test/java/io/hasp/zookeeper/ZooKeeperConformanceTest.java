package io.hasp.zookeeper;

import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.Timings;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.faults.ZooKeeperFaults;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.processes.HaspInProcess;
import io.hasp.conformance.rules.HaspConformance;
import io.hasp.conformance.rules.Wire;
import io.hasp.conformance.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;

/** The rules over a single server. */
class ZooKeeperConformanceTest implements HaspConformance {
    /** Longer than a lease: a busy disk keeps a ZooKeeper server silent for seconds, which must not end the sessions. */
    private static final long SESSION_LEASES = 4;

    /** Sessions end at the ticks of the server. */
    private static final Duration TWO_TICKS = Duration.ofSeconds(1);

    private static final ZooKeeperServer SERVER = ZooKeeperServer.start();

    @Override
    public HaspSubject subject() {
        return subject(SERVER.connectString());
    }

    private static HaspSubject subject(String address) {
        return HaspSubject.at("hasp-zookeeper", uri(address), Claimed.FIFO)
                .silentFor(session().plus(TWO_TICKS));
    }

    private static Duration session() {
        return Timings.lease().multipliedBy(SESSION_LEASES);
    }

    private static String uri(String address) {
        return "zookeeper://" + address + "?sessionTimeout=" + session().toMillis() + "ms";
    }

    @Override
    public ClientJvm process(String name) {
        return ClientJvm.start(name, HaspInProcess.class, uri(SERVER.connectString()));
    }

    @Override
    public Wire wire() {
        FaultProxy proxy = FaultProxy.before(SERVER.port());
        return new Wire(proxy, subject("127.0.0.1:" + proxy.port()));
    }

    @Override
    public Faults faults() {
        return new ZooKeeperFaults(SERVER, SERVER.connectString(), Servers::folder);
    }

    @Override
    public Set<String> skips() {
        return Set.of(
                // A server without its data counts its transactions from the beginning.
                "fe3_token_after_a_restart_without_data_is_larger",
                // Nothing makes a ZooKeeper server hold writes back and answer reads.
                "ow2_release_that_reaches_the_server_late_leaves_the_next_holder_alone",
                // Watches survive the connection: see AmbiguityTest for a release during an interruption.
                "li3_waiter_wakes_when_the_notification_is_lost");
    }

    @AfterAll
    static void stop() {
        SERVER.close();
    }
}
