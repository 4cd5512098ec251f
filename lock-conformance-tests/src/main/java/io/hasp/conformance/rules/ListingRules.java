package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.hasp.BackendException;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockView;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.Timings;
import io.hasp.conformance.rules.support.DisturbsServer;
import io.hasp.conformance.rules.support.MostlyWaits;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun.Task;
import io.hasp.conformance.rules.support.TrickyNames;
import io.hasp.conformance.servers.Server;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** IN: listings of locks, also beside work and without a server. For backends that declare an inspector. */
public interface ListingRules extends RuleGroup {
    /** More than two pages. */
    int LOCKS = 230;

    int CLIENTS = 8;

    int NAMES = 4;

    @Override
    HaspSubject subject();

    /**
     * Names with the signs of paths, patterns and keys, each as a name and as the prefix of a listing.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void in5_listing_has_the_names_that_begin_with_its_prefix_and_no_others() throws Exception {
        try (InspectedRun run = InspectedRun.about(this, subject())) {
            LockClient client = run.client("holder");
            Set<String> names = new HashSet<>();
            for (String tricky : TrickyNames.ALL) {
                String name = run.lock() + tricky;
                if (name.getBytes(StandardCharsets.UTF_8).length <= 512) {
                    names.add(name);
                    InspectedRun.take(client.lock(name));
                }
            }
            for (String name : names) {
                assertThat(run.view(name).name()).as("a lock found by its name").isEqualTo(name);
                assertThat(names(run.inspector().locks(name)))
                        .as("the locks that begin with '" + name + "'")
                        .containsExactlyInAnyOrderElementsOf(names.stream()
                                .filter(other -> other.startsWith(name))
                                .toList());
            }
            assertThat(names(run.inspector().locks("")))
                    .as("all locks of the service")
                    .containsAll(names);
            assertThat(names(run.inspector().locks(run.lock() + "none"))).isEmpty();
        }
    }

    private static Set<String> names(Stream<LockView> views) {
        Set<String> names = new HashSet<>();
        views.forEach(view -> names.add(view.name()));
        return names;
    }

    /**
     * Other locks come and go during the listing.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void in5_listing_of_several_pages_has_each_lock_that_is_in_use_during_all_of_it() throws Exception {
        try (InspectedRun run = InspectedRun.about(this, subject())) {
            LockClient client = run.client("holder");
            Map<String, Long> held = new HashMap<>();
            for (int i = 0; i < LOCKS; i++) {
                String name = run.lock() + "-held-" + i;
                held.put(name, InspectedRun.take(client.lock(name)).fencingToken());
            }
            AtomicBoolean stop = new AtomicBoolean();
            LockClient other = run.client("other");
            Task<Integer> churn = run.run().start(() -> {
                int cycles = 0;
                for (; !stop.get(); cycles++) {
                    InspectedRun.take(other.lock(run.lock() + "-other-" + cycles % LOCKS))
                            .release();
                }
                return cycles;
            });
            for (int round = 0; round < 3; round++) {
                Map<String, Long> listed = new HashMap<>();
                run.inspector()
                        .locks(run.lock())
                        .forEach(view -> view.holders().stream()
                                .filter(holder -> holder.label().equals("holder"))
                                .forEach(holder -> listed.put(view.name(), holder.fencingToken())));
                assertThat(listed).as("the listed locks, with their tokens").isEqualTo(held);
            }
            assertThat(run.inspector().locks(run.lock() + "-held-").limit(3))
                    .as("the beginning of a listing")
                    .hasSize(3);
            stop.set(true);
            assertThat(churn.get()).isPositive();
        }
    }

    /**
     * Eight clients take turns at some locks, and an operator reads all the time.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void in6_reading_beside_work_disturbs_nothing_and_never_shows_two_holders() throws Exception {
        try (InspectedRun run = InspectedRun.about(this, subject())) {
            Lease still = InspectedRun.take(run.client("still").lock(run.lock() + "-still"));
            AtomicBoolean stop = new AtomicBoolean();
            AtomicInteger[] inside =
                    Stream.generate(AtomicInteger::new).limit(NAMES).toArray(AtomicInteger[]::new);
            List<Task<Integer>> working = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                LockClient client = run.client("worker-" + i);
                working.add(run.run().start(() -> work(client, run.lock(), inside, stop)));
            }
            Map<String, Long> newest = new HashMap<>();
            int seen = 0;
            long end = System.nanoTime() + Timings.units(20).toNanos();
            while (System.nanoTime() - end < 0) {
                seen += (int) run.inspector()
                        .locks(run.lock())
                        .peek(view -> assertPlausible(view, newest))
                        .count();
                for (int i = 0; i < NAMES; i++) {
                    run.inspector().lock(run.lock() + "-" + i).ifPresent(view -> assertPlausible(view, newest));
                }
            }
            stop.set(true);
            for (Task<Integer> work : working) {
                assertThat(work.get())
                        .as("acquisitions of one client beside an operator")
                        .isPositive();
            }
            assertThat(seen).as("locks that the operator saw").isPositive();
            assertThat(still.state()).isEqualTo(LeaseState.HELD);
            assertThat(run.holder(run.lock() + "-still").fencingToken()).isEqualTo(still.fencingToken());
        }
    }

    private static int work(LockClient client, String lock, AtomicInteger[] inside, AtomicBoolean stop)
            throws Exception {
        int done = 0;
        for (int i = 0; !stop.get(); i = (i + 1) % inside.length) {
            Lease lease = InspectedRun.take(client.lock(lock + "-" + i));
            assertThat(inside[i].incrementAndGet()).as("holders at a time").isEqualTo(1);
            inside[i].decrementAndGet();
            lease.release();
            done++;
        }
        return done;
    }

    private static void assertPlausible(LockView view, Map<String, Long> newest) {
        assertThat(view.holders()).as("the holders of an exclusive lock").hasSizeLessThanOrEqualTo(1);
        assertThat(view.holders().size() + view.waiting())
                .as("holders and waiters of a lock in use")
                .isPositive();
        view.newestToken().ifPresent(token -> {
            if (view.nodes().isEmpty()) {
                // Of several voting servers, a view has the tokens of those that answered.
                assertThat(token)
                        .as("the newest token in a later view")
                        .isGreaterThanOrEqualTo(newest.getOrDefault(view.name(), 0L));
                newest.put(view.name(), token);
            }
            assertThat(view.holders())
                    .as("tokens of holders beside the newest one")
                    .allMatch(holder -> holder.fencingToken() <= token);
        });
    }

    /**
     * A server that doesn't answer has no empty list of locks.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @DisturbsServer
    default void in7_unreachable_server_is_an_exception_and_never_a_service_without_locks() throws Exception {
        Server server = faults().server();
        try (InspectedRun run = InspectedRun.about(this, subject())) {
            Lease held = InspectedRun.take(run.client("holder").lock(run.lock()));
            server.pause();
            try {
                assertOutage(run, () -> run.inspector().locks(run.lock()).toList());
                assertOutage(run, () -> run.inspector().lock(run.lock()));
                assertOutage(run, () -> run.inspector().breakLock(run.lock(), held.fencingToken()));
            } finally {
                server.resume();
            }
            Awaitility.await("the inspector answers again")
                    .atMost(Timings.longWait())
                    .ignoreException(BackendException.class)
                    .until(() -> {
                        run.inspector().lock(run.lock());
                        return true;
                    });
        }
    }

    private static void assertOutage(InspectedRun run, ThrowingCallable call) throws Exception {
        Duration limit = Timings.longWait();
        run.run()
                .start(() -> {
                    assertThatExceptionOfType(BackendException.class)
                            .as("an operator's call while the server does not answer")
                            .isThrownBy(call)
                            .satisfies(
                                    failure -> assertThat(failure.kind()).isEqualTo(BackendException.Kind.UNAVAILABLE));
                    return true;
                })
                .within(limit, "an operator's call was not answered");
    }
}
