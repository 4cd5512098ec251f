package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.NetworkNamespace;
import io.hasp.conformance.history.Event;
import io.hasp.conformance.history.LossReport;
import io.hasp.conformance.history.Verdict;
import io.hasp.conformance.servers.ZooKeeperEnsemble;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.conformance.torture.HalfOpenTorture;
import io.hasp.conformance.torture.TortureFaults;
import io.hasp.conformance.torture.TortureResult;
import io.hasp.zookeeper.session.SessionWitness;
import io.hasp.zookeeper.session.SilenceDetector;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Client processes whose connections are alive only in name. {@code hasp.torture.seed} and {@code hasp.torture.seconds} choose
 * another or a longer run.
 */
@Timeout(900)
class HalfOpenTortureTest {
    private static final long SEED = Long.getLong("hasp.torture.seed", 1);
    private static final Duration TIME = Duration.ofSeconds(Long.getLong("hasp.torture.seconds", 60));
    private static final Duration SESSION = HalfOpenSubjects.SESSION;

    /** The faults of the torture itself. */
    private static final String HALF_OPEN = "connections half open";

    private static final String NEEDLESSLY = "needlessly";
    private static final String BLOCKED = "the event thread of a client blocked";

    /** After a connection has broken, or a server goes on, a session may have ended, and its client hear of it later. */
    private static final Duration MISSED = SESSION.multipliedBy(2);

    /** Between two looks of a client at its lease, which are a millisecond apart. */
    private static final Duration STALL = Duration.ofMillis(500);

    /** As long as a client waits for an answer before it leaves a connection: servers that are silent for so long are too busy. */
    private static final Duration SILENCE = SilenceDetector.patience(SESSION).orElseThrow();

    /** ZooKeeper's client connects anew within the session timeout, or needs a new session. */
    private static final Duration BOUND = SESSION.plusSeconds(4);

    /** The longest poll interval of a waiter. */
    private static final Duration POLL = SESSION;

    /**
     * One poll, so less than two. A waiter keeps its place as long as its session, without polls. A client by a URI leaves a silent
     * connection within half of its session timeout. The rest of it is for a busy machine. An application's client leaves the connection
     * after two thirds, so it gets {@link #BOUND}, which is less than two polls as well.
     */
    private static final Duration PASSED_OVER = POLL;

    @BeforeEach
    void onlyInTheFullTier() {
        assumeTrue(Tier.current() == Tier.FULL, "takes a minute");
    }

    private static HalfOpenTorture ofPacketsIfPossible() {
        Optional<String> missing = NetworkNamespace.filterMissing();
        missing.ifPresent(reason -> System.err.println("bytes are lost in proxies: " + reason));
        return missing.isPresent() ? HalfOpenTorture.ofBytes() : HalfOpenTorture.ofPackets();
    }

    private static String before(HalfOpenTorture torture, List<ZooKeeperServer> servers) {
        return servers.stream().map(server -> torture.before(server.port())).collect(Collectors.joining(","));
    }

    private static void torture(HalfOpenTorture torture, List<ZooKeeperServer> servers, boolean own) throws Exception {
        String addresses = before(torture, servers);
        String argument = own ? HalfOpenSubjects.own(addresses) : HalfOpenSubjects.uri(addresses);
        Duration passedOver = own ? BOUND : PASSED_OVER;
        Map<String, List<Event>> lost;
        TortureResult result;
        try (SessionWitness witness = SessionWitness.of(servers)) {
            result = torture.run(SEED, TIME, HalfOpenSubjects.class, argument, SESSION, BOUND, Optional.of(passedOver));
            List<Event> events = result.history().events();
            lost = losses(events, witness, own);
            System.err.println(argument + "\n" + result.report() + "\n" + witness);
            lost.forEach((why, all) -> {
                System.err.println(all.size() + " leases lost " + why);
                all.forEach(one -> System.err.println(line(one, why, events, witness)));
            });
        }
        assertThat(result.verdicts()).allMatch(Verdict.Sound.class::isInstance);
        assertThat(lost).doesNotContainKey(NEEDLESSLY);
        assertThat(result.work().held()).isPositive();
        assertThat(result.recovered())
                .extracting(client -> client.split("\\.", 2)[0])
                .contains("c0", "c1", "c2", "c3");
    }

    private static List<Event> of(Event.Kind kind, List<Event> events) {
        return events.stream().filter(event -> event.kind() == kind).toList();
    }

    /**
     * Why leases were lost. A loss is needless if the servers still had the node, neither they nor the client's process stood still, and no fault
     * had struck for which the client has no cure. Half-open connections are such a fault for an application's client only. A thread of the
     * application that blocks is none.
     */
    private static Map<String, List<Event>> losses(List<Event> events, SessionWitness witness, boolean own) {
        List<Event> faults = of(Event.Kind.FAULT, events).stream()
                .filter(fault -> !fault.client().equals(BLOCKED))
                .filter(fault -> own || !fault.client().startsWith(HALF_OPEN))
                .toList();
        List<Event> ends = of(Event.Kind.HEALED, events);
        return of(Event.Kind.LOST, events).stream().collect(Collectors.groupingBy(lost -> {
            if (!witness.had(tokenOf(lost, events), lost.at())) {
                return "without a node";
            }
            if (lost.at() - lost.value() >= STALL.toNanos()) {
                return "in a process that stood still";
            }
            if (witness.longestSilence(SESSION, lost.at()).compareTo(SILENCE) >= 0) {
                return "while the servers were silent";
            }
            return faults.stream().anyMatch(fault -> excuses(fault, ends, lost)) ? "after a fault" : NEEDLESSLY;
        }));
    }

    /** One loss, with what the servers had and for how long they and the connections were silent. */
    private static String line(Event lost, String why, List<Event> events, SessionWitness witness) {
        Event granted = grantOf(lost, events);
        String record = witness.lastSeen(granted.value(), lost.at())
                + "; within a session timeout the servers were silent for "
                + witness.longestSilence(SESSION, lost.at()).toMillis() + " ms, the client last considered it held "
                + LossReport.before(lost.value(), lost.at());
        String faults = LossReport.faults(events, granted.at(), lost.at());
        return LossReport.line(lost.lock(), lost.client(), granted.value(), why, record, faults);
    }

    private static long tokenOf(Event lost, List<Event> events) {
        return grantOf(lost, events).value();
    }

    private static Event grantOf(Event lost, List<Event> events) {
        return of(Event.Kind.GRANTED, events).stream()
                .filter(granted -> granted.client().equals(lost.client()) && granted.attempt() == lost.attempt())
                .findFirst()
                .orElseThrow();
    }

    private static boolean excuses(Event fault, List<Event> ends, Event lost) {
        long end = ends.stream()
                .filter(healed -> healed.client().equals(fault.client()) && healed.at() >= fault.at())
                .mapToLong(Event::at)
                .findFirst()
                .orElse(fault.at());
        return fault.at() <= lost.at() && lost.at() <= end + MISSED.toNanos();
    }

    @Test
    void packets_that_are_lost_break_no_promise_of_one_server() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                HalfOpenTorture torture = ofPacketsIfPossible()) {
            torture(torture, List.of(server), false);
        }
    }

    @Test
    void packets_that_are_lost_break_no_promise_of_an_ensemble() throws Exception {
        try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start();
                HalfOpenTorture torture = ofPacketsIfPossible()) {
            torture(torture, ensemble.servers(), false);
        }
    }

    @Test
    void bytes_that_are_lost_break_no_promise_of_an_ensemble() throws Exception {
        try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start();
                HalfOpenTorture torture = HalfOpenTorture.ofBytes()) {
            torture(torture, ensemble.servers(), false);
        }
    }

    @Test
    void nor_with_servers_that_stand_still_and_a_thread_of_the_application_that_blocks() throws Exception {
        try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start();
                HalfOpenTorture torture = ofPacketsIfPossible()) {
            for (ZooKeeperServer server : ensemble.servers()) {
                torture.breaking(TortureFaults.paused("server on port " + server.port(), server));
            }
            torture.breaking(TortureFaults.clientErrors(BLOCKED));
            torture(torture, ensemble.servers(), true);
        }
    }

    @Test
    void nor_with_a_thread_of_the_application_that_blocks() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                HalfOpenTorture torture = ofPacketsIfPossible()) {
            torture.breaking(TortureFaults.clientErrors(BLOCKED));
            torture(torture, List.of(server), true);
        }
    }
}
