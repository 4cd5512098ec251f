package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientClosedException;
import io.hasp.ClientOptions;
import io.hasp.ElectionOptions;
import io.hasp.InvalidArgumentException;
import io.hasp.LeaderChange;
import io.hasp.LeaderElection;
import io.hasp.LeaseLostException;
import io.hasp.LeaseReleasedException;
import io.hasp.LockClient;
import io.hasp.LockEvent;
import io.hasp.Registration;
import io.hasp.Term;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LeaderElectionTest {
    private static final Executor THREADS = task -> new Thread(task, "beside the test").start();
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration LEASE = Duration.ofSeconds(2);

    private final MemoryServer server = new MemoryServer(new RealClock());
    private final MemoryLink link = server.link();
    private final LockClient client =
            LockClient.over(link, ClientOptions.defaults().renewedLease(LEASE).closeWithin(LONG));
    private final LockClient other =
            LockClient.over(server.link(), ClientOptions.defaults().renewedLease(LEASE));
    private final LeaderElection election = client.election("a", quick());
    private final LeaderElection rival = other.election("a", quick());

    private static ElectionOptions quick() {
        return ElectionOptions.defaults().pause(Duration.ofMillis(50));
    }

    @AfterEach
    void close() {
        link.heal();
        client.closeNow();
        other.closeNow();
    }

    @Test
    void nothing_is_sent_before_the_candidate_joins() throws Exception {
        assertThat(server.present("a")).isZero();
        assertThat(election.isLeader()).isFalse();
        assertThat(election.term()).isEmpty();
        assertThat(election.resign()).isFalse();
        assertThat(election.await(LONG)).isPresent();
        assertThat(server.present("a")).isEqualTo(1);
    }

    @Test
    void a_term_has_a_token_and_a_rest_until_it_is_resigned() throws Exception {
        Term term = election.await(LONG).orElseThrow();
        assertThat(term.name()).isEqualTo("a");
        assertThat(term.ended()).isFalse();
        assertThat(term.remaining()).isBetween(Duration.ofMillis(1), LEASE);
        assertThat(term.since()).isLessThan(LONG);
        term.ensureLeading();
        assertThat(election.term()).contains(term);
        rival.join();
        await().until(() -> server.present("a") == 2);
        assertThat(election.resign()).isTrue();
        assertThat(term.ended()).isTrue();
        assertThat(term.remaining()).isZero();
        assertThatThrownBy(term::ensureLeading).isInstanceOf(LeaseReleasedException.class);
        Term next = rival.await(LONG).orElseThrow();
        assertThat(next.fencingToken()).isGreaterThan(term.fencingToken());
    }

    @Test
    void a_candidate_that_resigned_goes_to_the_end_and_leads_again() throws Exception {
        long first = election.await(LONG).orElseThrow().fencingToken();
        rival.join();
        await().until(() -> server.present("a") == 2);
        election.resign();
        assertThat(rival.await(LONG)).isPresent();
        assertThat(election.await(Duration.ofMillis(100))).isEmpty();
        rival.resign();
        assertThat(election.await(LONG).orElseThrow().fencingToken()).isGreaterThan(first);
    }

    @Test
    void work_runs_in_each_term_until_the_election_is_closed() {
        AtomicInteger terms = new AtomicInteger();
        election.run(term -> terms.incrementAndGet());
        await().until(() -> terms.get() > 3);
        election.close();
        int ended = terms.get();
        assertThat(server.present("a")).isZero();
        assertThat(terms).hasValue(ended);
    }

    @Test
    void work_given_to_a_leader_begins_at_once() throws Exception {
        Term leads = election.await(LONG).orElseThrow();
        CompletableFuture<Term> worked = new CompletableFuture<>();
        election.run(worked::complete);
        assertThat(worked).succeedsWithin(LONG).isEqualTo(leads);
    }

    @Test
    void work_that_fails_is_tried_again_after_the_pause() {
        Queue<Long> begun = new ConcurrentLinkedQueue<>();
        election.run(term -> {
            begun.add(System.nanoTime());
            throw new IllegalStateException("not yet");
        });
        await().until(() -> begun.size() >= 3);
        long first = begun.remove();
        assertThat(Duration.ofNanos(begun.remove() - first)).isGreaterThanOrEqualTo(Duration.ofMillis(50));
    }

    @Test
    void a_rival_leads_while_the_one_whose_work_failed_pauses() throws Exception {
        LeaderElection patient = client.election("a", ElectionOptions.defaults().pause(Duration.ofHours(1)));
        CountDownLatch fails = new CountDownLatch(1);
        patient.run(term -> {
            fails.await();
            throw new LinkageError("not here");
        });
        await().until(patient::isLeader);
        rival.join();
        fails.countDown();
        assertThat(rival.await(LONG)).isPresent();
        patient.close();
    }

    @Test
    void a_resignation_interrupts_work_and_hands_over_only_when_it_has_ended() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch ends = new CountDownLatch(1);
        election.run(term -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                ends.await();
            }
        });
        await().until(election::isLeader);
        rival.join();
        await().until(() -> server.present("a") == 2);
        assertThat(election.resign()).isTrue();
        interrupted.await();
        assertThat(election.isLeader()).isFalse();
        assertThat(rival.await(Duration.ofMillis(200))).isEmpty();
        ends.countDown();
        assertThat(rival.await(LONG)).isPresent();
    }

    /** The interrupt comes before the end that it reports, so it does not hit the end of the work. */
    @Test
    void work_that_finds_its_term_ended_is_not_interrupted_afterwards() throws Exception {
        AtomicInteger late = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        AtomicInteger begun = new AtomicInteger();
        election.run(term -> {
            begun.incrementAndGet();
            while (!term.ended()) {
                Thread.onSpinWait();
            }
            boolean ignored = Thread.interrupted();
            long until = System.nanoTime() + 500_000;
            while (System.nanoTime() < until) {
                if (Thread.interrupted()) {
                    late.incrementAndGet();
                }
            }
            ended.incrementAndGet();
        });
        for (int i = 1; i <= 300; i++) {
            int terms = i;
            await().pollInterval(Duration.ofMillis(1)).until(() -> begun.get() == terms);
            assertThat(election.resign()).isTrue();
            await().pollInterval(Duration.ofMillis(1)).until(() -> ended.get() == terms);
        }
        assertThat(late).hasValue(0);
    }

    @Test
    void a_term_is_seen_by_the_listeners_of_locks() throws Exception {
        Queue<LockEvent> events = new ConcurrentLinkedQueue<>();
        MemoryLink cut = server.link();
        try (LockClient heard = LockClient.over(
                cut,
                ClientOptions.defaults().renewedLease(Duration.ofMillis(300)).addListener(events::add))) {
            LeaderElection shown = heard.election("shown", quick());
            Term resigned = shown.await(LONG).orElseThrow();
            shown.resign();
            await().until(() -> events.stream().anyMatch(LockEvent.Released.class::isInstance));
            Term lost = shown.await(LONG).orElseThrow();
            cut.partition();
            await().until(() -> events.stream().anyMatch(LockEvent.Lost.class::isInstance));
            assertThat(events.stream()
                            .filter(LockEvent.Acquired.class::isInstance)
                            .map(event -> ((LockEvent.Acquired) event).fencingToken()))
                    .containsExactly(resigned.fencingToken(), lost.fencingToken());
            assertThat(events)
                    .filteredOn(LockEvent.Lost.class::isInstance)
                    .singleElement()
                    .satisfies(event ->
                            assertThat(((LockEvent.Lost) event).fencingToken()).isEqualTo(lost.fencingToken()));
            heard.closeNow();
        }
    }

    @Test
    void work_may_resign_itself_and_is_not_interrupted() {
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        election.run(term -> {
            assertThat(election.resign()).isTrue();
            interrupted.complete(Thread.currentThread().isInterrupted());
        });
        assertThat(interrupted).succeedsWithin(LONG).isEqualTo(false);
    }

    @Test
    void work_is_interrupted_when_its_lease_is_lost_and_runs_again() {
        Queue<Term> terms = new ConcurrentLinkedQueue<>();
        AtomicInteger interrupted = new AtomicInteger();
        election.run(term -> {
            terms.add(term);
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.incrementAndGet();
            }
        });
        await().until(election::isLeader);
        link.partition();
        await().until(() -> interrupted.get() == 1);
        assertThat(election.isLeader()).isFalse();
        link.heal();
        await().atMost(LONG).until(election::isLeader);
        await().until(() -> terms.size() == 2);
        Term lost = terms.remove();
        assertThatThrownBy(lost::ensureLeading).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void listeners_hear_of_each_change_in_order_until_their_end() throws Exception {
        Queue<LeaderChange> changes = new ConcurrentLinkedQueue<>();
        Term first = election.await(LONG).orElseThrow();
        Registration registration = election.onChange(THREADS, changes::add);
        election.resign();
        Term second = election.await(LONG).orElseThrow();
        await().until(() -> changes.size() == 3);
        assertThat(changes.stream().map(LeaderChange::term)).containsExactly(first, first, second);
        assertThat(changes.stream().map(Object::getClass).map(Class::getSimpleName))
                .containsExactly("Elected", "Ended", "Elected");
        registration.close();
        election.close();
        assertThat(changes).hasSize(3);
    }

    @Test
    void a_listener_learns_of_a_loss_with_its_reason() throws Exception {
        Queue<LeaderChange> changes = new ConcurrentLinkedQueue<>();
        election.onChange(THREADS, changes::add);
        assertThat(election.await(LONG)).isPresent();
        link.partition();
        await().until(() -> changes.size() == 2);
        assertThat(List.copyOf(changes).get(1))
                .isInstanceOfSatisfying(
                        LeaderChange.Ended.class,
                        ended -> assertThat(ended.loss())
                                .hasValueSatisfying(why -> assertThat(why).contains("not confirmed")));
    }

    @Test
    void listeners_that_fail_block_or_are_refused_delay_no_one() throws Exception {
        Queue<LeaderChange> changes = new ConcurrentLinkedQueue<>();
        election.onChange(THREADS, change -> {
            throw new IllegalStateException("a listener that fails");
        });
        election.onChange(THREADS, change -> new CompletableFuture<>().join());
        election.onChange(
                task -> {
                    throw new RejectedExecutionException("full");
                },
                changes::add);
        election.onChange(THREADS, changes::add);
        assertThat(election.await(LONG)).isPresent();
        election.resign();
        assertThat(election.await(LONG)).isPresent();
        await().until(() -> changes.size() == 3);
    }

    @Test
    void closing_the_client_resigns_and_fails_those_who_wait() throws Exception {
        AtomicBoolean interrupted = new AtomicBoolean();
        election.run(term -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.set(true);
            }
        });
        await().until(election::isLeader);
        LeaderElection waits = client.election("a");
        CompletableFuture<Throwable> failed = new CompletableFuture<>();
        THREADS.execute(() -> {
            try {
                waits.await(LONG);
            } catch (Throwable e) {
                failed.complete(e);
            }
        });
        rival.join();
        client.close();
        assertThat(interrupted).isTrue();
        assertThat(rival.await(LONG)).isPresent();
        assertThat(failed).succeedsWithin(LONG).isInstanceOf(ClientClosedException.class);
        assertThatThrownBy(election::join).isInstanceOf(ClientClosedException.class);
    }

    @Test
    void work_may_close_its_election_and_its_client() {
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        election.run(term -> {
            election.close();
            client.close();
            closed.complete(true);
        });
        assertThat(closed).succeedsWithin(Duration.ofSeconds(5));
        await().until(() -> server.present("a") == 0);
    }

    @Test
    void a_closed_election_is_over_for_good() {
        election.join();
        election.close();
        election.close();
        assertThatThrownBy(election::join)
                .isInstanceOf(ClientClosedException.class)
                .hasMessage("election 'a' was closed");
        assertThatThrownBy(() -> election.run(term -> {})).isInstanceOf(ClientClosedException.class);
        assertThatThrownBy(() -> election.await(Duration.ZERO)).isInstanceOf(ClientClosedException.class);
        await().until(() -> server.present("a") == 0);
    }

    @Test
    @SuppressWarnings("NullAway") // Null is the bad input.
    void bad_arguments_are_refused_with_typed_errors() {
        List<Runnable> calls = List.of(
                () -> client.election(""),
                () -> client.election("a", null),
                () -> election.run(null),
                () -> election.onChange(null, change -> {}),
                () -> election.onChange(THREADS, null),
                () -> ElectionOptions.defaults().label(" "),
                () -> ElectionOptions.defaults().label(null),
                () -> ElectionOptions.defaults().pause(Duration.ZERO),
                () -> ElectionOptions.defaults().renewedLease(Duration.ZERO));
        for (Runnable call : calls) {
            assertThatThrownBy(call::run).isInstanceOf(InvalidArgumentException.class);
        }
        assertThatThrownBy(() -> election.await(Duration.ofNanos(-1))).isInstanceOf(InvalidArgumentException.class);
        election.run(term -> new CountDownLatch(1).await());
        assertThatThrownBy(() -> election.run(term -> {}))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("has its work already");
    }

    @Test
    void an_outage_at_the_beginning_is_waited_for() throws Exception {
        link.partition();
        election.join();
        assertThat(election.await(Duration.ofMillis(300))).isEmpty();
        link.heal();
        assertThat(election.await(LONG)).isPresent();
    }

    @Test
    void options_and_elections_describe_themselves() {
        ElectionOptions options = quick().label("node 3");
        assertThat(options).isEqualTo(quick().label("node 3")).hasSameHashCodeAs(quick().label("node 3"));
        assertThat(options).hasToString("the client's renewed lease, pause PT0.05S, label node 3");
        assertThat(client.election("b", options)).hasToString("LeaderElection[b, node 3]");
        assertThat(client.election("b").label())
                .endsWith(":" + ProcessHandle.current().pid());
    }
}
