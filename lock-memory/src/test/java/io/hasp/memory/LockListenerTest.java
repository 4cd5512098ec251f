package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.ClientOptions;
import io.hasp.DistributedReadWriteLock;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.LockEvent;
import io.hasp.LockListener;
import io.hasp.LockOptions;
import io.hasp.ReleaseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Every event of a lock's life, once and in order, with its token and its figures, for every listener. */
class LockListenerTest {
    private final VirtualTime time = new VirtualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final MemoryLink link = server.link();
    private final List<String> told = new ArrayList<>();
    private final ClientOptions options = ClientOptions.defaults().timing(time).executor(Runnable::run);
    private final LockClient client = LockClient.over(link, options.addListener(event -> told.add(event.toString())));

    private static String of(long token) {
        return "lock=a, fencingToken=" + token;
    }

    @Test
    void a_lock_that_is_waited_for_renewed_and_released() {
        LockClient other = LockClient.over(server.link(), options);
        Lease before = other.lock("a").tryAcquire().orElseThrow();
        CompletableFuture<Lease> lease = client.lock("a").acquireAsync();
        time.advance(Duration.ofSeconds(3));
        before.release();
        time.advance(Duration.ofSeconds(15));
        lease.join().release();
        long token = lease.join().fencingToken();
        assertThat(told)
                .containsExactly(
                        "Waiting[lock=a]",
                        "WaitEnded[lock=a]",
                        "Acquired[" + of(token) + ", waited=PT3S]",
                        "Renewed[" + of(token) + ", remaining=PT29.698S, delay=PT0S]",
                        "Released[" + of(token) + ", held=PT15S]");
    }

    @Test
    void an_extension_is_a_confirmation() {
        Lease lease = client.lock("a", LockOptions.defaults().fixedLease(Duration.ofSeconds(10)))
                .tryAcquire()
                .orElseThrow();
        time.advance(Duration.ofSeconds(3));
        lease.extend(Duration.ofMinutes(1));
        assertThat(told)
                .containsExactly(
                        "Acquired[" + of(lease.fencingToken()) + ", waited=PT0S]",
                        "Renewed[" + of(lease.fencingToken()) + ", remaining=PT59.398S, delay=PT0S]");
    }

    @Test
    void a_wait_that_others_made_vain_and_a_lock_that_is_handed_over() {
        Lease first = client.lock("a").tryAcquire().orElseThrow();
        long token = first.fencingToken();
        CompletableFuture<Optional<Lease>> vain = client.lock("a").tryAcquireAsync(Duration.ofMillis(5));
        CompletableFuture<Lease> next = client.lock("a").acquireAsync();
        time.advance(Duration.ofMillis(5));
        first.release();
        assertThat(vain).isDone();
        assertThat(next).isDone();
        assertThat(told)
                .containsExactly(
                        "Acquired[" + of(token) + ", waited=PT0S]",
                        "Waiting[lock=a]",
                        "Waiting[lock=a]",
                        "WaitEnded[lock=a]",
                        "Contended[lock=a, waited=PT0.005S]",
                        "Released[" + of(token) + ", held=PT0.005S]",
                        "HandedOff[" + of(token + 1) + "]",
                        "WaitEnded[lock=a]",
                        "Acquired[" + of(token + 1) + ", waited=PT0.005S]");
    }

    @Test
    void each_lease_of_a_downgrade_tells_its_own_time() {
        DistributedReadWriteLock lock = client.readWriteLock("a");
        Lease writing = lock.write().tryAcquire().orElseThrow();
        time.advance(Duration.ofSeconds(3));
        Lease reading = lock.downgrade(writing);
        time.advance(Duration.ofSeconds(2));
        reading.release();
        long token = writing.fencingToken();
        assertThat(told)
                .containsExactly(
                        "Acquired[" + of(token) + ", waited=PT0S]",
                        "Released[" + of(token) + ", held=PT3S]",
                        "Acquired[" + of(token + 1) + ", waited=PT0S]",
                        "Renewed[" + of(token + 1) + ", remaining=PT29.698S, delay=PT0S]",
                        "Released[" + of(token + 1) + ", held=PT2S]");
    }

    @Test
    void a_lock_that_becomes_suspect_is_lost_once_and_an_attempt_without_an_answer_is_unknown() {
        Lease lease = client.lock("a").tryAcquire().orElseThrow();
        long token = lease.fencingToken();
        told.clear();
        link.partition();
        time.advance(Duration.ofMinutes(1));
        assertThat(told)
                .containsExactly(
                        "Suspect[" + of(token) + ", remaining=PT14.598S]",
                        "Lost[" + of(token) + ", reason=it was not confirmed before its deadline:"
                                + " the in-memory server did not answer within PT0.1S, held=Optional[PT29.698S]]");
        lease.release();
        told.clear();
        CompletableFuture<Optional<Lease>> unanswered = client.lock("b").tryAcquireAsync(Duration.ZERO);
        time.advance(Duration.ofSeconds(1));
        assertThat(unanswered).isCompletedExceptionally();
        assertThat(told)
                .containsExactly(
                        "OutcomeUnknown[lock=b]",
                        "Unavailable[lock=b, waited=PT0.1S, reason=the in-memory server did not answer within PT0.1S]");
    }

    @Test
    void the_figures_of_an_event_are_there_for_programs_too() {
        List<Object> read = new ArrayList<>();
        LockClient heard = LockClient.over(link, options.addListener(event -> read.add(figure(event))));
        Lease lease = heard.lock("a").tryAcquire().orElseThrow();
        CompletableFuture<Optional<Lease>> vain = heard.lock("a").tryAcquireAsync(Duration.ofMillis(5));
        time.advance(Duration.ofMillis(5));
        lease.release();
        assertThat(heard.lock("b").tryAcquire()).isPresent();
        link.partition();
        time.advance(Duration.ofMinutes(1));
        assertThat(vain).isDone();
        assertThat(read)
                .containsExactly(
                        Duration.ZERO,
                        "Waiting",
                        "WaitEnded",
                        Duration.ofMillis(5),
                        Duration.ofMillis(5),
                        Duration.ZERO,
                        Duration.ofMillis(14_603),
                        "it was not confirmed before its deadline: the in-memory server did not answer within PT0.1S");
    }

    private static Object figure(LockEvent event) {
        if (event instanceof LockEvent.Acquired acquired) {
            return acquired.waited();
        } else if (event instanceof LockEvent.Contended contended) {
            return contended.waited();
        } else if (event instanceof LockEvent.Released released) {
            return released.held();
        } else if (event instanceof LockEvent.Suspect suspect) {
            return suspect.remaining();
        }
        return event instanceof LockEvent.Lost lost
                ? lost.reason()
                : event.getClass().getSimpleName();
    }

    @Test
    void a_wait_that_its_caller_gives_up_or_its_client_ends_has_an_end_too() {
        Lease lease = client.lock("a").tryAcquire().orElseThrow();
        CompletableFuture<Lease> cancelled = client.lock("a").acquireAsync();
        CompletableFuture<Lease> closed = client.lock("a").acquireAsync();
        told.clear();
        cancelled.cancel(false);
        assertThat(told).containsExactly("WaitEnded[lock=a]");
        client.closeNow();
        assertThat(closed).isCompletedExceptionally();
        assertThat(told)
                .containsExactly(
                        "WaitEnded[lock=a]",
                        "WaitEnded[lock=a]",
                        "Released[" + of(lease.fencingToken()) + ", held=PT0S]");
    }

    @Test
    void a_loss_says_how_long_the_lease_was_held_unless_its_release_said_so_before() {
        List<Optional<Duration>> held = new ArrayList<>();
        LockClient heard = LockClient.over(link, options.addListener(event -> {
            if (event instanceof LockEvent.Lost lost) {
                held.add(lost.held());
            }
        }));
        assertThat(heard.lock("a").tryAcquire()).isPresent();
        Lease deleted = heard.lock("b").tryAcquire().orElseThrow();
        server.expire("a");
        server.expire("b");
        assertThat(deleted.release()).isEqualTo(ReleaseResult.LOST);
        assertThat(held).containsExactly(Optional.empty());
        time.advance(Duration.ofMinutes(1));
        assertThat(held).containsExactly(Optional.empty(), Optional.of(Duration.ofSeconds(15)));
    }

    @Test
    void a_renewal_says_how_late_it_was_confirmed() {
        List<Duration> delays = new ArrayList<>();
        LockClient heard = LockClient.over(link, options.addListener(event -> {
            if (event instanceof LockEvent.Renewed renewed) {
                delays.add(renewed.delay());
            }
        }));
        assertThat(heard.lock("a").tryAcquire()).isPresent();
        time.advance(Duration.ofSeconds(15));
        assertThat(delays).containsExactly(Duration.ZERO);
        link.partition();
        time.advance(Duration.ofSeconds(16));
        link.heal();
        time.advance(Duration.ofSeconds(4));
        assertThat(delays).hasSize(2);
        assertThat(delays.get(1)).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(5));
    }

    @Test
    void a_listener_that_never_blocks_is_told_on_the_thread_on_which_it_happens() {
        List<Thread> threads = new CopyOnWriteArrayList<>();
        LockListener listener = new LockListener() {
            @Override
            public void onEvent(LockEvent event) {
                threads.add(Thread.currentThread());
                throw new AssertionError("a listener's bug");
            }

            @Override
            public boolean isNonBlocking() {
                return true;
            }
        };
        try (LockClient heard = LockClient.over(
                new MemoryServer(new RealClock()).link(),
                ClientOptions.defaults().addListener(listener))) {
            heard.lock("a").tryAcquire().orElseThrow().release();
        }
        assertThat(threads).containsExactly(Thread.currentThread(), Thread.currentThread());
    }

    @Test
    void every_event_of_a_lease_carries_its_token() {
        List<Long> tokens = new ArrayList<>();
        LockClient heard = LockClient.over(server.link(), options.addListener(event -> {
            if (event instanceof LockEvent.OfLease of) {
                tokens.add(of.fencingToken());
            }
        }));
        long token;
        try (Lease lease = heard.lock("a").tryAcquire().orElseThrow()) {
            token = lease.fencingToken();
            time.advance(Duration.ofSeconds(15));
        }
        assertThat(tokens).containsExactly(token, token, token);
    }

    @Test
    void a_listener_more_takes_no_listener_away_and_options_keep_their_own() {
        List<LockEvent> first = new ArrayList<>();
        List<LockEvent> second = new ArrayList<>();
        ClientOptions one = options.addListener(first::add);
        ClientOptions both = one.addListener(second::add);
        assertThat(one.listeners()).hasSize(1);
        assertThat(both.listeners()).hasSize(2).startsWith(one.listeners().get(0));
        LockClient heard = LockClient.over(server.link(), both);
        heard.lock("a").tryAcquire().orElseThrow().release();
        assertThat(first).hasSize(2).isEqualTo(second);
    }

    @Test
    void a_listener_that_throws_is_told_the_next_event_and_so_are_the_others() {
        List<LockEvent> before = new ArrayList<>();
        List<LockEvent> thrown = new ArrayList<>();
        List<LockEvent> after = new ArrayList<>();
        LockClient heard = LockClient.over(
                server.link(),
                options.addListener(before::add)
                        .addListener(event -> {
                            thrown.add(event);
                            throw new AssertionError("a listener's bug");
                        })
                        .addListener(after::add));
        Lease lease = heard.lock("a").tryAcquire().orElseThrow();
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(before).hasSize(2).isEqualTo(thrown).isEqualTo(after);
    }

    @Test
    void a_listener_that_blocks_holds_up_its_own_news_only_and_gets_it_in_order() {
        CountDownLatch blocked = new CountDownLatch(1);
        List<String> slow = new CopyOnWriteArrayList<>();
        List<String> quick = new CopyOnWriteArrayList<>();
        ClientOptions own = ClientOptions.defaults()
                .addListener(event -> {
                    try {
                        blocked.await();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                    slow.add(event.toString());
                })
                .addListener(event -> quick.add(event.toString()));
        try (LockClient heard = LockClient.over(new MemoryServer(new RealClock()).link(), own)) {
            for (int i = 0; i < 20; i++) {
                heard.lock("a").tryAcquire().orElseThrow().release();
            }
            Awaitility.await().until(() -> quick.size() == 40);
            assertThat(slow).isEmpty();
            blocked.countDown();
            Awaitility.await().until(() -> slow.size() == 40);
            assertThat(slow).isEqualTo(quick);
        } finally {
            blocked.countDown();
        }
    }
}
