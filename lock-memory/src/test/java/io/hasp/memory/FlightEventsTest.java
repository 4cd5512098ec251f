package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hasp.ClientOptions;
import io.hasp.LeaderChange;
import io.hasp.LeaderElection;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LockClient;
import io.hasp.MultiLease;
import io.hasp.Registration;
import io.hasp.ReleaseResult;
import io.hasp.Term;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The events of locks in a flight recording. */
@InTier(Tier.STANDARD)
class FlightEventsTest {
    @TempDir
    Path folder;

    private final MemoryServer server = new MemoryServer(new RealClock());

    private interface Work {
        void run(LockClient client) throws Exception;
    }

    private List<RecordedEvent> recorded(Work work, String... kinds) throws Exception {
        Path file = folder.resolve("locks.jfr");
        try (Recording recording = new Recording();
                LockClient client = LockClient.over(server.link(), ClientOptions.defaults())) {
            // As if the program had run for a while.
            assertThat(client.lock("before").tryRun(lease -> {})).isTrue();
            for (String kind : kinds) {
                recording.enable("io.hasp." + kind).withThreshold(Duration.ZERO);
            }
            recording.start();
            work.run(client);
            recording.stop();
            recording.dump(file);
        }
        // The others are recorded too if they last for long enough.
        return events(file).stream()
                .filter(event ->
                        List.of(kinds).contains(event.getEventType().getName().replace("io.hasp.", "")))
                .toList();
    }

    private static List<RecordedEvent> events(Path file) throws IOException {
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith("io.hasp."))
                .sorted(Comparator.comparing(RecordedEvent::getStartTime))
                .toList();
    }

    @Test
    void an_acquisition_tells_its_lock_outcome_token_and_caller() throws Exception {
        List<RecordedEvent> events = recorded(
                client -> {
                    Lease lease = client.lock("a").acquire();
                    assertThat(client.lock("a").tryAcquire()).isEmpty();
                    assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
                    assertThat(client.lock("a").acquireAsync().get(10, TimeUnit.SECONDS))
                            .isNotNull();
                },
                "LockAcquire");
        assertThat(events).hasSize(3);
        assertThat(events).allMatch(event -> event.getString("lock").equals("a"));
        assertThat(events)
                .extracting(event -> event.getString("outcome"))
                .containsExactly("acquired", "contended", "acquired");
        assertThat(events.get(0).getLong("fencingToken")).isPositive();
        assertThat(events.get(1).getLong("fencingToken")).isZero();
        assertThat(events.get(0).getStackTrace().getFrames())
                .anyMatch(frame -> frame.getMethod().getType().getName().equals(FlightEventsTest.class.getName()));
    }

    @Test
    void a_wait_lasts_as_long_as_its_thread_sleeps() throws Exception {
        long[] waited = new long[1];
        List<RecordedEvent> events = recorded(
                client -> {
                    Lease held = client.lock("a").acquire();
                    CompletableFuture<?> releasing = CompletableFuture.runAsync(
                            held::release, CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS));
                    long begun = System.nanoTime();
                    client.lock("a").run(lease -> waited[0] = System.nanoTime() - begun);
                    releasing.get(10, TimeUnit.SECONDS);
                },
                "LockWait");
        assertThat(events).hasSize(1);
        assertThat(events.get(0).getString("lock")).isEqualTo("a");
        assertThat(events.get(0).getBoolean("heldInThisClient")).isTrue();
        assertThat(events.get(0).getThread().getJavaThreadId())
                .isEqualTo(Thread.currentThread().getId());
        assertThat(events.get(0).getDuration()).isPositive().isLessThanOrEqualTo(Duration.ofNanos(waited[0]));
    }

    @Test
    void a_hold_lasts_until_its_holder_gives_it_back_and_says_whether_it_was_lost() throws Exception {
        long[] tokens = new long[2];
        List<RecordedEvent> events = recorded(
                client -> {
                    try (Lease kept = client.lock("a").acquire()) {
                        tokens[0] = kept.fencingToken();
                    }
                    Lease lost = client.lock("b").acquire();
                    tokens[1] = lost.fencingToken();
                    server.expire("b");
                    lost.releaseAsync().get(10, TimeUnit.SECONDS);
                    assertThat(lost.release()).isNotNull();
                },
                "LockHold",
                "LockLoss");
        assertThat(events)
                .filteredOn(event -> event.getEventType().getName().equals("io.hasp.LockHold"))
                .extracting(event -> event.getLong("fencingToken"))
                .containsExactly(tokens[0], tokens[1]);
        assertThat(events)
                .filteredOn(event -> event.getEventType().getName().equals("io.hasp.LockLoss"))
                .singleElement()
                .satisfies(loss -> {
                    assertThat(loss.getLong("fencingToken")).isEqualTo(tokens[1]);
                    assertThat(loss.getString("reason")).contains("no longer had it");
                    assertThat(loss.getDuration("held")).isZero();
                });
    }

    @Test
    void a_hold_of_a_lease_that_was_lost_before_its_release_is_lost() throws Exception {
        VirtualTime time = new VirtualTime();
        MemoryServer other = new MemoryServer(time);
        MemoryLink link = other.link();
        List<RecordedEvent> events = recorded(
                any -> {
                    ClientOptions options =
                            ClientOptions.defaults().timing(time).executor(Runnable::run);
                    Lease lease = LockClient.over(link, options)
                            .lock("a")
                            .tryAcquire()
                            .orElseThrow();
                    link.partition();
                    time.advance(Duration.ofMinutes(1));
                    assertThat(lease.release()).isEqualTo(ReleaseResult.LOST);
                },
                "LockHold",
                "LockLoss");
        assertThat(events).hasSize(2);
        // In the order in which they begin.
        RecordedEvent hold = events.get(0);
        RecordedEvent loss = events.get(1);
        assertThat(hold.getBoolean("lost")).isTrue();
        assertThat(loss.getDuration("held")).isBetween(Duration.ofSeconds(10), Duration.ofMinutes(1));
    }

    @Test
    void a_call_for_several_locks_has_one_acquisition_and_a_hold_for_each_that_says_whether_it_was_lost()
            throws Exception {
        List<RecordedEvent> events = recorded(
                client -> {
                    MultiLease lease = client.allOf(client.lock("b"), client.lock("a"))
                            .tryAcquire()
                            .orElseThrow();
                    server.expire("b");
                    assertThat(lease.release()).containsEntry("b", ReleaseResult.LOST);
                },
                "LockAcquire",
                "LockHold");
        assertThat(events)
                .filteredOn(event -> event.getEventType().getName().equals("io.hasp.LockAcquire"))
                .singleElement()
                .matches(event -> event.getString("lock").equals("a, b"));
        assertThat(events)
                .filteredOn(event -> event.getEventType().getName().equals("io.hasp.LockHold"))
                .hasSize(2)
                .allMatch(event ->
                        event.getBoolean("lost") == event.getString("lock").equals("b"));
    }

    @Test
    void a_wait_for_several_locks_says_whether_this_client_had_the_one_that_it_waits_for() throws Exception {
        List<RecordedEvent> events = recorded(
                client -> {
                    Lease held = client.lock("b").acquire();
                    CompletableFuture<?> releasing = CompletableFuture.runAsync(
                            held::release, CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS));
                    client.allOf(client.lock("a"), client.lock("b")).run(lease -> {});
                    releasing.get(10, TimeUnit.SECONDS);
                    client.allOf(client.lock("a"), client.lock("b")).run(lease -> {});
                },
                "LockWait");
        assertThat(events).singleElement().matches(event -> event.getBoolean("heldInThisClient"));
    }

    @Test
    void a_term_is_a_hold_of_its_election_s_lock() throws Exception {
        long[] tokens = new long[2];
        MemoryLink link = server.link();
        List<RecordedEvent> events = recorded(
                any -> {
                    Duration patience = Duration.ofSeconds(10);
                    ClientOptions options = ClientOptions.defaults().renewedLease(Duration.ofMillis(300));
                    try (LockClient leader = LockClient.over(link, options)) {
                        LeaderElection election = leader.election("a");
                        tokens[0] = election.await(patience).orElseThrow().fencingToken();
                        assertThat(election.resign()).isTrue();
                        CountDownLatch lost = new CountDownLatch(1);
                        Term term = election.await(patience).orElseThrow();
                        tokens[1] = term.fencingToken();
                        Registration listening = election.onChange(Runnable::run, change -> {
                            if (change instanceof LeaderChange.Ended) {
                                lost.countDown();
                            }
                        });
                        link.partition();
                        assertThat(lost.await(10, TimeUnit.SECONDS)).isTrue();
                        listening.close();
                        leader.closeNow();
                    }
                },
                "LockAcquire",
                "LockHold",
                "LockLoss");
        assertThat(named("LockAcquire", events))
                .extracting(event -> event.getLong("fencingToken"))
                .contains(tokens[0], tokens[1]);
        assertThat(named("LockHold", events))
                .extracting(event -> event.getLong("fencingToken"), event -> event.getBoolean("lost"))
                .containsExactly(tuple(tokens[0], false), tuple(tokens[1], true));
        assertThat(named("LockLoss", events))
                .singleElement()
                .satisfies(loss -> assertThat(loss.getLong("fencingToken")).isEqualTo(tokens[1]));
    }

    private static List<RecordedEvent> named(String kind, List<RecordedEvent> events) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals("io.hasp." + kind))
                .toList();
    }

    @Test
    void what_is_brief_is_not_recorded_unless_the_recording_asks_for_it() throws Exception {
        Path file = folder.resolve("usual.jfr");
        try (Recording recording = new Recording();
                LockClient client = LockClient.over(server.link(), ClientOptions.defaults())) {
            for (String kind : List.of("LockAcquire", "LockWait", "LockHold", "LockLoss")) {
                recording.enable("io.hasp." + kind);
            }
            recording.start();
            try (Lease held = client.lock("a").acquire()) {
                TimeUnit.MILLISECONDS.sleep(20);
                held.ensureHeld();
            } catch (LeaseLostException e) {
                throw new AssertionError(e);
            }
            recording.stop();
            recording.dump(file);
        }
        assertThat(events(file))
                .extracting(event -> event.getEventType().getName())
                .contains("io.hasp.LockHold")
                .doesNotContain("io.hasp.LockLoss");
    }

    @Test
    void a_jvm_without_the_flight_recorder_takes_locks() throws Exception {
        String classPath = String.join(
                File.pathSeparator,
                classesOf(LockClient.class),
                classesOf(MemoryServer.class),
                classesOf(LocksWithoutRecorder.class));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--limit-modules",
                        "java.base",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath,
                        LocksWithoutRecorder.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).contains("the flight recorder is absent, and the lock was held");
    }

    private static String classesOf(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
    }
}
