package io.hasp.postgres;

import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.Timings;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.processes.CrashableClient;
import io.hasp.conformance.processes.HaspSubjectFactory;
import io.hasp.conformance.rules.HaspConformance;
import io.hasp.conformance.rules.support.IsolatedClient;
import io.hasp.conformance.rules.support.ProxiedSubject;
import io.hasp.conformance.servers.PostgresServer;
import java.time.Duration;

/** Runs the rules on one PostgreSQL server. */
interface PostgresConformance extends HaspConformance {

    PostgresServer server();

    /** The port of clients: the server's, or of a pooler before it. */
    default int port() {
        return server().port();
    }

    /** Parameters of each URI, each with an ampersand before it. */
    default String parameters() {
        return "";
    }

    default String label() {
        return "hasp-postgres";
    }

    @Override
    default HaspSubject subject() {
        return subject(port());
    }

    private HaspSubject subject(int port) {
        return HaspSubject.at(label(), uri("127.0.0.1:" + port), Claimed.FIFO, Claimed.TOKEN_AFTER_DATA_LOSS)
                .sharing();
    }

    private String uri(String address) {
        return PostgresServer.uri(address) + parameters();
    }

    @Override
    default Faults faults() {
        return new PostgresFaults(server());
    }

    @Override
    default ClientJvm process(String name) {
        return process(name, "");
    }

    private ClientJvm process(String name, String more) {
        // Several start at once: connecting may take a busy machine longer than a command should.
        return ClientJvm.start(
                name, HaspSubjectFactory.class, uri("127.0.0.1:" + port()) + "&commandTimeout=10s" + more);
    }

    @Override
    default CrashableClient crashableKeeper(String name, Duration keep) {
        return process(name, "&keep=" + keep.toMillis() + "ms");
    }

    @Override
    default ProxiedSubject proxied() {
        FaultProxy proxy = FaultProxy.before(port());
        Duration lease = Timings.lease().multipliedBy(3);
        return new ProxiedSubject(proxy, subject(proxy.port()).leasing(lease), lease);
    }

    @Override
    default IsolatedClient isolated(String name) {
        return IsolatedClient.of(name, port(), HaspSubjectFactory.class, this::uri);
    }
}
