package io.hasp.zookeeper;

import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.Tier;
import io.hasp.conformance.Timings;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.faults.ZooKeeperFaults;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.processes.CrashableClient;
import io.hasp.conformance.processes.HaspSubjectFactory;
import io.hasp.conformance.rules.HaspConformance;
import io.hasp.conformance.rules.SessionRules;
import io.hasp.conformance.rules.support.IsolatedClient;
import io.hasp.conformance.rules.support.ProxiedSubject;
import io.hasp.conformance.servers.Server;
import java.time.Duration;
import java.util.Set;

/** Runs the rules over ZooKeeper servers. */
interface ZooKeeperConformance extends HaspConformance, SessionRules {
    /** A line of the server's configuration: sessions end at ticks, and a single server uses ticks for nothing else. */
    String SHORT_TICKS = "tickTime=100";

    /** Longer than a lease: a busy machine must not end it. */
    Duration SESSION = Timings.lease().multipliedBy(2);

    /** Outlives a broken connection, which is noticed after two thirds of it and restored up to two seconds later. */
    Duration SESSION_ON_THE_WIRE = SESSION.multipliedBy(2);

    /** Sessions end at the ticks of the server, here at the longest ones. */
    Duration TWO_TICKS = Duration.ofSeconds(1);

    /** The name of the lock in reports. */
    String name();

    /** The scheme of the clients' URI. */
    String scheme();

    /** Under which path the server keeps the nodes of a lock. */
    String folder(String lock);

    /** All servers of the ensemble. */
    Server server();

    String connectString();

    /** The port of a server that serves alone if need be, for clients behind a disturbed network. */
    int port();

    @Override
    default HaspSubject subject() {
        return subject(connectString(), SESSION);
    }

    private HaspSubject subject(String address, Duration session) {
        return HaspSubject.at(name(), uri(address, session), Claimed.FIFO)
                .sharing()
                .silentFor(session.plus(TWO_TICKS));
    }

    private String uri(String address) {
        return uri(address, SESSION);
    }

    private String uri(String address, Duration session) {
        return scheme() + "://" + address + "?sessionTimeout=" + session.toMillis() + "ms";
    }

    @Override
    default ClientJvm process(String name) {
        return ClientJvm.start(name, HaspSubjectFactory.class, uri(connectString()));
    }

    @Override
    default CrashableClient crashableKeeper(String name, Duration keep) {
        return ClientJvm.start(
                name, HaspSubjectFactory.class, uri(connectString()) + "&keep=" + keep.toMillis() + "ms");
    }

    /** {@inheritDoc} ZooKeeper's client waits for up to two seconds before it connects again: the lease is the session. */
    @Override
    default ProxiedSubject proxied() {
        FaultProxy proxy = FaultProxy.before(port());
        HaspSubject subject = subject("127.0.0.1:" + proxy.port(), SESSION_ON_THE_WIRE);
        return new ProxiedSubject(proxy, subject.leasing(SESSION_ON_THE_WIRE), SESSION_ON_THE_WIRE);
    }

    @Override
    default IsolatedClient isolated(String name) {
        return IsolatedClient.of(name, port(), HaspSubjectFactory.class, this::uri);
    }

    @Override
    default Faults faults() {
        return new ZooKeeperFaults(server(), connectString(), this::folder);
    }

    /** {@inheritDoc} Here no more than a leak of one in a hundred needs to be seen: each cycle is two transactions. */
    @Override
    default int cycles() {
        return Tier.count(6_500, 100_000);
    }

    @Override
    default Set<String> skips() {
        return Set.of(
                // A server without its data counts its transactions from the beginning.
                "fe3_token_after_a_restart_without_data_is_larger",
                // A ZooKeeper server can't be made to hold back writes and answer reads.
                "ow2_release_that_reaches_the_server_late_leaves_the_next_holder_alone",
                // A session can't leave a lock taken.
                "in11_lock_that_stays_taken_is_free_after_a_break",
                // Watches survive the connection: see AmbiguityTest for a release during an interruption.
                "li3_waiter_wakes_when_the_notification_is_lost",
                // A recall is a watch, too: RecallAfterReconnectionTest.
                "ke10_keeper_that_is_not_told_of_others_keeps_a_lock_no_longer_than_it_said");
    }
}
