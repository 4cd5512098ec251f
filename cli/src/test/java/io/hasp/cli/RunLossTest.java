package io.hasp.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.NetworkNamespace;
import io.hasp.conformance.processes.ScratchFolder;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.ZooKeeperServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The command under {@code hasp run} ends before its lease does, whichever process or server dies, stops or is cut off. */
class RunLossTest {
    private static final Duration LEASE = Duration.ofSeconds(4);

    /** A child in the group that survives SIGTERM and writes the time, as the command itself does until SIGTERM. */
    private static final String STUBBORN = """
            file=$1
            bash -c 'trap "" TERM; while :; do echo "$EPOCHREALTIME child" >>"$1"; sleep 0.02; done' x "$file" &
            trap 'echo "$EPOCHREALTIME term" >>"$file"; exit 0' TERM
            while :; do echo "$EPOCHREALTIME own" >>"$file"; sleep 0.02; done
            """;

    private final RedisServer redis = RedisServer.start();
    private final ScratchFolder folder = ScratchFolder.create();
    private final Path beats = folder.path().resolve("beats");

    @BeforeEach
    void create() throws IOException {
        Files.createFile(beats);
    }

    @AfterEach
    void close() {
        redis.close();
        folder.close();
    }

    private HaspProcess stubborn(String uri) {
        return start(uri + "?renewedLease=" + LEASE.toSeconds() + "s");
    }

    private HaspProcess start(String uri) {
        return HaspProcess.start(uri, "run", "x", "--", "bash", "-c", STUBBORN, "x", beats.toString());
    }

    private void awaitBeats(String who) {
        await().until(() -> Files.readString(beats).contains(who));
    }

    /** The time of the last line, in seconds since 1970. */
    private double lastBeat() throws IOException {
        List<String> lines = Files.readAllLines(beats);
        return Double.parseDouble(lines.get(lines.size() - 1).split(" ")[0].replace(',', '.'));
    }

    private static double now() {
        return System.currentTimeMillis() / 1e3;
    }

    private void awaitSilence() {
        await().until(() -> now() - lastBeat() > 0.5);
    }

    /** A lease that was confirmed at the latest now ends no earlier than after its length, less what a request takes. */
    private void assertEndedWithin(double begin) throws IOException {
        assertThat(lastBeat()).isLessThan(begin + LEASE.toMillis() / 1e3);
        assertThat(Files.readString(beats)).contains("term");
    }

    @Test
    @InTier(Tier.STANDARD)
    void a_server_that_is_killed_stops_the_group_before_the_lease_ends() throws Exception {
        try (HaspProcess hasp = stubborn(redis.uri())) {
            awaitBeats("child");
            double begin = now();
            redis.kill();
            assertThat(hasp.exit()).isEqualTo(75);
            assertEndedWithin(begin);
            assertThat(hasp.err()).contains("can't be confirmed at present", "SIGTERM");
        }
    }

    @Test
    void a_hasp_that_is_killed_takes_the_group_with_it_while_the_lock_is_still_held() throws Exception {
        try (LockClient locks = LockClient.connect(redis.uri());
                HaspProcess hasp = stubborn(redis.uri())) {
            awaitBeats("child");
            double begin = now();
            hasp.signal("KILL");
            assertThat(hasp.exit()).isEqualTo(137);
            await().until(() -> now() - lastBeat() > 0.2);
            assertThat(locks.inspector().lock("x")).isPresent();
            awaitSilence();
            assertEndedWithin(begin);
        }
    }

    @Test
    @InTier(Tier.STANDARD)
    void on_ZooKeeper_the_group_ends_before_the_session_whoever_is_killed() throws Exception {
        try (ZooKeeperServer zooKeeper = ZooKeeperServer.start()) {
            String uri = "zookeeper://" + zooKeeper.connectString() + "?sessionTimeout=" + LEASE.toSeconds() + "s";
            try (LockClient locks = LockClient.connect(uri);
                    HaspProcess hasp = start(uri)) {
                awaitBeats("child");
                double begin = now();
                hasp.signal("KILL");
                await().until(() -> now() - lastBeat() > 0.2);
                assertThat(locks.inspector().lock("x")).isPresent();
                assertEndedWithin(begin);
            }
            Files.writeString(beats, "");
            try (HaspProcess hasp = start(uri)) {
                awaitBeats("child");
                double begin = now();
                zooKeeper.kill();
                assertThat(hasp.exit()).isEqualTo(75);
                assertEndedWithin(begin);
            }
        }
    }

    @Test
    @InTier(Tier.STANDARD)
    void a_hasp_that_is_paused_stops_the_group_before_the_lease_ends() throws Exception {
        try (HaspProcess hasp = stubborn(redis.uri())) {
            awaitBeats("child");
            double begin = now();
            hasp.signal("STOP");
            awaitSilence();
            assertEndedWithin(begin);
            hasp.signal("CONT");
            assertThat(hasp.exit()).isEqualTo(75);
            assertThat(hasp.err()).contains("hasp: lock 'x' was");
        }
    }

    @Test
    @InTier(Tier.STANDARD)
    void a_server_that_is_paused_stops_the_group_and_one_that_continues_in_time_does_not() throws Exception {
        try (HaspProcess hasp = stubborn(redis.uri())) {
            awaitBeats("child");
            redis.pause();
            await().until(() -> hasp.err().contains("can't be confirmed at present"));
            redis.resume();
            await().until(() -> hasp.err().contains("is confirmed again"));
            double begin = now();
            redis.pause();
            assertThat(hasp.exit()).isEqualTo(75);
            redis.resume();
            assertEndedWithin(begin);
        }
    }

    @Test
    @InTier(Tier.STANDARD)
    void a_broken_lock_stops_the_group_at_the_next_renewal() throws Exception {
        try (LockClient locks = LockClient.connect(redis.uri());
                HaspProcess hasp = stubborn(redis.uri())) {
            awaitBeats("child");
            long token =
                    locks.inspector().lock("x").orElseThrow().holders().get(0).fencingToken();
            double begin = now();
            InProcess broken =
                    InProcess.run("break", "x", "--token", Long.toString(token), "--yes", "--uri", redis.uri());
            assertThat(broken.exit()).isZero();
            assertThat(hasp.exit()).isEqualTo(75);
            assertEndedWithin(begin);
            assertThat(hasp.err()).contains("was lost", "SIGTERM");
        }
    }

    @Test
    @InTier(Tier.STANDARD)
    void a_lock_that_is_lost_while_the_command_handles_a_signal_still_ends_it() throws Exception {
        String handling = "trap 'echo term >>\"$1\"; sleep 60' TERM; echo up >>\"$1\"; while :; do sleep 0.02; done";
        try (LockClient locks = LockClient.connect(redis.uri());
                HaspProcess hasp = HaspProcess.start(
                        redis.uri() + "?renewedLease=4s",
                        "run",
                        "x",
                        "--",
                        "bash",
                        "-c",
                        handling,
                        "x",
                        beats.toString())) {
            awaitBeats("up");
            hasp.signal("TERM");
            awaitBeats("term");
            assertThat(hasp.alive()).isTrue();
            long token =
                    locks.inspector().lock("x").orElseThrow().holders().get(0).fencingToken();
            assertThat(locks.inspector().breakLock("x", token)).isTrue();
            assertThat(hasp.exit()).isEqualTo(75);
        }
    }

    @Test
    @InTier(Tier.STANDARD)
    void a_host_that_is_cut_off_stops_its_command_before_the_other_host_begins() throws Exception {
        Optional<String> missing = NetworkNamespace.missing();
        assumeThat(missing).as("%s", missing.orElse("")).isEmpty();
        try (NetworkNamespace first = NetworkNamespace.open();
                NetworkNamespace second = NetworkNamespace.open();
                FaultProxy toFirst = proxy(first);
                FaultProxy toSecond = proxy(second);
                HaspProcess cutOff = HaspProcess.start(
                        uri(first, toFirst),
                        "",
                        first::inside,
                        "run",
                        "x",
                        "--",
                        "bash",
                        "-c",
                        STUBBORN,
                        "x",
                        beats.toString())) {
            awaitBeats("child");
            String other = "echo \"$EPOCHREALTIME other\" >>\"$1\"; sleep 0.5";
            try (HaspProcess next = HaspProcess.start(
                    uri(second, toSecond),
                    "",
                    second::inside,
                    "run",
                    "x",
                    "--",
                    "bash",
                    "-c",
                    other,
                    "x",
                    beats.toString())) {
                double begin = now();
                first.partition();
                assertThat(cutOff.exit()).isEqualTo(75);
                assertThat(next.exit()).isZero();
                List<String> lines = Files.readAllLines(beats);
                assertThat(lines.get(lines.size() - 1)).endsWith("other");
                assertThat(lines).filteredOn(line -> line.endsWith("other")).hasSize(1);
                double last = Double.parseDouble(
                        lines.get(lines.size() - 2).split(" ")[0].replace(',', '.'));
                assertThat(last).isBetween(begin, begin + LEASE.toMillis() / 1e3);
            }
        }
    }

    private FaultProxy proxy(NetworkNamespace of) {
        return FaultProxy.before(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), redis.port()), of.outsideAddress());
    }

    private static String uri(NetworkNamespace from, FaultProxy proxy) {
        return "redis://" + from.outsideAddress().getHostAddress() + ":" + proxy.port() + "?renewedLease="
                + LEASE.toSeconds() + "s";
    }
}
