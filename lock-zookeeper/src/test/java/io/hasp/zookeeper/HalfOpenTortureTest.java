package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.NetworkNamespace;
import io.hasp.conformance.history.Event;
import io.hasp.conformance.servers.ZooKeeperEnsemble;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.conformance.torture.HalfOpenTorture;
import io.hasp.conformance.torture.TortureFaults;
import io.hasp.conformance.torture.TortureResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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

    private static final String BLOCKED = "the event thread of a client blocked";

    /** After a connection has broken, or a server goes on, a session may have ended, and its client hear of it later. */
    private static final Duration MISSED = SESSION.multipliedBy(2);

    /** Between two looks of a client at its lease, which are a millisecond apart. */
    private static final Duration STALL = Duration.ofMillis(500);

    /** As long as a third of the validity of a lease, while locks are held for less than 300 ms. */
    private static final Duration SILENCE = SESSION.dividedBy(4);

    private static final Set<Event.Kind> ANSWERS =
            Set.of(Event.Kind.GRANTED, Event.Kind.REFUSED, Event.Kind.RELEASED, Event.Kind.NOT_HELD);

    /** A client that hears nothing connects anew within its session timeout, or needs a new session. */
    private static final Duration BOUND = SESSION.plusSeconds(4);

    @BeforeEach
    void onlyInTheFullTier() {
        assumeTrue(Tier.current() == Tier.FULL, "takes a minute");
    }

    private static HalfOpenTorture ofPacketsIfPossible() {
        Optional<String> missing = NetworkNamespace.filterMissing();
        missing.ifPresent(reason -> System.err.println("bytes are lost in proxies: " + reason));
        return missing.isPresent() ? HalfOpenTorture.ofBytes() : HalfOpenTorture.ofPackets();
    }

    private static void torture(HalfOpenTorture torture, List<ZooKeeperServer> servers) throws Exception {
        torture(torture, HalfOpenSubjects.uri(before(torture, servers)));
    }

    private static String before(HalfOpenTorture torture, List<ZooKeeperServer> servers) {
        return servers.stream().map(server -> torture.before(server.port())).collect(Collectors.joining(","));
    }

    private static void torture(HalfOpenTorture torture, String argument) throws Exception {
        TortureResult result = torture.run(SEED, TIME, HalfOpenSubjects.class, argument, SESSION, BOUND, true);
        List<Event> events = result.history().events();
        System.err.println(argument + "\n" + result.report() + "\n"
                + of(Event.Kind.LOST, events).size() + " leases lost");
        result.verdict().orThrow();
        assertThat(lostWithoutSilence(events)).isEmpty();
        assertThat(result.work().held()).isPositive();
        assertThat(result.recovered())
                .extracting(client -> client.split("\\.", 2)[0])
                .contains("c0", "c1", "c2", "c3");
    }

    private static List<Event> of(Event.Kind kind, List<Event> events) {
        return events.stream().filter(event -> event.kind() == kind).toList();
    }

    /** Whether the servers stood still by themselves within a session before that moment, as on a machine that is too busy. */
    private static boolean answeredNobody(List<Event> events, long moment) {
        long since = moment - SESSION.toNanos();
        for (Event event : events) {
            if (ANSWERS.contains(event.kind()) && event.at() > moment - SESSION.toNanos()) {
                if (Math.min(event.at(), moment) - since > SILENCE.toNanos()) {
                    return true;
                }
                since = event.at();
            }
        }
        return moment - since > SILENCE.toNanos();
    }

    /** A thread of the application's that blocks is no reason, and a process that stood still is one. */
    private static List<Event> lostWithoutSilence(List<Event> events) {
        List<Event> silences = of(Event.Kind.FAULT, events).stream()
                .filter(fault -> !fault.client().equals(BLOCKED))
                .toList();
        List<Event> ends = of(Event.Kind.HEALED, events);
        return of(Event.Kind.LOST, events).stream()
                .filter(lost -> lost.at() - lost.value() < STALL.toNanos())
                .filter(lost -> !answeredNobody(events, lost.at()))
                .filter(lost -> silences.stream().noneMatch(fault -> {
                    long end = ends.stream()
                            .filter(healed -> healed.client().equals(fault.client()) && healed.at() >= fault.at())
                            .mapToLong(Event::at)
                            .findFirst()
                            .orElse(fault.at());
                    return fault.at() <= lost.at() && lost.at() <= end + MISSED.toNanos();
                }))
                .toList();
    }

    @Test
    void packets_that_are_lost_break_no_promise_of_one_server() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                HalfOpenTorture torture = ofPacketsIfPossible()) {
            torture(torture, List.of(server));
        }
    }

    @Test
    void packets_that_are_lost_break_no_promise_of_an_ensemble() throws Exception {
        try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start();
                HalfOpenTorture torture = ofPacketsIfPossible()) {
            torture(torture, ensemble.servers());
        }
    }

    @Test
    void bytes_that_are_lost_break_no_promise_of_an_ensemble() throws Exception {
        try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start();
                HalfOpenTorture torture = HalfOpenTorture.ofBytes()) {
            torture(torture, ensemble.servers());
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
            torture(torture, HalfOpenSubjects.own(before(torture, ensemble.servers())));
        }
    }

    @Test
    void nor_with_a_thread_of_the_application_that_blocks() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                HalfOpenTorture torture = ofPacketsIfPossible()) {
            torture.breaking(TortureFaults.clientErrors(BLOCKED));
            torture(torture, HalfOpenSubjects.own(before(torture, List.of(server))));
        }
    }
}
